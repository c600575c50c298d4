"""A place that must be held for a moment."""

from typing import Final

from kivy.input.motionevent import MotionEvent
from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.label import Label

from companion.screens.widgets.common import load_kv

HOLD_SECONDS: Final = 0.6
"""Too long for a sleeve that brushes the screen, short enough not to be waited for."""


class HoldArea(Label):
    """Fills while a finger is held on it, and says `on_held` when it is full.

    A finger that leaves the place or is lifted empties it. Time is passed in.
    """

    text = StringProperty()
    fill = NumericProperty(0.0)
    """How far it has filled, 0 to 1."""
    pressed = BooleanProperty(False)

    __events__ = ("on_held",)

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self._since: float | None = None

    def on_held(self) -> None:
        pass

    def tick(self, now: float) -> None:
        """Fill a little more."""
        if not self.pressed:
            return
        self._since = now if self._since is None else self._since
        self.fill = min(1.0, (now - self._since) / HOLD_SECONDS)
        if self.fill >= 1:
            self.empty()
            self.dispatch("on_held")

    def empty(self) -> None:
        """Begin anew."""
        self.pressed, self._since, self.fill = False, None, 0.0

    def on_touch_down(self, touch: MotionEvent) -> bool:
        if not self.collide_point(*touch.pos):
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


load_kv(__file__)
