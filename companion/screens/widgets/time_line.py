"""A line through a game that is over: a finger on it goes to a ply, and key moments are marked."""

from kivy.input.motionevent import MotionEvent
from kivy.properties import ListProperty, NumericProperty
from kivy.uix.widget import Widget

from companion.screens.widgets.common import load_kv


class TimeLine(Widget):
    """Says `on_chosen` while a finger goes along it."""

    ply = NumericProperty(0)
    length = NumericProperty(0)
    """How many plies there are."""
    marks = ListProperty()
    """The plies that are marked."""

    __events__ = ("on_chosen",)

    def on_chosen(self, _ply: int) -> None:
        pass

    def place(self, ply: int) -> float:
        """Where a ply is on the line."""
        share = ply / self.length if self.length else 0
        return float(self.x + 16 + share * (self.width - 32))

    def on_touch_down(self, touch: MotionEvent) -> bool:
        if not self.collide_point(*touch.pos):
            return False
        touch.grab(self)
        self._go(touch)
        return True

    def on_touch_move(self, touch: MotionEvent) -> bool:
        if touch.grab_current is not self:
            return False
        self._go(touch)
        return True

    def on_touch_up(self, touch: MotionEvent) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        return True

    def _go(self, touch: MotionEvent) -> None:
        share = (touch.x - self.x - 16) / max(1, self.width - 32)
        self.dispatch("on_chosen", round(min(max(share, 0), 1) * self.length))


load_kv(__file__)
