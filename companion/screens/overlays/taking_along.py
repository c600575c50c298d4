"""Export of a game's sheets, to a folder or to a USB stick."""

from collections.abc import Callable, Mapping, Sequence
from threading import Thread
from typing import Final

from kivy.properties import BooleanProperty, StringProperty

from companion.devices.sticks import Stick, StickError, StickTrouble, write_to_stick
from companion.screens.base.cover import Cover
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from companion.speech.language import N_
from companion.store.archive import Archive
from companion.store.storage_trouble import JournalError

LOOK_SECONDS: Final = 1.0
"""Interval between two checks for a USB stick, in seconds."""
_TROUBLES: Final[Mapping[StickTrouble, str]] = {
    StickTrouble.FULL: N_("{stick} is full. Make room on it, or take another stick."),
    StickTrouble.READ_ONLY: N_(
        "Nothing can be written to {stick}. Look whether it has a lock, or take another stick."
    ),
    StickTrouble.GONE: N_("{stick} cannot be written to. Plug it in again, or take another stick."),
}
Finder = Callable[[], Sequence[Stick]]


class TakingAlongCover(Cover):
    """Three actions: read the incidents, write into the folder, copy to a stick."""

    told = StringProperty()
    """Instructions, or the result of the last action."""
    can_copy = BooleanProperty(False)
    """Whether a stick is plugged in, and nothing is being written."""
    is_writing = BooleanProperty(False)
    is_copied = BooleanProperty(False)
    """Whether the stick that is plugged in holds everything."""

    def __init__(
        self,
        archive: Archive,
        number: int,
        find: Finder,
        *,
        read_incidents: Callable[[], None],
        close: Callable[[], None],
    ) -> None:
        super().__init__()
        self._archive, self._number, self._find = archive, number, find
        self._read_incidents, self._close = read_incidents, close
        self._stick: Stick | None = None
        self._due: float | None = None
        self._copying: _Copying | None = None
        self._look()

    def tick(self, now: float) -> None:
        """Check whether a stick was plugged in or pulled out, and whether writing has ended."""
        if self._copying:
            self._finish()
        elif self._due is None or now >= self._due:
            self._due = now + LOOK_SECONDS
            self._look()

    def copy(self) -> None:
        """Write everything to the stick, on a thread other than the drawing thread."""
        assert self._stick
        try:
            pages = self._archive.pages(self._number, _.language)
        except JournalError:
            self.told = _("This game cannot be read.")
            return
        files = {name: text.encode() for name, text in pages.items()}
        self.told = _("Writing to {stick}. Do not pull it out.", stick=self._stick.name)
        self.is_writing, self.can_copy = True, False
        self._copying = _Copying(self._stick, files)
        self._copying.start()

    def export(self) -> None:
        """Write everything into the folder next to the games."""
        folder = self._archive.folder
        try:
            self._archive.export(self._number, _.language)
        except (OSError, JournalError):
            self.told = _(
                "The game cannot be written to {folder}. Look whether the disk is full.",
                folder=folder,
            )
        else:
            self.told = _("Score sheet and record are in {folder}.", folder=folder)

    def read_incidents(self) -> None:
        self._read_incidents()

    def close(self) -> None:
        self._close()

    def _look(self) -> None:
        """Take the first stick that is writable."""
        sticks = sorted(self._find(), key=lambda stick: stick.is_read_only)
        found = sticks[0] if sticks else None
        if found == self._stick and self.told:
            return
        self._stick, self.is_copied = found, False
        self.can_copy = found is not None and not found.is_read_only
        if found is None:
            self.told = _("No stick is plugged in. Plug one in: it is found by itself.")
        elif found.is_read_only:
            self.told = _(_TROUBLES[StickTrouble.READ_ONLY], stick=found.name)
        else:
            self.told = _("{stick} is plugged in.", stick=found.name)

    def _finish(self) -> None:
        assert self._copying
        if self._copying.is_alive():
            return
        stick, trouble = self._copying.stick, self._copying.trouble
        self._copying, self.is_writing, self.can_copy = None, False, True
        self.is_copied = trouble is None
        self.told = (
            _(_TROUBLES[trouble], stick=stick.name)
            if trouble
            else _("Everything is on {stick}. It may be pulled out.", stick=stick.name)
        )


class _Copying(Thread):
    """Thread that writes to a stick, which can take seconds."""

    def __init__(self, stick: Stick, files: Mapping[str, bytes]) -> None:
        super().__init__(name="stick")
        self.stick = stick
        self.trouble: StickTrouble | None = None
        """Error that prevented writing; set when the thread has ended."""
        self._files = files

    def run(self) -> None:
        try:
            write_to_stick(self.stick, self._files)
        except StickError as error:
            self.trouble = error.trouble


load_kv(__file__)
