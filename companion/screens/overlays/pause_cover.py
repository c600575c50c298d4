"""The game stands still: who wants to drink something may, and the board may be touched."""

from collections.abc import Callable

from kivy.properties import StringProperty

from companion.screens.base.cover import Cover
from companion.screens.base.stage import Stage
from companion.screens.widgets.common import load_kv
from companion.table.inputs import Said
from companion.table.sayings import GoOn
from engine.play.clocks import clock_text
from engine.sides import Side


class PauseCover(Cover):
    """What stands, what may be done, and the way on."""

    times = StringProperty()
    """What both sides have left, if that is limited."""

    def __init__(
        self, stage: Stage, leave: Callable[[], None], open_arbiter: Callable[[], None]
    ) -> None:
        super().__init__()
        self._stage, self._leave, self._open_arbiter = stage, leave, open_arbiter
        self.refresh()

    def refresh(self) -> None:
        """Show the time that is left: an arbiter may have given or taken some."""
        clock, now = self._stage.table.clock, self._stage.now()
        left = {side: clock.left(side, now) for side in Side}
        self.times = "   ".join(
            f"{self._stage.called(side)} {clock_text(seconds)}"
            for side, seconds in left.items()
            if seconds is not None
        )

    def go_on(self) -> None:
        """The pause is over."""
        self._stage.give(Said(self._stage.now(), GoOn()))

    def leave(self) -> None:
        self._leave()

    def open_arbiter(self) -> None:
        self._open_arbiter()


load_kv(__file__)
