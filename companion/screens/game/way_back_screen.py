"""The way back: what was done, which rule it breaks, and what to put where.

What was taken back by consent is nobody's fault, and nothing here says so.

The screen goes by itself when the board is right again. A wrong move is put right in the time of
the side that made it, so the clocks, if any, matter more here than the fallen pieces.
"""

from kivy.properties import BooleanProperty, ListProperty, ObjectProperty, StringProperty

from companion.screens.base.base_screen import GameScreen
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from companion.table.state import LossLooms, Restoring

LINES = 3
"""How many pieces are named; a knocked board shows the rest in the picture."""


class WayBackScreen(GameScreen):
    """A violation, a board that is not as it should be, or one that has to show what was before."""

    is_wrong = BooleanProperty(True)
    """Whether somebody, or something, has gone wrong."""
    what = StringProperty()
    why = StringProperty()
    guide = ListProperty()
    can_stand = BooleanProperty(False)
    """Whether an arbiter may let stand what was done."""
    can_believe = BooleanProperty(False)
    """Whether both sides may agree that the board is right as it stands."""
    open_board_right = ObjectProperty(None)

    def refresh(self) -> None:
        self.show_game()
        table = self.stage.table
        violation = table.state.violation
        self.is_wrong = not isinstance(table.state, Restoring)
        self.what = _("Not allowed") if violation else _("Put it right")
        self.why = self._why()
        self.marked = violation.squares if violation else 0
        self.guide = self.show_difference(LINES)
        self.can_stand = table.conversation.can_let_stand
        self.can_believe = table.consent.is_open
        self.show_clocks(self.stage.now())

    def _why(self) -> str:
        table = self.stage.table
        if isinstance(table.state, Restoring):
            return _("Taken back: set the pieces as they stood.")
        if table.state.violation:
            return _.announcer.sentence(table.state.violation)
        if isinstance(table.state, LossLooms):
            return _("Put it back at once, or the game is lost.")
        return _("The board is not as it should be.")

    def tick(self, now: float) -> None:
        super().tick(now)
        if self.stage.table.clock.due is not None:  # else it stands, or there is none
            self.show_clocks(now)

    def let_stand(self) -> None:
        self.ask.let_stand()


load_kv(__file__)
