"""Stalemate question: one side cannot move, and if the other cannot either, the game is drawn."""

from kivy.properties import StringProperty

from companion.screens.base.base_screen import GameScreen
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from engine.game.game_state import Phase


class StandstillScreen(GameScreen):
    """The question, the consequence of each answer, and the two answers."""

    stuck = StringProperty()
    """The claims of the sides so far."""
    disturbed = StringProperty()

    def refresh(self) -> None:
        view = self.stage.table.view
        if view.phase is not Phase.STANDSTILL or view.stuck is None:
            return
        self.show_game()
        self.show_side(view.stuck.other)
        self.stuck = _("{side} cannot move.", side=_.language.side(view.stuck))
        self.disturbed = " ".join(self.show_difference(2))

    def answer(self, *, able: bool) -> None:
        if able:
            self.ask.can_move()
        else:
            self.ask.can_neither_move()


load_kv(__file__)
