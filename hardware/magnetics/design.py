"""A board as it could be built: magnet, gap, sensor, thresholds, and what follows from them.

Shares are of what a piece does to its own sensor from the middle of its square. Lengths are in
millimetres, forces in millinewtons, readings in counts of the converter.
"""

from dataclasses import dataclass
from functools import cache
from math import hypot
from typing import Final

from hardware.magnetics.disc import Disc
from hardware.magnetics.sensors import Sensor

PITCHES: Final = (35, 40)
"""From the middle of a square to the next."""
OFF_OF_ON: Final = 0.8
"""The lower threshold. The 10 counts between the two are far more than noise, which is one count,
and what is left above the neighbours' field is for drift."""
LEARNED: Final = 0.8
"""Nineteen of twenty squares have learned from a piece that did at least this share: some magnets
are weak or sit deep, and not one stands in the very middle."""


@cache
def own(disc: Disc, gap: float) -> float:
    """Return the field of a piece at its own sensor, in millitesla."""
    return disc.on_axis(gap)


@cache
def crowding(disc: Disc, gap: float, pitch: float) -> float:
    """Return what a whole army around a square takes away there, as a share.

    The square is empty, in the army's third row: of 39 others the nearest eight do most. Their
    field comes from the other side, so it has the other sign.
    """
    rows, columns = range(-2, 2), range(-4, 6)
    around = sum(
        disc.field(pitch * hypot(row, column), gap)[1]
        for row in rows
        for column in columns
        if row or column
    )
    return -around / own(disc, gap)


@dataclass(frozen=True, slots=True)
class Design:
    """A board that could be built."""

    disc: Disc
    gap: float
    sensor: Sensor
    on: float
    """From this share on a piece is there."""
    off: float
    """Below this share it is gone."""

    @property
    def counts(self) -> float:
        """What a piece does to its own sensor."""
        return own(self.disc, self.gap) * self.sensor.counts

    def crowding(self, pitch: float) -> float:
        """What a whole army around a square takes away there, as a share."""
        return crowding(self.disc, self.gap, pitch)

    def drift(self, pitch: float) -> float:
        """By how many counts a sensor may wander before a lifted piece seems to stand still.

        Amid the other army: what that takes away looks like the piece, and nowhere is it more. And
        on a square that has learned from a weak one.
        """
        taken = self.crowding(pitch)
        return (self.off * (LEARNED - taken) - taken) * self.counts

    def reach(self, share: float) -> float:
        """How far beside its sensor a piece still has this share."""
        near, far = 0.0, 4 * (self.gap + self.disc.height)
        least = share * own(self.disc, self.gap)
        # Far aside the field comes from the other side; nearer it falls all the way.
        while far - near > 0.001:
            middle = (near + far) / 2
            near, far = (
                (middle, far) if self.disc.field(middle, self.gap)[1] > least else (near, middle)
            )
        return near
