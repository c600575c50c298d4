"""Messages between board and computer, and the constants of the protocol.

Constants in capitals have the same names in the firmware.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import Final, Literal, TypeAlias

from engine.board.geometry import Square, SquareSet
from firmware_bridge.image import Image

PROTOCOL: Final = 5
"""Protocol version that this module implements."""
BAUD: Final = 250_000
"""Bits per second, 8N1. This rate is exact on a 16 MHz AVR, where 115200 would be 2.1 % off."""
STATE_INTERVAL_MS: Final = 20
"""Interval between STATE messages, in milliseconds of the board's clock."""
SAMPLING_MS: Final = 8
"""Uncertainty of a reported change time, in milliseconds. The square changed at the reported time
or up to this long before it."""
CHANGE_REPORT_MS: Final = 70
"""Maximum age of a reported change, in milliseconds. With this limit, each change appears in three
or four frames."""
MOST_CHANGES: Final = 7
"""Maximum number of changes in a STATE. The most recent changes are reported."""
MOST_MULTIPLEXERS: Final = 8
CHANNELS: Final = 16
"""Number of channels of each multiplexer. Of the 112 or 128 channels in total, 100 read squares."""
FULL_SCALE: Final = 1023
"""Maximum reading of a sensor."""
NO_SQUARE: Final = 255
"""Square number in a FAULT that does not concern a particular square."""
FELT_PIECE: Final = 400
"""FELT value for the full field of a piece, as measured on the piece's own square at calibration.
"""
NOT_FELT: Final = -128
"""FELT value of a sensor whose reading cannot be caused by a magnet."""
FELT_SQUARES: Final = 20
"""Number of squares in a FELT message (two rows)."""
FELT_BANDS: Final = 5
"""Number of FELT messages needed to cover the whole board."""


CAMERA_FIRMWARE: Final = (0, 1, 0)
"""Firmware version in a camera's HELLO. Simulated boards report 0.0.0, and boards with sensors at
least 1.0.0."""


class MessageType(IntEnum):
    """First byte of a frame. It is below 0x80 for messages from the board."""

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
    """Whether frames of this type are sent by the host, not the board."""
    return kind >= _FIRST_OF_HOST


class BoardKind(IntEnum):
    """Sensor capabilities of a board."""

    COLOURS = 1
    """The board distinguishes red from blue pieces, with linear Hall sensors. Red pieces have their
    north pole up, blue pieces their south pole."""
    PRESENCE = 2
    """The board distinguishes occupied from empty squares, but not colours. Its sensors are reed or
    unipolar Hall switches."""


class Geometry(IntEnum):
    """Wiring of the sensors to the multiplexers; the value is the number of multiplexers."""

    BY_HAND = 7
    """Wired by hand (hardware/wiring.toml)."""
    TILES = 8
    """Four tiles and a controller (hardware/pcb/wiring.toml). On this board, red pieces give low
    readings.
    """


class ResetCause(IntFlag):
    """Reset causes: bits of the MCUSR register (ATmega328P data sheet, 11.9.1)."""

    POWER_ON = 1
    EXTERNAL = 2
    """The reset line, which a USB adapter pulls low when its port is opened."""
    BROWN_OUT = 4
    """The supply voltage dropped below the brown-out limit."""
    WATCHDOG = 8
    """The firmware hung."""


class FaultCode(IntEnum):
    """Faults that a board reports about itself."""

    STUCK_CHANNEL = 1
    """A sensor's reading stays at one end of its range. `Fault.value` is the reading, 0 to 1023."""
    DRIFT = 2
    """A sensor's resting level is far from its calibrated baseline. `Fault.value` is the sensor's
    reading, 0 to 1023."""
    LOW_SUPPLY = 3
    """The supply voltage is low. `Fault.value` is the voltage in millivolts."""
    OPEN_WIRE = 4
    """The input for a square is floating, because its wire is disconnected. `Fault.value` is the
    reading of the input."""
    DYING = 5
    """The reading of a sensor changes too slowly for a hand to be the cause. `Fault.value` is the
    sensor's reading. The square keeps its state until the reading has settled."""
    NO_GROUND = 6
    """The spare input of a multiplexer is not grounded. `Fault.value` is the number of the
    multiplexer."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The board identifies itself when it starts and in reply to every IDENTIFY."""

    firmware: tuple[int, int, int]
    """Version as major, minor and patch numbers."""
    kind: BoardKind
    reset_cause: ResetCause
    calibration: int
    """Checksum of the calibration in use, or 0 if the board is not calibrated."""
    geometry: Geometry = Geometry.BY_HAND
    build: int = 0
    """Hash of the firmware sources: the first 32 bits of SHA-256."""

    @property
    def is_camera(self) -> bool:
        """Whether the board is observed by a camera.

        A camera knows neither the order in which pieces were lifted nor the strength of a field.
        The image may be outdated while all squares are reported as faint.
        """
        return self.firmware == CAMERA_FIRMWARE


@dataclass(frozen=True, slots=True)
class ForeignHello:
    """The HELLO of a board that uses a different protocol. Only the protocol number is known."""

    protocol: int
    rest: bytes
    """The body after the protocol number."""


