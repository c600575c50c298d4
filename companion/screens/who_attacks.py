"""Two pieces are in the hands, and either may be attacking the other: the players say which."""

from kivy.properties import ObjectProperty, StringProperty

from companion.inputs import AttackerNamed
from companion.screens.face import GameFace
from companion.screens.widgets.common import load_kv
from companion.screens.words import _
from engine.sides import Side
from engine.squares import set_of


class WhoAttacksScreen(GameFace):
    """The two pieces, and a button for each side. It goes by itself when a piece is put back."""

    red_attacks = StringProperty()
    blue_attacks = StringProperty()
    open_menu = ObjectProperty(None)

    def refresh(self) -> None:
        self.show_game()
        attackers = self.stage.table.attackers
        self.marked = set_of(attack.source for attack in attackers.values())
        self.red_attacks, self.blue_attacks = (
            _("{side} attacks", side=_.language.side(side)) for side in Side
        )

    def answer(self, side: Side) -> None:
        self.stage.give(AttackerNamed(self.stage.now(), side))


load_kv(__file__)
