"""A dispute: a player stays by a declaration that was proved impossible.

Both players, or the arbiter, decide here. The rank stays with the player who declared it.
"""

from kivy.properties import ObjectProperty, StringProperty

from companion.screens.face import GameFace
from companion.screens.widgets.common import load_kv
from companion.screens.words import _
from engine.squares import name


class DisputeScreen(GameFace):
    """Whose declaration is disputed, and the two ways out."""

    attack = ObjectProperty(None, allownone=True)
    what = StringProperty()
    disturbed = StringProperty()
    open_menu = ObjectProperty(None)

    def refresh(self) -> None:
        table = self.stage.table
        attack, mover = table.referee.attack, table.referee.to_move
        if attack is None or attack.disputed is None:
            return
        owner = attack.disputed.owner
        square = attack.source if owner is mover else attack.target
        self.show_game()
        self.attack = attack.source, attack.target
        self.what = _(
            "{side} stays by a declaration for {square} that cannot be true.",
            side=_.language.side(owner),
            square=name(square),
        )
        self.disturbed = " ".join(self.show_difference(2))
        self.image = table.expected

    def settle(self, *, accepted: bool) -> None:
        self.ask.settle(accepted=accepted)


load_kv(__file__)
