"""The board that is built: the result of `make magnetics`, confirmed by a test."""

from typing import Final

from hardware.magnetics.design import OFF_OF_ON, Design
from hardware.magnetics.disc import Disc
from hardware.magnetics.sensors import SENSORS

CHOSEN: Final = Design(Disc(8, 2), gap=9.5, sensor=SENSORS[0], on=0.17, off=0.17 * OFF_OF_ON)
"""8 × 2 mm, 9.5 mm, DRV5055A1, on at 17 %."""
BEFORE: Final = Design(Disc(8, 4), gap=6.0, sensor=SENSORS[2], on=0.4, off=0.2)
"""The design that the build instructions had first, for comparison: 8 × 4 mm, 6 mm, DRV5055A3, on
at 40 %, off at 20 %."""
