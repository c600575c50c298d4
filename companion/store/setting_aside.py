"""Quarantine of an unusable file of games: it is renamed, never deleted, and reported.

Play goes on in a new file. To recover the old games, the file can be repaired, or opened by the
newer program that has written it.
"""

import os
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from typing import Final

from companion.store.one_player import playing
from companion.store.storage_trouble import StorageError, StorageTrouble, storage_trouble

UNUSABLE: Final = {
    StorageTrouble.DAMAGED: "damaged",
    StorageTrouble.NEWER: "newer",
    StorageTrouble.FOREIGN: "foreign",
}
"""Kinds of trouble for which a retry is useless, with the word for each in the name of the file."""
_LOG: Final = "-wal"
_INDEX: Final = "-shm"


@dataclass(frozen=True)
class SetAside:
    """A quarantined file of games."""

    trouble: StorageTrouble
    path: Path
    """Its new path."""


def set_aside(error: StorageError) -> SetAside:
    """Rename the file of an error; StorageError if that fails, or a program plays its games."""
    path = error.path
    try:
        with playing(path):
            free = _free_name(path, UNUSABLE[error.trouble])
            # The log first: otherwise it would be taken for the log of the new file.
            for ending in (_LOG, ""):
                if (part := Path(f"{path}{ending}")).exists():
                    part.rename(f"{free}{ending}")
            Path(f"{path}{_INDEX}").unlink(missing_ok=True)
            _sync(path.parent)
    except BlockingIOError as blocked:
        why = "another Boomboard plays here"
        raise StorageError(path, StorageTrouble.LOCKED, why) from blocked
    except OSError as failed:
        raise StorageError(path, storage_trouble(failed), str(failed)) from failed
    return SetAside(error.trouble, free)


def _free_name(path: Path, word: str) -> Path:
    """Return an unused file name with the date."""
    stem = f"{path.stem}-{word}-{datetime.now():%Y-%m-%d}"
    again = chain([""], (f"-{number}" for number in count(2)))
    names = (path.with_name(f"{stem}{each}{path.suffix}") for each in again)
    return next(name for name in names if not name.exists())


def _sync(folder: Path) -> None:
    """Flush the folder to disk, so that the new names survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
