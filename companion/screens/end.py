"""The end: who has won, and why."""

from kivy.properties import StringProperty

from companion.screens.face import GameFace
from companion.screens.widgets.common import load_kv
from companion.screens.words import _, capitalized


class EndScreen(GameFace):
    """Winner, reason, length, the fallen pieces, and the next game."""

    reason = StringProperty()
    length = StringProperty()

    def refresh(self) -> None:
        self.show_game()
        outcome = self.stage.table.referee.outcome
        assert outcome
        self.side = outcome.winner
        self.title = (
            _("{side} wins", side=_.language.side(outcome.winner)) if outcome.winner else _("Draw")
        )
        self.reason = capitalized(_.announcer.sentence(outcome))
        self.length = _("{count} moves and attacks", count=self.stage.table.referee.plies)

    def again(self) -> None:
        self.stage.leave()


load_kv(__file__)
