"""Wax seal in the colour of a side, with its sign, for a declaration or an army."""

from typing import Final

from kivy.graphics import Canvas, Color

from companion.screens.widgets import theme
from companion.screens.widgets.pen import Pen
from companion.screens.widgets.side_sign import SideSign
from companion.screens.widgets.stamp import stamp_piece
from engine.board.geometry import Side

_DENTS: Final = ((50, 96), (92, 74), (97, 34), (66, 4), (22, 8), (3, 44), (14, 84))
"""Bulges of wax at the rim."""
_SIGN: Final = 0.46
"""Size of the sign, in parts of the seal's size."""


class WaxSign(SideSign):
    """Small seal of an army with commitments."""

    def draw_sign(self, left: float, bottom: float, size: float) -> None:
        draw_wax(self.canvas, self.side, left, bottom, size)


def draw_wax(canvas: Canvas, side: Side, left: float, bottom: float, size: float) -> None:
    """Draw a seal."""
    red, green, blue, _alpha = theme.SIDES[side]
    pen = Pen(canvas, left, bottom, size)
    pen.colour((0, 0, 0, 0.45))
    pen.disc(52, 46, 54)
    for share in (0.42, 0.55):
        pen.colour((red * share, green * share, blue * share, 1))
        shrink = 0 if share == 0.42 else 4
        for x, y in _DENTS:
            pen.disc(x, y, 13 - shrink)
        pen.disc(50, 50, 50 - shrink)
    pen.colour((red * 0.42, green * 0.42, blue * 0.42, 1))
    pen.ring(50, 50, 36, 3)
    canvas.add(Color(1, 1, 1, 1))
    sign = _SIGN * size
    middle = (size - sign) / 2
    stamp_piece(canvas, side, left + middle, bottom + middle, sign)
