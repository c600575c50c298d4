"""Which pieces are not seen that are not set down on the middle of their square.

Hands, magnets, glue and wood are drawn by lot, the same lots for every board that is compared.
Where a piece stands alone it is easiest to see; amid its own army the others take away from it.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from hardware.magnetics.design import Design, crowding
from hardware.magnetics.disc import Disc

SPREADS: Final = (2, 3, 4)
"""Of a hand that sets a piece down, standard deviations in millimetres, along each axis."""
CAREFUL: Final = 1.0
"""The same while the board is calibrated: "on the middle of its square"."""
CENTRED: Final = 0.7
"""Of the magnet in its foot and of the sensor on its cross together, along each axis."""
STRENGTH: Final = 0.07
"""Magnets of one bag differ by so much, either way: remanence and thickness."""
GAP: Final = 0.5
"""And so do gaps: how deep the magnet sits, how thick the glue is."""
TILT: Final = 2.0
"""And by so many degrees a magnet lies askew in its foot."""
PIECES: Final = 2000
AMID: Final = 3 / 4
"""Amid its army a piece is seen from this share of the threshold: the firmware takes off what the
neighbours do, and below it looks at none (hardware/firmware/src/lean.h)."""


@dataclass(frozen=True, slots=True)
class _Lot:
    """How one piece differs from the usual one, and where a hand sets it, in spreads."""

    strength: float
    gap: float
    tilt: tuple[float, float]
    beside: tuple[float, float]
    hand: tuple[float, float]

    def share(self, disc: Disc, gap: float, spread: float) -> float:
        (x, y), (right, away) = self.beside, self.hand
        felt = disc.felt(x + spread * right, y + spread * away, gap + self.gap, self.tilt)
        return self.strength * felt / disc.on_axis(gap)


def _lots(seed: int) -> list[_Lot]:
    dice = random.Random(seed)

    def normal(spread: float) -> tuple[float, float]:
        return dice.gauss(0, spread), dice.gauss(0, spread)

    return [
        _Lot(
            1 + dice.uniform(-STRENGTH, STRENGTH),
            dice.uniform(-GAP, GAP),
            (dice.uniform(-TILT, TILT), dice.uniform(-TILT, TILT)),
            normal(CENTRED),
            normal(1),
        )
        for _ in range(PIECES)
    ]


_PLAYED: Final = _lots(1)
_LEARNED: Final = _lots(2)
"""The pieces from which the squares have learned."""


@cache
def _shares(disc: Disc, gap: float, spread: int) -> Sequence[tuple[float, float]]:
    """What each piece does on its square, and what that square has learned: both as shares."""
    return [
        (played.share(disc, gap, spread), learned.share(disc, gap, CAREFUL))
        for played, learned in zip(_PLAYED, _LEARNED, strict=True)
    ]


def unseen_at(disc: Disc, gap: float, on: float, spread: int, pitch: float | None) -> float:
    """Return the share of pieces that do not reach a threshold.

    Args:
        disc: The magnet.
        gap: From it to the sensor.
        on: The threshold, a share of what the square has learned.
        spread: One of `SPREADS`.
        pitch: Of the board, amid the piece's own army; None where it stands alone.
    """
    # Squares learn while both armies stand.
    taken = crowding(disc, gap, pitch) if pitch else 0
    learnt = crowding(disc, gap, pitch or 40)
    missed = sum(
        share - taken < on * (learned - learnt) for share, learned in _shares(disc, gap, spread)
    )
    return missed / PIECES


def unseen(design: Design, spread: int, pitch: float | None = None) -> float:
    """Return the share of pieces that a board does not see; `unseen_at` has the words."""
    on = design.on * (AMID if pitch else 1)
    return unseen_at(design.disc, design.gap, on, spread, pitch)
