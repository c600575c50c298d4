"""Disk for the games file. It can fail, be slow or lose unsynced data.

SQLite is real, but its file operations can be made to fail or to take a long time. The power
can be cut after any of them.
"""

import sqlite3
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Final, Literal

from tests.soak.block_device import BlockDevice
from tests.soak.faulty_vfs import OK, FaultyVfs

_WRITES: Final = ("INSERT", "UPDATE", "DELETE", "PRAGMA user_version =")
_PARTS: Final = ("", "-wal", "-shm", "-journal")
_ENDED: Final = 0.3
"""Probability that the power stays on and only the program dies. In that case, everything that it
has written remains."""


class DiskFault(Enum):
    """Disk faults. The values are SQLite's error codes."""

    FULL = sqlite3.SQLITE_FULL
    READ_ONLY = sqlite3.SQLITE_READONLY
    IO_ERROR = sqlite3.SQLITE_IOERR_WRITE
    BUSY = sqlite3.SQLITE_BUSY


class PlugPulledError(BaseException):
    """Raised when the computer loses power, so that the program ends."""


class Disk:
    """Games file with injected faults."""

    def __init__(self, path: Path, dice: Random) -> None:
        """`dice` decides what survives a power cut."""
        self.path = path
        self.fault: DiskFault | None = None
        self.slow_ms = 0
        """Duration of every save in milliseconds."""
        self.wait: Callable[[int], None] = lambda _: None
        """Advances simulated time by a number of milliseconds during a save."""
        self._dice = dice
        self._fuse: int | None = None
        self.is_dark = False
        self._left: dict[Path, bytes] = {}
        self._block_device = BlockDevice({})
        self._door = FaultyVfs(self)

    def close(self) -> None:
        """Remove the disk when its files are closed."""
        self._door.close()

    def connect(self, path: Path, **options: Any) -> sqlite3.Connection:
        """Open a database on this disk, like `sqlite3.connect`."""

        def make(address: str, **others: Any) -> sqlite3.Connection:
            return _Connection(self, address, **others)

        return self._door.connect(path, make, **options)

    def connect_beside(self, path: Path, **options: Any) -> sqlite3.Connection:
        """Open the file as another process would, whose operations do not fail."""
        return self._door.connect(path, sqlite3.Connection, **options)

    def pull_plug_after(self, places: int) -> None:
        """Cut the power during the next save, at operation number `places`."""
        self._fuse = places

    @property
    def is_fused(self) -> bool:
        """Whether the power will be cut during the next save."""
        return self._fuse is not None

    def pull_plug(self) -> None:
        """Cut the power. A random part of the unsynced data remains."""
        self._fuse, self.is_dark = None, True
        is_ended = self._dice.random() < _ENDED
        self._left = (
            self._block_device.all_of_it()
            if is_ended
            else self._block_device.after_a_cut(self._dice)
        )

    def power_up(self) -> None:
        """Restore the content that has survived."""
        for part in _PARTS:
            Path(f"{self.path}{part}").unlink(missing_ok=True)
        for path, content in self._left.items():
            path.write_bytes(content)
        self._block_device, self.is_dark = BlockDevice(self._left), False

    def begin(self) -> None:
        """Begin a save. Wait if the disk is slow. Raise OperationalError if the file is locked."""
        if self.slow_ms:
            self.wait(self.slow_ms)
        if self.fault is DiskFault.BUSY:
            raise _error(self.fault)

    def before(self, statement: str) -> None:
        """Refuse writes while the disk is read-only."""
        if self.fault is DiskFault.READ_ONLY and statement.startswith(_WRITES):
            raise _error(self.fault)

    # -- SQLite's file operations

    def write(self, path: Path, at: int, data: bytes) -> int:
        """Write bytes to a file. Return SQLite's error code, or 0."""
        if self.fault in (DiskFault.FULL, DiskFault.IO_ERROR) and not self.is_dark:
            return int(self.fault.value)
        return self._do(lambda: self._block_device.write(path, at, data))

    def truncate(self, path: Path, size: int) -> int:
        return self._do(lambda: self._block_device.truncate(path, size))

    def sync(self, path: Path) -> int:
        return self._do(lambda: self._block_device.sync(path))

    def delete(self, path: Path) -> int:
        return self._do(lambda: self._block_device.delete(path))

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
    """Connection of a program that dies when the power is cut."""

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
