"""The pause dialog: the game is paused, the clocks are stopped, and the board may be touched."""

from collections.abc import Callable

from kivy.properties import StringProperty

from companion.screens.base.cover import Cover
from companion.screens.base.stage import Stage
from companion.screens.widgets.common import load_kv
from companion.table.inputs import Said
from companion.table.sayings import GoOn
from engine.board.geometry import Side
from engine.game.clocks import clock_text


class PauseCover(Cover):
    """Pause dialog: status, available actions, Resume."""

    times = StringProperty()
    """Remaining time of both sides, empty if it is unlimited."""

    def __init__(
        self, stage: Stage, leave: Callable[[], None], open_arbiter: Callable[[], None]
    ) -> None:
        super().__init__()
        self._stage, self._leave, self._open_arbiter = stage, leave, open_arbiter
        self.refresh()

    def refresh(self) -> None:
        """Update the remaining time: an arbiter may have changed it."""
        clock, now = self._stage.table.clock, self._stage.now()
        left = {side: clock.left(side, now) for side in Side}
        self.times = "   ".join(
            f"{self._stage.called(side)} {clock_text(seconds)}"
            for side, seconds in left.items()
            if seconds is not None
        )

    def go_on(self) -> None:
        """End the pause."""
        self._stage.give(Said(self._stage.now(), GoOn()))

    def leave(self) -> None:
        self._leave()

    def open_arbiter(self) -> None:
        self._open_arbiter()


load_kv(__file__)
