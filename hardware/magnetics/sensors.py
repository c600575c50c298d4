"""Linear Hall sensors that can be had, by their data sheets: typical parts at 5 V."""

from dataclasses import dataclass
from typing import Final

COUNTS_PER_MILLIVOLT: Final = 1024 / 5000
"""The converter goes by the same 5 V."""


@dataclass(frozen=True, slots=True)
class Sensor:
    """A kind of sensor."""

    name: str
    millivolts: float
    """For a millitesla."""
    reaches: float
    """In millitesla, either way: so far it is linear."""

    @property
    def counts(self) -> float:
        """Of the converter, for a millitesla."""
        return self.millivolts * COUNTS_PER_MILLIVOLT


SENSORS: Final = (
    Sensor("DRV5055A1", 100, 21),
    Sensor("DRV5055A2", 50, 42),
    Sensor("DRV5055A3", 25, 85),
    Sensor("DRV5055A4", 12.5, 169),
    Sensor("A1301", 25, 80),
    Sensor("SS49E", 14, 100),
)
"""The A1301 rests and swings as the DRV5055A3 does, and wanders more with warmth."""
