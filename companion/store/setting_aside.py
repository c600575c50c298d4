"""A file of games that cannot be used is set aside: renamed, never deleted, and told where it lies.

Play goes on in a new file. Whoever wants the old games back can give the file to somebody who mends
it, or to the newer program that has written it.
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
"""What no try again mends, and the word for it in the name of the file."""
_LOG: Final = "-wal"
_INDEX: Final = "-shm"


@dataclass(frozen=True)
class SetAside:
    """A file of games that was set aside."""

    trouble: StorageTrouble
    path: Path
    """Where it lies now."""


def set_aside(error: StorageError) -> SetAside:
    """Rename the file of which an error tells; StorageError if it cannot be, or somebody plays."""
    path = error.path
    try:
        with playing(path):
            free = _free_name(path, UNUSABLE[error.trouble])
            # Its log first: that of another file would be taken for the log of the new one.
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
    """Return a name with the date that no file has yet."""
    stem = f"{path.stem}-{word}-{datetime.now():%Y-%m-%d}"
    again = chain([""], (f"-{number}" for number in count(2)))
    names = (path.with_name(f"{stem}{each}{path.suffix}") for each in again)
    return next(name for name in names if not name.exists())


def _sync(folder: Path) -> None:
    """See to it that a pulled plug does not take the new names away."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
