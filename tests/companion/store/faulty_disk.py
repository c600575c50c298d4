"""A disk of which every operation is known, and any of them can fail."""

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.simulator.soak.medium import Medium
from companion.simulator.soak.sqlite_door import OK, SqliteDoor
from companion.store.journal import Journal


@dataclass(frozen=True)
class Operation:
    """What was done with a file, and how many actions had been told and accepted until then."""

    do: Callable[[Medium], None]
    half: Callable[[Medium], None] | None
    """The first half of it, if it can be done by halves."""
    told: int
    accepted: int


class FaultyDisk:
    """Takes note of everything that SQLite does, and refuses what it is told to refuse."""

    def __init__(self, look: Callable[[], tuple[int, int]] = lambda: (0, 0)) -> None:
        """`look` says how many actions have been told, and how many accepted."""
        self.operations: list[Operation] = []
        self.look = look
        self.code = OK
        """With what a refused operation fails."""
        self.refused: int | None = None
        """The how many-th operation from here is refused; that and all later ones, if it lasts."""
        self.lasts = False
        self.has_refused = False
        self._door = SqliteDoor(self)

    def open(self, path: Path) -> Journal:
        """Open a journal on this disk."""

        def connect(at: Path, **options: Any) -> sqlite3.Connection:
            return self._door.connect(at, sqlite3.Connection, **options)

        return Journal(path, connect=connect)

    def refuse(self, number: int | None, code: int = OK, *, lasts: bool = False) -> None:
        """Refuse an operation, counted from 1; nothing with None."""
        self.refused, self.code, self.lasts, self.has_refused = number, code, lasts, False

    def write(self, path: Path, at: int, data: bytes) -> int:
        half = data[: len(data) // 2]
        return self._note(lambda m: m.write(path, at, data), lambda m: m.write(path, at, half))

    def truncate(self, path: Path, size: int) -> int:
        return self._note(lambda m: m.truncate(path, size))

    def sync(self, path: Path) -> int:
        return self._note(lambda m: m.sync(path))

    def delete(self, path: Path) -> int:
        return self._note(lambda m: m.delete(path))

    def _note(
        self, do: Callable[[Medium], None], half: Callable[[Medium], None] | None = None
    ) -> int:
        if self.refused is not None:
            self.refused -= 1
            if self.refused == 0 or (self.lasts and self.refused < 0):
                self.has_refused = True
                return self.code
        self.operations.append(Operation(do, half, *self.look()))
        return OK


def mediums(operations: list[Operation]) -> Iterator[tuple[Operation, Medium]]:
    """Give each operation with what the disk holds before it."""
    medium = Medium({})
    for each in operations:
        yield each, medium
        each.do(medium)
