"""Dialogs for an edition's rules, the rank card, and the About text."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Final

from kivy.core.text import Label as CoreLabel
from kivy.properties import NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.rules_pages.edition_page import blocks, fill_pages
from companion.speech.i18n import N_, capitalized
from companion.ui.base.modal import Modal
from companion.ui.base.presenter import GamePresenter
from companion.ui.dialogs.game_choice import rulebook_name
from companion.ui.drawing import theme
from companion.ui.drawing.hidpi_text import broken
from companion.ui.drawing.rank_symbol import number
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from companion.ui.widgets.captured_pieces import ORDER
from companion.ui.widgets.text_scaling import SIZES
from engine.board.geometry import Side
from engine.board.ranks import IMMOBILE, Army, Rank
from engine.rules.editions import Edition
from engine.rules.movement import CombatResult, resolve

_SPECIAL: Final = {
    Rank.MARSHAL: N_("beats {rank} and below; loses to an attacking spy"),
    Rank.MINER: N_("beats {rank} and below; defuses bombs"),
    Rank.SCOUT: N_("beats {rank}; moves any distance"),
    Rank.SPY: N_("beats the marshal by attacking"),
    Rank.INFILTRATOR: N_("guesses ranks in the enemy's rows"),
    Rank.BOMB: N_("never moves; only a miner beats it"),
    Rank.FLAG: N_("never moves; if it falls, the game is lost"),
}
"""Text for each rank with a special ability. All other ranks have the standard text."""


class RankRow(BoxLayout):
    """A row of the rank card: a rank, the ranks it beats, and the number of remaining pieces."""

    rank = ObjectProperty(None, allownone=True)
    number = StringProperty()
    name = StringProperty()
    about = StringProperty()
    red = NumericProperty(0)
    """Number of Red's remaining pieces of this rank."""
    blue = NumericProperty(0)


class RankCardDialog(Modal):
    """All ranks of the game's army, highest first."""

    rule = StringProperty()
    """The rule for combat between two numbered ranks."""

    def __init__(self, presenter: GamePresenter, close: Callable[[], None]) -> None:
        super().__init__()
        self._presenter, self._close = presenter, close
        edition = presenter.table.view.edition
        self.rule = (
            _("The higher rank wins. Of two equal ranks the attacker wins.")
            if edition.aggressor_advantage
            else _("The higher rank wins. Two equal ranks both fall.")
        )
        self._rows = {rank: _row(rank, edition.army) for rank in _ranks(edition.army)}
        for row in self._rows.values():
            self.ids.rows.add_widget(row)
        self.refresh()

    def refresh(self) -> None:
        """Show the counts for the current position."""
        view = self._presenter.table.view
        for rank, row in self._rows.items():
            row.red, row.blue = (
                view.edition.army_of(side).counts[rank] - view.captured[side].count(rank)
                for side in Side
            )

    def close(self) -> None:
        self._close()


def _ranks(army: Army) -> Iterator[Rank]:
    return (rank for rank in ORDER if rank is not None and army.counts[rank])


def _row(rank: Rank, army: Army) -> RankRow:
    return RankRow(
        rank=rank,
        number=number(rank),
        name=capitalized(_.language.rank(rank)),
        about=about(rank, army),
    )


def about(rank: Rank, army: Army) -> str:
    """Describe what a rank beats when attacking, and its special ability.

    Among the movable ranks of this army, the text names the highest one that the rank beats.
    """
    beaten = (
        other
        for other in _ranks(army)
        if not IMMOBILE >> other & 1 and resolve(rank, other) is CombatResult.ATTACKER_WINS
    )
    highest = next(beaten, None)
    text = _SPECIAL.get(rank, N_("beats {rank} and below"))
    return _(text, rank="" if highest is None else _.language.rank(highest))


PADDING: Final = (32, 14)
"""Horizontal and vertical margins of a page, in pixels."""
LINE_HEIGHT: Final = 1.1


class RulesTextDialog(Modal):
    """The special rules of one rulebook, with our interpretations, as in docs/rules."""

    title = StringProperty()
    text = StringProperty()
    number = NumericProperty(0)
    """Index of the open page."""
    count = NumericProperty(0)

    def __init__(self, edition: Edition, close: Callable[[], None], *, large: bool) -> None:
        """Divide the text into pages for the current language. `large` selects large text."""
        super().__init__()
        self._close = close
        translate = _.language.rules
        self.title = rulebook_name(edition)
        texts = [replace(block, text=translate(block.text)) for block in blocks(edition)]
        size = SIZES[theme.BODY][0] if large else theme.BODY
        self._pages = fill_pages(texts, lambda text: _height(text, size) <= _room())
        self.count = len(self._pages)
        self.turn(0)

    def turn(self, pages: int) -> None:
        """Go forward by `pages` pages, or back if `pages` is negative."""
        self.number = min(max(self.number + pages, 0), self.count - 1)
        self.text = self._pages[self.number]

    def close(self) -> None:
        self._close()


def _room() -> float:
    """Return the space above the row of buttons, in pixels."""
    return theme.SCREEN[1] - 2 * PADDING[1] - theme.TOUCH - 2 * theme.GAP


def _height(text: str, size: int) -> float:
    """Return the height of the page's label if it shows `text` at the font size `size`."""
    width = theme.SCREEN[0] - 2 * PADDING[0]
    lines = broken(text, width, size, bold=False, centred=False)
    label = CoreLabel(lines, font_size=size, text_size=(width, None), line_height=LINE_HEIGHT)
    label.resolve_font_name()
    height: float = label.render()[1]
    return height


class AboutDialog(Modal):
    """Shows the version, the licence, and the location of the games file."""

    heading = StringProperty()
    kept = StringProperty()

    def __init__(self, journal: Path, close: Callable[[], None]) -> None:
        """Fill in the text. `journal` is the file that contains the games."""
        super().__init__()
        self._close = close
        self.heading = f"Boomboard {version('boomboard')}"
        self.kept = _("The games are saved in {file}.", file=journal)

    def close(self) -> None:
        self._close()


load_kv(__file__)
