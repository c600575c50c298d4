"""Two halves of a curtain that meet over the screen and part while a finger is held.

When the curtain closes, they fall as one cloth and are then drawn aside.
"""

from typing import Final

from kivy.graphics import Color, Rectangle
from kivy.input.motionevent import MotionEvent
from kivy.uix.widget import Widget

from companion.screens.widgets import theme
from companion.screens.widgets.cloth import cloth
from engine.board.geometry import Side

_MEET: Final = 0.3
"""Share of the holding time after which the halves have met; the rest parts them again."""
_BUNCHED: Final = 0.1
"""Share of the screen that each half still covers when the curtain opens."""
LEAVE_SECONDS: Final = 0.25
"""Time until they have disappeared after that, in seconds."""
FALL_SECONDS: Final = 0.3
"""Time in which the cloth falls from the upper edge to the lower one, in seconds."""
_HEM: Final = 7


class Drapes(Widget):
    """The halves ignore touches: the finger that parts them is on the widget that is held."""

    def __init__(self, side: Side, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.cover = 0.0
        """Covered share of the width."""
        self.drop = 1.0
        """Covered share of the height."""
        with self.canvas:
            Color(*theme.GROUND)
            self._dark = Rectangle()
            Color(1, 1, 1, 1)
            self._halves = [Rectangle(texture=cloth(side)) for _half in range(2)]
            Color(*theme.SIDES[side])
            self._hems = [Rectangle() for _half in range(2)]
        self.bind(pos=self._draw, size=self._draw)
        self._draw()

    def hold(self, fill: float) -> None:
        """Show the curtain after this share of the holding time."""
        if fill < _MEET:
            self._dark.size = 0, 0
            self._show(fill / _MEET)
        else:
            self._dark.pos, self._dark.size = self.pos, self.size
            self._show(1 - (1 - 2 * _BUNCHED) * (fill - _MEET) / (1 - _MEET))

    def leave(self, age: float) -> bool:
        """Show the curtain `age` seconds after it opened; return whether it is still visible."""
        self._dark.size = 0, 0
        self._show(2 * _BUNCHED * max(0.0, 1 - age / LEAVE_SECONDS))
        return age < LEAVE_SECONDS

    def fall(self, age: float) -> bool:
        """Show the curtain `age` seconds after it closed; return whether it is still visible."""
        self._dark.size = 0, 0
        self.drop = min(1.0, age / FALL_SECONDS) ** 2
        left = max(0.0, age - FALL_SECONDS) / LEAVE_SECONDS
        self._show(max(0.0, 1 - left))
        return left < 1

    def on_touch_down(self, _touch: MotionEvent) -> bool:
        return False

    def _show(self, cover: float) -> None:
        """Cover this share of the width."""
        self.cover = cover
        self._draw()

    def _draw(self, *_args: object) -> None:
        half = self.cover * self.width / 2
        high = self.drop * self.height
        low = self.top - high
        left, right = self._halves
        left.size = right.size = half, high
        left.pos, right.pos = (self.x, low), (self.right - half, low)
        for hem, x in zip(self._hems, (self.x + half - _HEM, self.right - half), strict=True):
            hem.pos, hem.size = (x, low), (_HEM if half > _HEM else 0, high)
