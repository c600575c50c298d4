"""What board and computer say to each other, as values, and the protocol's numbers.

Constants in capitals have the same names in the firmware.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import Final, Literal, TypeAlias

from engine.squares import Square, SquareSet
from firmware_bridge.image import Image

PROTOCOL: Final = 5
"""The version of the protocol that this module speaks."""
BAUD: Final = 250_000
"""Bits a second, 8N1: exact on a 16 MHz AVR, where 115200 would be 2.1 % off."""
STATE_INTERVAL_MS: Final = 20
"""Milliseconds of the board's clock from one STATE to the next."""
LOOK_MS: Final = 7
"""A square that is told to have changed was seen otherwise at most so many milliseconds before."""
TOLD_MS: Final = 70
"""A change is told as long as it is not longer ago: by three frames or four."""
MOST_CHANGES: Final = 7
"""So many changes a STATE tells at most, the latest."""
MOST_MULTIPLEXERS: Final = 8
CHANNELS: Final = 16
"""Of each multiplexer; of the 112 or 128 channels in all, 100 are squares."""
FULL_SCALE: Final = 1023
"""The highest reading of a sensor."""
NO_SQUARE: Final = 255
"""In a FAULT: the fault concerns no single square."""
FELT_PIECE: Final = 400
"""In a FELT so much is a whole piece, as it was learned on its square."""
NOT_FELT: Final = -128
"""In a FELT: the sensor of the square reads what no magnet can bring about."""
FELT_SQUARES: Final = 20
"""So many squares a FELT tells of: two rows."""
FELT_BANDS: Final = 5
"""So many FELT tell of the whole board."""


class MessageType(IntEnum):
    """The first byte of a frame; the board's are below 0x80, the host's above."""

    HELLO = 0x01
    STATE = 0x02
    FAULT = 0x03
    RAW = 0x04
    LEARNED = 0x05
    STATUS = 0x06
    CONFIGURED = 0x07
    FELT = 0x08
    IDENTIFY = 0x81
    SEND_RAW = 0x82
    LEARN = 0x83
    LAMPS = 0x84
    CONFIGURE = 0x85
    SEND_FELT = 0x86


_FIRST_OF_HOST: Final = 0x80


def is_from_host(kind: int) -> bool:
    """Say by the type of a frame who has sent it: the host, or the board."""
    return kind >= _FIRST_OF_HOST


class BoardKind(IntEnum):
    """What the sensors of a board can tell."""

    COLOURS = 1
    """Red from blue: linear Hall sensors, red pieces north up, blue pieces south up."""
    PRESENCE = 2
    """Occupied from empty only: reed or unipolar switches."""


class Geometry(IntEnum):
    """How the sensors of a board hang on its multiplexers; each is called by how many there are."""

    BY_HAND = 7
    """Wired by hand: hardware/wiring.toml."""
    TILES = 8
    """Four tiles and a controller: hardware/pcb/wiring.toml. Red reads low there."""


class ResetCause(IntFlag):
    """Why the board started: the bits of the register MCUSR (ATmega328P data sheet, 11.9.1)."""

    POWER_ON = 1
    EXTERNAL = 2
    """The reset line, which USB adapters pull when the port is opened."""
    BROWN_OUT = 4
    """The supply had sunk below the limit."""
    WATCHDOG = 8
    """The firmware had hung."""


class FaultCode(IntEnum):
    """What a board reports about itself."""

    STUCK_CHANNEL = 1
    """A sensor stays at one end of its range; `Fault.value` is the reading of 0 to 1023."""
    DRIFT = 2
    """A sensor rests far from its calibrated baseline; the value is its reading, 0 to 1023."""
    LOW_SUPPLY = 3
    """The supply is low; the value is its voltage in millivolts."""
    OPEN_WIRE = 4
    """Nothing drives the input of a square: its wire is open. The value is its reading."""
    DYING = 5
    """A sensor changes more slowly than by a hand; the value is its reading. The square stays as it
    was until the reading has come to rest."""
    NO_GROUND = 6
    """The spare input of a multiplexer is not at ground; the value is the multiplexer's number."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The board says who it is: once when it starts, and whenever it is asked to."""

    firmware: tuple[int, int, int]
    """Major, minor, patch."""
    kind: BoardKind
    reset_cause: ResetCause
    calibration: int
    """Checksum of the calibration in use, 0 for none."""
    geometry: Geometry = Geometry.BY_HAND
    build: int = 0
    """From which sources its firmware was built: the first 32 bits of their SHA-256."""


@dataclass(frozen=True, slots=True)
class ForeignHello:
    """The HELLO of a board that speaks another protocol, of which only the number is known."""

    protocol: int
    rest: bytes
    """The body after the protocol number."""


