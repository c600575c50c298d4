"""The end: who has won, and why."""

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty

from companion.screens.base.base_screen import GameScreen
from companion.screens.base.stage import Stage
from companion.screens.overlays.asking import Asking
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _, capitalized
from engine.play.rulings import GameOver, Reason


class EndScreen(GameScreen):
    """Winner, reason, length, the fallen pieces, the way back, and the next game."""

    reason = StringProperty()
    length = StringProperty()
    can_take_back = BooleanProperty(False)
    open_replay = ObjectProperty(None)
    """Called with the game's number when the players want to look at it."""

    def __init__(self, stage: Stage, ask: Asking, **kwargs: object) -> None:
        self._ask = ask
        super().__init__(stage, **kwargs)

    def refresh(self) -> None:
        self.show_game()
        view = self.stage.table.view
        assert view.outcome
        self.side = view.outcome.winner
        self.title = _verdict(view.outcome)
        self.reason = capitalized(_.announcer.sentence(view.outcome))
        self.length = _.plural("{count} move or attack", "{count} moves and attacks", view.plies)
        self.can_take_back = self.stage.table.conversation.can_take_back

    def take_back(self) -> None:
        self._ask.take_end_back()

    def look(self) -> None:
        """Show the game. Nobody can go on with it after seeing its ranks: it is left for good."""
        if self.can_take_back:
            self._ask.look_back(self._look)
        else:
            self._look()

    def _look(self) -> None:
        number = self.stage.host.number
        self.stage.leave()
        self.open_replay(number)

    def again(self) -> None:
        self.stage.leave()


def _verdict(over: GameOver) -> str:
    if over.winner:
        return _("{side} wins", side=_.language.side(over.winner))
    return _("Both have lost") if over.reason is Reason.FORFEIT else _("Draw")


load_kv(__file__)
