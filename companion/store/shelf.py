"""Where the journal is, whether or not it can be opened just now.

A command that cannot open it ends with a sentence. A window opens all the same, says what is
wrong, and tries again when somebody asks for it.
"""

from pathlib import Path

from companion.store.journal import Journal


class Shelf:
    """The place of the journal for the games of one origin."""

    def __init__(self, path: Path, origin: str = "board") -> None:
        """Name the file; it is opened when it is needed."""
        self.path = path
        self._origin = origin
        self._journal: Journal | None = None

    @property
    def is_open(self) -> bool:
        """Whether games can be kept, as far as it is known."""
        return self._journal is not None

    def journal(self) -> Journal:
        """Return the journal; StorageError if it cannot be opened."""
        if self._journal is None:
            self._journal = Journal(self.path, self._origin)
        return self._journal

    def close(self) -> None:
        """Close the file. Whoever needs the journal once more opens what is there then."""
        if self._journal:
            self._journal.close()
            self._journal = None
