"""The book of evenings, an evening at a time, and its deletion."""

from collections.abc import Callable

from babel.dates import format_date
from kivy.properties import AliasProperty, BooleanProperty, NumericProperty, StringProperty

from companion.reports.evenings import BOOK, Evening, EveningBook
from companion.reports.replay import Archive
from companion.speech.small_texts import storage_error_text
from companion.storage.errors import StorageError
from companion.ui.base.modal import Modal
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv


class BookDialog(Modal):
    """The evenings, opened at the latest one."""

    heading = StringProperty()
    """Date of the evening."""
    message = StringProperty()
    has_later = BooleanProperty(False)
    has_earlier = BooleanProperty(False)
    count = NumericProperty(0)
    """Number of evenings."""
    title = AliasProperty(lambda _self: _(BOOK))

    def __init__(
        self, archive: Archive, ask: Callable[[], None], close: Callable[[], None]
    ) -> None:
        """Show the book of an archive; `ask` requests confirmation for `delete`."""
        super().__init__()
        self._book = EveningBook(archive.journal, _.announcer)
        self._ask, self._close = ask, close
        self._evenings: list[Evening] = []
        self._open = 0
        self._read()

    def turn(self, evenings: int) -> None:
        """Go to an earlier evening, or to a later one if the number is negative."""
        self._open += evenings
        self.has_later = self._open > 0
        self.has_earlier = self._open + 1 < len(self._evenings)
        if not self._evenings:
            self.heading, self.message = "", _("No finished games yet.")
            return
        evening = self._evenings[self._open]
        self.heading = str(format_date(evening.day, "full", locale=_.language.code))
        try:
            self.message = "\n".join(self._book.paragraphs(evening))
        except StorageError as error:
            self.message = storage_error_text(error, _.language)

    def ask(self) -> None:
        self._ask()

    def delete(self) -> None:
        """Delete the book with all its games."""
        try:
            self._book.delete()
        except StorageError as error:
            self.message = storage_error_text(error, _.language)
        else:
            self._read()

    def close(self) -> None:
        self._close()

    def _read(self) -> None:
        """Read the evenings, and open the latest."""
        try:
            self._evenings = self._book.evenings()
        except StorageError as error:
            self.message = storage_error_text(error, _.language)
            return
        self.count, self._open = len(self._evenings), 0
        self.turn(0)


load_kv(__file__)
