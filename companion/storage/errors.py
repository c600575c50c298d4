"""Kinds of errors of the games file: one kind per remedy."""

import errno
import sqlite3
from collections.abc import Mapping
from enum import Enum, auto
from pathlib import Path
from typing import Final


class StorageTrouble(Enum):
    """Reason why a file cannot be read or saved."""

    FULL = auto()
    LOCKED = auto()
    """Another program has locked it."""
    DAMAGED = auto()
    GAME = auto()
    """The unfinished game is corrupt; all other games are intact."""
    NEWER = auto()
    """The file was written by a newer program."""
    FOREIGN = auto()
    """The file was written by another program, and does not contain games."""
    FORBIDDEN = auto()
    """Permission denied, or the folder does not exist and cannot be created."""
    READ_ONLY = auto()
    """The file can be read but not written."""
    UNOPENED = auto()
    """The file cannot be opened although its folder is accessible; it may be a folder itself."""
    FAILING = auto()
    """The disk has read or write errors."""
    OTHER = auto()
    """Another error. The system's error text is logged unchanged."""


_WAYS: Final[Mapping[StorageTrouble, str]] = {
    StorageTrouble.FULL: "free some space",
    StorageTrouble.LOCKED: "close the other program",
    StorageTrouble.DAMAGED: "move the file elsewhere",
    StorageTrouble.GAME: "begin a new game, the others are not damaged",
    StorageTrouble.NEWER: "update this Boomboard, move the file elsewhere",
    StorageTrouble.FOREIGN: "move the file elsewhere",
    StorageTrouble.FORBIDDEN: "allow writing in its folder",
    StorageTrouble.READ_ONLY: "allow writing in the file",
    StorageTrouble.UNOPENED: "move the file elsewhere",
    StorageTrouble.FAILING: "see whether the disk is well",
    StorageTrouble.OTHER: "see whether the disk is well",
}
"""The remedies, in addition to saving the games in another place."""


class JournalError(Exception):
    """A game cannot be saved or loaded; the message is one plain sentence with a remedy."""


class StorageError(JournalError):
    """The games file cannot be read or saved."""

    def __init__(self, path: Path, trouble: StorageTrouble, detail: str) -> None:
        """Describe the trouble with a file; `detail` is the system's error text."""
        super().__init__(
            f"The games in {path} cannot be read or saved ({detail}); {_WAYS[trouble]}, or name "
            "another folder with --data."
        )
        self.path, self.trouble, self.detail = path, trouble, detail


_OF_SQLITE: Final = {
    sqlite3.SQLITE_FULL: StorageTrouble.FULL,
    sqlite3.SQLITE_BUSY: StorageTrouble.LOCKED,
    sqlite3.SQLITE_LOCKED: StorageTrouble.LOCKED,
    sqlite3.SQLITE_PROTOCOL: StorageTrouble.LOCKED,
    sqlite3.SQLITE_CORRUPT: StorageTrouble.DAMAGED,
    sqlite3.SQLITE_NOTADB: StorageTrouble.DAMAGED,
    # Our statements are valid, so the file must be damaged.
    sqlite3.SQLITE_ERROR: StorageTrouble.DAMAGED,
    sqlite3.SQLITE_CONSTRAINT: StorageTrouble.DAMAGED,
    sqlite3.SQLITE_MISMATCH: StorageTrouble.DAMAGED,
    sqlite3.SQLITE_TOOBIG: StorageTrouble.DAMAGED,
    sqlite3.SQLITE_PERM: StorageTrouble.FORBIDDEN,
    sqlite3.SQLITE_READONLY: StorageTrouble.FORBIDDEN,
    sqlite3.SQLITE_CANTOPEN: StorageTrouble.UNOPENED,
    sqlite3.SQLITE_IOERR: StorageTrouble.FAILING,
}
_OF_THE_SYSTEM: Final = {
    errno.ENOSPC: StorageTrouble.FULL,
    errno.EDQUOT: StorageTrouble.FULL,
    errno.EACCES: StorageTrouble.FORBIDDEN,
    errno.EPERM: StorageTrouble.FORBIDDEN,
    errno.EROFS: StorageTrouble.FORBIDDEN,
    errno.ENOENT: StorageTrouble.FORBIDDEN,
    errno.ENOTDIR: StorageTrouble.FORBIDDEN,
    errno.EEXIST: StorageTrouble.FORBIDDEN,
    errno.EISDIR: StorageTrouble.UNOPENED,
    errno.EIO: StorageTrouble.FAILING,
}
_PLAIN: Final = 0xFF
"""Mask of the primary code in SQLite's extended error codes."""


def storage_trouble(error: Exception) -> StorageTrouble:
    """Return the kind of trouble for an error from SQLite, the system, or a parser."""
    if isinstance(error, ValueError):
        return StorageTrouble.DAMAGED
    if isinstance(error, OSError):
        return _OF_THE_SYSTEM.get(error.errno or 0, StorageTrouble.OTHER)
    code = getattr(error, "sqlite_errorcode", 0)
    return _OF_SQLITE.get(code & _PLAIN, StorageTrouble.OTHER)
