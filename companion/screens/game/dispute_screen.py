"""Disputes: a player upholds a declaration that was proved impossible.

Both players, or the arbiter, decide here. The rank stays known only to the player who declared it.
"""

from kivy.properties import ObjectProperty, StringProperty

from companion.screens.base.base_screen import GameScreen
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from engine.board.geometry import name
from engine.game.game_state import Phase


class DisputeScreen(GameScreen):
    """Shows whose declaration is disputed, and the two decisions."""

    attack = ObjectProperty(None, allownone=True)
    what = StringProperty()
    seal = StringProperty()
    """With sealed armies: whether the seal confirms the declaration."""
    disturbed = StringProperty()

    def refresh(self) -> None:
        table = self.stage.table
        view = table.view
        if view.phase is not Phase.DISPUTE or view.opened is None:
            return
        # The player who upholds a declaration is the one who was asked for it.
        owner = view.awaited[0]
        square = view.opened[0 if owner is view.to_move else 1]
        self.show_game()
        self.attack = view.opened
        self.what = _(
            "{side} stays by a declaration for {square} that cannot be true.",
            side=_.language.side(owner),
            square=name(square),
        )
        is_as_sealed = view.is_as_sealed
        self.seal = "" if is_as_sealed is None else _.announcer.seal(is_as_sealed=is_as_sealed)
        self.disturbed = " ".join(self.show_difference(2))
        self.image = table.expected

    def settle(self, *, accepted: bool) -> None:
        self.ask.settle(accepted=accepted)


load_kv(__file__)
