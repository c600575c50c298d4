"""A part: its name, its solid as it is made, the number that a board needs, and its drawing."""

from dataclasses import dataclass, field
from typing import Final

from hardware.mechanics.flat import Flat
from hardware.mechanics.solid import Solid

PLASTIC: Final = 1.24
"""Grams per cubic centimetre of PLA; PETG has 1.27."""


@dataclass(frozen=True)
class Part:
    """A part as it lies on the bed of the printer, or as a flat sheet."""

    name: str
    what: str
    solid: Solid
    count: int = 1
    flat: Flat | None = None
    """Set if the part is cut out of wood and not printed."""
    notes: tuple[str, ...] = field(default=())
    """Measures that its drawing gives in words."""

    @property
    def grams(self) -> float:
        """Weight of one part if it is printed solid."""
        return self.solid.volume / 1000 * PLASTIC
