"""A lock: only one program at a time plays the games of a file.

Two programs that resumed the same game would both continue it, and together their actions would not
be a valid game. The playing program holds a lock, which the system releases when the program ends,
however it ends. A program that only reads does not need it.
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
        """Take the lock; BlockingIOError if another program has it, OSError if that fails."""
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
        """Release the lock."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    __del__ = leave


@contextmanager
def playing(games: Path) -> Iterator[None]:
    """Hold the lock in this context; BlockingIOError if another program has it."""
    player = OnePlayer(games)
    player.take()
    try:
        yield
    finally:
        player.leave()