@dataclass(frozen=True, slots=True)
class State:
    """State of all sensors, debounced by the board."""

    at_ms: int
    """Time on the board's clock in milliseconds. The clock starts at 0 when the board starts, and
    wraps at 2**32.
    """
    image: Image
    changed: tuple[tuple[Square, int], ...] = ()
    """Recently changed squares, most recent last. The number after each square is the age of its
    change: how many milliseconds before `at_ms` the new state was first read. The image may also
    show changes that are not listed."""
    faint: SquareSet = 0
    """Squares whose reading is close to a threshold, so that their state may be wrong."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that the board reports about itself."""

    code: FaultCode
    square: Square | None
    """Affected square, or None if the fault does not concern a single square."""
    value: int
    """Number whose meaning depends on the code (see `FaultCode`)."""


@dataclass(frozen=True, slots=True)
class Raw:
    """Readings of the sensors behind one multiplexer."""

    multiplexer: int
    readings: tuple[int, ...]
    """One reading per channel, 0 to 1023 each; `CHANNELS` in total."""


class CalibrationStep(IntEnum):
    """Calibration steps.

    EMPTY, ARMIES and SAVE are taken in this order. The others may be taken at any time, except
    while a step is in progress.
    """

    ABORT = 0
    """Discard all measurements since the last SAVE."""
    EMPTY = 1
    """The board is empty: measure the resting level of every sensor."""
    ARMIES = 2
    """Both armies of forty pieces are in their rows: measure the deflection that each piece causes
    on its square."""
    SAVE = 3
    """Save the calibration, and use it from now on."""
    FORGET = 4
    """Disable the calibration in use until the next ABORT or SAVE, or until the board restarts."""


class CalibrationResult(IntEnum):
    """Results of a calibration step."""

    DONE = 0
    OCCUPIED = 1
    """EMPTY was rejected: these squares seem to be occupied."""
    WEAK = 2
    """ARMIES was rejected: the magnets on these squares are too weak."""
    FLIPPED = 3
    """ARMIES was rejected: the magnets on these squares are upside down."""
    OUT_OF_ORDER = 4
    """An earlier step is missing or another step is in progress, so nothing was done. In reply to
    SAVE also: the EEPROM has failed."""
    MISSING = 5
    """ARMIES was rejected: no magnet was detected on these squares."""


@dataclass(frozen=True, slots=True)
class CalibrationReply:
    """The reply to a calibration step, with all its results."""

    step: CalibrationStep
    results: Mapping[CalibrationResult, SquareSet]
    """Squares affected by each result. The sets for DONE and OUT_OF_ORDER are empty."""


@dataclass(frozen=True, slots=True)
class Status:
    """Condition of the board, sent once per second."""

    supply_mv: int
    """Supply voltage of the board in millivolts, nominally 5000."""


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """Settings that a board cannot detect by itself, such as the parts from which it is built."""

    kind: BoardKind
    geometry: Geometry
    on_per_cent: int
    """Switch-on threshold, as a percentage of the deflection measured on a square at calibration.
    """
    band_gap_mv: int
    """Reference voltage of the microcontroller in millivolts, used to measure the supply voltage.
    """


class ConfigureResult(IntEnum):
    """Results of a CONFIGURE. Settings are changed only if the result is ACCEPTED."""

    ACCEPTED = 0
    NO_KIND = 1
    NO_GEOMETRY = 2
    """The geometry does not exist, or is not available with these sensors: tiles have no switches.
    """
    NO_BAND_GAP = 3
    """The microcontroller cannot have this reference voltage."""
    NO_SHARE = 4
    """No board could work with this threshold."""
    NOT_NOW = 5
    """A calibration step is in progress, or the EEPROM has failed."""


@dataclass(frozen=True, slots=True)
class Configured:
    """The reply to a CONFIGURE."""

    result: ConfigureResult
    settings: BoardSettings
    """The settings now in use."""


@dataclass(frozen=True, slots=True)
class FieldReadings:
    """Field readings of some squares, as fractions of a piece's field.

    The readings may be far below the thresholds.
    """

    band: int
    """Number of the band. The first square of the band is this number times `FELT_SQUARES`."""
    shares: tuple[int, ...]
    """The field on each square in the band, or `NOT_FELT`. The unit is 1/`FELT_PIECE` of a piece's
    field, and positive values indicate a red piece."""


@dataclass(frozen=True, slots=True)
class Configure:
    """Command to change the settings of the board. 0 leaves a value unchanged."""

    kind: BoardKind | Literal[0] = 0
    geometry: Geometry | Literal[0] = 0
    on_per_cent: int = 0
    band_gap_mv: int = 0


@dataclass(frozen=True, slots=True)
class Identify:
    """Command to send a HELLO."""


@dataclass(frozen=True, slots=True)
class RequestRaw:
    """Command to send the readings of all channels: one RAW per multiplexer."""


@dataclass(frozen=True, slots=True)
class RequestField:
    """Command to send the field readings of all squares, as `FELT_BANDS` FELT messages."""


@dataclass(frozen=True, slots=True)
class Calibrate:
    """Command to perform one step of the calibration."""

    step: CalibrationStep


@dataclass(frozen=True, slots=True)
class Lamps:
    """Command to light only these squares. A board without lamps ignores the command."""

    squares: SquareSet


BoardReport: TypeAlias = (
    State | Fault | Raw | CalibrationReply | Status | Configured | FieldReadings
)
"""Messages that a board sends after identifying itself."""
BoardMessage: TypeAlias = Hello | ForeignHello | BoardReport
HostCommand: TypeAlias = Identify | RequestRaw | RequestField | Calibrate | Lamps | Configure
