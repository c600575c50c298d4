"""Sensors of the simulated board, with their faults, fields and calibration.

In this simple model, the resting level of each linear Hall sensor is near the middle of its range.
The levels differ as much as those of real parts. A magnet changes the reading in proportion to the
magnet's strength. Neighbouring magnets have no effect. The reading of a switch on a presence board
is at one end of the range or the other.
"""

import random
import struct
from binascii import crc_hqx
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from statistics import median_low
from typing import Final, TypeAlias

from engine.board.geometry import SQUARES, WIDTH, Side, Square, SquareSet, set_of, squares_in
from firmware_bridge import board_hardware, wire
from firmware_bridge.image import Sensed
from firmware_bridge.localization import PITCHES, field_fraction

PART_SPREAD: Final = 15
"""Maximum deviation of a linear sensor's resting level in either direction, in counts."""
NOISE: Final = 2
"""Maximum noise of one reading in either direction, in counts."""
CLOSING_MAGNET: Final = 0.5
"""Magnet strength, relative to a typical magnet, below which a switch does not close."""


class Sensors:
    """The sensors, one per square. Their spread is the same in every run."""

    def __init__(self, kind: wire.BoardKind) -> None:
        parts = random.Random("parts")
        spread = PART_SPREAD if kind is wire.BoardKind.COLOURS else 0
        self._kind = kind
        self._rests = [
            board_hardware.RESTING[kind] + parts.randint(-spread, spread) for _ in SQUARES
        ]
        self._stuck: dict[Square, int] = {}
        self._loose: dict[Square, int] = {}
        self._noise = random.Random("noise")

    def stick(self, square: Square, reading: int) -> None:
        """Freeze the reading of a sensor, regardless of the piece on its square."""
        self._stuck[square] = reading

    def repair(self, square: Square) -> None:
        """Repair a sensor that was stuck or loose."""
        self._stuck.pop(square, None)
        self._loose.pop(square, None)

    def drift(self, square: Square, counts: int) -> None:
        self._rests[square] += counts

    def make_intermittent(self, square: Square, counts: int) -> None:
        """Raise or lower every reading of a sensor by `counts`, at random."""
        self._loose[square] = counts

    def reading(self, square: Square, magnet: float = 0.0) -> int:
        """Return a sensor's reading without noise.

        `magnet` is 1 for a red piece, -1 for a blue one.
        """
        if square in self._stuck:
            return self._stuck[square]
        if self._kind is wire.BoardKind.PRESENCE:
            magnet = -1 if abs(magnet) >= CLOSING_MAGNET else 0
        return _in_scale(self._rests[square] + round(board_hardware.PULL[self._kind] * magnet))

    def noisy(self, square: Square, reading: int) -> int:
        """Return the reading with noise, which is reproducible."""
        noise = self._noise.randrange(2 * NOISE + 1) - NOISE
        if square in self._loose:
            noise += self._noise.choice((-1, 1)) * self._loose[square]
        return _in_scale(reading + noise)


def _in_scale(reading: int) -> int:
    return min(max(reading, 0), wire.FULL_SCALE)


# Magnetic field that a piece causes on the neighbouring squares.

PITCH_MM: Final = PITCHES[0]
_MOST: Final = 127
"""Maximum reading. A FELT contains one signed byte per square."""
Standing: TypeAlias = tuple[Side, float, float, float]
"""A piece on the board, as side, column, row and magnet strength."""


def felt_on(square: Square, pieces: Iterable[Standing]) -> int:
    """Return the field reading that `pieces` cause on a square, in units of 1/`FELT_PIECE`."""
    row, column = divmod(square, WIDTH)
    effect = sum(
        (magnet if side is Side.RED else -magnet)
        * field_fraction(round(10 * PITCH_MM * hypot(x - column, y - row)))
        for side, x, y, magnet in pieces
    )
    return max(-_MOST, min(_MOST, round(wire.FELT_PIECE * effect)))


# Calibration (docs/protocol.md).

LARGEST_ON: Final = 255
"""Maximum threshold. The firmware stores each threshold in one byte."""


