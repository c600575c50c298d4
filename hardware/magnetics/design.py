"""Candidate board design (sensor, magnet, gap and thresholds), and properties calculated from it.

A share is a fraction of the field that a piece at the centre of its square produces at its own
sensor. Lengths are in millimetres, forces in millinewtons, readings in ADC counts.
"""

from dataclasses import dataclass
from functools import cache
from math import hypot
from typing import Final

from hardware.magnetics.disc import Disc

# Commercially available linear Hall sensors, with typical values at 5 V from their data sheets.

COUNTS_PER_MILLIVOLT: Final = 1024 / 5000
"""Counts per millivolt of the 10-bit ADC, whose reference is the 5 V supply."""


@dataclass(frozen=True, slots=True)
class Sensor:
    name: str
    millivolts: float
    """Sensitivity in millivolts per millitesla."""
    reaches: float
    """Limit of the linear range in either direction, in millitesla."""

    @property
    def counts(self) -> float:
        """Sensitivity in ADC counts per millitesla."""
        return self.millivolts * COUNTS_PER_MILLIVOLT


SENSORS: Final = (
    Sensor("DRV5055A1", 100, 21),
    Sensor("DRV5055A2", 50, 42),
    Sensor("DRV5055A3", 25, 85),
    Sensor("DRV5055A4", 12.5, 169),
    Sensor("A1301", 25, 80),
    Sensor("SS49E", 14, 100),
)
"""The A1301 has the same resting level and output swing as the DRV5055A3, but drifts more with
temperature."""


PITCHES: Final = (35, 40)
"""Possible square widths, in millimetres."""
OFF_OF_ON: Final = 0.8
"""Lower threshold as a fraction of the upper one. The resulting hysteresis is 10 counts, far more
than the noise of one count. The lower threshold is still so far above the crosstalk from
neighbouring pieces that some drift is tolerated."""
LEARNED: Final = 0.8
"""On 95 % of all squares, the field of the piece used for calibration is at least this fraction of
a typical piece's field. The fraction is less than 1 because some magnets are weak or sit deep in
their feet, and no piece is exactly centred."""


@cache
def own(disc: Disc, gap: float) -> float:
    """Return the field at a piece's own sensor, in millitesla."""
    return disc.on_axis(gap)


@cache
def crowding(disc: Disc, gap: float, pitch: float) -> float:
    """Return the crosstalk that an army causes on an empty square in its midst, as a fraction of a
    piece's field at its own sensor.

    The square is in the army's third row. Most of the effect is caused by the nearest eight of the
    other 39 pieces. The sensor detects the return field of these pieces, which has the opposite
    sign.
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
    disc: Disc
    gap: float
    sensor: Sensor
    on: float
    """Switch-on threshold, as a fraction of the change learned during calibration. From this change
    of the reading upwards, the square counts as occupied."""
    off: float
    """Switch-off threshold, as a fraction of the same change. Below this threshold, the square
    counts as empty."""

    @property
    def counts(self) -> float:
        """Deflection that a piece causes at its own sensor, in counts."""
        return own(self.disc, self.gap) * self.sensor.counts

    def crowding(self, pitch: float) -> float:
        """Return the crosstalk that an army causes on an empty square in its midst, as a fraction
        of a piece's field at its own sensor."""
        return crowding(self.disc, self.gap, pitch)

    def drift(self, pitch: float) -> float:
        """Return the smallest drift, in counts, at which a lifted piece would still be reported as
        present.

        The worst case is assumed: the square was calibrated with a weak piece, and is in the middle
        of the opponent's army. There, the crosstalk is largest, and has the same sign as the
        piece's own field.
        """
        taken = self.crowding(pitch)
        return (self.off * (LEARNED - taken) - taken) * self.counts

    def reach(self, share: float) -> float:
        """Return the largest lateral distance at which a piece still produces the given fraction of
        its full field."""
        near, far = 0.0, 4 * (self.gap + self.disc.height)
        least = share * own(self.disc, self.gap)
        # At large distances the field has the opposite sign; closer to the magnet, it decreases
        # monotonically.
        while far - near > 0.001:
            middle = (near + far) / 2
            near, far = (
                (middle, far) if self.disc.field(middle, self.gap)[1] > least else (near, middle)
            )
        return near
