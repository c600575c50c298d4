"""Finds the best board among all combinations of magnet, gap, sensor and thresholds.

A board has to meet these requirements with squares of both 35 and 40 mm:

- isolated pieces are detected, except for the fractions in `GOALS`; amid their own army, the same
  applies to pieces set down with a spread of 3 mm;
- the force that a whole army exerts on its own corner piece is less than half the friction;
- the sensor stays within its linear range with the strongest magnet at the narrowest gap;
- the lower threshold is so far above the crosstalk from a whole army on an empty square inside it
  that a sensor drift of `LEAST_DRIFT` counts is tolerated.

Of these boards, the best is the one that tolerates the largest sensor drift with 35 mm squares,
where the margin is narrowest. Ties are broken in favour of the largest readings.

A piece between two squares is never detected on both, because the detection range of every board is
less than half a square. The wrong colour is never reported, because the part of a piece's field
that has the opposite sign is less than half the lower threshold.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from hardware.magnetics.design import OFF_OF_ON, PITCHES, SENSORS, Design
from hardware.magnetics.disc import HOLDS, Disc, push_of_army
from hardware.magnetics.placements import unseen_at

SOLD: Final = (
    (5, 2),
    (5, 3),
    (5, 5),
    (6, 2),
    (6, 3),
    (6, 4),
    (7, 3),
    (8, 2),
    (8, 3),
    (8, 4),
    (10, 2),
)
"""Diameter and height, in millimetres, of widely available discs. Thinner discs break when they
snap together."""
GAPS: Final = tuple(6 + n / 2 for n in range(11))
"""Gaps to try, in millimetres. A smaller gap would need a very thin top, and a larger gap an
unusually thick one."""
GOALS: Final = {2: 0.0025, 3: 0.02, 4: 0.07}
"""For each spread, the maximum fraction of pieces that may go undetected."""
STRONGEST: Final = 1.2
"""Field of the strongest magnet at the narrowest gap, relative to that of a typical magnet at the
nominal gap. The magnet is 7 % stronger, and the gap is half a millimetre narrower."""
SAME_DRIFT: Final = 0.25
"""Two boards are considered equal if the drifts that they tolerate differ by less than this, in
counts."""
LEAST_DRIFT: Final = 4.0
"""Minimum drift, in counts, that a board must tolerate. The value is estimated from the sensors'
temperature drift."""


@dataclass(frozen=True, slots=True)
class Found:
    """Magnet, gap and sensor, with the highest thresholds at which enough pieces are detected."""

    design: Design
    drift: float
    """Drift that is tolerated with 35 mm squares, in counts. If it is negative, a piece that was
    lifted from the middle of the other army may be reported as still present, even without drift.
    """
    army: float
    """Force that an army exerts on its own corner piece with 35 mm squares, in millinewtons."""

    @property
    def pushes_too_hard(self) -> bool:
        """Whether the pieces of an army might push each other out of place."""
        return self.army >= HOLDS / 2

    @property
    def is_good(self) -> bool:
        """Whether all requirements are met."""
        return self.drift >= LEAST_DRIFT and not self.pushes_too_hard


def highest_on(disc: Disc, gap: float) -> float | None:
    """Return the highest threshold at which enough pieces are detected, in steps of 0.01. Return
    None if even 0.1 is too high."""
    for per_cent in range(40, 9, -1):
        on = per_cent / 100
        alone = (unseen_at(disc, gap, on, n, None) <= most for n, most in GOALS.items())
        amid = (unseen_at(disc, gap, on, 3, pitch) <= GOALS[3] for pitch in PITCHES)
        if all(alone) and all(amid):
            return on
    return None


def found_with(disc: Disc, gap: float) -> Found | None:
    """Return the best design for a magnet and a gap, or None if it would detect too few pieces."""
    on = highest_on(disc, gap)
    if on is None:
        return None
    sensor = next(each for each in SENSORS if each.reaches >= STRONGEST * disc.on_axis(gap))
    design = Design(disc, gap, sensor, on, on * OFF_OF_ON)
    return Found(design, design.drift(min(PITCHES)), push_of_army(disc, min(PITCHES)))


def search() -> Iterator[tuple[Disc, float, Found | None]]:
    """Yield the results for all magnets and gaps. The search takes half a minute."""
    for width, height in SOLD:
        for gap in GAPS:
            disc = Disc(width, height)
            yield disc, gap, found_with(disc, gap)


def best(found: Iterable[Found]) -> Found:
    """Return the best search result. Raise ValueError if no result meets all requirements."""
    good = [each for each in found if each.is_good]
    furthest = max(each.drift for each in good)
    return max(
        (each for each in good if each.drift > furthest - SAME_DRIFT),
        key=lambda each: each.design.counts,
    )
