"""How long something takes a person: a least, a usual and a longest time."""

from dataclasses import dataclass
from random import Random
from typing import Final


@dataclass(frozen=True)
class Span:
    """A spread of durations in milliseconds, with its peak at the usual one."""

    least: int
    usual: int
    longest: int

    @classmethod
    def even(cls, least: int, longest: int) -> "Span":
        """Return a span whose peak is in its middle."""
        return cls(least, (least + longest) // 2, longest)

    def draw(self, dice: Random) -> int:
        """Return a duration, in milliseconds."""
        return round(dice.triangular(self.least, self.longest, self.usual))


AT_ONCE: Final = Span(0, 0, 0)
"""No time at all."""
