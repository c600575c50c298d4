"""The rules of an edition to read, page by page: the pages that stand in docs/rules, too."""

from collections.abc import Callable
from typing import Final

from kivy.properties import NumericProperty, StringProperty

from companion.rules_pages import page
from companion.rules_pages.plain import plain_pages
from companion.screens.base.cover import Cover
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from companion.speech.language import SOURCE
from engine.rulebook.editions import Edition

COLUMNS: Final = 66
"""Letters in a line, where they are wide."""
LINES: Final = 11


class RulesTextCover(Cover):
    """What is particular to one rulebook, and what it leaves to us."""

    title = StringProperty()
    note = StringProperty()
    """In which language it is, if that is not the players'."""
    text = StringProperty()
    number = NumericProperty(0)
    """Which page is open, counted from 0."""
    count = NumericProperty(0)

    def __init__(self, edition: Edition, close: Callable[[], None]) -> None:
        super().__init__()
        self._close = close
        self.title = edition.rulebook
        self.note = "" if _.language.code == SOURCE else _("These pages are in English.")
        self._pages = plain_pages(page(edition), COLUMNS, LINES)
        self.count = len(self._pages)
        self.turn(0)

    def turn(self, pages: int) -> None:
        """Go on by so many pages, or back."""
        self.number = min(max(self.number + pages, 0), self.count - 1)
        self.text = self._pages[self.number]

    def close(self) -> None:
        self._close()


load_kv(__file__)
