"""What can be wrong with the place where games are kept, in the few kinds that people can mend."""

import errno
import sqlite3
from collections.abc import Mapping
from enum import Enum, auto
from pathlib import Path
from typing import Final


class StorageTrouble(Enum):
    """Why a file cannot be read or saved."""

    FULL = auto()
    LOCKED = auto()
    """Another program has it."""
    DAMAGED = auto()
    GAME = auto()
    """The game that was cut off is damaged, and all else is well."""
    NEWER = auto()
    """A newer program has written the file."""
    FOREIGN = auto()
    """Another program has written the file, and no games are in it."""
    FORBIDDEN = auto()
    """Nothing may be written there, or there is no such folder and none can be made."""
    READ_ONLY = auto()
    """The file may be read, but not written."""
    UNOPENED = auto()
    """The file cannot be opened, though its folder can be used; it may be a folder itself."""
    FAILING = auto()
    """The disk does not read or write as it should."""
    OTHER = auto()
    """None of these. What the system says of it is for the log, in its own words."""


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
"""What can be done about it, besides keeping the games elsewhere."""


class JournalError(Exception):
    """A game cannot be kept or had; the message is one plain sentence with a way out."""


class StorageError(JournalError):
    """The file of the games cannot be read or saved."""

    def __init__(self, path: Path, trouble: StorageTrouble, detail: str) -> None:
        """Say of a file what is wrong with it; the detail is what the system says."""
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
    # What we ask is right, so what it is asked of is not.
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
"""What of a code of SQLite says which kind of error it is; the rest says where."""


def storage_trouble(error: Exception) -> StorageTrouble:
    """Say what kind of trouble an error of SQLite, of the system, or of reading tells of."""
    if isinstance(error, ValueError):
        return StorageTrouble.DAMAGED
    if isinstance(error, OSError):
        return _OF_THE_SYSTEM.get(error.errno or 0, StorageTrouble.OTHER)
    code = getattr(error, "sqlite_errorcode", 0)
    return _OF_SQLITE.get(code & _PLAIN, StorageTrouble.OTHER)
