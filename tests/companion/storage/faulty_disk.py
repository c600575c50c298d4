"""A disk that records every operation and can make operations fail."""

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
    """A file operation, and how many actions had been announced and accepted before it."""

    do: Callable[[BlockDevice], None]
    half: Callable[[BlockDevice], None] | None
    """First half of the operation, if the operation can be interrupted."""
    announced: int
    accepted: int


class FaultyDisk:
    """Records SQLite's operations and makes some of them fail."""

    def __init__(self, look: Callable[[], tuple[int, int]] = lambda: (0, 0)) -> None:
        """Create a disk. `look` returns the numbers of announced and of accepted actions."""
        self.operations: list[Operation] = []
        self.look = look
        self.code = OK
        """Result code of a failing operation."""
        self.refused: int | None = None
        """Number of operations until one fails, or None. If `lasts` is set, all later operations
        fail too.
        """
        self.lasts = False
        self.has_refused = False
        self._door = FaultyVfs(self)

    def open(self, path: Path) -> Journal:
        def connect(at: Path, **options: Any) -> sqlite3.Connection:
            return self._door.connect(at, sqlite3.Connection, **options)

        return Journal(path, connect=connect)

    def refuse(self, number: int | None, code: int = OK, *, lasts: bool = False) -> None:
        """Make operation `number` (counted from 1) fail. With None, all operations succeed."""
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
    """Yield each operation, with the content of the disk before the operation."""
    medium = BlockDevice({})
    for each in operations:
        yield each, medium
        each.do(medium)
