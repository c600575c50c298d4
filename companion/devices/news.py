"""Wake-up flag between two threads: one sets it, the other one waits for it.

The wait happens twenty times a second during a whole game; `threading.Event` takes twice as long.
"""

from threading import Lock


class News:
    """Wake-up flag, cleared at first."""

    def __init__(self) -> None:
        self._none = Lock()
        self._none.acquire()

    @property
    def is_there(self) -> bool:
        """Whether the flag is set."""
        return not self._none.locked()

    def bring(self) -> None:
        """Set the flag; from one thread only."""
        if self._none.locked():
            self._none.release()

    def forget(self) -> None:
        """Clear the flag; from the waiting thread."""
        self._none.acquire(blocking=False)

    def wait(self, seconds: float) -> None:
        """Wait until the flag is set, for at most this number of seconds."""
        if self._none.acquire(timeout=seconds):
            self._none.release()
