"""The disk with the games: it may fail as disks do, and the plug may be pulled while it writes.

SQLite itself is real. It waits for no platter: what a program that is ended leaves behind is what
it has written until then, and that is read off in the moment in which the plug is pulled. What a
power cut makes of a card that has not written all of that is not tried here.
"""

import sqlite3
from enum import Enum
from pathlib import Path
from typing import Any, Final

_WRITES: Final = ("BEGIN IMMEDIATE", "INSERT", "UPDATE", "DELETE", "PRAGMA user_version =")
_PLACES: Final = (*_WRITES, "PRAGMA wal_checkpoint")
"""Before and after these the plug can be pulled; after the last `UPDATE` everything is committed
before the log is emptied."""
_PARTS: Final = ("", "-wal")


class DiskFault(Enum):
    """What can be wrong with a disk, by SQLite's code for it."""

    FULL = sqlite3.SQLITE_FULL
    READ_ONLY = sqlite3.SQLITE_READONLY
    IO_ERROR = sqlite3.SQLITE_IOERR
    BUSY = sqlite3.SQLITE_BUSY


class PlugPulledError(BaseException):
    """The computer is without power: whatever was running runs no more."""


class Disk:
    """The file of the games, with whatever befalls it."""

    def __init__(self, path: Path) -> None:
        """Keep the games in a file."""
        self.path = path
        self.fault: DiskFault | None = None
        """What is wrong with it just now."""
        self.writes = 0
        """How many times something was saved."""
        self._fuse: int | None = None
        self._left: dict[str, bytes] = {}

    def connect(self, path: Path, **options: Any) -> sqlite3.Connection:
        """Open a database on this disk, as `sqlite3.connect` does."""
        return _Connection(self, path, **options)

    def pull_plug_after(self, places: int) -> None:
        """Let the plug be pulled within what is saved next: so many places later."""
        self._fuse = places

    @property
    def is_fused(self) -> bool:
        """Whether the plug is about to be pulled as soon as something is saved."""
        return self._fuse is not None

    def pull_plug(self) -> None:
        """Take note of what stands on the disk in this moment; whoever has it open goes on."""
        self._fuse = None
        parts = {part: Path(f"{self.path}{part}") for part in _PARTS}
        self._left = {part: path.read_bytes() for part, path in parts.items() if path.exists()}

    def power_up(self) -> None:
        """Let that stand on the disk which stood there when the plug was pulled."""
        for part in (*_PARTS, "-shm"):
            Path(f"{self.path}{part}").unlink(missing_ok=True)
        for part, content in self._left.items():
            Path(f"{self.path}{part}").write_bytes(content)

    def before(self, statement: str) -> None:
        """Fail, if something is wrong and the statement writes."""
        self._burn(statement)
        begins = statement.startswith("BEGIN IMMEDIATE")
        self.writes += begins
        # Who is kept out finds it out at the door, and who has no room when it is needed.
        if (
            self.fault
            and statement.startswith(_WRITES)
            and begins is (self.fault is DiskFault.BUSY)
        ):
            error = sqlite3.OperationalError(self.fault.name.lower().replace("_", " "))
            error.sqlite_errorcode = self.fault.value
            error.sqlite_errorname = f"SQLITE_{self.fault.name}"
            raise error

    def after(self, statement: str) -> None:
        """Take note that a statement was carried out."""
        self._burn(statement)

    def _burn(self, statement: str) -> None:
        if self._fuse is None or not statement.startswith(_PLACES):
            return
        self._fuse -= 1
        if self._fuse <= 0:
            self.pull_plug()
            raise PlugPulledError


class _Connection(sqlite3.Connection):
    """A connection to a database on such a disk."""

    def __init__(self, disk: Disk, path: Path, **options: Any) -> None:
        super().__init__(path, **options)
        self._disk = disk

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        if sql.startswith("PRAGMA synchronous"):
            sql = "PRAGMA synchronous = OFF"
        self._disk.before(sql)
        cursor = super().execute(sql, parameters)
        self._disk.after(sql)
        return cursor
