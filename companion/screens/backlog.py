"""Deferred start-up work, run in small slices after the first frame while the players read it.

Neither the first frame nor the first touch has to wait for it.
"""

import gc
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

AT_ONCE_SECONDS: Final = 0.01
"""Time limit of a slice, in seconds; the task that is running when it expires is still completed.
"""


class Backlog:
    """Queue of tasks that are deferred until the first frame has been shown."""

    def __init__(self, tasks: Iterable[Callable[[], object]]) -> None:
        """Queue the tasks; they run in the given order."""
        self._tasks = deque(tasks)

    @property
    def is_done(self) -> bool:
        """Whether all tasks have run."""
        return not self._tasks

    def tick(self) -> None:
        """Run tasks for one slice; after the last one, exclude existing objects from collection.

        A garbage collection that traverses everything that was imported takes three frames.
        """
        until = time.monotonic() + AT_ONCE_SECONDS
        while self._tasks:
            self._tasks.popleft()()
            if not self._tasks and not gc.isenabled():
                gc.freeze()
                gc.enable()
            if time.monotonic() >= until:
                return
