"""Measures the errors in a board's images while sensors or wires are faulty, or while there is
interference.

The command prints figures in the format of hardware/firmware/measurements.md. Its last arguments
are the numbers of squares and boards:

    python -m tests.hardware.sensor_faults hardware/firmware/build/boomboard.elf 100 6
"""

import random
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

from engine.board.geometry import SQUARES, Square, set_of
from firmware_bridge.board_hardware import ON_PER_CENT, STUCK_WITHIN
from firmware_bridge.image import Image, Sensed
from firmware_bridge.wire import FULL_SCALE, BoardKind, Configure, Fault, FaultCode, Geometry, State
from hardware.emulator.board import EmulatedBoard, Heard
from hardware.emulator.physics import PIECE, REST, WORST_CROWDING, Field, Spread
from hardware.emulator.port import configured
from tests.hardware.calibrating import calibrate
from tests.hardware.hovering import Hovered, HoveringHands

MILLIVOLTS: Final = 1024 / 5000
"""ADC counts per millivolt."""
SETTLED_US: Final = 300_000
"""Time after power-on, in microseconds, from which a board's reports are no longer affected by its
start-up."""
PLAYED_US: Final = 600_000
"""Time for which a faulty board is observed, in microseconds."""
HUM_US: Final = 1_400_000
"""Time for which an open wire with hum is observed, in microseconds. The hum may look exactly like
the piece on the square. In that case, only the check of all wires finds the fault, and this check
takes a second."""
DIES_MS: Final = 2_000
DIED_US: Final = 1000 * DIES_MS + 300_000


@dataclass(frozen=True)
class Wrong:
    """Fault of a single sensor."""

    spoil: Callable[[EmulatedBoard, Square], None]
    codes: frozenset[FaultCode]
    lasts_us: int = PLAYED_US
    dies_to: float | None = None
    """Final output of a sensor that fails gradually, or None if it fails immediately.

    A gradual change is linear and takes `DIES_MS`.
    """


def _short(counts: float) -> Callable[[EmulatedBoard, Square], None]:
    def spoil(board: EmulatedBoard, square: Square) -> None:
        board.field.broken[square] = counts
        board.update_sensors()

    return spoil


def _die(counts: float) -> Callable[[EmulatedBoard, Square], None]:
    return lambda board, square: board.wither(square, counts, DIES_MS)


def _hum(board: EmulatedBoard, square: Square) -> None:
    board.set_hum(1000 * MILLIVOLTS)
    board.open_wires([square])


_STUCK: Final = frozenset({FaultCode.STUCK_CHANNEL})
_DYING: Final = frozenset({FaultCode.DYING, FaultCode.STUCK_CHANNEL, FaultCode.OPEN_WIRE})
SENSORS: Final[Mapping[str, Wrong]] = {
    "shorted to ground": Wrong(_short(0.0), _STUCK),
    "shorted to 5 V": Wrong(_short(FULL_SCALE), _STUCK),
    "open wire": Wrong(
        lambda board, square: board.open_wires([square]), frozenset({FaultCode.OPEN_WIRE})
    ),
    "open wire with 1 V of hum": Wrong(_hum, frozenset({FaultCode.OPEN_WIRE}), HUM_US),
    "dies to ground in 2 s": Wrong(_die(0.0), _DYING, DIED_US, 0.0),
    "dies to 5 V in 2 s": Wrong(_die(FULL_SCALE), _DYING, DIED_US, FULL_SCALE),
}
"""Faults of a single sensor, keyed by name."""

SURROUNDINGS: Final[Mapping[str, Callable[[EmulatedBoard], None]]] = {
    "spikes of ± 2.5 V on 1 % of the conversions": lambda board: board.set_spikes(
        2500 * MILLIVOLTS, 0.01
    ),
    "bursts of 3 ms of ± 1 V, 20 per second": lambda board: board.set_bursts(
        1000 * MILLIVOLTS, 3_000, 49_700, rough=False
    ),
    "the same, for each conversion separately": lambda board: board.set_bursts(
        1000 * MILLIVOLTS, 3_000, 49_700, rough=True
    ),
    "ripple of ± 250 mV at 100 Hz": lambda board: board.set_ripple(250 * MILLIVOLTS, 100.0),
    "ripple of ± 250 mV at 1500 Hz": lambda board: board.set_ripple(250 * MILLIVOLTS, 1500.0),
    "noise of 50 mV rms": lambda board: board.set_noise(50 * MILLIVOLTS),
}
"""Interference that affects all sensors, keyed by name."""


@dataclass
class Figures:
    tried: int = 0
    frames: int = 0
    wrong_squares: int = 0
    """Number of wrong squares, summed over all frames."""
    wrong_colours: int = 0
    """Number of wrong squares that show a colour."""
    reported_ms: list[float] = field(default_factory=list)
    """Time, in milliseconds, from the first wrong reading until the report."""
    unreported: int = 0
    false_alarms: int = 0
    """Number of faults, other than drift, reported for intact sensors."""

    def count(self, heard: list[Heard], truth: Image) -> None:
        """Compare the frames with the pieces."""
        for each in heard:
            if isinstance(each.message, State):
                self.frames += 1
                shown = each.message.image
                wrong = [square for square in SQUARES if shown.at(square) is not truth.at(square)]
                self.wrong_squares += len(wrong)
                self.wrong_colours += sum(shown.at(n) is not Sensed.EMPTY for n in wrong)

    def __str__(self) -> str:
        reported = (
            self.reported_ms
            and f"{median(self.reported_ms):.0f}, at most {max(self.reported_ms):.0f}"
        )
        cells = (
            f"{self.frames}",
            f"{self.wrong_squares}",
            f"{self.wrong_colours}",
            reported or "",
            f"{self.unreported}",
            f"{self.false_alarms}",
        )
        return " | ".join(cells)