@dataclass(frozen=True, slots=True)
class State:
    """Everything the sensors show, debounced by the board."""

    at_ms: int
    """Milliseconds of the board's clock, which starts at 0 with the board and wraps at 2**32."""
    image: Image
    changed: tuple[tuple[Square, int], ...] = ()
    """Squares that have changed lately, each with how many milliseconds before `at_ms` it was first
    seen as it is; the latest last. What is missing here is in the image all the same."""
    faint: SquareSet = 0
    """The squares whose reading is close to the thresholds: it may as well be the other."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The board reports that something is wrong with it."""

    code: FaultCode
    square: Square | None
    """The square concerned, None if it is no single square."""
    value: int
    """A number that depends on the code, see `FaultCode`."""


@dataclass(frozen=True, slots=True)
class Raw:
    """What the sensors behind one multiplexer read, by channel: 0 to 1023 each."""

    multiplexer: int
    readings: tuple[int, ...]
    """One of each of the CHANNELS channels."""


class LearnStep(IntEnum):
    """The steps of a calibration: EMPTY, ARMIES and SAVE in this order, the others at any time."""

    ABORT = 0
    """Forget what was learned since the last SAVE."""
    EMPTY = 1
    """The board is empty: learn how every sensor rests."""
    ARMIES = 2
    """Both armies of forty stand in their rows: learn what a piece does to each sensor there."""
    SAVE = 3
    """Keep it, and use it from now on."""
    FORGET = 4
    """Put the calibration in use aside, until the next ABORT, SAVE or start of the board."""


class LearnResult(IntEnum):
    """What came of a step."""

    DONE = 0
    OCCUPIED = 1
    """EMPTY was refused: pieces are believed to stand on the squares."""
    WEAK = 2
    """ARMIES was refused: a magnet is felt on the squares, but too little of it."""
    FLIPPED = 3
    """ARMIES was refused: magnets the wrong way round are felt on the squares."""
    OUT_OF_ORDER = 4
    """A step before it is missing; nothing was done."""
    MISSING = 5
    """ARMIES was refused: nothing at all is felt on the squares."""


@dataclass(frozen=True, slots=True)
class Learned:
    """The one answer to a step of the calibration, with all that came of it."""

    step: LearnStep
    results: Mapping[LearnResult, SquareSet]
    """Each with the squares that it is about; DONE and OUT_OF_ORDER are about none."""


@dataclass(frozen=True, slots=True)
class Status:
    """How the board is doing, once a second."""

    supply_mv: int
    """Its own supply in millivolts, 5000 nominally."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a board cannot know by itself: what it was built of."""

    kind: BoardKind
    geometry: Geometry
    on_per_cent: int
    """From this share of what a piece was learned to do on its square it counts as there."""
    band_gap_mv: int
    """The reference of its chip, by which it tells its supply."""


class ConfigureResult(IntEnum):
    """What came of a wish for other settings; nothing was changed unless it is the first."""

    CONFIGURED_SO = 0
    NO_KIND = 1
    NO_GEOMETRY = 2
    """There is none such, or none with these sensors: tiles have no switches."""
    NO_BAND_GAP = 3
    """No chip has such a reference."""
    NO_SHARE = 4
    """With such a threshold no board would work."""
    NOT_NOW = 5
    """A step of the calibration is under way, or the EEPROM has failed."""


@dataclass(frozen=True, slots=True)
class Configured:
    """The one answer to a CONFIGURE."""

    result: ConfigureResult
    settings: Settings
    """Those in use by now."""


@dataclass(frozen=True, slots=True)
class Felt:
    """How much of a piece is felt on some squares, far below the thresholds."""

    band: int
    """Which squares: those from `FELT_SQUARES` times this on."""
    shares: tuple[int, ...]
    """Of each of them, in parts of `FELT_PIECE`: above 0 as of a red piece, or `NOT_FELT`."""


@dataclass(frozen=True, slots=True)
class Configure:
    """The host says what the board was built of. What is 0 is to stay as it is."""

    kind: BoardKind | Literal[0] = 0
    geometry: Geometry | Literal[0] = 0
    on_per_cent: int = 0
    band_gap_mv: int = 0


@dataclass(frozen=True, slots=True)
class Identify:
    """The host asks for a HELLO."""


@dataclass(frozen=True, slots=True)
class SendRaw:
    """The host asks for the readings of all channels: one RAW for every multiplexer."""


@dataclass(frozen=True, slots=True)
class SendFelt:
    """The host asks what is felt on all squares: `FELT_BANDS` FELT."""


@dataclass(frozen=True, slots=True)
class Learn:
    """The host leads through the calibration, a step at a time."""

    step: LearnStep


@dataclass(frozen=True, slots=True)
class Lamps:
    """The host says which squares are to be lit. A board without lamps takes no notice."""

    squares: SquareSet


Told: TypeAlias = State | Fault | Raw | Learned | Status | Configured | Felt
"""What a board says once it has said who it is."""
BoardMessage: TypeAlias = Hello | ForeignHello | Told
HostCommand: TypeAlias = Identify | SendRaw | SendFelt | Learn | Lamps | Configure
