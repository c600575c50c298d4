"""Incidents of a game, page by page: for the arbiter during the game, for all after it.

During the game the arbiter can take its position along as a QR code (docs/positions.md).
"""

from collections.abc import Callable, Sequence
from typing import Final

from kivy.properties import AliasProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.reports.incident_sheet import Incident, incident_words, moment_words
from companion.reports.replay import Archive
from companion.speech.small_texts import storage_error_text
from companion.storage.errors import JournalError, StorageError
from companion.ui.base.modal import Modal
from companion.ui.dialogs.pad_dialogs import QrCode  # noqa: F401 (the layout has one)
from companion.ui.drawing import theme
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from engine.game.clocks import TimeControl, clock_text

BESIDE: Final = 150
"""Height of the parts above and below the rows of a page."""
LARGE_BESIDE: Final = 190
"""Height of the parts above and below the rows of a page with large letters."""
GAP: Final = 10


class IncidentRow(BoxLayout):
    """One incident: time and text."""

    time = StringProperty()
    when = StringProperty()
    what = StringProperty()

    def measure(self) -> None:
        """Set the height that the text needs, before the row is on the screen."""
        labels = (self.ids.what, self.ids.when)
        for label in labels:
            label.font_size = round(theme.BODY * theme.GROWTH)
            label.texture_update()
        self.height = sum(label.texture_size[1] for label in labels)


class IncidentsDialog(Modal):
    """The list, opened at its last page."""

    message = StringProperty()
    """Reason why the list is empty."""
    number = NumericProperty(0)
    """Number of the open page, counted from 0."""
    count = NumericProperty(1)
    place = AliasProperty(
        lambda self: (
            _("{ply} of {length}", ply=self.number + 1, length=self.count)
            if self.count > 1 and not self.code
            else ""
        ),
        bind=["number", "count", "code"],
    )

    position = StringProperty()
    """Text of the position, empty after the game."""
    code = StringProperty()
    """Text of the position while its code is shown in place of the list."""

    def __init__(
        self, archive: Archive, number: int | None, close: Callable[[], None], position: str = ""
    ) -> None:
        """Show the incidents of a stored game; `number` is None if the game is not stored."""
        super().__init__(position=position)
        self._close = close
        self._pages: list[list[IncidentRow]] = [[]]
        if number is None:
            self.message = _("This game is not being saved.")
            return
        try:
            game, incidents = archive.incidents(number)
        except StorageError as error:
            self.message = storage_error_text(error, _.language)
        except JournalError:
            self.message = _("This game cannot be read.")
        else:
            self.message = "" if incidents else _("No incidents so far.")
            control = game.control.under(game.edition.handicap)
            self._pages = _pages([_row(each, control) for each in incidents])
        self.count = len(self._pages)
        self.turn(self.count - 1)

    def turn(self, pages: int) -> None:
        """Go forward by `pages`, or back if it is negative."""
        self.number = min(max(self.number + pages, 0), self.count - 1)
        self.code = ""
        self.ids.rows.clear_widgets()
        for row in self._pages[self.number]:
            self.ids.rows.add_widget(row)

    def show_code(self) -> None:
        """Show the code of the position in place of the list."""
        self.ids.rows.clear_widgets()
        self.code = self.position

    def close(self) -> None:
        """Go back: from the code to the list, from the list to where it was opened."""
        if self.code:
            self.turn(0)
        else:
            self._close()


def _row(incident: Incident, control: TimeControl) -> IncidentRow:
    row = IncidentRow(
        time=clock_text(int(incident.seconds)),
        when=" · ".join(moment_words(incident, control, _.language)),
        what=incident_words(incident, _.announcer),
    )
    row.measure()
    return row


def _pages(rows: Sequence[IncidentRow]) -> list[list[IncidentRow]]:
    """Distribute the rows over pages, as many per page as fit."""
    pages: list[list[IncidentRow]] = [[]]
    whole = room = float(theme.SCREEN[1] - (LARGE_BESIDE if theme.LARGE else BESIDE))
    for row in rows:
        if row.height + GAP > room and pages[-1]:
            pages.append([])
            room = whole
        pages[-1].append(row)
        room -= row.height + GAP
    return pages


load_kv(__file__)
