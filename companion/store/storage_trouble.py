"""What can be wrong with the place where games are kept, in the few kinds that people can mend."""

import errno
import sqlite3
from enum import Enum, auto
from typing import Final


class StorageTrouble(Enum):
    """Why a file cannot be read or saved."""

    FULL = auto()
    LOCKED = auto()
    """Another program has it."""
    DAMAGED = auto()
    FORBIDDEN = auto()
    """Nothing may be written there, or there is no such folder and none can be made."""
    OTHER = auto()


_OF_SQLITE: Final = {
    sqlite3.SQLITE_FULL: StorageTrouble.FULL,
    sqlite3.SQLITE_BUSY: StorageTrouble.LOCKED,
    sqlite3.SQLITE_LOCKED: StorageTrouble.LOCKED,
    sqlite3.SQLITE_CORRUPT: StorageTrouble.DAMAGED,
    sqlite3.SQLITE_NOTADB: StorageTrouble.DAMAGED,
    sqlite3.SQLITE_PERM: StorageTrouble.FORBIDDEN,
    sqlite3.SQLITE_READONLY: StorageTrouble.FORBIDDEN,
    sqlite3.SQLITE_CANTOPEN: StorageTrouble.FORBIDDEN,
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
    errno.EISDIR: StorageTrouble.FORBIDDEN,
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
