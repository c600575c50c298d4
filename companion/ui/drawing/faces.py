"""The faces of the computer's levels, in the style of the rank portraits."""

from collections.abc import Callable, Mapping
from typing import Final

from kivy.properties import ColorProperty, ObjectProperty
from kivy.uix.widget import Widget

from companion.opponent.levels import Level
from companion.ui.drawing import theme
from companion.ui.drawing.rank_symbol import arc, stroke
from companion.ui.drawing.vector_pen import Pen


def draw_face(pen: Pen, level: Level) -> None:
    """Draw the face of a level in the pen's current colour.

    The hats grow with the level, as in the portraits of the ranks.
    """
    _DRAWN[level](pen)


def _shoulders(pen: Pen) -> None:
    stroke(pen, (8, 4), *arc(28, 4, 20, 20, 180, 95), (41, 26))
    stroke(pen, (59, 26), *arc(72, 4, 20, 20, 85, 0))


def _eyes(pen: Pen, y: float, size: float = 2.8) -> None:
    for x in (42, 58):
        pen.disc(x, y, size)


def _pip(pen: Pen) -> None:
    """A child: round cheeks, freckles, a wide smile, and a cap that is too large."""
    _shoulders(pen)
    stroke(pen, *arc(50, 46, 23, 22, 152, 388))
    _eyes(pen, 48, 3.4)
    stroke(pen, *arc(50, 40, 11, 9, 200, 340))
    for x, y in ((34, 42), (38, 38), (66, 42), (62, 38)):
        pen.disc(x, y, 1.2)
    stroke(pen, (24, 58), (30, 84), (82, 72), (78, 56), close=True)
    stroke(pen, (27, 66), (79, 62))
    stroke(pen, (38, 16), (50, 8), (62, 16))


def _lena(pen: Pen) -> None:
    """A young woman: a fringe, a ponytail, and a peaked cap with one chevron."""
    _shoulders(pen)
    stroke(pen, *arc(50, 47, 20, 23, 165, 375))
    _eyes(pen, 49)
    stroke(pen, *arc(50, 38, 8, 5, 205, 335))
    stroke(pen, (37, 56), (46, 53))
    stroke(pen, (54, 53), (63, 56))
    stroke(pen, (71, 56), *arc(76, 42, 13, 16, 80, -70), (72, 36))
    stroke(pen, (28, 62), (24, 80), *arc(50, 77, 28, 12, 170, 10), (76, 80), (72, 62))
    stroke(pen, *arc(50, 67, 24, 8, 195, 345))
    stroke(pen, (43, 74), (50, 81), (57, 74))


def _bruno(pen: Pen) -> None:
    """A man of forty: heavy eyebrows, a broad moustache, and a three-cornered hat."""
    _shoulders(pen)
    stroke(pen, *arc(50, 47, 21, 24, 160, 380))
    _eyes(pen, 50)
    stroke(pen, (35, 57), (46, 55))
    stroke(pen, (54, 55), (65, 57))
    stroke(pen, (50, 47), (47, 41), (52, 41))
    left, right = arc(41, 36, 11, 5, 80, 200), arc(59, 36, 11, 5, -20, 100)
    pen.shape((50, 38), (50, 40), *left, (50, 34), *right)
    stroke(
        pen,
        (12, 70),
        (32, 66),
        (50, 61),
        (68, 66),
        (88, 70),
        (74, 86),
        (50, 93),
        (26, 86),
        close=True,
    )
    for x in (45, 55):
        stroke(pen, (x, 70), (x, 83))


def _augusta(pen: Pen) -> None:
    """An old lady: white curls, spectacles, and a cocked hat with a plume and stars."""
    _shoulders(pen)
    stroke(pen, *arc(50, 47, 19, 24, 165, 375))
    for x in (41, 59):
        pen.ring(x, 49, 8, 3)
        pen.disc(x, 49, 2.2)
    stroke(pen, (49, 50), (51, 50))
    stroke(pen, *arc(50, 35, 8, 3, 200, 340))
    for x in (28, 72):
        for y in (56, 45, 34):
            pen.ring(x, y, 5.5, 3)
    stroke(
        pen,
        (8, 64),
        *arc(50, 66, 40, 25, 175, 5),
        (92, 64),
        *arc(50, 64, 40, 5, 0, -180),
        close=True,
    )
    for x, y in ((30, 74), (50, 79), (70, 74)):
        pen.star(x, y, 6.5)
    stroke(pen, (50, 91), *arc(64, 90, 14, 9, 180, 20))
    pen.star(22, 13, 6)
    pen.star(78, 13, 6)


_DRAWN: Final[Mapping[Level, Callable[[Pen], None]]] = {
    Level.RECRUIT: _pip,
    Level.CADET: _lena,
    Level.CAPTAIN: _bruno,
    Level.MARSHAL: _augusta,
}


class Face(Widget):
    """The face of a level, as large as fits."""

    level = ObjectProperty(None, allownone=True)
    colour = ColorProperty()
    """By default the theme's colour of text."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**({"colour": theme.TEXT} | kwargs))
        self.bind(pos=self._draw, size=self._draw, level=self._draw, colour=self._draw)
        self._draw()

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        size = min(self.size)
        if self.level is None or size < 1:
            return
        left, bottom = self.x + (self.width - size) / 2, self.y + (self.height - size) / 2
        pen = Pen(self.canvas, left, bottom, size)
        pen.colour(self.colour)
        draw_face(pen, self.level)
