"""One side cannot move: the other one is asked whether it can, for if not, the game is a draw."""

from kivy.properties import StringProperty

from companion.screens.base.base_screen import GameScreen
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from engine.play.moment import Phase


class StandstillScreen(GameScreen):
    """The question, what follows from each answer, and the two answers."""

    stuck = StringProperty()
    """Who has said what."""
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
