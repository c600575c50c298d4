"""The sensors under the simulated board, and what may be wrong with them.

A plain model: each linear Hall sensor rests near the middle of its range, as far off as parts
differ, and a magnet moves its reading in proportion. Neighbouring magnets do not reach it. A switch
of a presence board reads all or nothing.
"""

import random
from typing import Final

from engine.squares import SQUARES, Square
from firmware_bridge.thresholds import PULL, RESTING
from firmware_bridge.wire import FULL_SCALE, BoardKind

PART_SPREAD: Final = 15
"""How far linear sensors of one kind differ at rest, either way."""
NOISE: Final = 2
"""How far one reading may be off, either way."""
CLOSING_MAGNET: Final = 0.5
"""A magnet that is weaker, beside a usual one, does not close a switch."""


class Sensors:
    """One sensor a square. It is the same part in every run."""

    def __init__(self, kind: BoardKind) -> None:
        parts = random.Random("parts")
        spread = PART_SPREAD if kind is BoardKind.COLOURS else 0
        self._kind = kind
        self._rests = [RESTING[kind] + parts.randint(-spread, spread) for _ in SQUARES]
        self._stuck: dict[Square, int] = {}
        self._loose: dict[Square, int] = {}
        self._noise = random.Random("noise")

    def stick(self, square: Square, reading: int) -> None:
        """Let a sensor read the same from now on, whatever stands on it."""
        self._stuck[square] = reading

    def mend(self, square: Square) -> None:
        """Let a sensor that was stuck, or loose, be as good as new."""
        self._stuck.pop(square, None)
        self._loose.pop(square, None)

    def drift(self, square: Square, counts: int) -> None:
        """Let a sensor rest elsewhere from now on."""
        self._rests[square] += counts

    def loosen(self, square: Square, counts: int) -> None:
        """Let a sensor read so far too high or too low from now on."""
        self._loose[square] = counts

    def reading(self, square: Square, magnet: float = 0.0) -> int:
        """What a sensor reads of a magnet, without noise: 1 is a red piece's, -1 a blue one's."""
        if square in self._stuck:
            return self._stuck[square]
        if self._kind is BoardKind.PRESENCE:
            magnet = -1 if abs(magnet) >= CLOSING_MAGNET else 0
        return _in_scale(self._rests[square] + round(PULL[self._kind] * magnet))

    def noisy(self, square: Square, reading: int) -> int:
        """Read again: the same, a little off. Every run meets the same noise."""
        noise = self._noise.randrange(2 * NOISE + 1) - NOISE
        if square in self._loose:
            noise += self._noise.choice((-1, 1)) * self._loose[square]
        return _in_scale(reading + noise)


def _in_scale(reading: int) -> int:
    return min(max(reading, 0), FULL_SCALE)
