"""Access to the journal, whether or not it can be opened just now.

A command that cannot open it exits with a message. A window opens all the same, reports the
problem, and retries when the user asks for it. A file for which a retry is useless is set aside,
and the games that are played from then on are saved in a new one.
"""

from pathlib import Path

from companion.store.journal import Journal
from companion.store.journal_file import Connect
from companion.store.setting_aside import UNUSABLE, SetAside, set_aside
from companion.store.storage_trouble import StorageError


class Shelf:
    """Provides the journal for the games of one origin."""

    def __init__(self, path: Path, origin: str = "board", connect: Connect | None = None) -> None:
        """Set the path; the file is opened lazily, by `connect` if that is given."""
        self.path = path
        self.set_aside: SetAside | None = None
        """The unusable file that was set aside, if any."""
        self.trouble: StorageError | None = None
        """The reason why nothing can be saved, though the file can be read."""
        self._origin, self._connect = origin, connect
        self._journal: Journal | None = None

    @property
    def keeps(self) -> bool:
        """Whether games can be saved, as far as is known."""
        return self._journal is not None and self.trouble is None

    def journal(self) -> Journal:
        """Return the journal; StorageError if it cannot be opened."""
        if self._journal is None:
            try:
                self._journal = self._open()
            except StorageError as error:
                if error.trouble not in UNUSABLE:
                    raise
                self.set_aside = set_aside(error)
                self._journal = self._open()
            self._probe(self._journal)
        return self._journal

    def close(self) -> None:
        """Close the file. The journal is opened again when it is next needed."""
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
        self.trouble = None
        try:
            journal.file.probe()
        except StorageError as error:
            self.trouble = error
