"""The piece of a side, as its sign."""

from typing import Final

from kivy.graphics import Color
from kivy.properties import ObjectProperty
from kivy.uix.widget import Widget

from companion.screens.widgets.shown import Shown
from companion.screens.widgets.stamp import stamp_piece

LEAST: Final = 20
"""Minimum size: a smaller sign would be a mere spot."""


class SideSign(Shown, Widget):
    """Marks the side of a turn, a clock or a button, as large as fits."""

    side = ObjectProperty(None, allownone=True)

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.bind(pos=self._draw, size=self._draw, side=self._draw)
        self._draw()

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        size = min(self.size)
        if self.side is not None and size >= LEAST:
            # Kivy's own centre may still be the old one.
            left, bottom = self.x + (self.width - size) / 2, self.y + (self.height - size) / 2
            self.draw_sign(left, bottom, size)

    def draw_sign(self, left: float, bottom: float, size: float) -> None:
        """Draw the sign of the side into a square."""
        self.canvas.add(Color(1, 1, 1, 1))
        stamp_piece(self.canvas, self.side, left, bottom, size)
