"""The disk with the games: it may fail as disks do, be slow, and lose what was never synced.

SQLite itself is real. Whatever it does with its files goes through here first: it is refused, or
takes its time, or is the last thing before the power goes. What is left then is what was written,
if the program alone was ended, or what the medium had really kept.
"""

import sqlite3
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Final, Literal

from companion.simulator.soak.medium import Medium
from companion.simulator.soak.sqlite_door import OK, SqliteDoor

_WRITES: Final = ("INSERT", "UPDATE", "DELETE", "PRAGMA user_version =")
_PARTS: Final = ("", "-wal", "-shm", "-journal")
_ENDED: Final = 0.3
"""How often only the program is ended, and what was written stays."""


class DiskFault(Enum):
    """What can be wrong with a disk, by SQLite's code for it."""

    FULL = sqlite3.SQLITE_FULL
    READ_ONLY = sqlite3.SQLITE_READONLY
    IO_ERROR = sqlite3.SQLITE_IOERR_WRITE
    BUSY = sqlite3.SQLITE_BUSY


class PlugPulledError(BaseException):
    """The computer is without power: whatever was running runs no more."""


class Disk:
    """The file of the games, with whatever befalls it."""

    def __init__(self, path: Path, dice: Random) -> None:
        """Keep the games in a file; what outlives a power cut is drawn from these dice."""
        self.path = path
        self.fault: DiskFault | None = None
        """What is wrong with it just now."""
        self.slow_ms = 0
        """So long every saving takes just now."""
        self.wait: Callable[[int], None] = lambda _: None
        """Lets so many milliseconds go by while something is saved."""
        self._dice = dice
        self._fuse: int | None = None
        self.is_dark = False
        """Whether the plug is pulled."""
        self._left: dict[Path, bytes] = {}
        self._medium = Medium({})
        self._door = SqliteDoor(self)

    def close(self) -> None:
        """Take the disk away, once nobody has a file of it open."""
        self._door.close()

    def connect(self, path: Path, **options: Any) -> sqlite3.Connection:
        """Open a database on this disk, as `sqlite3.connect` does."""

        def make(address: str, **others: Any) -> sqlite3.Connection:
            return _Connection(self, address, **others)

        return self._door.connect(path, make, **options)

    def connect_beside(self, path: Path, **options: Any) -> sqlite3.Connection:
        """Open it for another program, which nothing befalls."""
        return self._door.connect(path, sqlite3.Connection, **options)

    def pull_plug_after(self, places: int) -> None:
        """Let the plug be pulled within what is saved next: so many operations later."""
        self._fuse = places

    @property
    def is_fused(self) -> bool:
        """Whether the plug is about to be pulled as soon as something is saved."""
        return self._fuse is not None

    def pull_plug(self) -> None:
        """Let nothing be written any more; what there is is drawn."""
        self._fuse, self.is_dark = None, True
        is_ended = self._dice.random() < _ENDED
        self._left = self._medium.all_of_it() if is_ended else self._medium.after_a_cut(self._dice)

    def power_up(self) -> None:
        """Let that stand on the disk which outlived the plug."""
        for part in _PARTS:
            Path(f"{self.path}{part}").unlink(missing_ok=True)
        for path, content in self._left.items():
            path.write_bytes(content)
        self._medium, self.is_dark = Medium(self._left), False

    def begin(self) -> None:
        """Something is to be saved: it takes its time, and whoever is kept out hears of it."""
        if self.slow_ms:
            self.wait(self.slow_ms)
        if self.fault is DiskFault.BUSY:
            raise _error(self.fault)

    def before(self, statement: str) -> None:
        """Refuse a statement that writes, if nothing may be written."""
        if self.fault is DiskFault.READ_ONLY and statement.startswith(_WRITES):
            raise _error(self.fault)

    # -- what SQLite does with files

    def write(self, path: Path, at: int, data: bytes) -> int:
        """Take bytes for a place of a file, or fail."""
        if self.fault in (DiskFault.FULL, DiskFault.IO_ERROR) and not self.is_dark:
            return int(self.fault.value)
        return self._do(lambda: self._medium.write(path, at, data))

    def truncate(self, path: Path, size: int) -> int:
        """Let a file end there."""
        return self._do(lambda: self._medium.truncate(path, size))

    def sync(self, path: Path) -> int:
        """Keep all of a file, whatever happens."""
        return self._do(lambda: self._medium.sync(path))

    def delete(self, path: Path) -> int:
        """Let a file be gone."""
        return self._do(lambda: self._medium.delete(path))

    def _do(self, doing: Callable[[], None]) -> int:
        if self._fuse is not None:
            self._fuse -= 1
            if self._fuse <= 0:
                self.pull_plug()
        if self.is_dark:
            return sqlite3.SQLITE_IOERR
        doing()
        return OK


def _error(fault: DiskFault) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(fault.name.lower().replace("_", " "))
    error.sqlite_errorcode = fault.value
    error.sqlite_errorname = f"SQLITE_{fault.name}"
    return error


class _Connection(sqlite3.Connection):
    """A connection to a database on such a disk, of a program that ends with the power."""

    def __init__(self, disk: Disk, address: str, **options: Any) -> None:
        self.disk = disk
        super().__init__(address, **options)

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        if sql.startswith("BEGIN IMMEDIATE"):
            self.disk.begin()
        self.disk.before(sql)
        try:
            return super().execute(sql, parameters)
        finally:
            self._end_with_the_power()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
        /,
    ) -> Literal[False]:
        try:
            return super().__exit__(kind, error, trace)
        finally:
            self._end_with_the_power()

    def _end_with_the_power(self) -> None:
        if self.disk.is_dark:
            raise PlugPulledError
