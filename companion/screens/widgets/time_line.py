"""A time line of a finished game: a touch goes to a ply, and key moments are marked."""

from kivy.input.motionevent import MotionEvent
from kivy.properties import ListProperty, NumericProperty
from kivy.uix.widget import Widget

from companion.screens.widgets.common import load_kv


class TimeLine(Widget):
    """Dispatches `on_chosen` while a finger moves along it."""

    ply = NumericProperty(0)
    length = NumericProperty(0)
    """Number of plies."""
    marks = ListProperty()
    """Marked plies."""

    __events__ = ("on_chosen",)

    def on_chosen(self, _ply: int) -> None:
        pass

    def place(self, ply: int) -> float:
        """Position of a ply on the line."""
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
