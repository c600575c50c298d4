"""An arbiter gives the players time, or takes it: steps up and down, and one decision."""

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
from engine.play.clocks import clock_text
from engine.sides import Side

STEPS: Final = (-300, -60, -10, 10, 60, 300)
"""By how many seconds a button changes a clock."""


class ClockRow(BoxLayout):
    """One side's clock: what it shows, what it will show, and the steps."""

    side = ObjectProperty(Side.RED)
    name = StringProperty()
    now = StringProperty()
    then = StringProperty()
    """What it will show; empty while nothing is changed."""
    can = ListProperty([False] * len(STEPS))
    """Which of the steps can be made."""

    __events__ = ("on_step",)

    def on_step(self, _seconds: int) -> None:
        pass

    def step(self, number: int) -> None:
        """One of the buttons was touched."""
        self.dispatch("on_step", STEPS[number])

    def step_text(self, number: int) -> str:
        """What a button does."""
        seconds = STEPS[number]
        sign, size = "−" if seconds < 0 else "+", abs(seconds)
        if size < 60:
            return sign + " " + _("{seconds} s", seconds=size)
        return sign + " " + _("{time} min", time=size // 60)


class TimeCover(Cover):
    """Both clocks, as they run; nothing is set before the arbiter has confirmed it."""

    is_changed = BooleanProperty(False)

    def __init__(self, stage: Stage, asking: Asking, close: Callable[[], None]) -> None:
        super().__init__()
        self._stage, self._asking, self._close = stage, asking, close
        self._seconds = dict.fromkeys(Side, 0)
        """How much each side is to be given."""
        self._show()

    def tick(self, now: float) -> None:  # noqa: ARG002 (the clocks run by the stage's)
        self._show()

    def step(self, side: Side, seconds: int) -> None:
        """Change what a side is to be given."""
        self._seconds[side] += seconds
        self._show()

    def decide(self) -> None:
        """Ask the arbiter whether that is meant."""
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
