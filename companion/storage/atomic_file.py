"""Small files that are written atomically and quarantined if they are damaged."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TypeVar

_Content = TypeVar("_Content")


@dataclass(frozen=True)
class FileMessages:
    """Untranslated messages to players about a file."""

    quarantined: str
    """Message that the file was damaged and has been renamed to ``{file}``."""
    unreadable: str
    unsaved: str


class AtomicFile:
    """A file that is written atomically. A failure is reported, and the program continues."""

    def __init__(self, path: Path, problems: FileMessages) -> None:
        self.problem = ""
        """The problem with the file as an untranslated sentence. Empty if there is none."""
        self.quarantined = ""
        """New name of a damaged file that was quarantined. Empty if none was."""
        self._path, self._problems = path, problems
        self._is_readable = True

    def _read(self, parse: Callable[[str], _Content], errors: str = "strict") -> _Content | None:
        """Return the parsed contents, or None if the file is missing, unreadable or damaged.

        `parse` raises ValueError if the contents are damaged. `errors` specifies how invalid bytes
        are decoded, as in `bytes.decode`.
        """
        try:
            return parse(self._path.read_text(encoding="utf-8", errors=errors))
        except FileNotFoundError:
            return None
        except OSError:
            self.problem, self._is_readable = self._problems.unreadable, False
        except ValueError:
            self._quarantine()
        return None

    def _quarantine(self) -> None:
        try:
            self.quarantined = _quarantine(self._path)
        except OSError:
            self.problem, self._is_readable = self._problems.unreadable, False
        else:
            self.problem = self._problems.quarantined

    def _write(self, text: str) -> bool:
        """Write the file atomically. Return whether the text is on disk."""
        if not self._is_readable:  # do not overwrite data that may still be recovered
            return False
        try:
            write_atomically(self._path, text)
        except OSError:
            self.problem = self._problems.unsaved
            return False
        self.problem = ""
        return True


def write_atomically(path: Path, text: str) -> None:
    """Write a file atomically. After a power cut it contains either the old or the new text.

    Only the owner may read the file. Raise OSError on failure.
    """
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)  # otherwise, an existing file would keep its old permissions
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Flush a folder to disk, so that a renamed file survives a power cut.

    Raise OSError on failure.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _quarantine(path: Path) -> str:
    """Rename a damaged file and return its new name. Raise OSError on failure."""
    names = numbered(f"{path.stem}-damaged")
    aside = (path.with_name(f"{name}{path.suffix}") for name in names)
    free = next(each for each in aside if not each.exists())
    path.rename(free)
    return free.name


def numbered(name: str) -> Iterator[str]:
    """Yield the name itself, and then the name with 2, 3 and so on appended."""
    yield name
    yield from (f"{name} {number}" for number in count(2))
