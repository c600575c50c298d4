"""Durations of human actions: a shortest, a usual and a longest time."""

from dataclasses import dataclass
from random import Random
from typing import Final


@dataclass(frozen=True)
class Span:
    """A triangular distribution of durations in milliseconds, with its mode at `usual`."""

    least: int
    usual: int
    longest: int

    @classmethod
    def even(cls, least: int, longest: int) -> "Span":
        """Return a span whose mode is in the middle."""
        return cls(least, (least + longest) // 2, longest)

    def draw(self, dice: Random) -> int:
        """Return a random duration, in milliseconds."""
        return round(dice.triangular(self.least, self.longest, self.usual))


AT_ONCE: Final = Span(0, 0, 0)
"""No delay at all."""
