"""One program at a time plays the games of a file.

Two that took up the same game would both go on with it, and what they keep would make no game. Who
plays holds a lock, which the system takes back when the program ends, however it ends. Whoever only
reads does not need it.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class OnePlayer:
    """The lock on the games of a file, in a file beside it."""

    def __init__(self, games: Path) -> None:
        self._path = games.with_name(f"{games.name}.lock")
        self._file: int | None = None

    def take(self) -> None:
        """Be the one who plays; BlockingIOError if another program does, OSError if none can."""
        if self._file is not None:
            return
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            raise
        self._file = file

    def leave(self) -> None:
        """Let another program play."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    __del__ = leave


@contextmanager
def playing(games: Path) -> Iterator[None]:
    """Be the one who plays meanwhile; BlockingIOError if another program does."""
    player = OnePlayer(games)
    player.take()
    try:
        yield
    finally:
        player.leave()
