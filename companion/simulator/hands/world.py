"""Simulated time, and what goes on in it side by side.

Whatever takes time is an act: a generator that yields how many milliseconds go by until it goes on.
Two hands, a sleeve and a loose contact are four acts in one world.
"""

import heapq
from collections.abc import Generator
from itertools import count
from typing import TypeAlias, TypeVar

_Result = TypeVar("_Result")

Doing: TypeAlias = Generator[int, None, _Result]
"""Something that takes time and comes to a result; it yields milliseconds."""
Act: TypeAlias = Doing[None]
"""Something that takes time."""


class World:
    """Time in whole milliseconds, and the acts that go on in it."""

    def __init__(self) -> None:
        self.now = 0
        """What time it is, in milliseconds."""
        self._order = count()
        self._waiting: list[tuple[int, int, Act]] = []

    def start(self, act: Act, after: int = 0) -> Act:
        """Let an act begin after some milliseconds, and return it."""
        heapq.heappush(self._waiting, (self.now + after, next(self._order), act))
        return act

    @property
    def next_at(self) -> int | None:
        """When something happens next, None if nothing goes on."""
        return self._waiting[0][0] if self._waiting else None

    def goes_on(self, act: Act) -> bool:
        """Whether an act has not ended."""
        return any(act is each for _, _, each in self._waiting)

    def advance(self, until: int) -> None:
        """Let time go by until then."""
        waiting = self._waiting
        while waiting and waiting[0][0] <= until:
            self.now, _, act = heapq.heappop(waiting)
            wait = next(act, None)
            if wait is not None:
                heapq.heappush(waiting, (self.now + max(0, wait), next(self._order), act))
        self.now = until
