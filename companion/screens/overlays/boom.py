"""Boom! Over the whole screen, short, and gone at a touch."""

import math
from collections.abc import Callable

from kivy.core.text import Label as CoreLabel
from kivy.graphics import Color, Rectangle
from kivy.input.motionevent import MotionEvent
from kivy.uix.widget import Widget

from companion.screens.base.stage import BOOM_SECONDS
from companion.screens.widgets import theme
from companion.screens.widgets.pen import Pen
from companion.screens.widgets.texts import _

FLASH_SECONDS = 0.12
SHAKE_SECONDS = 0.7


class Boom(Widget):
    """The bang. In calm mode it neither flashes nor shakes."""

    def __init__(self, *, calm: bool, skip: Callable[[], None]) -> None:
        super().__init__()
        self._calm, self._skip = calm, skip
        label = CoreLabel(text=_.language.cry, font_size=120, bold=True)
        label.refresh()
        self._cry = label.texture

    def on_touch_down(self, _touch: MotionEvent) -> bool:
        self._skip()
        return True

    def show(self, left: float) -> None:
        """Draw the bang with `left` seconds to go."""
        age = BOOM_SECONDS - left
        self.canvas.clear()
        flashing = not self._calm and age < FLASH_SECONDS
        with self.canvas:
            Color(*(theme.TEXT if flashing else theme.GROUND))
            Rectangle(pos=self.pos, size=self.size)
        dx, dy = self._shake(age)
        x, y = self.center_x + dx, self.center_y + dy
        grown = 1.0 if self._calm else min(1.0, 0.45 + age * 3)
        self._burst(x, y, 300 * grown, 1.62, theme.ACT)
        self._burst(x, y, 245 * grown, 1.68, theme.RED)
        self._write(x, y, grown)

    def _shake(self, age: float) -> tuple[float, float]:
        if self._calm or age > SHAKE_SECONDS:
            return 0.0, 0.0
        reach = 14 * (1 - age / SHAKE_SECONDS)
        return reach * math.sin(age * 71), reach * math.cos(age * 57)

    def _burst(self, x: float, y: float, radius: float, wide: float, colour: theme.Colour) -> None:
        """A star of uneven points, wider than high."""
        pen = Pen(self.canvas, 0, 0, 100)
        pen.colour(colour)
        rim = []
        for n in range(28):
            reach = radius * (0.66 if n % 2 else 0.86 + 0.14 * math.sin(n * 2.3))
            angle = n * math.pi / 14 + 0.1
            rim.append(
                (x + wide * reach * math.cos(angle) * 0.8, y + reach * math.sin(angle) * 0.8)
            )
        pen.shape((x, y), *rim, rim[0])

    def _write(self, x: float, y: float, grown: float) -> None:
        width, height = (length * grown for length in self._cry.size)
        with self.canvas:
            Color(*theme.ON_ACT)
            Rectangle(texture=self._cry, pos=(x - width / 2, y - height / 2), size=(width, height))
