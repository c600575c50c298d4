"""Dialogs with text: the rules of an edition, page by page in ten languages, and About."""

from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Final

from kivy.core.text import Label as CoreLabel
from kivy.properties import NumericProperty, StringProperty

from companion.rules_pages.edition_page import blocks, fill_pages
from companion.ui.base.modal import Modal
from companion.ui.drawing import theme
from companion.ui.drawing.hidpi_text import broken
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from companion.ui.widgets.text_scaling import SIZES
from engine.rules.editions import Edition

PADDING: Final = (32, 14)
"""Margins: left and right, and above and below."""
LINE_HEIGHT: Final = 1.1


class RulesTextDialog(Modal):
    """Peculiarities of one rulebook, and our interpretations of it: the text of docs/rules."""

    title = StringProperty()
    text = StringProperty()
    number = NumericProperty(0)
    """Number of the open page, counted from 0."""
    count = NumericProperty(0)

    def __init__(self, edition: Edition, close: Callable[[], None], *, large: bool) -> None:
        """Fill as many pages as needed in this language; `large` selects large letters."""
        super().__init__()
        self._close = close
        said = _.language.rules
        self.title = _.language.rulebook(edition.rulebook)
        texts = [replace(block, text=said(block.text)) for block in blocks(edition)]
        size = SIZES[theme.BODY][0] if large else theme.BODY
        self._pages = fill_pages(texts, lambda text: _height(text, size) <= _room())
        self.count = len(self._pages)
        self.turn(0)

    def turn(self, pages: int) -> None:
        """Go forward by `pages`, or back if it is negative."""
        self.number = min(max(self.number + pages, 0), self.count - 1)
        self.text = self._pages[self.number]

    def close(self) -> None:
        self._close()


def _room() -> float:
    """Maximum height of a text above the row of buttons."""
    return theme.SCREEN[1] - 2 * PADDING[1] - theme.TOUCH - 2 * theme.GAP


def _height(text: str, size: int) -> float:
    """Height of a text at this font size, as the page's label lays it out."""
    width = theme.SCREEN[0] - 2 * PADDING[0]
    lines = broken(text, width, size, bold=False, centred=False)
    label = CoreLabel(lines, font_size=size, text_size=(width, None), line_height=LINE_HEIGHT)
    label.resolve_font_name()
    height: float = label.render()[1]
    return height


class AboutDialog(Modal):
    """Version, licence and the folder of the games."""

    heading = StringProperty()
    kept = StringProperty()

    def __init__(self, journal: Path, close: Callable[[], None]) -> None:
        """Fill in the text; `journal` is the file with the games."""
        super().__init__()
        self._close = close
        self.heading = f"Boomboard {version('boomboard')}"
        self.kept = _("The games are saved in {file}.", file=journal)

    def close(self) -> None:
        self._close()


load_kv(__file__)
