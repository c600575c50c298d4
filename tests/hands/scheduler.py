"""Simulated time, and activities that run concurrently.

Every activity that takes time is an act: a generator that yields the number of milliseconds until
it continues. For example, two hands, a sleeve and a loose contact are four acts that run at the
same time.
"""

import heapq
from collections.abc import Generator
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Final, TypeAlias, TypeVar

_Result = TypeVar("_Result")

Doing: TypeAlias = Generator[int, None, _Result]
"""An activity that returns a result and yields delays in milliseconds."""
Act: TypeAlias = Doing[None]
"""An activity without a result."""


class Scheduler:
    """The clock, in whole milliseconds, and the activities in progress."""

    def __init__(self) -> None:
        self.now = 0
        """Current time in milliseconds."""
        self._order = count()
        self._waiting: list[tuple[int, int, Act]] = []

    def start(self, act: Act, after: int = 0) -> Act:
        """Start an activity after a delay in milliseconds. Return the activity."""
        heapq.heappush(self._waiting, (self.now + after, next(self._order), act))
        return act

    @property
    def next_at(self) -> int | None:
        """Time of the next event in milliseconds, or None if no act is in progress."""
        return self._waiting[0][0] if self._waiting else None

    def goes_on(self, act: Act) -> bool:
        return any(act is each for _, _, each in self._waiting)

    def advance(self, until: int) -> None:
        waiting = self._waiting
        while waiting and waiting[0][0] <= until:
            self.now, _, act = heapq.heappop(waiting)
            wait = next(act, None)
            if wait is not None:
                heapq.heappush(waiting, (self.now + max(0, wait), next(self._order), act))
        self.now = until


# Durations of human actions, each with a shortest, a usual and a longest time


@dataclass(frozen=True)
class Duration:
    """Triangular distribution of durations in milliseconds, with its mode at `usual`."""

    least: int
    usual: int
    longest: int

    @classmethod
    def even(cls, least: int, longest: int) -> "Duration":
        """Return a distribution whose mode is halfway between its limits."""
        return cls(least, (least + longest) // 2, longest)

    def draw(self, dice: Random) -> int:
        return round(dice.triangular(self.least, self.longest, self.usual))


AT_ONCE: Final = Duration(0, 0, 0)
