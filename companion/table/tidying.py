"""What stands about while a combat is fought out and cleared up, and disturbs nobody.

The two pieces are carried to and fro, a shoved one stands on some square, a loser is set down there
before it is laid aside.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from engine.sides import Side
from engine.squares import SquareSet
from firmware_bridge.difference import Difference
from firmware_bridge.image import Image

TIDYING: Final = 10.0
"""For so many seconds after its result stands, losers of a combat may stand about."""


@dataclass(frozen=True)
class Tidying:
    """A combat that is not quite cleared up."""

    squares: SquareSet
    """Where the pieces of the combat stood, on which anything may be seen."""
    aside: Collection[Side]
    """Whose piece may stand about on another square, one of each side."""

    def explains(self, difference: Difference, seen: Image) -> bool:
        """Whether nothing differs but what belongs to the combat."""
        about = difference.surplus & ~self.squares
        if difference.missing & ~self.squares or about.bit_count() > len(self.aside):
            return False
        return all((about & seen.of(side)).bit_count() <= (side in self.aside) for side in Side)
