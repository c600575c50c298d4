"""The reveal: both ranks together, who wins, what to take and what to set.

An infiltrator's guess is revealed in the same way.

It stays until the board shows the result; then it is gone for good (rules.md §10). If a board
cannot show it, because a magnet is lost, the menu has the ways out.
"""

from kivy.properties import BooleanProperty, ListProperty, ObjectProperty, StringProperty

from companion.screens.base.base_screen import GameScreen
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from engine.play.moment import Phase
from engine.play.rulings import Combat, Infiltrated
from engine.ranks import Rank
from engine.rulebook.combat import Result

LINES = 3


class RevealScreen(GameScreen):
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
    is_over = BooleanProperty(False)
    """Whether this has ended the game."""
    open_menu = ObjectProperty(None)

    def refresh(self) -> None:
        revealed = self.stage.revealed
        if revealed is None:
            return
        self.show_game()
        self.last_move = (revealed.source, revealed.target)
        self.attacking_side = revealed.side
        match revealed:
            case Combat():
                self.attacker, self.defender = revealed.attacker, revealed.defender
                self.attacker_falls = revealed.result is not Result.ATTACKER_WINS
                self.defender_falls = revealed.result is not Result.DEFENDER_WINS
            case Infiltrated():
                self.attacker = Rank.INFILTRATOR
                self.defender = revealed.guess if revealed.right else None
                self.attacker_falls, self.defender_falls = False, revealed.right
        self.verdict = verdict(revealed)
        self.guide = self.show_difference(LINES)
        self.can_end = not self.guide
        self.is_over = self.stage.table.view.phase is Phase.OVER
        self.show_offer()

    def close(self) -> None:
        """Forget the ranks: nothing of them stays on a screen that is not shown."""
        self.attacker = self.defender = None
        self.verdict = ""

    def end(self) -> None:
        self.stage.end_reading()


def verdict(revealed: Combat | Infiltrated) -> str:
    """Say what has come of it, in the fewest words."""
    if isinstance(revealed, Infiltrated):
        return _verdict_on_guess(revealed)
    combat = revealed
    if combat.boom:
        return _.language.cry
    if combat.defender is Rank.FLAG:
        return _("The flag is captured!")
    if combat.winner is None:
        return _("Both fall")
    if combat.defender is Rank.BOMB:
        return _("The bomb is defused")
    return _("{side} wins the combat", side=_.language.side(combat.winner))


def _verdict_on_guess(tried: Infiltrated) -> str:
    if not tried.right:
        return _("Not the {rank}", rank=_.language.rank(tried.guess))
    return _("The flag is captured!") if tried.guess is Rank.FLAG else _("Right!")


load_kv(__file__)