def calibrated(elf: Path, geometry: Geometry = Geometry.BY_HAND) -> bytes:
    """Return the EEPROM contents of a calibrated board with worst-case parts."""
    with EmulatedBoard(elf, _parts(geometry), geometry=geometry) as board:
        board.eeprom = configured(elf, Configure(geometry=geometry))
        board.power_on()
        board.run(SETTLED_US)
        calibrate(board)
        return board.eeprom


def _parts(geometry: Geometry) -> Field:
    tiles = geometry is Geometry.TILES
    return Field(Spread().sensors(1), crowding=WORST_CROWDING, face_down=tiles)


def positions(dice: random.Random) -> Iterator[Image]:
    """Yield random positions in which at least half of the squares are occupied."""
    while True:
        squares = dice.sample(SQUARES, dice.randrange(50, 80))
        yield Image(red=set_of(squares[::2]), blue=set_of(squares[1::2]))


def running_board(
    elf: Path, eeprom: bytes, image: Image, seed: int, geometry: Geometry = Geometry.BY_HAND
) -> EmulatedBoard:
    """Return a calibrated board that has been running for some time and shows a position. Its scan
    is at a random point."""
    board = EmulatedBoard(elf, _parts(geometry), geometry=geometry, seed=seed)
    board.eeprom = eeprom
    board.power_on()
    board.show(image)
    board.run(SETTLED_US + 100 * random.Random(seed).randrange(200))
    return board


def try_sensor(
    elf: Path,
    eeprom: bytes,
    name: str,
    count: int,
    seed: int = 0,
    geometry: Geometry = Geometry.BY_HAND,
) -> Figures:
    """Try a fault on several sensors, each on a different board."""
    wrong, dice = SENSORS[name], random.Random(seed)
    squares = [n for _ in range(0, count, len(SQUARES)) for n in dice.sample(SQUARES, len(SQUARES))]
    figures = Figures()
    for image, square in zip(positions(dice), squares[:count], strict=False):
        figures.tried += 1
        with running_board(elf, eeprom, image, seed + figures.tried, geometry) as board:
            wrong_us = board.now_us + _right_us(board.field, square, wrong)
            wrong.spoil(board, square)
            heard = board.run(wrong.lasts_us)
        figures.count(heard, image)
        reported = [
            each.at_us
            for each in heard
            if isinstance(each.message, Fault)
            and each.message.square == square
            and each.message.code in wrong.codes
        ]
        if reported:
            figures.reported_ms.append((reported[0] - wrong_us) / 1000)
        else:
            figures.unreported += 1
    return figures


def _right_us(field: Field, square: Square, wrong: Wrong) -> float:
    """Return the time, in microseconds, for which a dying sensor still shows its square correctly.

    On an empty square, this time ends when the reading reaches the threshold. Under a piece, it
    ends when the deflection falls to the lower threshold (four fifths of the upper one). If the
    deflection grows instead, it ends when the sensor counts as stuck.
    """
    if wrong.dies_to is None:
        return 0.0
    begun, sensor = field.reading(square), field.sensors[square]
    piece, rest = PIECE * sensor.sensitivity, REST + sensor.offset
    on = ON_PER_CENT[BoardKind.COLOURS] / 100 * piece
    magnet = field.magnets.get(square)
    reads_high = magnet and magnet.north_up is not field.face_down
    if magnet is None:
        limit = rest + (on if wrong.dies_to > rest else -on)
    elif (wrong.dies_to > rest) is reads_high:
        limit = STUCK_WITHIN if wrong.dies_to < rest else FULL_SCALE - STUCK_WITHIN
    else:
        limit = rest + (0.8 * on if reads_high else -0.8 * on)
    return 1000 * DIES_MS * (limit - begun) / (wrong.dies_to - begun)


def try_surroundings(
    elf: Path,
    eeprom: bytes,
    name: str,
    count: int,
    seconds: int = 10,
    seed: int = 0,
    geometry: Geometry = Geometry.BY_HAND,
) -> Figures:
    """Try one kind of interference on several boards, for `seconds` each."""
    figures = Figures()
    for image in positions(random.Random(seed)):
        if figures.tried == count:
            break
        figures.tried += 1
        with running_board(elf, eeprom, image, seed + figures.tried, geometry) as board:
            SURROUNDINGS[name](board)
            heard = board.run(1_000_000 * seconds)
        figures.count(heard, image)
        figures.false_alarms += sum(
            isinstance(each.message, Fault)
            and each.message.square is not None
            and each.message.code is not FaultCode.DRIFT
            for each in heard
        )
    return figures


def try_hands(
    elf: Path,
    eeprom: bytes,
    count: int,
    moves: int,
    seed: int = 0,
    geometry: Geometry = Geometry.BY_HAND,
) -> Hovered:
    """Play on intact boards, alternating normal moves with moves by a hovering hand."""
    hovered = Hovered()
    for image in positions(random.Random(seed)):
        if count == 0:
            return hovered
        count, seed = count - 1, seed + 1
        with running_board(elf, eeprom, image, seed, geometry) as board:
            hands = HoveringHands(board, seed)
            for n in range(moves):
                hands.move(hovers=n % 2 == 0)
        hovered.add(hands.results)
    raise AssertionError


def main(elf: str, squares: str, boards: str) -> None:
    eeprom = calibrated(Path(elf))
    for name in SENSORS:
        sys.stdout.write(f"| {name} | {try_sensor(Path(elf), eeprom, name, int(squares))} |\n")
    for name in SURROUNDINGS:
        figures = try_surroundings(Path(elf), eeprom, name, int(boards))
        sys.stdout.write(f"| {name} | {figures} |\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
