"""An arbiter adds time to the clocks or deducts it: steps up and down, and one decision."""

from collections.abc import Callable
from typing import Final

from kivy.properties import BooleanProperty, ListProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.screens.base.cover import Cover
from companion.screens.base.stage import Stage
from companion.screens.overlays.asking import Asking
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from companion.table.sayings import GiveTime
from engine.board.geometry import Side
from engine.game.clocks import clock_text

STEPS: Final = (-300, -60, -10, 10, 60, 300)
"""Changes of a clock by the buttons, in seconds."""


class ClockRow(BoxLayout):
    """One side's clock: its present value, its new value, and the steps."""

    side = ObjectProperty(Side.RED)
    name = StringProperty()
    now = StringProperty()
    then = StringProperty()
    """New value of the clock; empty without a change."""
    can = ListProperty([False] * len(STEPS))
    """For each step, whether it is possible."""

    __events__ = ("on_step",)

    def on_step(self, _seconds: int) -> None:
        pass

    def step(self, number: int) -> None:
        """Apply the step of a button."""
        self.dispatch("on_step", STEPS[number])

    def step_text(self, number: int) -> str:
        """Label of a step button."""
        seconds = STEPS[number]
        sign, size = "−" if seconds < 0 else "+", abs(seconds)
        if size < 60:
            return sign + " " + _("{seconds} s", seconds=size)
        return sign + " " + _("{time} min", time=size // 60)


class TimeCover(Cover):
    """Both clocks, running; nothing is changed before the arbiter confirms."""

    is_changed = BooleanProperty(False)

    def __init__(self, stage: Stage, asking: Asking, close: Callable[[], None]) -> None:
        super().__init__()
        self._stage, self._asking, self._close = stage, asking, close
        self._seconds = dict.fromkeys(Side, 0)
        """Seconds to add to the clock of each side."""
        self._show()

    def tick(self, now: float) -> None:  # noqa: ARG002 (the clocks run by the stage's)
        self._show()

    def step(self, side: Side, seconds: int) -> None:
        """Change the time to add to a side's clock."""
        self._seconds[side] += seconds
        self._show()

    def decide(self) -> None:
        """Ask the arbiter to confirm."""
        self._asking.give_time([self._given(side) for side in Side if self._seconds[side]])

    def close(self) -> None:
        self._close()

    def _show(self) -> None:
        table, now = self._stage.table, self._stage.now()
        for row in (self.ids.red, self.ids.blue):
            side, more = row.side, self._seconds[row.side]
            left = table.clock.left(side, now) or 0
            row.name = self._stage.called(side)
            row.now = clock_text(left)
            row.then = clock_text(max(left + more, 0)) if more else ""
            row.can = [
                not more + step or table.can_give_time(self._given(side, step)) for step in STEPS
            ]
        can_be = (table.can_give_time(self._given(s)) for s in Side if self._seconds[s])
        self.is_changed = any(self._seconds.values()) and all(can_be)

    def _given(self, side: Side, more: int = 0) -> GiveTime:
        return GiveTime(side, self._seconds[side] + more)


load_kv(__file__)
