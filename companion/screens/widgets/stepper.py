"""A number that is set by touch: one step down, one step up, repeated while held."""

import math
from dataclasses import dataclass
from typing import Final

from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.screens.widgets.common import load_kv

WAIT_SECONDS: Final = 0.5
"""Time until the steps of a held button repeat, in seconds."""
REPEAT_SECONDS: Final = 0.08


@dataclass(frozen=True)
class Steps:
    """The values of a stepper: multiples of a unit, or None below the lowest one."""

    unit: float
    highest: float
    usual: float
    """First value when stepping up from None."""

    def up(self, value: float | None) -> float:
        """The next larger value."""
        if value is None:
            return self.usual
        return max(value, min(self.highest, (math.floor(value / self.unit) + 1) * self.unit))

    def down(self, value: float | None) -> float | None:
        """The next smaller value."""
        if value is None:
            return None
        return (math.ceil(value / self.unit) - 1) * self.unit or None


class Stepper(BoxLayout):
    """A title, a minus, the number, a plus. The time is passed to `tick`."""

    what = StringProperty()
    hint = StringProperty()
    """Explanation of the number, in small letters."""
    value = NumericProperty(None, allownone=True)
    text = StringProperty()
    """The value, in words."""
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
        """Make one step, at the press of a button."""
        self._due = None
        self.dispatch("on_step", up)

    def tick(self, now: float) -> None:
        """Repeat steps while a button is held."""
        rises, falls = (self.ids[button].state == "down" for button in ("more", "less"))
        if rises is falls:
            self._due = None
            return
        if self._due is None:
            self._due = now + WAIT_SECONDS
        while self._due <= now:
            self._due += REPEAT_SECONDS
            self.dispatch("on_step", rises)


load_kv(__file__)