def on_from(pull: int, kind: wire.BoardKind) -> int:
    """Return the switch-on threshold, in counts, for the deflection that a piece causes."""
    return min(pull * board_hardware.ON_PER_CENT[kind] // 100, LARGEST_ON)


def off_from(on: int) -> int:
    """Return the switch-off threshold in counts, below which the square is empty."""
    return on * 4 // 5


@dataclass(frozen=True, slots=True)
class SensorCalibration:
    """For each square, the resting level and the switch-on threshold of its sensor, in counts."""

    rests: tuple[int, ...]
    on: tuple[int, ...]

    @classmethod
    def usual(cls, kind: wire.BoardKind) -> "SensorCalibration":
        """Return the defaults for a board that has never been calibrated."""
        return cls(
            (board_hardware.RESTING[kind],) * len(SQUARES),
            (board_hardware.USUAL_ON[kind],) * len(SQUARES),
        )

    @classmethod
    def of_new(cls, sensors: Sensors, kind: wire.BoardKind) -> "SensorCalibration":
        """Return the ideal calibration of the current sensors, given typical magnets."""
        rests = tuple(sensors.reading(square) for square in SQUARES)
        return cls(rests, (on_from(board_hardware.PULL[kind], kind),) * len(SQUARES))

    @property
    def checksum(self) -> int:
        """Checksum for HELLO. It is never 0, because 0 means “not calibrated”."""
        numbers = (*self.rests, *self.on)
        return crc_hqx(struct.pack(f"<{len(numbers)}H", *numbers), wire.CRC_START) or 1

    def sensed(self, square: Square, reading: int, before: Sensed) -> Sensed:
        """Convert a reading to the state of its square.

        Once a piece is detected, it counts as removed only below four fifths of the threshold.
        """
        pull = reading - self.rests[square]
        colour = Sensed.RED if pull > 0 else Sensed.BLUE
        on = off_from(self.on[square]) if colour is before else self.on[square]
        return colour if abs(pull) >= on else Sensed.EMPTY

    def is_faint(self, square: Square, reading: int) -> bool:
        """Whether a reading lies between the lower threshold and 1.25 times the upper one."""
        pull, on = abs(reading - self.rests[square]), self.on[square]
        return off_from(on) <= pull < on + on // 4

    def has_drifted(self, square: Square, reading: int, kind: wire.BoardKind) -> bool:
        """Whether an empty square's reading has drifted by over 10 % of a piece's field."""
        return (
            board_hardware.ON_PER_CENT[kind] * abs(reading - self.rests[square])
            > 10 * self.on[square]
        )


class Learning:
    """A calibration in progress. It is discarded when the board restarts."""

    def __init__(self, kind: wire.BoardKind) -> None:
        self._kind = kind
        self._rests: tuple[int, ...] | None = None
        self._learned: SensorCalibration | None = None

    def take(
        self, step: wire.CalibrationStep, readings: Sequence[int], occupied: SquareSet
    ) -> tuple[wire.CalibrationReply, SensorCalibration | None]:
        """Execute a step, given the readings and the squares that seem to be occupied.

        Return the reply, and the new calibration if it changes.
        """
        match step:
            case wire.CalibrationStep.EMPTY:
                occupied |= self._not_at_rest(readings)
                if occupied:
                    return wire.CalibrationReply(
                        step, {wire.CalibrationResult.OCCUPIED: occupied}
                    ), None
                self._rests, self._learned = tuple(readings), None
            case wire.CalibrationStep.ARMIES if self._rests:
                refused = self._learn_armies(self._rests, readings)
                if refused:
                    return wire.CalibrationReply(step, refused), None
            case wire.CalibrationStep.SAVE if self._learned:
                learned, self._rests, self._learned = self._learned, None, None
                return wire.CalibrationReply(step, {wire.CalibrationResult.DONE: 0}), learned
            case wire.CalibrationStep.ABORT | wire.CalibrationStep.FORGET:
                self._rests = self._learned = None
            case _:
                return wire.CalibrationReply(step, {wire.CalibrationResult.OUT_OF_ORDER: 0}), None
        return wire.CalibrationReply(step, {wire.CalibrationResult.DONE: 0}), None

    def _not_at_rest(self, readings: Sequence[int]) -> SquareSet:
        rest = board_hardware.RESTING[self._kind]
        return set_of(
            n
            for n, reading in enumerate(readings)
            if abs(reading - rest) > board_hardware.REST_LIMIT
        )

    def _learn_armies(
        self, rests: Sequence[int], readings: Sequence[int]
    ) -> Mapping[wire.CalibrationResult, SquareSet]:
        """Measure the deflections of both armies.

        Return the rejected squares, grouped by result. The mapping is empty if all squares are
        accepted.
        """
        pulls = {
            square: sign * (readings[square] - rests[square])
            for side, sign in ((Side.RED, 1), (Side.BLUE, -1))
            for square in squares_in(side.home)
        }
        if self._kind is wire.BoardKind.PRESENCE:
            pulls = {square: abs(pull) for square, pull in pulls.items()}
        usual = median_low(map(abs, pulls.values()))
        refused: defaultdict[wire.CalibrationResult, SquareSet] = defaultdict(int)
        for square, pull in pulls.items():
            if (result := _judge(pull, usual)) is not wire.CalibrationResult.DONE:
                refused[result] |= 1 << square
        if refused:
            return refused
        on = tuple(on_from(pulls.get(square, usual), self._kind) for square in SQUARES)
        self._learned = SensorCalibration(tuple(rests), on)
        return {}


def _judge(pull: int, usual: int) -> wire.CalibrationResult:
    """Return the result for a piece. `pull` is positive if its direction matches the colour."""
    if abs(pull) < max(board_hardware.FAINTEST, usual // 8):
        return wire.CalibrationResult.MISSING
    if abs(pull) < max(board_hardware.WEAKEST, usual // 2):
        return wire.CalibrationResult.WEAK
    return wire.CalibrationResult.FLIPPED if pull < 0 else wire.CalibrationResult.DONE
