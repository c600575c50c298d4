"""The end of a game: the winner and the reason."""

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty

from companion.screens.base.base_screen import GameScreen
from companion.screens.base.stage import Stage
from companion.screens.overlays.asking import Asking
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from companion.speech.facts import facts
from companion.speech.language import capitalized
from companion.table.sayings import GiveTime
from engine.play.rulings import GameOver, Reason
from engine.sides import Side


class EndScreen(GameScreen):
    """Winner, reason, three facts, the fallen pieces, the way back, and the next game."""

    reason = StringProperty()
    facts = StringProperty()
    kept = BooleanProperty(True)
    """Whether the game is there to be looked at."""
    can_take_back = BooleanProperty(False)
    open_replay = ObjectProperty(None)
    """Called with the game's number when the players want to look at it."""

    open_time = ObjectProperty(None)
    """Called when an arbiter is to give back time that has run out."""
    is_by_time = BooleanProperty(False)
    """Whether the game is over because a side's time has run out."""

    def __init__(self, stage: Stage, ask: Asking, **kwargs: object) -> None:
        self._ask = ask
        super().__init__(stage, **kwargs)

    def refresh(self) -> None:
        self.show_game()
        view = self.stage.table.view
        assert view.outcome
        self.side = view.outcome.winner
        named = self.stage.host.players.of(self.side) if self.side else ""
        self.title = _verdict(view.outcome, named)
        self.reason = capitalized(_.announcer.sentence(view.outcome))
        actions = self.stage.table.referee.in_force
        self.facts = " · ".join(facts(view, actions, _.language))
        self.kept = self.stage.host.keeps
        self.can_take_back = self.stage.table.conversation.can_take_back
        minute = (GiveTime(side, 60) for side in Side)
        self.is_by_time = any(map(self.stage.table.can_give_time, minute))

    def take_back(self) -> None:
        if self.is_by_time:
            self.open_time()
        else:
            self._ask.take_end_back()

    def look(self) -> None:
        """Show the game with all its ranks, so it is left for good."""
        if self.can_take_back:
            self._ask.look_back(self._look)
        else:
            self._look()

    def _look(self) -> None:
        number = self.stage.host.number
        self.stage.leave()
        self.open_replay(number)

    def again(self) -> None:
        """Play by the same rules once more."""
        table, players = self.stage.table, self.stage.host.players
        self.stage.leave()
        self.stage.host.begin(table.view.edition, table.clock.control, players)

    def leave(self) -> None:
        self.stage.leave()


def _verdict(over: GameOver, winner: str) -> str:
    """The headline; `winner` is the winner's name, empty if unknown."""
    if over.winner and winner:
        return _("{name} wins", name=winner)
    if over.winner:
        return _("{side} wins", side=_.language.side(over.winner))
    return _("Both have lost") if over.reason is Reason.FORFEIT else _("Draw")


load_kv(__file__)
