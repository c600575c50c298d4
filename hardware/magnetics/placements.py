"""Calculates the proportion of pieces that go undetected because they are off-centre on their
squares.

Monte Carlo simulation: the positions of pieces and the tolerances of magnets, glue and wood are
random. The same random numbers are used for all boards, so that the boards can be compared. An
isolated piece is easiest to detect; amid its own army, crosstalk from the other pieces weakens its
field.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from hardware.magnetics.design import Design, crowding
from hardware.magnetics.disc import Disc

SPREADS: Final = (2, 3, 4)
"""Standard deviations, in millimetres along each axis, of the positions at which players set pieces
down."""
CAREFUL: Final = 1.0
"""Standard deviation of the positions during calibration, when each piece is set "in the middle of
its square"."""
CENTRED: Final = 0.7
"""Combined standard deviation, along each axis, of the magnet's position in its foot and the
sensor's position on its marked cross."""
STRENGTH: Final = 0.07
"""Maximum deviation in strength, up or down, among magnets from one bag. Their remanence and
thickness vary."""
GAP: Final = 0.5
"""Maximum deviation of the gap, up or down. The depth of the magnet and the thickness of the glue
vary."""
TILT: Final = 2.0
"""Maximum tilt of a magnet in its foot, in degrees."""
PIECES: Final = 2000
AMID: Final = 3 / 4
"""A piece amid its own army is detected if its reading reaches this fraction of the threshold. The
firmware subtracts the field of the neighbouring pieces, but ignores readings below this fraction
(hardware/firmware/src/crosstalk.h)."""


@dataclass(frozen=True, slots=True)
class _Sample:
    """Deviations of one piece from a typical piece. `hand` is its offset on the square, in
    multiples of the spread."""

    strength: float
    gap: float
    tilt: tuple[float, float]
    beside: tuple[float, float]
    hand: tuple[float, float]

    def share(self, disc: Disc, gap: float, spread: float) -> float:
        (x, y), (right, away) = self.beside, self.hand
        felt = disc.felt(x + spread * right, y + spread * away, gap + self.gap, self.tilt)
        return self.strength * felt / disc.on_axis(gap)


def _samples(seed: int) -> list[_Sample]:
    dice = random.Random(seed)

    def normal(spread: float) -> tuple[float, float]:
        return dice.gauss(0, spread), dice.gauss(0, spread)

    return [
        _Sample(
            1 + dice.uniform(-STRENGTH, STRENGTH),
            dice.uniform(-GAP, GAP),
            (dice.uniform(-TILT, TILT), dice.uniform(-TILT, TILT)),
            normal(CENTRED),
            normal(1),
        )
        for _ in range(PIECES)
    ]


_PLAYED: Final = _samples(1)
_LEARNED: Final = _samples(2)
"""The pieces with which the squares were calibrated."""


@cache
def _shares(disc: Disc, gap: float, spread: int) -> Sequence[tuple[float, float]]:
    """Return the field of each piece, and the field of the piece with which its square was
    calibrated. Both are fractions of a typical piece's field."""
    return [
        (played.share(disc, gap, spread), learned.share(disc, gap, CAREFUL))
        for played, learned in zip(_PLAYED, _LEARNED, strict=True)
    ]


def unseen_at(disc: Disc, gap: float, on: float, spread: int, pitch: float | None) -> float:
    """Return the fraction of pieces that do not reach the threshold.

    Args:
        disc: The magnet.
        gap: Distance from the magnet to the sensor.
        on: The threshold, as a share of the calibrated value.
        spread: One of `SPREADS`.
        pitch: Square width for a piece amid its own army, or None for an isolated piece.
    """
    # Squares are calibrated while both armies are on the board.
    taken = crowding(disc, gap, pitch) if pitch else 0
    learnt = crowding(disc, gap, pitch or 40)
    missed = sum(
        share - taken < on * (learned - learnt) for share, learned in _shares(disc, gap, spread)
    )
    return missed / PIECES


def unseen(design: Design, spread: int, pitch: float | None = None) -> float:
    """Return the fraction of pieces that a board does not detect; see `unseen_at`."""
    on = design.on * (AMID if pitch else 1)
    return unseen_at(design.disc, design.gap, on, spread, pitch)
