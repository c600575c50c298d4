"""How strongly a magnet is felt from any place over a board, as the exact field of its disc says.

The field comes from `hardware.magnetics`. It is worked out where it is first asked for, on a grid,
and looked up from then on: a hand that moves a piece asks for tens of thousands of places.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import hypot
from typing import Final

from hardware.magnetics.choice import CHOSEN
from hardware.magnetics.disc import Disc

Pair = tuple[float, float]

STEP_MM: Final = 0.25
"""Between two places of the grid. What lies between is taken for straight, to 0.1 % of a piece."""
FAR_MM: Final = 25.0
"""Beyond, so far aside, `FAR_STEP_MM` is fine enough."""
FAR_STEP_MM: Final = 1.0


@lru_cache(maxsize=200_000)
def _node(disc: Disc, aside: float, below: float) -> float:
    return disc.field(aside, below)[1]


def _looked_up(disc: Disc, aside: float, below: float) -> float:
    """Return the upright field of an upright disc, in millitesla."""
    step = STEP_MM if aside < FAR_MM else FAR_STEP_MM
    column, across = divmod(aside / step, 1)
    row, down = divmod(below / step, 1)
    left, right, upper, lower = column * step, (column + 1) * step, row * step, (row + 1) * step
    return (1 - down) * (
        (1 - across) * _node(disc, left, upper) + across * _node(disc, right, upper)
    ) + down * ((1 - across) * _node(disc, left, lower) + across * _node(disc, right, lower))


@dataclass(frozen=True, slots=True)
class Layout:
    """The magnets of a board, and how far they are from its sensors."""

    disc: Disc = CHOSEN.disc
    gap_mm: float = CHOSEN.gap
    pitch_mm: float = 40.0

    def share(self, x: float, y: float, height: float = 0.0, tilt: Pair = (0.0, 0.0)) -> float:
        """Return what a sensor feels of a magnet with its north up: 1 if it stands right above.

        Args:
            x: How many millimetres the magnet is beside the sensor, towards column k.
            y: The same towards Blue's side.
            height: Of the piece above the board.
            tilt: By how many degrees its upper end leans the same ways.
        """
        below = self.gap_mm + height
        if tilt == (0.0, 0.0):
            felt = _looked_up(self.disc, hypot(x, y), below)
        else:
            felt = self.disc.felt(x, y, below, tilt)
        return felt / self.disc.on_axis(self.gap_mm)
