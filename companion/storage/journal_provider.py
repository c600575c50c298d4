"""Opens the journal, retries after errors, and quarantines an unusable file.

A command that cannot open the journal exits with a message. A window opens anyway, reports the
problem, and retries when the user requests it. A file for which a retry is useless is quarantined,
and later games are saved in a new file.
"""

from dataclasses import dataclass
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from typing import Final

from companion.storage.atomic_file import sync_folder
from companion.storage.errors import StorageError, StorageErrorKind, error_kind
from companion.storage.journal import Journal
from companion.storage.journal_file import Connect, playing

# Quarantine of an unusable games file: the file is renamed, never deleted, and reported.
# Play continues with a new file. To recover the old games, the file can be repaired, or opened with
# the newer program that wrote it.

UNUSABLE: Final = {
    StorageErrorKind.DAMAGED: "damaged",
    StorageErrorKind.NEWER: "newer",
    StorageErrorKind.FOREIGN: "foreign",
}
"""Kinds of error for which a retry is useless, with the word that marks the renamed file."""
_LOG: Final = "-wal"
_INDEX: Final = "-shm"


@dataclass(frozen=True)
class QuarantinedFile:
    """A quarantined games file."""

    kind: StorageErrorKind
    path: Path
    """The file's new path."""


def quarantine(error: StorageError) -> QuarantinedFile:
    """Rename the file named in `error`; StorageError if that fails or a program plays its games."""
    path = error.path
    try:
        with playing(path):
            free = _free_name(path, UNUSABLE[error.kind])
            # The log is renamed first. Otherwise it would be mistaken for the new file's log.
            for ending in (_LOG, ""):
                if (part := Path(f"{path}{ending}")).exists():
                    part.rename(f"{free}{ending}")
            Path(f"{path}{_INDEX}").unlink(missing_ok=True)
            sync_folder(path.parent)
    except BlockingIOError as blocked:
        why = "another Boomboard is playing these games"
        raise StorageError(path, StorageErrorKind.LOCKED, why) from blocked
    except OSError as failed:
        raise StorageError(path, error_kind(failed), str(failed)) from failed
    return QuarantinedFile(error.kind, free)


def _free_name(path: Path, word: str) -> Path:
    """Return an unused file name that contains the date."""
    stem = f"{path.stem}-{word}-{datetime.now():%Y-%m-%d}"
    again = chain([""], (f"-{number}" for number in count(2)))
    names = (path.with_name(f"{stem}{each}{path.suffix}") for each in again)
    return next(name for name in names if not name.exists())


class JournalProvider:
    """Provides the journal for the games of one origin."""

    def __init__(self, path: Path, origin: str = "board", connect: Connect | None = None) -> None:
        """Set the path; the file is opened lazily, with `connect` if given."""
        self.path = path
        self.quarantined: QuarantinedFile | None = None
        """The unusable file that was quarantined, if any."""
        self.error: StorageError | None = None
        """The error that prevents saving although the file can be read."""
        self._origin, self._connect = origin, connect
        self._journal: Journal | None = None

    @property
    def keeps(self) -> bool:
        """Whether games can be saved, as far as is known."""
        return self._journal is not None and self.error is None

    def journal(self) -> Journal:
        """Return the journal; StorageError if it cannot be opened."""
        if self._journal is None:
            try:
                self._journal = self._open()
            except StorageError as error:
                # A locked or full disk is temporary; quarantining the file would split the games
                # needlessly.
                if error.kind not in UNUSABLE:
                    raise
                self.quarantined = quarantine(error)
                self._journal = self._open()
            self._probe(self._journal)
        return self._journal

    def close(self) -> None:
        """Close the file. The journal is reopened when it is next needed."""
        if self._journal:
            self._journal.close()
            self._journal = None

    def _open(self) -> Journal:
        journal = Journal(self.path, self._origin, self._connect)
        try:
            journal.file.check()
        except BaseException:
            journal.close()
            raise
        return journal

    def _probe(self, journal: Journal) -> None:
        self.error = None
        try:
            journal.file.probe()
        except StorageError as error:
            self.error = error
