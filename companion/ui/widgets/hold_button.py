"""Controls that have to be held, so that an accidental touch does not trigger them."""

from typing import Final

from kivy.input.motionevent import MotionEvent
from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.widget import Widget

from companion.ui.drawing.hidpi_text import SharpLabel
from companion.ui.drawing.shown import Shown
from companion.ui.widgets.buttons import load_kv

HOLD_SECONDS: Final = 0.6
"""Time to hold, in seconds: too long for a sleeve that brushes the screen, but short enough not to
be felt as a delay."""


class Holding(Widget):
    """Fills while a finger is held on it, and dispatches `on_held` when it is full.

    It empties when the finger leaves it or is lifted. The current time is passed to `tick`.
    """

    fill = NumericProperty(0.0)
    """Progress of the filling, from 0 to 1."""
    pressed = BooleanProperty(False)

    __events__ = ("on_held",)

    def __init__(self, **kwargs: object) -> None:
        self._since: float | None = None
        super().__init__(**kwargs)

    def on_held(self) -> None:
        pass

    def tick(self, now: float) -> None:
        """Update the progress."""
        if not self.pressed:
            return
        self._since = now if self._since is None else self._since
        self.fill = min(1.0, (now - self._since) / HOLD_SECONDS)
        if self.fill >= 1:
            self.empty()
            self.dispatch("on_held")

    def empty(self) -> None:
        """Reset the progress."""
        self.pressed, self._since, self.fill = False, None, 0.0

    def on_touch_down(self, touch: MotionEvent) -> bool:
        if self.disabled or not self.collide_point(*touch.pos):
            return False
        touch.grab(self)
        self.pressed = True
        return True

    def on_touch_move(self, touch: MotionEvent) -> bool:
        if touch.grab_current is not self:
            return False
        if not self.collide_point(*touch.pos):
            self.empty()
        return True

    def on_touch_up(self, touch: MotionEvent) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        self.empty()
        return True


class HoldArea(Shown, Holding, SharpLabel):
    """A wide button that has to be held; an irreversible action is outlined."""

    text = StringProperty()
    main = BooleanProperty(False)
    """Whether holding it is the primary action of the screen."""


load_kv(__file__)
