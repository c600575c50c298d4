"""The search for magnet, gap, sensor and thresholds: every board that could be built, and the best.

A board has to keep these limits, with 35 and with 40 mm squares alike:

- of pieces that stand alone, `GOALS` are seen; amid their own army those set down within 3 mm are;
- a whole army pushes its own piece in the corner with less than half of what friction holds;
- two magnets, the strongest and nearest, leave the sensor its linear range;
- the lower threshold is beyond what a whole army does to an empty square in its midst.

Of those the best is the one whose sensors may wander furthest at 35 mm, where it is narrowest.
Among boards between which that makes no difference, it is the one with the largest readings.

Between two squares none of them sees a piece twice, for no reach is half as wide as a square. None
shows a wrong colour: where its field comes from the other side, a piece does not do half of what
the lower threshold asks for.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from hardware.magnetics.design import OFF_OF_ON, PITCHES, Design
from hardware.magnetics.disc import Disc
from hardware.magnetics.force import HOLDS, push_of_army
from hardware.magnetics.placements import unseen_at
from hardware.magnetics.sensors import SENSORS

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
"""Diameter and height of discs that many shops have. Thinner ones break when they jump together."""
GAPS: Final = tuple(6 + n / 2 for n in range(11))
"""Less is a thin top, more is a thick one that nobody saws."""
GOALS: Final = {2: 0.0025, 3: 0.02, 4: 0.07}
"""What may stay unseen, by spread."""
STRONGEST: Final = 1.2
"""A magnet of 7 % more at a gap of half a millimetre less, beside the usual one."""
SAME_DRIFT: Final = 0.25
"""In counts: less is nothing to choose by."""
LEAST_DRIFT: Final = 4.0
"""In counts, for sensors that wander with warmth; estimated."""


@dataclass(frozen=True, slots=True)
class Found:
    """A magnet at a gap with the highest thresholds that see enough, and the sensor that fits."""

    design: Design
    drift: float
    """In counts, at 35 mm; below 0 a piece lifted amid the other army seems to stand still."""
    army: float
    """With how many millinewtons an army pushes its own piece in the corner, at 35 mm."""

    @property
    def pushes_too_hard(self) -> bool:
        """Whether pieces of an army might creep apart."""
        return self.army >= HOLDS / 2

    @property
    def is_good(self) -> bool:
        """Whether all limits are kept."""
        return self.drift >= LEAST_DRIFT and not self.pushes_too_hard


def highest_on(disc: Disc, gap: float) -> float | None:
    """Return the highest threshold, in whole per cent, with which enough pieces are seen."""
    for per_cent in range(40, 9, -1):
        on = per_cent / 100
        alone = (unseen_at(disc, gap, on, n, None) <= most for n, most in GOALS.items())
        amid = (unseen_at(disc, gap, on, 3, pitch) <= GOALS[3] for pitch in PITCHES)
        if all(alone) and all(amid):
            return on
    return None


def found_with(disc: Disc, gap: float) -> Found | None:
    """Return the best that can be made of a magnet at a gap; None if too few would be seen."""
    on = highest_on(disc, gap)
    if on is None:
        return None
    sensor = next(each for each in SENSORS if each.reaches >= STRONGEST * disc.on_axis(gap))
    design = Design(disc, gap, sensor, on, on * OFF_OF_ON)
    return Found(design, design.drift(min(PITCHES)), push_of_army(disc, min(PITCHES)))


def search() -> Iterator[tuple[Disc, float, Found | None]]:
    """Go through all of them, one by one: it takes half a minute."""
    for width, height in SOLD:
        for gap in GAPS:
            disc = Disc(width, height)
            yield disc, gap, found_with(disc, gap)


def best(found: Iterable[Found]) -> Found:
    """Choose from what the search has found; ValueError if there is nothing good in it."""
    good = [each for each in found if each.is_good]
    furthest = max(each.drift for each in good)
    return max(
        (each for each in good if each.drift > furthest - SAME_DRIFT),
        key=lambda each: each.design.counts,
    )
