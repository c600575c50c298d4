"""An infiltrator's guess: all see it, and the owner of the piece says whether it is right."""

from kivy.properties import ObjectProperty, StringProperty

from companion.screens.face import GameFace
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.rank_symbol import full_name
from companion.screens.words import _
from engine.squares import name


class GuessScreen(GameFace):
    """The guess, and two answers."""

    attack = ObjectProperty(None, allownone=True)
    what = StringProperty()
    rank = ObjectProperty(None, allownone=True)
    guess = StringProperty()
    """The rank as a question."""
    disturbed = StringProperty()
    open_menu = ObjectProperty(None)

    def refresh(self) -> None:
        referee = self.stage.table.referee
        opened = referee.infiltration
        if opened is None:
            return
        self.show_game()
        self.show_side(referee.to_move.other)
        self.attack = opened.source, opened.target
        self.what = _(
            "{side} infiltrates {square}:",
            side=_.language.side(referee.to_move),
            square=name(opened.target),
        )
        self.rank = opened.guess
        self.guess = _("{rank}?", rank=full_name(opened.guess))
        self.disturbed = " ".join(self.show_difference(2))
        self.image = self.stage.table.expected

    def answer(self, *, right: bool) -> None:
        self.ask.answer_guess(right=right)


load_kv(__file__)
