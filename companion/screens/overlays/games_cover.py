"""List of the games, the latest first: finished games can be viewed, others resumed."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Final

from babel.dates import format_datetime
from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion.screens.base.cover import Cover
from companion.screens.widgets import theme
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from companion.speech.language import capitalized
from companion.speech.storage_words import storage_words
from companion.store.archive import Archive
from companion.store.storage_trouble import JournalError, StorageError

ROWS: Final = 5
"""Games on a page."""
LARGE_ROWS: Final = 3
"""Games on a page in large letters."""


class GameRow(ButtonBehavior, BoxLayout):
    """One game: its date and its result."""

    date = StringProperty()
    end = StringProperty()
    __events__ = ("on_look",)

    def on_look(self) -> None:
        pass

    def on_release(self) -> None:
        self.dispatch("on_look")


class GamesCover(Cover):
    """The stored games, a page at a time."""

    message = StringProperty()
    """Reason why the list is empty."""
    has_later = BooleanProperty(False)
    has_earlier = BooleanProperty(False)

    def __init__(
        self,
        archive: Archive,
        look: Callable[[int], None],
        resume: Callable[[int], None],
        close: Callable[[], None],
    ) -> None:
        """Offer all games: `look` opens a finished one, `resume` continues any other."""
        super().__init__()
        self._archive, self._close = archive, close
        self._look, self._resume = look, resume
        self._begun: dict[int, str] = {}
        """Start times of the unfinished games."""
        self._first, self._rows = 0, LARGE_ROWS if theme.LARGE else ROWS
        try:
            self._begun = {game.number: game.begun for game in archive.unfinished_games()}
            self._numbers = sorted([*archive.numbers(), *self._begun], reverse=True)
        except StorageError as error:
            self._numbers, self.message = [], storage_words(error, _.language)
        else:
            self.message = "" if self._numbers else _("No game has been played yet.")
        self._show()

    def turn(self, pages: int) -> None:
        """Go to a page of earlier games, or with a negative number of later ones."""
        self._first += pages * self._rows
        self._show()

    def close(self) -> None:
        self._close()

    def _show(self) -> None:
        shown = self._numbers[self._first : self._first + self._rows]
        self.has_later = self._first > 0
        self.has_earlier = self._first + self._rows < len(self._numbers)
        self.ids.rows.clear_widgets()
        for number in shown:
            self.ids.rows.add_widget(self._row(number))

    def _row(self, number: int) -> GameRow:
        if number in self._begun:
            row = GameRow(date=date_text(self._begun[number]), end=_("Not over: continue it"))
            row.bind(on_look=lambda _row: self._resume(number))
            return row
        try:
            game = self._archive.load(number)
        except JournalError:
            return GameRow(end=_("This game cannot be read."), disabled=True)
        row = GameRow(date=date_text(game.begun))
        assert game.outcome
        # Without the citation of the rulebook.
        row.end = capitalized(_.announcer.sentence(replace(game.outcome, citation=None)))
        row.bind(on_look=lambda _row: self._look(number))
        return row


def date_text(begun: str) -> str:
    """Date of a game, in the format of the language."""
    if not begun:
        return "?"
    moment = datetime.fromisoformat(begun).astimezone()
    return str(format_datetime(moment, "short", locale=_.language.code))


load_kv(__file__)
