"""The reveal: both ranks together, who wins, what to take and what to set.

It stays until the board shows the result; then it is gone for good (RULES §9).
"""

from kivy.properties import BooleanProperty, ListProperty, ObjectProperty, StringProperty

from companion.screens.face import GameFace
from companion.screens.widgets.common import load_kv
from companion.screens.words import _
from engine.combat import Result
from engine.ranks import Rank
from engine.rulings import Combat

LINES = 3


class RevealScreen(GameFace):
    """Two cards and a verdict."""

    attacking_side = ObjectProperty(None, allownone=True)
    attacker = ObjectProperty(None, allownone=True)
    defender = ObjectProperty(None, allownone=True)
    attacker_falls = BooleanProperty(False)
    defender_falls = BooleanProperty(False)
    verdict = StringProperty()
    guide = ListProperty()
    can_end = BooleanProperty(False)
    """Whether the board shows the result already, so that a touch may end the reading."""

    def refresh(self) -> None:
        combat = self.stage.combat
        if combat is None:
            return
        self.show_game()
        self.last_move = (combat.source, combat.target)
        self.attacking_side = combat.side
        self.attacker, self.defender = combat.attacker, combat.defender
        self.attacker_falls = combat.result is not Result.ATTACKER_WINS
        self.defender_falls = combat.result is not Result.DEFENDER_WINS
        self.verdict = verdict(combat)
        self.guide = self.show_difference(LINES)
        self.can_end = not self.guide

    def close(self) -> None:
        """Forget the ranks: nothing of them stays on a screen that is not shown."""
        self.attacker = self.defender = None
        self.verdict = ""

    def end(self) -> None:
        self.stage.end_reading()


def verdict(combat: Combat) -> str:
    """Say who wins, in the fewest words."""
    if combat.boom:
        return _.language.cry
    if combat.defender is Rank.FLAG:
        return _("The flag is captured!")
    if combat.result is Result.BOTH_FALL:
        return _("Both fall")
    if combat.defender is Rank.BOMB:
        return _("The bomb is defused")
    winner = combat.side if combat.result is Result.ATTACKER_WINS else combat.side.other
    return _("{side} wins", side=_.language.side(winner))


load_kv(__file__)
