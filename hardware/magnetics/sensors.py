"""Linear Hall sensors on the market, by their data sheets: typical parts at 5 V."""

from dataclasses import dataclass
from typing import Final

COUNTS_PER_MILLIVOLT: Final = 1024 / 5000
"""The converter uses the same 5 V as its reference."""


@dataclass(frozen=True, slots=True)
class Sensor:
    """A kind of sensor."""

    name: str
    millivolts: float
    """Sensitivity, per millitesla."""
    reaches: float
    """Linear range in millitesla, in both directions."""

    @property
    def counts(self) -> float:
        """Sensitivity in counts of the converter per millitesla."""
        return self.millivolts * COUNTS_PER_MILLIVOLT


SENSORS: Final = (
    Sensor("DRV5055A1", 100, 21),
    Sensor("DRV5055A2", 50, 42),
    Sensor("DRV5055A3", 25, 85),
    Sensor("DRV5055A4", 12.5, 169),
    Sensor("A1301", 25, 80),
    Sensor("SS49E", 14, 100),
)
"""The A1301 has the rest and the swing of the DRV5055A3, and a larger temperature drift."""
