"""Two halves of a curtain that meet over the screen and part under a held finger.

When the curtain is closed, they fall like one cloth and are drawn aside.
"""

from typing import Final

from kivy.graphics import Color, Rectangle
from kivy.input.motionevent import MotionEvent
from kivy.uix.widget import Widget

from companion.screens.widgets import theme
from companion.screens.widgets.cloth import cloth
from engine.sides import Side

_MEET: Final = 0.3
"""How much of the holding it takes until they have met; the rest parts them again."""
_BUNCHED: Final = 0.1
"""How much of the screen each half still covers when the curtain opens."""
LEAVE_SECONDS: Final = 0.25
"""In so many seconds they are gone then."""
FALL_SECONDS: Final = 0.3
"""So many seconds the cloth takes from the upper edge to the lower one."""
_HEM: Final = 7


class Drapes(Widget):
    """They take no touch: the finger that parts them is on what it holds."""

    def __init__(self, side: Side, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.cover = 0.0
        """The share of the width that they cover."""
        self.drop = 1.0
        """The share of the height."""
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
        """A finger holds, and has held for this share of the time that opens."""
        if fill < _MEET:
            self._dark.size = 0, 0
            self._show(fill / _MEET)
        else:
            self._dark.pos, self._dark.size = self.pos, self.size
            self._show(1 - (1 - 2 * _BUNCHED) * (fill - _MEET) / (1 - _MEET))

    def leave(self, age: float) -> bool:
        """The curtain has opened so long ago; say whether they are still seen."""
        self._dark.size = 0, 0
        self._show(2 * _BUNCHED * max(0.0, 1 - age / LEAVE_SECONDS))
        return age < LEAVE_SECONDS

    def fall(self, age: float) -> bool:
        """The curtain has closed so long ago; say whether they are still seen."""
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
