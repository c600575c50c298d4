"""How pieces look: Red's are towers, Blue's are discs, so that nobody needs to see the colour."""

from kivy.properties import ObjectProperty
from kivy.uix.widget import Widget

from companion.screens.widgets import theme
from companion.screens.widgets.pen import Pen
from engine.sides import Side

_SHADE = 0.45


def draw_piece(pen: Pen, side: Side | None) -> None:
    """Draw a piece that fills most of the pen's square; None is one of unknown colour."""
    if side is Side.RED:
        _tower(pen)
    elif side is Side.BLUE:
        _disc(pen)
    else:
        pen.colour(theme.QUIET)
        pen.shape((50, 88), (88, 50), (50, 12), (12, 50))


def _tower(pen: Pen) -> None:
    pen.colour(theme.RED)
    pen.box(16, 12, 68, 56, 8)
    for x in (16, 41, 66):
        pen.box(x, 62, 18, 26, 3)
    pen.colour(theme.GROUND, _SHADE)
    pen.box(40, 22, 20, 30, 10)


def _disc(pen: Pen) -> None:
    pen.colour(theme.BLUE)
    pen.disc(50, 50, 38)
    pen.colour(theme.GROUND, _SHADE)
    pen.ring(50, 50, 22, 8)


def draw_ghost(pen: Pen, side: Side | None) -> None:
    """Draw the outline of a piece that is not there."""
    pen.colour(theme.SIDES[side] if side else theme.QUIET)
    if side is Side.RED:
        tower = ((16, 12), (84, 12), (84, 88), (66, 88), (66, 68), (59, 68), (59, 88))
        rest = ((41, 88), (41, 68), (34, 68), (34, 88), (16, 88))
        pen.line(*tower, *rest, width=5, close=True)
    else:
        pen.ring(50, 50, 38, 5)


class SideSign(Widget):
    """The piece of a side as its sign."""

    side = ObjectProperty(None, allownone=True)

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.bind(pos=self._draw, size=self._draw, side=self._draw)
        self._draw()

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        size = min(self.size)
        if self.side is not None:
            left, bottom = self.center_x - size / 2, self.center_y - size / 2
            draw_piece(Pen(self.canvas, left, bottom, size), self.side)
