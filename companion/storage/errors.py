"""Errors in reading and saving the games file. The kind of an error determines the remedy."""

import errno
import sqlite3
from collections.abc import Mapping
from enum import Enum, auto
from pathlib import Path
from typing import Final


class StorageErrorKind(Enum):
    """Reasons why a file cannot be read or saved."""

    FULL = auto()
    LOCKED = auto()
    """Another process has locked the file."""
    DAMAGED = auto()
    GAME = auto()
    """The unfinished game is damaged, but all other games are intact."""
    NEWER = auto()
    """The file was written by a newer version of this program."""
    FOREIGN = auto()
    """The file belongs to another application and contains no games."""
    FORBIDDEN = auto()
    """Access is denied, or the folder does not exist and cannot be created."""
    READ_ONLY = auto()
    """The file can be read but not written."""
    UNOPENED = auto()
    """The file cannot be opened although its folder is accessible. The path may be a folder."""
    FAILING = auto()
    """The disk has read or write errors."""
    OTHER = auto()
    """Any other error. The system's error text is logged unchanged."""


_WAYS: Final[Mapping[StorageErrorKind, str]] = {
    StorageErrorKind.FULL: "free some space",
    StorageErrorKind.LOCKED: "close the other program",
    StorageErrorKind.DAMAGED: "move the file elsewhere",
    StorageErrorKind.GAME: "begin a new game (the others are not damaged)",
    StorageErrorKind.NEWER: "update this Boomboard, move the file elsewhere",
    StorageErrorKind.FOREIGN: "move the file elsewhere",
    StorageErrorKind.FORBIDDEN: "allow writing in its folder",
    StorageErrorKind.READ_ONLY: "allow writing in the file",
    StorageErrorKind.UNOPENED: "move the file elsewhere",
    StorageErrorKind.FAILING: "check the disk for errors",
    StorageErrorKind.OTHER: "check the disk for errors",
}
"""The remedy for each kind of error. Saving the games in another folder is always an
alternative."""


class JournalError(Exception):
    """A game cannot be saved or loaded. The message is a single plain sentence with a remedy."""


class StorageError(JournalError):
    """The games file cannot be read or saved."""

    def __init__(self, path: Path, kind: StorageErrorKind, detail: str) -> None:
        """`detail` is the system's error text."""
        super().__init__(
            f"The games in {path} cannot be read or saved ({detail}); {_WAYS[kind]}, or name "
            "another folder with --data."
        )
        self.path, self.kind, self.detail = path, kind, detail


_OF_SQLITE: Final = {
    sqlite3.SQLITE_FULL: StorageErrorKind.FULL,
    sqlite3.SQLITE_BUSY: StorageErrorKind.LOCKED,
    sqlite3.SQLITE_LOCKED: StorageErrorKind.LOCKED,
    sqlite3.SQLITE_PROTOCOL: StorageErrorKind.LOCKED,
    sqlite3.SQLITE_CORRUPT: StorageErrorKind.DAMAGED,
    sqlite3.SQLITE_NOTADB: StorageErrorKind.DAMAGED,
    # Our SQL statements are correct, so SQLite raises these errors only if the file is damaged.
    sqlite3.SQLITE_ERROR: StorageErrorKind.DAMAGED,
    sqlite3.SQLITE_CONSTRAINT: StorageErrorKind.DAMAGED,
    sqlite3.SQLITE_MISMATCH: StorageErrorKind.DAMAGED,
    sqlite3.SQLITE_TOOBIG: StorageErrorKind.DAMAGED,
    sqlite3.SQLITE_PERM: StorageErrorKind.FORBIDDEN,
    sqlite3.SQLITE_READONLY: StorageErrorKind.FORBIDDEN,
    sqlite3.SQLITE_CANTOPEN: StorageErrorKind.UNOPENED,
    sqlite3.SQLITE_IOERR: StorageErrorKind.FAILING,
}
_OF_THE_SYSTEM: Final = {
    errno.ENOSPC: StorageErrorKind.FULL,
    errno.EDQUOT: StorageErrorKind.FULL,
    errno.EACCES: StorageErrorKind.FORBIDDEN,
    errno.EPERM: StorageErrorKind.FORBIDDEN,
    errno.EROFS: StorageErrorKind.FORBIDDEN,
    errno.ENOENT: StorageErrorKind.FORBIDDEN,
    errno.ENOTDIR: StorageErrorKind.FORBIDDEN,
    errno.EEXIST: StorageErrorKind.FORBIDDEN,
    errno.EISDIR: StorageErrorKind.UNOPENED,
    errno.EIO: StorageErrorKind.FAILING,
}
_PLAIN: Final = 0xFF
"""Mask that extracts the primary code from an extended error code of SQLite."""


def error_kind(error: Exception) -> StorageErrorKind:
    """Return the kind of an exception raised by SQLite, the system or a parser."""
    if isinstance(error, ValueError):
        return StorageErrorKind.DAMAGED
    if isinstance(error, OSError):
        return _OF_THE_SYSTEM.get(error.errno or 0, StorageErrorKind.OTHER)
    code = getattr(error, "sqlite_errorcode", 0)
    return _OF_SQLITE.get(code & _PLAIN, StorageErrorKind.OTHER)
