"""A disk that records every operation and can make any of them fail."""

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.storage.journal import Journal
from tests.soak.block_device import BlockDevice
from tests.soak.faulty_vfs import OK, FaultyVfs


@dataclass(frozen=True)
class Operation:
    """A file operation, with the numbers of actions announced and accepted so far."""

    do: Callable[[BlockDevice], None]
    half: Callable[[BlockDevice], None] | None
    """The first half of the operation, if it can be interrupted half-way."""
    told: int
    accepted: int


class FaultyDisk:
    """Records all of SQLite's operations, and refuses selected ones."""

    def __init__(self, look: Callable[[], tuple[int, int]] = lambda: (0, 0)) -> None:
        """`look` returns how many actions have been announced and how many accepted."""
        self.operations: list[Operation] = []
        self.look = look
        self.code = OK
        """Result code of a refused operation."""
        self.refused: int | None = None
        """Number of operations until one is refused.

        If the fault lasts, all later ones are refused too.
        """
        self.lasts = False
        self.has_refused = False
        self._door = FaultyVfs(self)

    def open(self, path: Path) -> Journal:
        """Open a journal on this disk."""

        def connect(at: Path, **options: Any) -> sqlite3.Connection:
            return self._door.connect(at, sqlite3.Connection, **options)

        return Journal(path, connect=connect)

    def refuse(self, number: int | None, code: int = OK, *, lasts: bool = False) -> None:
        """Refuse the given operation, counted from 1. If `number` is None, refuse nothing."""
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
        self, do: Callable[[BlockDevice], None], half: Callable[[BlockDevice], None] | None = None
    ) -> int:
        if self.refused is not None:
            self.refused -= 1
            if self.refused == 0 or (self.lasts and self.refused < 0):
                self.has_refused = True
                return self.code
        self.operations.append(Operation(do, half, *self.look()))
        return OK


def mediums(operations: list[Operation]) -> Iterator[tuple[Operation, BlockDevice]]:
    """Yield each operation with the disk's content before it."""
    medium = BlockDevice({})
    for each in operations:
        yield each, medium
        each.do(medium)
