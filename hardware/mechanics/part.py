"""A part: what it is called, its solid as it is made, how many a board needs, and its drawing."""

from dataclasses import dataclass, field
from typing import Final

from hardware.mechanics.flat import Flat
from hardware.mechanics.solid import Solid

PLASTIC: Final = 1.24
"""Grams in a thousandth of a litre of PLA; PETG has 1.27."""


@dataclass(frozen=True)
class Part:
    """A part as it lies on the bed of the printer, or as a flat sheet."""

    name: str
    what: str
    solid: Solid
    count: int = 1
    flat: Flat | None = None
    """It is cut out of wood and not printed."""
    notes: tuple[str, ...] = field(default=())
    """Measures that its drawing tells in words."""

    @property
    def grams(self) -> float:
        """What one weighs if it is printed solid."""
        return self.solid.volume / 1000 * PLASTIC
