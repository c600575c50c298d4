"""Opens the journal, retries after errors, and quarantines an unusable file.

A command that cannot open the journal exits with a message. The window still opens, reports the
problem, and retries on request. An unusable file is quarantined, and later games are saved in a new
file.
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

# An unusable games file is quarantined. It is renamed, never deleted, and the user is told about
# it. Play continues with a new file. The old games can be recovered by repairing the file, or by
# opening it with the newer program that wrote it.

UNUSABLE: Final = {
    StorageErrorKind.DAMAGED: "damaged",
    StorageErrorKind.NEWER: "newer",
    StorageErrorKind.FOREIGN: "foreign",
}
"""Errors that a retry cannot fix. The word for each error becomes part of the quarantined file's
name."""
_LOG: Final = "-wal"
_INDEX: Final = "-shm"


@dataclass(frozen=True)
class QuarantinedFile:
    """A quarantined games file."""

    kind: StorageErrorKind
    path: Path
    """New path of the file."""


def quarantine(error: StorageError) -> QuarantinedFile:
    """Rename the unusable file that `error` names.

    Raise StorageError if that fails, or if another process is playing a game from the file.
    """
    path = error.path
    try:
        with playing(path):
            free = _free_name(path, UNUSABLE[error.kind])
            # Rename the write-ahead log first. Otherwise, it could be mistaken for the log of the
            # new file.
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
    """Return an unused file name that contains today's date."""
    stem = f"{path.stem}-{word}-{datetime.now():%Y-%m-%d}"
    again = chain([""], (f"-{number}" for number in count(2)))
    names = (path.with_name(f"{stem}{each}{path.suffix}") for each in again)
    return next(name for name in names if not name.exists())


class JournalProvider:
    """Provides the journal, from which the games of one `origin` can be resumed."""

    def __init__(self, path: Path, origin: str = "board", connect: Connect | None = None) -> None:
        """`connect` replaces `sqlite3.connect`. The file is opened when it is first needed."""
        self.path = path
        self.quarantined: QuarantinedFile | None = None
        """The unusable file that was quarantined, or None."""
        self.error: StorageError | None = None
        """The error that prevents saving even though the file can be read, or None."""
        self._origin, self._connect = origin, connect
        self._journal: Journal | None = None

    @property
    def keeps(self) -> bool:
        """Whether games can be saved, as far as is known."""
        return self._journal is not None and self.error is None

    def journal(self) -> Journal:
        """Return the journal. Raise StorageError if it cannot be opened."""
        if self._journal is None:
            try:
                self._journal = self._open()
            except StorageError as error:
                # A locked file or a full disk is a temporary problem. Quarantining the file would
                # only split the games between two files.
                if error.kind not in UNUSABLE:
                    raise
                self.quarantined = quarantine(error)
                self._journal = self._open()
            self._probe(self._journal)
        return self._journal

    def close(self) -> None:
        """Close the file. It is reopened when the journal is needed again."""
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
