"""Time control of the next game: a named preset, or any numbers."""

from collections.abc import Callable, Mapping
from typing import Final

from companion.screens.base.cover import Cover
from companion.screens.base.settings import Settings
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.stepper import Stepper, Steps
from companion.screens.widgets.texts import _
from companion.speech.language import N_
from companion.speech.time_allowed import minutes
from engine.game.clocks import TIME_CONTROLS, TimeControl

_NAMES: Final = {
    "none": N_("no clock"),
    "total": N_("{time} min each"),
    "short": N_("Short game, {time} min + {delay} s"),
    "bronstein": N_("Tournament, {whole} min in all"),
    "bronstein-50": N_("Tournament, {whole} min in all"),
}
_USUAL: Final = TIME_CONTROLS["bronstein"]
_MINUTE: Final = 60
_STEPS: Final[Mapping[str, Steps]] = {
    "each": Steps(_MINUTE, 180 * _MINUTE, _USUAL.each or 0),
    "delay": Steps(1, 60, _USUAL.delay),
    "whole": Steps(_MINUTE, 360 * _MINUTE, _USUAL.whole or 0),
    "setup": Steps(_MINUTE, 60 * _MINUTE, _USUAL.setup or 0),
}


class ClockCover(Cover):
    """The presets and the four numbers; a touch takes effect at once."""

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
        """Increase or decrease one of the numbers by a step."""
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
            self.ids.delay.can_rise = False  # no main time to give it back to

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


load_kv(__file__)
