"""Recovery screen, with the action, the violated rule, and the pieces to put back.

The screen also appears for an agreed take-back, but then reports no violation. The screen closes
when the board is correct again. After an illegal move, the clock of the side to move keeps running.
If space is short, the screen therefore shows the clocks rather than the captured pieces.
"""

from kivy.properties import BooleanProperty, ListProperty, ObjectProperty, StringProperty

from companion.core.events import MoveDue
from companion.core.state import LossPending, MovePending, Restoring
from companion.ui.base.base_screen import GameScreen
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv

LINES = 3
"""Maximum number of lines of instructions. All misplaced pieces are marked on the board picture."""


class RecoveryScreen(GameScreen):
    """Shown while the board has to be corrected after a violation, a disturbance or a take-back."""

    is_wrong = BooleanProperty(True)
    """Whether the cause is a violation or a disturbance rather than a take-back."""
    what = StringProperty()
    why = StringProperty()
    guide = ListProperty()
    can_allow = BooleanProperty(False)
    """Whether the arbiter may allow the action. A game against the computer has no arbiter."""
    is_simulated = BooleanProperty(False)
    """Whether the board is simulated. If so, the program can put the pieces back itself."""
    can_adopt = BooleanProperty(False)
    """Whether two people may agree to accept the board as it stands."""
    open_adoption = ObjectProperty(None)

    def refresh(self) -> None:
        self.show_game()
        table = self.presenter.table
        violation = table.state.violation
        self.is_wrong = not isinstance(table.state, Restoring)
        self.what = _("Not allowed") if violation else _("Correct the board")
        self.why = self._why()
        self.marked = violation.squares if violation else 0
        self.guide = self.show_difference(LINES)
        is_alone = self.presenter.plays_itself is not None
        self.can_allow = table.conversation.can_allow_move and not is_alone
        self.is_simulated = self.presenter.host.tabletop is not None
        self.can_adopt = table.adoption.is_open
        self.show_clocks(self.presenter.now())

    def _why(self) -> str:
        table = self.presenter.table
        if isinstance(table.state, MovePending):
            move, side = table.state.move, table.view.to_move.other
            return _.announcer.sentence(MoveDue(side, move.source, move.target))
        if isinstance(table.state, Restoring):
            return _("Taken back: put the pieces back where they were.")
        if table.state.violation:
            return _.announcer.sentence(table.state.violation)
        if isinstance(table.state, LossPending):
            return _("Put the piece back at once, or you lose the game.")
        return _("Some pieces are out of place.")

    def tick(self, now: float) -> None:
        super().tick(now)
        if self.presenter.table.clock.due is not None:  # the clock is running
            self.show_clocks(now)

    def put_back(self) -> None:
        self.presenter.host.restore_pieces()

    def allow_move(self) -> None:
        self.ask.allow_move()


load_kv(__file__)
