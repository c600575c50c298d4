"""The setups that players keep under names of their own, in a file beside the games.

It holds ranks, so nobody but its owner may read it. A file that cannot be read is set aside under
another name, and nothing in it is lost.
"""

from pathlib import Path
from typing import Final

from companion.setups.setup import Setup
from companion.setups.setup_file import NamedSetup, read_setups, write_setups
from companion.speech.language import N_
from companion.store.whole_file import numbered, set_aside_damaged, write_whole

_SET_ASIDE: Final = N_("Your setups could not be read. Their file was set aside as {file}.")
_UNREADABLE: Final = N_("Your setups cannot be read from the disk.")
_UNSAVED: Final = N_("Your setups cannot be kept: free some space on the disk.")


class KeptSetups:
    """The file of a family's setups."""

    def __init__(self, path: Path) -> None:
        """Read the file, if it is there."""
        self._path = path
        self.problem = ""
        """What is wrong with the file, in one plain sentence that is still to be translated."""
        self.set_aside = ""
        """The name under which a damaged file was set aside."""
        self._is_readable = True
        self.setups = self._read()
        """The setups, in the order in which they were kept."""

    def keep(self, name: str, setup: Setup) -> None:
        """Keep a setup; if the name is taken already, under the same with a number."""
        taken = {each.name for each in self.setups}
        free = next(each for each in numbered(name) if each not in taken)
        self._save([*self.setups, NamedSetup(free, setup)])

    def delete(self, name: str) -> None:
        """Throw a setup away."""
        self._save([each for each in self.setups if each.name != name])

    def _read(self) -> list[NamedSetup]:
        try:
            return read_setups(self._path.read_text(encoding="utf-8"), self._path.name)
        except FileNotFoundError:
            return []
        except OSError:
            self.problem, self._is_readable = _UNREADABLE, False
        except ValueError:
            self._set_aside()
        return []

    def _set_aside(self) -> None:
        try:
            self.set_aside = set_aside_damaged(self._path)
        except OSError:
            self.problem, self._is_readable = _UNREADABLE, False
        else:
            self.problem = _SET_ASIDE

    def _save(self, setups: list[NamedSetup]) -> None:
        if not self._is_readable:  # what stands in the file may be worth more
            return
        try:
            write_whole(self._path, write_setups(setups))
        except OSError:
            self.problem = _UNSAVED
        else:
            self.setups, self.problem = setups, ""
