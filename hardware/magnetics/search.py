"""Searches all combinations of magnet, gap, sensor and thresholds for the best board.

A board has to satisfy these limits, with squares of 35 and of 40 mm:

- isolated pieces are detected, except for the shares in `GOALS`; amid their own army, pieces set
  down within 3 mm are detected;
- the force of a whole army on its own piece in the corner is less than half of the friction;
- the strongest magnet at the narrowest gap keeps the sensor in its linear range;
- the lower threshold is above the crosstalk of a whole army on an empty square inside it.

The best of these boards is the one that tolerates the largest drift of its sensors at 35 mm, where
the margin is narrowest. Among boards with equal drift, the one with the largest readings is best.

A piece between two squares is never detected twice, because the range is less than half a square on
every board. A wrong colour is never shown: where a piece's field has the opposite sign, it is less
than half of the lower threshold.
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
"""Diameter and height of discs sold by many shops. Thinner discs break when they snap together."""
GAPS: Final = tuple(6 + n / 2 for n in range(11))
"""Gaps to try. Smaller gaps would need a very thin top, and larger gaps an unusually thick one."""
GOALS: Final = {2: 0.0025, 3: 0.02, 4: 0.07}
"""Largest share of pieces that may stay undetected, by spread."""
STRONGEST: Final = 1.2
"""Effect of the strongest magnet at the narrowest gap, relative to the usual one: the magnet is 7 %
stronger and the gap half a millimetre smaller."""
SAME_DRIFT: Final = 0.25
"""Difference of drift, in counts, below which two boards count as equal."""
LEAST_DRIFT: Final = 4.0
"""Minimum tolerated drift, in counts, for the temperature drift of sensors; estimated."""


@dataclass(frozen=True, slots=True)
class Found:
    """A magnet at a gap, with the highest thresholds that detect enough pieces, and its sensor."""

    design: Design
    drift: float
    """Drift in counts at 35 mm. If it is negative, a piece lifted amid the other army is still
    reported."""
    army: float
    """Force of an army on its own piece in the corner at 35 mm, in millinewtons."""

    @property
    def pushes_too_hard(self) -> bool:
        """Whether pieces of an army might creep apart."""
        return self.army >= HOLDS / 2

    @property
    def is_good(self) -> bool:
        """Whether all limits are satisfied."""
        return self.drift >= LEAST_DRIFT and not self.pushes_too_hard


def highest_on(disc: Disc, gap: float) -> float | None:
    """Return the highest threshold, in whole per cent, that detects enough pieces."""
    for per_cent in range(40, 9, -1):
        on = per_cent / 100
        alone = (unseen_at(disc, gap, on, n, None) <= most for n, most in GOALS.items())
        amid = (unseen_at(disc, gap, on, 3, pitch) <= GOALS[3] for pitch in PITCHES)
        if all(alone) and all(amid):
            return on
    return None


def found_with(disc: Disc, gap: float) -> Found | None:
    """Return the best design with a magnet at a gap; None if too few pieces would be detected."""
    on = highest_on(disc, gap)
    if on is None:
        return None
    sensor = next(each for each in SENSORS if each.reaches >= STRONGEST * disc.on_axis(gap))
    design = Design(disc, gap, sensor, on, on * OFF_OF_ON)
    return Found(design, design.drift(min(PITCHES)), push_of_army(disc, min(PITCHES)))


def search() -> Iterator[tuple[Disc, float, Found | None]]:
    """Yield the results for all magnets and gaps. This takes half a minute."""
    for width, height in SOLD:
        for gap in GAPS:
            disc = Disc(width, height)
            yield disc, gap, found_with(disc, gap)


def best(found: Iterable[Found]) -> Found:
    """Return the best result of the search; ValueError if no result is good."""
    good = [each for each in found if each.is_good]
    furthest = max(each.drift for each in good)
    return max(
        (each for each in good if each.drift > furthest - SAME_DRIFT),
        key=lambda each: each.design.counts,
    )
