"""What the first screen does not need: done a little at a time, while the players read that screen.

So nobody waits for it, neither for the first picture nor at the first touch.
"""

import gc
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

AT_ONCE_SECONDS: Final = 0.01
"""So long a frame is kept waiting, and for the one task more in which that time runs out."""


class Backlog:
    """Tasks that wait until the first picture is shown."""

    def __init__(self, tasks: Iterable[Callable[[], object]]) -> None:
        """Put off tasks; the first is done first."""
        self._tasks = deque(tasks)

    @property
    def is_done(self) -> bool:
        """Whether nothing is left."""
        return not self._tasks

    def tick(self) -> None:
        """Do some of them. After the last, what is there by then is never looked through again.

        A collection that goes through everything that was imported takes three frames.
        """
        until = time.monotonic() + AT_ONCE_SECONDS
        while self._tasks:
            self._tasks.popleft()()
            if not self._tasks and not gc.isenabled():
                gc.freeze()
                gc.enable()
            if time.monotonic() >= until:
                return
