"""Two pieces are lifted: the players answer whether that is an attack, and whose.

Where a rank has to be declared, the declaration confirms the attack; so the question appears only
if either piece may attack the other, or if no rank has to be declared. A board without colours also
asks when one piece may have pushed the other aside.
"""

from kivy.properties import StringProperty

from companion.screens.base.base_screen import GameScreen
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from companion.table.inputs import AttackerNamed, NoAttack
from engine.board.geometry import Side, set_of


class WhoAttacksScreen(GameScreen):
    """The two pieces, and a button for each side that may be attacking, else empty.

    The screen closes automatically when a piece is put back.
    """

    question = StringProperty()
    why = StringProperty()
    red_attacks = StringProperty()
    blue_attacks = StringProperty()

    def on_marked(self, *_args: object) -> None:
        self.change_touch()

    def refresh(self) -> None:
        self.show_game()
        attackers = self.stage.table.state.asked.attackers
        self.marked = set_of(
            square for attack in attackers.values() for square in (attack.source, attack.target)
        )
        self.red_attacks, self.blue_attacks = (
            _("{side} attacks", side=_.language.side(side)) if side in attackers else ""
            for side in Side
        )
        if len(attackers) == len(Side):
            self.question, self.why = _("Who attacks?"), _("Both pieces are in the hand.")
        else:
            self.question, self.why = _("An attack?"), _("Both ranks are known already.")
        if self.stage.table.state.difference.surplus:  # one of them is on a square
            self.why = _("The board cannot tell.")

    def answer(self, side: Side) -> None:
        self.stage.give(AttackerNamed(self.stage.now(), side))

    def no_attack(self) -> None:
        self.stage.give(NoAttack(self.stage.now()))


load_kv(__file__)
