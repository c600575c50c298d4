"""Players' own setups, under names chosen by the players, in a file beside the games.

The file contains ranks, so only its owner may read it. A damaged file is quarantined under another
name, so no data is lost.
"""

from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

from companion.setups.setup import NamedSetup, Setup, read_setups, write_setups
from companion.speech.i18n import N_
from companion.storage.atomic_file import AtomicFile, FileMessages, numbered
from engine.board.geometry import Side
from engine.board.ranks import Army
from engine.rules.editions import Edition

_PROBLEMS: Final = FileMessages(
    quarantined=N_("Your setups could not be read. Their file was set aside as {file}."),
    unreadable=N_("Cannot read your setups from the disk."),
    unsaved=N_("Cannot save your setups. Free some space on the disk."),
)


class SavedSetups(AtomicFile):
    """The file with all players' setups on this computer."""

    def __init__(self, path: Path) -> None:
        """Read the file, if it exists."""
        super().__init__(path, _PROBLEMS)
        self.setups = self._read(lambda text: read_setups(text, path.name)) or []
        """The setups, in the order in which they were saved."""

    def keep(self, name: str, setup: Setup) -> None:
        """Save a setup; if the name is already in use, a number is appended."""
        taken = {each.name for each in self.setups}
        free = next(each for each in numbered(name) if each not in taken)
        self._save([*self.setups, NamedSetup(free, setup)])

    def delete(self, name: str) -> None:
        self._save([each for each in self.setups if each.name != name])

    def _save(self, setups: list[NamedSetup]) -> None:
        if self._write(write_setups(setups)):
            self.setups = setups


# The well-known setups, for all players; `known.txt` has their pictures.

FILE: Final = "known.txt"


def preset_setups(army: Army) -> list[NamedSetup]:
    """Return the setups that fit an army; their names and sentences are not yet translated."""
    adapted = [replace(each, setup=each.setup.adapted(army)) for each in _all()]
    return [each for each in adapted if each.setup.fits(army)]


def without_omitted(setups: list[NamedSetup], edition: Edition, side: Side) -> list[NamedSetup]:
    """Return setups of a whole army without the pieces that a handicap takes from a side."""
    return [
        replace(each, setup=Setup(edition.without_omitted(side, each.setup.ranks)))
        for each in setups
    ]


@cache
def _all() -> list[NamedSetup]:
    text = resources.files("companion.setups").joinpath(FILE).read_text(encoding="utf-8")
    return read_setups(text, FILE)
