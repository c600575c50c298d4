"""Dialogs for saved games: the list, the replay of a finished game, and the export."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from threading import Thread
from typing import Final

from babel.dates import format_datetime
from kivy.input.motionevent import MotionEvent
from kivy.properties import (
    AliasProperty,
    BooleanProperty,
    ListProperty,
    NumericProperty,
    ObjectProperty,
    StringProperty,
)
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.devices.usb_drives import UsbDrive, UsbError, UsbErrorKind, write_to_usb_drive
from companion.reports.replay import Archive, Snapshot, replay
from companion.reports.reviews import name_computer, printable
from companion.speech.i18n import N_, capitalized
from companion.speech.small_texts import storage_error_text
from companion.storage.errors import JournalError, StorageError
from companion.ui.base.modal import Modal
from companion.ui.drawing import theme
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from engine.board.geometry import Side, set_of
from firmware_bridge.image import Image

ROWS: Final = 5
"""Number of games per page."""
LARGE_ROWS: Final = 3
"""Number of games per page with large text."""


class SavedGameRow(ButtonBehavior, BoxLayout):
    """A saved game with its date and result."""

    date = StringProperty()
    end = StringProperty()
    __events__ = ("on_look",)

    def on_look(self) -> None:
        pass

    def on_release(self) -> None:
        self.dispatch("on_look")


class SavedGamesDialog(Modal):
    """A list of saved games, one page at a time."""

    message = StringProperty()
    """Reason why the list is empty, or an empty string."""
    has_later = BooleanProperty(False)
    has_earlier = BooleanProperty(False)

    def __init__(
        self,
        archive: Archive,
        look: Callable[[int], None],
        resume: Callable[[int], None],
        *,
        open_book: Callable[[], None],
        close: Callable[[], None],
    ) -> None:
        """List all games. `look` opens a finished game; `resume` continues an unfinished one."""
        super().__init__()
        self._archive, self._open_book, self._close = archive, open_book, close
        self._look, self._resume = look, resume
        self._begun: dict[int, str] = {}
        """Start times of the unfinished games, keyed by number."""
        self._first, self._rows = 0, theme.choose(ROWS, large=LARGE_ROWS, upright=ROWS)
        try:
            self._begun = {game.number: game.begun for game in archive.unfinished_games()}
            self._numbers = sorted([*archive.numbers(), *self._begun], reverse=True)
        except StorageError as error:
            self._numbers, self.message = [], storage_error_text(error, _.language)
        else:
            self.message = "" if self._numbers else _("No finished games yet.")
        self._show()

    def turn(self, pages: int) -> None:
        """Go `pages` pages towards earlier games, or towards later games if `pages` is negative."""
        self._first += pages * self._rows
        self._show()

    def open_book(self) -> None:
        self._open_book()

    def close(self) -> None:
        self._close()

    def _show(self) -> None:
        shown = self._numbers[self._first : self._first + self._rows]
        self.has_later = self._first > 0
        self.has_earlier = self._first + self._rows < len(self._numbers)
        self.ids.rows.clear_widgets()
        for number in shown:
            self.ids.rows.add_widget(self._row(number))

    def _row(self, number: int) -> SavedGameRow:
        if number in self._begun:
            row = SavedGameRow(date=date_text(self._begun[number]), end=_("Unfinished: continue"))
            row.bind(on_look=lambda _row: self._resume(number))
            return row
        try:
            game, people = self._archive.load(number), self._archive.journal().people(number)
        except JournalError:
            return SavedGameRow(end=_("This game cannot be read."), disabled=True)
        row = SavedGameRow(date=date_text(game.begun))
        assert game.outcome
        # omit the rulebook citation
        end = capitalized(_.announcer.sentence(replace(game.outcome, citation=None)))
        if people.computer and (players := name_computer(game, people, _.language).players):
            red, blue = map(printable, players)
            end = _("{red} – {blue}: {end}", red=red, blue=blue, end=end)
        row.end = end
        row.bind(on_look=lambda _row: self._look(number))
        return row


def date_text(begun: str) -> str:
    """Return the date of a game in the format of the current language."""
    if not begun:
        return "?"
    moment = datetime.fromisoformat(begun).astimezone()
    return str(format_datetime(moment, "short", locale=_.language.code))


SECONDS: Final = 1.5
"""Time for which the automatic replay shows each ply, in seconds."""


class ReplayDialog(Modal):
    """The board, the announcements of a ply, and the replay controls."""

    image = ObjectProperty(Image())
    ranks = ObjectProperty({})
    last_move = ObjectProperty(None, allownone=True)
    ply = NumericProperty(0)
    length = NumericProperty(0)
    """Number of plies in the game."""
    message = StringProperty()
    marks = ListProperty()
    """Plies of the key moments."""
    is_readable = BooleanProperty(False)
    is_playing = BooleanProperty(False)
    """Whether the replay advances automatically."""
    as_known = BooleanProperty(False)
    """Whether to show only the ranks known at this ply rather than all ranks."""
    play_text = AliasProperty(
        lambda self: _("Pause") if self.is_playing else _("Play"), bind=["is_playing"]
    )
    ranks_text = AliasProperty(
        lambda self: _("All ranks") if self.as_known else _("Ranks known then"), bind=["as_known"]
    )
    """Label of the button that switches between the ranks known at this ply and all ranks. The
    label names the ranks that a press would show."""

    def __init__(
        self,
        archive: Archive,
        number: int,
        open_export: Callable[[], None],
        story: Callable[[], None],
        close: Callable[[], None],
    ) -> None:
        """Show a game from the archive, or the reason why it cannot be shown."""
        super().__init__()
        self._open_export, self._story, self._close = open_export, story, close
        try:
            self._pages = replay(archive.load(number), _.announcer)
        except JournalError as error:
            self._pages, self.message = [], error_text(error)
            return
        self.is_readable = True
        self._due = 0.0
        self.length = len(self._pages) - 1
        self.marks = [ply for ply, page in enumerate(self._pages) if page.is_key]
        self.go_to(self.length)

    def go_to(self, ply: int) -> None:
        """Show the position after `ply` plies, limited to the length of the game."""
        if not self.is_readable:
            return
        self.ply = min(max(ply, 0), self.length)
        page = self._pages[self.ply]
        pieces = page.seen.pieces
        self.image = image_of(page.seen)
        known = {square: rank for square, (_side, rank) in pieces.items() if rank is not None}
        self.ranks = page.known if self.as_known else known
        self.last_move, self.message = page.seen.last_move, page.text

    def tick(self, now: float) -> None:
        """Show the next ply of the automatic replay when it is due."""
        if not self.is_playing:
            self._due = now
        elif self.ply == self.length:
            self.is_playing = False
        elif now - self._due >= SECONDS:
            self._due = now
            self.go_to(self.ply + 1)

    def toggle_play(self) -> None:
        """Start or stop the automatic replay.

        At the last ply, it restarts from the beginning.
        """
        if not self.is_playing and self.ply == self.length:
            self.go_to(0)
        self.is_playing = not self.is_playing

    def go_to_key(self) -> None:
        """Go to the next key moment or, after the last one, to the first."""
        later = [ply for ply in self.marks if ply > self.ply]
        if self.marks:
            self.go_to((later or self.marks)[0])

    def toggle_ranks(self) -> None:
        """Switch between the ranks known at the time and all ranks."""
        self.as_known = not self.as_known
        self.go_to(self.ply)

    def open_export(self) -> None:
        self._open_export()

    def review_story(self) -> None:
        self._story()

    def close(self) -> None:
        self._close()


def image_of(seen: Snapshot) -> Image:
    """Return an image that shows the pieces in a position."""
    pieces = seen.pieces.items()
    red, blue = (set_of(square for square, (of, _) in pieces if of is side) for side in Side)
    return Image(red, blue)


def error_text(error: JournalError) -> str:
    if isinstance(error, StorageError):
        return storage_error_text(error, _.language)
    return _("This game cannot be read.")


class TimeLine(Widget):
    """A timeline with the key moments. Dispatches `on_chosen` while a finger moves along it."""

    ply = NumericProperty(0)
    length = NumericProperty(0)
    """Number of plies in the game."""
    marks = ListProperty()
    """Plies to mark."""

    __events__ = ("on_chosen",)

    def on_chosen(self, _ply: int) -> None:
        pass

    def place(self, ply: int) -> float:
        """Return the x coordinate of a ply on the timeline."""
        share = ply / self.length if self.length else 0
        return float(self.x + 16 + share * (self.width - 32))

    def on_touch_down(self, touch: MotionEvent) -> bool:
        if not self.collide_point(*touch.pos):
            return False
        touch.grab(self)
        self._go(touch)
        return True

    def on_touch_move(self, touch: MotionEvent) -> bool:
        if touch.grab_current is not self:
            return False
        self._go(touch)
        return True

    def on_touch_up(self, touch: MotionEvent) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        return True

    def _go(self, touch: MotionEvent) -> None:
        share = (touch.x - self.x - 16) / max(1, self.width - 32)
        self.dispatch("on_chosen", round(min(max(share, 0), 1) * self.length))


# Exporting to a folder or a USB stick.

LOOK_SECONDS: Final = 1.0
"""Interval between checks for a USB stick, in seconds."""
_ERRORS: Final[Mapping[UsbErrorKind, str]] = {
    UsbErrorKind.FULL: N_("{stick} is full. Free some space on it, or use another stick."),
    UsbErrorKind.READ_ONLY: N_(
        "Cannot write to {stick}. Check whether it is locked, or use another stick."
    ),
    UsbErrorKind.GONE: N_("Cannot write to {stick}. Plug it in again, or use another stick."),
}
Finder = Callable[[], Sequence[UsbDrive]]


class ExportDialog(Modal):
    """Offers to show the incidents, export the game, or copy it to a USB stick."""

    message = StringProperty()
    """Instructions, or the result of the last action."""
    can_copy = BooleanProperty(False)
    """Whether a writable stick is plugged in and nothing is being written."""
    is_writing = BooleanProperty(False)
    is_copied = BooleanProperty(False)
    """Whether the game has been copied to the stick that is plugged in."""

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
        self._stick: UsbDrive | None = None
        self._due: float | None = None
        self._copying: _Copying | None = None
        self._look()

    def tick(self, now: float) -> None:
        """Check whether a stick was plugged in or removed, and whether copying has finished."""
        if self._copying:
            self._finish()
        elif self._due is None or now >= self._due:
            self._due = now + LOOK_SECONDS
            self._look()

    def copy(self) -> None:
        """Copy the game to the stick.

        A separate thread writes the files, so that the screen does not freeze.
        """
        assert self._stick
        try:
            pages = self._archive.pages(self._number, _.language)
        except JournalError:
            self.message = _("This game cannot be read.")
            return
        files = {name: text.encode() for name, text in pages.items()}
        self.message = _("Writing to {stick}. Do not unplug it.", stick=self._stick.name)
        self.is_writing, self.can_copy = True, False
        self._copying = _Copying(self._stick, files)
        self._copying.start()

    def export(self) -> None:
        """Write the score sheet and the record to the folder next to the games file."""
        folder = self._archive.folder
        try:
            self._archive.export(self._number, _.language)
        except (OSError, JournalError):
            self.message = _(
                "Cannot write the game to {folder}. Check whether the disk is full.",
                folder=folder,
            )
        else:
            self.message = _("The score sheet and the record are in {folder}.", folder=folder)

    def read_incidents(self) -> None:
        self._read_incidents()

    def close(self) -> None:
        self._close()

    def _look(self) -> None:
        """Choose the first writable USB stick or, failing that, the first stick."""
        sticks = sorted(self._find(), key=lambda stick: stick.is_read_only)
        found = sticks[0] if sticks else None
        if found == self._stick and self.message:
            return
        self._stick, self.is_copied = found, False
        self.can_copy = found is not None and not found.is_read_only
        if found is None:
            self.message = _("No USB stick found. Plug one in, and it will be detected.")
        elif found.is_read_only:
            self.message = _(_ERRORS[UsbErrorKind.READ_ONLY], stick=found.name)
        else:
            self.message = _("{stick} is plugged in.", stick=found.name)

    def _finish(self) -> None:
        assert self._copying
        if self._copying.is_alive():
            return
        stick, error = self._copying.stick, self._copying.error
        self._copying, self.is_writing, self.can_copy = None, False, True
        self.is_copied = error is None
        self.message = (
            _(_ERRORS[error], stick=stick.name)
            if error
            else _("Everything is on {stick}. You can unplug it.", stick=stick.name)
        )


class _Copying(Thread):
    """Thread that writes to a stick, which can take several seconds."""

    def __init__(self, stick: UsbDrive, files: Mapping[str, bytes]) -> None:
        super().__init__(name="stick")
        self.stick = stick
        self.error: UsbErrorKind | None = None
        """The write error, if any, once the thread has ended."""
        self._files = files

    def run(self) -> None:
        try:
            write_to_usb_drive(self.stick, self._files)
        except UsbError as error:
            self.error = error.kind


load_kv(__file__)
