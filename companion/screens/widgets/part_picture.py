"""Drawings of board components, recognizable to a maker."""

from collections.abc import Callable, Mapping
from typing import Final

from kivy.properties import StringProperty
from kivy.uix.widget import Widget

from companion.screens.widgets import theme
from companion.screens.widgets.pen import Pen

_LINE: Final = 4


class PartPicture(Widget):
    """One of the drawings below, selected by name, as large as fits."""

    part = StringProperty()

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.bind(pos=self._draw, size=self._draw, part=self._draw)
        self._draw()

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        size = min(self.size)
        if self.part and size >= 1:
            left, bottom = self.x + (self.width - size) / 2, self.y + (self.height - size) / 2
            pen = Pen(self.canvas, left, bottom, size)
            pen.colour(theme.TEXT)
            _DRAWN[self.part](pen)


def _hall_sensor(pen: Pen) -> None:
    """Front view: a small body with cut corners on three long legs."""
    for x in (34, 50, 66):
        pen.line((x, 46), (x, 4), width=_LINE)
    pen.shape((50, 70), (22, 46), (22, 84), (32, 96), (68, 96), (78, 84), (78, 46), (22, 46))


def _switch(pen: Pen) -> None:
    """A reed contact: two overlapping tongues in a glass tube."""
    pen.line((20, 34), (80, 34), (88, 42), (88, 58), (80, 66), (20, 66), (12, 58), (12, 42),
             width=_LINE, close=True)  # fmt: skip
    pen.line((0, 50), (24, 50), (58, 44), width=_LINE + 2)
    pen.line((100, 50), (76, 50), (42, 56), width=_LINE + 2)


def _by_hand(pen: Pen) -> None:
    """Sensors with a wire each to a module."""
    pen.box(74, 12, 24, 76, 4)
    for n in range(5):
        y, end = 10 + 20 * n, 26 + 12 * n
        pen.disc(8, y, 7)
        bend = 34 + 7 * abs(n - 2)
        pen.line((8, y), (bend, y), (bend + 14, end), (76, end), width=_LINE)


def _tiles(pen: Pen) -> None:
    """Four square circuit boards side by side, each with its rows of sensors."""
    for left in (3, 53):
        for bottom in (3, 53):
            right, top = left + 44, bottom + 44
            pen.line((left, bottom), (right, bottom), (right, top), (left, top),
                     width=_LINE, close=True)  # fmt: skip
            for n in range(9):
                pen.disc(left + 10 + 12 * (n % 3), bottom + 10 + 12 * (n // 3), 3.2)


_DRAWN: Final[Mapping[str, Callable[[Pen], None]]] = {
    "colours": _hall_sensor,
    "switches": _switch,
    "hand": _by_hand,
    "tiles": _tiles,
}
