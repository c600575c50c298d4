"""Dialogs for the next game's time control, and for the arbiter's changes to the clocks."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from kivy.properties import (
    BooleanProperty,
    ListProperty,
    NumericProperty,
    ObjectProperty,
    StringProperty,
)
from kivy.uix.boxlayout import BoxLayout

from companion.core.inputs import AdjustClock
from companion.session.settings import Settings
from companion.speech.i18n import N_
from companion.speech.small_texts import minutes
from companion.ui.base.modal import Modal
from companion.ui.base.presenter import GamePresenter
from companion.ui.dialogs.confirmations import Confirmations
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from engine.board.geometry import Side
from engine.game.clocks import TIME_CONTROLS, TimeControl, clock_text

WAIT_SECONDS: Final = 0.5
"""Time for which a button must be held before its step repeats, in seconds."""
REPEAT_SECONDS: Final = 0.08


@dataclass(frozen=True)
class StepRange:
    """Values of a stepper: the multiples of a unit, and None.

    None comes one step below the lowest multiple.
    """

    unit: float
    highest: float
    usual: float
    """The value reached by stepping up from None."""

    def up(self, value: float | None) -> float:
        if value is None:
            return self.usual
        return max(value, min(self.highest, (math.floor(value / self.unit) + 1) * self.unit))

    def down(self, value: float | None) -> float | None:
        """Return the next smaller value, or None if the value is already the lowest."""
        if value is None:
            return None
        return (math.ceil(value / self.unit) - 1) * self.unit or None


class Stepper(BoxLayout):
    """A title above a number with a minus and a plus button.

    While one of the buttons is held, `tick` repeats its step.
    """

    what = StringProperty()
    hint = StringProperty()
    """Explanation below the number."""
    value = NumericProperty(None, allownone=True)
    text = StringProperty()
    """The current value as text."""
    can_fall = BooleanProperty(True)
    can_rise = BooleanProperty(True)

    __events__ = ("on_step",)

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self._due: float | None = None
        """Time of the next automatic step."""

    def on_step(self, _up: bool) -> None:
        pass

    def step(self, *, up: bool) -> None:
        """Take one step when a button is pressed."""
        self._due = None
        self.dispatch("on_step", up)

    def tick(self, now: float) -> None:
        """Repeat the step while a button is held down."""
        rises, falls = (self.ids[button].state == "down" for button in ("more", "less"))
        if rises is falls:
            self._due = None
            return
        if self._due is None:
            self._due = now + WAIT_SECONDS
        while self._due <= now:
            self._due += REPEAT_SECONDS
            self.dispatch("on_step", rises)


_NAMES: Final = {
    "none": N_("no clock"),
    "total": N_("{time} min each"),
    "short": N_("Short game, {time} min + {delay} s"),
    "bronstein": N_("Tournament, {whole} min in total"),
    "bronstein-50": N_("Tournament, {whole} min in total"),
}
_USUAL: Final = TIME_CONTROLS["bronstein"]
_MINUTE: Final = 60
_STEPS: Final[Mapping[str, StepRange]] = {
    "each": StepRange(_MINUTE, 180 * _MINUTE, _USUAL.each or 0),
    "delay": StepRange(1, 60, _USUAL.delay),
    "whole": StepRange(_MINUTE, 360 * _MINUTE, _USUAL.whole or 0),
    "setup": StepRange(_MINUTE, 60 * _MINUTE, _USUAL.setup or 0),
}


class ClockDialog(Modal):
    """Clock presets, and steppers for each player's time, the delay, the whole game and the setup.

    Every touch takes effect at once.
    """

    def __init__(self, settings: Settings, close: Callable[[], None]) -> None:
        super().__init__()
        self._settings, self._close = settings, close
        names = {
            TIME_CONTROLS[id_]: _name(text, TIME_CONTROLS[id_]) for id_, text in _NAMES.items()
        }
        self.ids.clocks.fill(names, self._give_time)
        self._show()

    def tick(self, now: float) -> None:
        for what in _STEPS:
            self._stepper(what).tick(now)

    def step(self, what: str, *, up: bool) -> None:
        """Increase or decrease one of the times by a step."""
        control, steps = self._settings.control, _STEPS[what]
        numbers = {each: getattr(control, each) or None for each in _STEPS}
        numbers[what] = steps.up(numbers[what]) if up else steps.down(numbers[what])
        delay = numbers.pop("delay") or 0
        self._give_time(TimeControl.of(**numbers, delay=delay))

    def close(self) -> None:
        self._close()

    def _give_time(self, control: TimeControl) -> None:
        self._settings.control = control
        self._show()

    def _show(self) -> None:
        control = self._settings.control
        self.ids.clocks.mark(control)
        for what, steps in _STEPS.items():
            stepper, value = self._stepper(what), getattr(control, what) or None
            stepper.value, stepper.text = value, _text(what, value)
            stepper.can_fall = value is not None
            stepper.can_rise = value is None or value < steps.highest
        if control.each is None:
            self.ids.delay.can_rise = False  # without main time, a delay has no effect

    def _stepper(self, what: str) -> Stepper:
        stepper: Stepper = self.ids[what]
        return stepper


def _name(text: str, control: TimeControl) -> str:
    time, whole = minutes(control.each or 0), minutes(control.whole or 0)
    return _(text, time=time, delay=control.delay, whole=whole)


def _text(what: str, value: float | None) -> str:
    if value is None:
        return _("none") if what == "delay" else _("no limit")
    if what == "delay":
        return _("{seconds} s", seconds=f"{value:g}")
    return _("{time} min", time=minutes(value))


# Changes to the clocks by the arbiter.

STEPS: Final = (-300, -60, -10, 10, 60, 300)
"""Clock adjustments made by the buttons, in seconds."""


class ClockRow(BoxLayout):
    """One side's clock: its current time, its new time, and the step buttons."""

    side = ObjectProperty(Side.RED)
    name = StringProperty()
    now = StringProperty()
    then = StringProperty()
    """New time on the clock, or an empty string if it stays the same."""
    can = ListProperty([False] * len(STEPS))
    """Whether each of the `STEPS` is possible."""

    __events__ = ("on_step",)

    def on_step(self, _seconds: int) -> None:
        pass

    def step(self, number: int) -> None:
        """Report the step of the button that was pressed."""
        self.dispatch("on_step", STEPS[number])

    def step_text(self, number: int) -> str:
        seconds = STEPS[number]
        sign, size = "−" if seconds < 0 else "+", abs(seconds)
        if size < 60:
            return sign + " " + _("{seconds} s", seconds=size)
        return sign + " " + _("{time} min", time=size // 60)


class ClockAdjustmentDialog(Modal):
    """Both sides' clocks, with buttons to adjust them. The arbiter confirms the changes."""

    is_changed = BooleanProperty(False)

    def __init__(
        self, presenter: GamePresenter, asking: Confirmations, close: Callable[[], None]
    ) -> None:
        super().__init__()
        self._presenter, self._asking, self._close = presenter, asking, close
        self._seconds = dict.fromkeys(Side, 0)
        """Seconds to add to each side's clock."""
        self._show()

    def tick(self, now: float) -> None:  # noqa: ARG002 (the clocks use the presenter's time)
        self._show()

    def step(self, side: Side, seconds: int) -> None:
        """Change the number of seconds that will be added to a side's clock."""
        self._seconds[side] += seconds
        self._show()

    def decide(self) -> None:
        """Ask the arbiter to confirm the changes."""
        self._asking.give_time([self._adjustment(side) for side in Side if self._seconds[side]])

    def close(self) -> None:
        self._close()

    def _show(self) -> None:
        table, now = self._presenter.table, self._presenter.now()
        for row in (self.ids.red, self.ids.blue):
            side, more = row.side, self._seconds[row.side]
            left = table.clock.remaining(side, now) or 0
            row.name = self._presenter.player_name(side)
            row.now = clock_text(left)
            row.then = clock_text(max(left + more, 0)) if more else ""
            row.can = [
                not more + step or table.can_give_time(self._adjustment(side, step))
                for step in STEPS
            ]
        can_be = (table.can_give_time(self._adjustment(s)) for s in Side if self._seconds[s])
        self.is_changed = any(self._seconds.values()) and all(can_be)

    def _adjustment(self, side: Side, more: int = 0) -> AdjustClock:
        return AdjustClock(side, self._seconds[side] + more)


load_kv(__file__)
