"""Sensors of the simulated board, and their faults.

A simple model: each linear Hall sensor rests near the middle of its range, with the spread of real
parts, and a magnet changes its reading in proportion. Neighbouring magnets have no effect. A switch
of a presence board reads one end of the range or the other.
"""

import random
from typing import Final

from engine.board.geometry import SQUARES, Square
from firmware_bridge.thresholds import PULL, RESTING
from firmware_bridge.wire import FULL_SCALE, BoardKind

PART_SPREAD: Final = 15
"""Spread of the rest readings of linear sensors, in either direction, in counts."""
NOISE: Final = 2
"""Maximum noise of one reading, in either direction, in counts."""
CLOSING_MAGNET: Final = 0.5
"""Magnet strength, relative to a usual one, below which a switch does not close."""


class Sensors:
    """One sensor for each square. The spread is the same in every run."""

    def __init__(self, kind: BoardKind) -> None:
        parts = random.Random("parts")
        spread = PART_SPREAD if kind is BoardKind.COLOURS else 0
        self._kind = kind
        self._rests = [RESTING[kind] + parts.randint(-spread, spread) for _ in SQUARES]
        self._stuck: dict[Square, int] = {}
        self._loose: dict[Square, int] = {}
        self._noise = random.Random("noise")

    def stick(self, square: Square, reading: int) -> None:
        """Fix the reading of a sensor, independently of the piece on it."""
        self._stuck[square] = reading

    def mend(self, square: Square) -> None:
        """Repair a sensor that was stuck or loose."""
        self._stuck.pop(square, None)
        self._loose.pop(square, None)

    def drift(self, square: Square, counts: int) -> None:
        """Shift the rest of a sensor."""
        self._rests[square] += counts

    def loosen(self, square: Square, counts: int) -> None:
        """Add an error of this size to every reading of a sensor, in varying direction."""
        self._loose[square] = counts

    def reading(self, square: Square, magnet: float = 0.0) -> int:
        """Reading of a sensor for a magnet, without noise: 1 is a red piece's, -1 a blue one's."""
        if square in self._stuck:
            return self._stuck[square]
        if self._kind is BoardKind.PRESENCE:
            magnet = -1 if abs(magnet) >= CLOSING_MAGNET else 0
        return _in_scale(self._rests[square] + round(PULL[self._kind] * magnet))

    def noisy(self, square: Square, reading: int) -> int:
        """The reading with noise. The noise is the same in every run."""
        noise = self._noise.randrange(2 * NOISE + 1) - NOISE
        if square in self._loose:
            noise += self._noise.choice((-1, 1)) * self._loose[square]
        return _in_scale(reading + noise)


def _in_scale(reading: int) -> int:
    return min(max(reading, 0), FULL_SCALE)
