"""Field strength at a sensor for any position of the magnet.

`hardware.magnetics` calculates the field at grid points with an exact formula; values in between
are interpolated. Grid values are cached because one simulated hand movement involves tens of
thousands of positions.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import hypot
from typing import Final

from hardware.magnetics.disc import Disc
from hardware.magnetics.found_file import CHOSEN

Pair = tuple[float, float]

STEP_MM: Final = 0.25
"""Grid spacing in millimetres. Interpolation is linear, with an error of at most 0.1 % of a piece's
field."""
FAR_MM: Final = 25.0
"""Lateral distance in millimetres beyond which the coarser spacing `FAR_STEP_MM` is used."""
FAR_STEP_MM: Final = 1.0


@lru_cache(maxsize=200_000)
def _node(disc: Disc, aside: float, below: float) -> float:
    return disc.field(aside, below)[1]


def _looked_up(disc: Disc, aside: float, below: float) -> float:
    """Return the vertical field of an untilted disc, in millitesla."""
    step = STEP_MM if aside < FAR_MM else FAR_STEP_MM
    column, across = divmod(aside / step, 1)
    row, down = divmod(below / step, 1)
    left, right, upper, lower = column * step, (column + 1) * step, row * step, (row + 1) * step
    return (1 - down) * (
        (1 - across) * _node(disc, left, upper) + across * _node(disc, right, upper)
    ) + down * ((1 - across) * _node(disc, left, lower) + across * _node(disc, right, lower))


@dataclass(frozen=True, slots=True)
class Layout:
    """Geometry of a board: magnet, gap between magnet and sensor, and square width."""

    disc: Disc = CHOSEN.disc
    gap_mm: float = CHOSEN.gap
    pitch_mm: float = 40.0

    def share(self, x: float, y: float, height: float = 0.0, tilt: Pair = (0.0, 0.0)) -> float:
        """Return the field that a magnet with its north pole up causes at a sensor. The field is
        relative to that of a magnet directly above the sensor.

        Args:
            x: Lateral distance of the magnet from the sensor, towards column k, in millimetres.
            y: Lateral distance towards Blue's side, in millimetres.
            height: Height of the piece above the board, in millimetres.
            tilt: Tilt of the magnet's upper end in the same two directions, in degrees.
        """
        below = self.gap_mm + height
        if tilt == (0.0, 0.0):
            field = _looked_up(self.disc, hypot(x, y), below)
        else:
            field = self.disc.felt(x, y, below, tilt)
        return field / self.disc.on_axis(self.gap_mm)
