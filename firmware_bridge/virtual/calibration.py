"""What the simulated board has learned of its sensors, and how it learns it: docs/protocol.md."""

import struct
from binascii import crc_hqx
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median_low
from typing import Final

from engine.sides import Side
from engine.squares import SQUARES, Square, SquareSet, set_of, squares_in
from firmware_bridge.image import Sensed
from firmware_bridge.virtual.sensors import PULL, REST, USUAL_PULL, Sensors
from firmware_bridge.wire import CRC_START, BoardKind, Learned, LearnResult, LearnStep

OCCUPIED_PER_CENT: Final = 40
"""Of the learned pull: from there on a square counts as occupied."""
DRIFTED_PER_CENT: Final = 10
"""Of the learned pull: so far off its learned rest, a sensor on an empty square has drifted."""
REST_LIMIT: Final = 60
"""In counts: what is further off the usual rest is a magnet and not a sensor at rest."""
WEAKEST_PER_CENT: Final = 50
"""Of the usual pull: a piece that pulls less is refused at the calibration."""
FAINTEST_PER_CENT: Final = 12
"""Of the usual pull: less than that is nothing."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """How every sensor rests, and how far a piece pulls it from there; by square."""

    rests: tuple[int, ...]
    pulls: tuple[int, ...]

    @classmethod
    def usual(cls, kind: BoardKind) -> "Calibration":
        """Return what a board goes by that was never calibrated."""
        return cls((REST[kind],) * len(SQUARES), (USUAL_PULL[kind],) * len(SQUARES))

    @classmethod
    def of_new(cls, sensors: Sensors, kind: BoardKind) -> "Calibration":
        """Return what is right for sensors as they are now, with usual magnets."""
        rests = tuple(sensors.reading(square) for square in SQUARES)
        return cls(rests, (PULL[kind],) * len(SQUARES))

    @property
    def checksum(self) -> int:
        """What HELLO says of it: never 0, which means that there is none."""
        numbers = (*self.rests, *self.pulls)
        return crc_hqx(struct.pack(f"<{len(numbers)}H", *numbers), CRC_START) or 1

    def sensed(self, square: Square, reading: int) -> Sensed:
        """Tell what a reading means."""
        pull = reading - self.rests[square]
        if 100 * abs(pull) < OCCUPIED_PER_CENT * self.pulls[square]:
            return Sensed.EMPTY
        return Sensed.RED if pull > 0 else Sensed.BLUE

    def has_drifted(self, square: Square, reading: int) -> bool:
        """Whether the reading on an empty square is far from where it was learned to rest."""
        return 100 * abs(reading - self.rests[square]) >= DRIFTED_PER_CENT * self.pulls[square]


class Learning:
    """A calibration on its way. A board that restarts begins a new one."""

    def __init__(self, kind: BoardKind) -> None:
        self._kind = kind
        self._rests: tuple[int, ...] | None = None
        self._learned: Calibration | None = None

    def take(
        self, step: LearnStep, readings: Sequence[int], occupied: SquareSet
    ) -> tuple[Learned, Calibration | None]:
        """Take a step at a board that reads so, on which pieces are believed to stand so.

        Returns the answer, and the calibration to be used from now on if it is to be another.
        """
        match step:
            case LearnStep.EMPTY:
                occupied |= self._not_at_rest(readings)
                if occupied:
                    return Learned(step, {LearnResult.OCCUPIED: occupied}), None
                self._rests, self._learned = tuple(readings), None
            case LearnStep.ARMIES if self._rests:
                refused = self._learn_armies(self._rests, readings)
                if refused:
                    return Learned(step, refused), None
            case LearnStep.SAVE if self._learned:
                learned, self._rests, self._learned = self._learned, None, None
                return Learned(step, {LearnResult.DONE: 0}), learned
            case LearnStep.ABORT | LearnStep.FORGET:
                self._rests = self._learned = None
            case _:
                return Learned(step, {LearnResult.OUT_OF_ORDER: 0}), None
        return Learned(step, {LearnResult.DONE: 0}), None

    def _not_at_rest(self, readings: Sequence[int]) -> SquareSet:
        usual = REST[self._kind]
        return set_of(n for n, reading in enumerate(readings) if abs(reading - usual) > REST_LIMIT)

    def _learn_armies(
        self, rests: Sequence[int], readings: Sequence[int]
    ) -> Mapping[LearnResult, SquareSet]:
        """Learn what the armies pull; if pieces are not as they should be, name those instead."""
        pulls = {
            square: sign * (readings[square] - rests[square])
            for side, sign in ((Side.RED, 1), (Side.BLUE, -1))
            for square in squares_in(side.home)
        }
        if self._kind is BoardKind.PRESENCE:
            pulls = {square: abs(pull) for square, pull in pulls.items()}
        refused: defaultdict[LearnResult, SquareSet] = defaultdict(int)
        for square, pull in pulls.items():
            if (result := self._judge(pull)) is not LearnResult.DONE:
                refused[result] |= 1 << square
        if refused:
            return refused
        between = median_low(pulls.values())
        self._learned = Calibration(
            tuple(rests), tuple(pulls.get(square, between) for square in SQUARES)
        )
        return {}

    def _judge(self, pull: int) -> LearnResult:
        """Tell what is to be said of a piece that pulls so, above 0 in its own direction."""
        usual = PULL[self._kind]
        if 100 * abs(pull) < FAINTEST_PER_CENT * usual:
            return LearnResult.MISSING
        if 100 * abs(pull) < WEAKEST_PER_CENT * usual:
            return LearnResult.WEAK
        return LearnResult.FLIPPED if pull < 0 else LearnResult.DONE
