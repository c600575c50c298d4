"""The card of ranks: the ranks that each rank beats, its special ability, and the pieces left."""

from collections.abc import Callable, Iterator
from typing import Final

from kivy.properties import (
    NumericProperty,
    ObjectProperty,
    StringProperty,
)
from kivy.uix.boxlayout import BoxLayout

from companion.speech.i18n import N_, capitalized
from companion.ui.base.modal import Modal
from companion.ui.base.presenter import GamePresenter
from companion.ui.drawing.rank_symbol import number
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from companion.ui.widgets.captured_pieces import ORDER
from engine.board.geometry import Side
from engine.board.ranks import IMMOBILE, Army, Rank
from engine.rules.combat import CombatResult, resolve

_SPECIAL: Final = {
    Rank.MARSHAL: N_("beats {rank} and below; loses to an attacking spy"),
    Rank.MINER: N_("beats {rank} and below; defuses bombs"),
    Rank.SCOUT: N_("beats {rank}; moves any distance"),
    Rank.SPY: N_("beats the marshal by attacking"),
    Rank.INFILTRATOR: N_("guesses ranks in the enemy's rows"),
    Rank.BOMB: N_("never moves; only a miner beats it"),
    Rank.FLAG: N_("never moves; if it falls, the game is lost"),
}
"""Texts about the ranks with a special ability. All other ranks have the same text."""


class RankRow(BoxLayout):
    """One rank of the card."""

    rank = ObjectProperty(None, allownone=True)
    number = StringProperty()
    name = StringProperty()
    about = StringProperty()
    red = NumericProperty(0)
    """Number of Red's pieces of this rank that are left."""
    blue = NumericProperty(0)


class RankCardDialog(Modal):
    """All ranks of the game's army, the highest first."""

    rule = StringProperty()
    """The result of a fight between two numbered ranks."""

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
        """Show the counts of the current position."""
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
    """Return what a rank beats by attacking, and its special ability.

    The highest beaten rank is one of the ranks of this army that can move.
    """
    beaten = (
        other
        for other in _ranks(army)
        if not IMMOBILE >> other & 1 and resolve(rank, other) is CombatResult.ATTACKER_WINS
    )
    highest = next(beaten, None)
    text = _SPECIAL.get(rank, N_("beats {rank} and below"))
    return _(text, rank="" if highest is None else _.language.rank(highest))


load_kv(__file__)
