"""Drawings of the pieces: Red's are blocks with merlons, Blue's are round shields.

So they can be told apart without seeing colours. The light comes from the upper left.
"""

import math
from typing import Final

from companion.screens.widgets import theme
from companion.screens.widgets.pen import Pen, Point
from companion.screens.widgets.theme import Colour
from engine.board.geometry import Side

_MERLONS: Final = (14, 40, 66)
"""Left edges of Red's merlons."""
_BODY: Final = {
    Side.RED: ((0.45, 0.11, 0.08, 1.0), (0.76, 0.22, 0.15, 1.0), (0.98, 0.58, 0.48, 1.0)),
    Side.BLUE: ((0.09, 0.21, 0.42, 1.0), (0.20, 0.42, 0.74, 1.0), (0.66, 0.82, 1.0, 1.0)),
    None: ((0.36, 0.35, 0.31, 1.0), (0.62, 0.60, 0.55, 1.0), (0.90, 0.88, 0.82, 1.0)),
}
"""Colours in shade, in light, and at the highlights."""
_DIAMOND: Final = ((50, 90), (90, 50), (50, 10), (10, 50))


def draw_piece(pen: Pen, side: Side | None) -> None:
    """Draw a piece that fills most of the pen's square; None means an unknown colour."""
    if side is Side.RED:
        _block(pen)
    elif side is Side.BLUE:
        _shield(pen)
    else:
        _token(pen)


def _block(pen: Pen) -> None:
    shade, body, light = _BODY[Side.RED]
    for n in range(4):
        pen.colour(theme.SHADE, 0.14)
        pen.box(16 - 2 * n + 5, 12 - 2 * n - 5, 68 + 4 * n, 70 + 4 * n, 10 + n)
    _silhouette(pen, theme.SHADE, grow=3)
    _silhouette(pen, shade)
    pen.colour(body)
    pen.box(14, 20, 72, 48, 5)
    for x in _MERLONS:
        pen.box(x, 50, 20, 37, 3)
    for x in _MERLONS:
        pen.colour(light)
        pen.box(x + 2, 81, 16, 5, 2)
        pen.colour(light, 0.5)
        pen.box(x + 1, 64, 4, 20, 2)
    pen.colour(light, 0.45)
    pen.box(15, 24, 4, 40, 2)
    pen.colour(shade)
    pen.line((17, 62), (83, 62), width=3.5)
    pen.colour(theme.SHADE, 0.75)
    pen.box(41, 20, 18, 30, 9)


def _silhouette(pen: Pen, colour: Colour, grow: float = 0) -> None:
    pen.colour(colour)
    pen.box(14 - grow, 12 - grow, 72 + 2 * grow, 56 + 2 * grow, 6 + grow)
    for x in _MERLONS:
        pen.box(x - grow, 50, 20 + 2 * grow, 38 + grow, 3 + grow / 2)


def _shield(pen: Pen) -> None:
    shade, body, light = _BODY[Side.BLUE]
    for n in range(4):
        pen.colour(theme.SHADE, 0.14)
        pen.disc(54, 45, 38 + 2 * n)
    pen.colour(theme.SHADE)
    pen.disc(50, 50, 42)
    pen.colour(shade)
    pen.disc(50, 50, 39)
    pen.colour(body)
    pen.disc(49, 51.5, 36)
    _arc(pen, light, radius=35, begin=85, end=185, width=4.5)
    pen.colour(shade)
    pen.ring(50, 50, 26, 5)
    pen.colour(light, 0.22)
    for n in range(3):
        pen.disc(46 - n, 54 + n, 21 - 6 * n)
    for n in range(8):
        angle = math.pi / 8 + n * math.pi / 4
        pen.colour(light)
        pen.disc(50 + 31 * math.cos(angle), 50 + 31 * math.sin(angle), 2.6)
    pen.colour(theme.SHADE, 0.7)
    pen.disc(51, 48, 12)
    pen.colour(light)
    pen.disc(50, 50, 9.5)
    pen.colour(theme.TEXT)
    pen.disc(47, 53, 4)


def _arc(pen: Pen, colour: Colour, radius: float, begin: int, end: int, width: float) -> None:
    """Draw an arc around the centre; the angles are in degrees."""
    pen.colour(colour, 0.8)
    angles = (math.radians(begin + (end - begin) * n / 16) for n in range(17))
    points = [(50 + radius * math.cos(a), 50 + radius * math.sin(a)) for a in angles]
    pen.line(*points, width=width)


def _token(pen: Pen) -> None:
    shade, body, light = _BODY[None]
    pen.colour(theme.SHADE)
    pen.shape(*((50 + (x - 50) * 1.1, 50 + (y - 50) * 1.1) for x, y in _DIAMOND))
    pen.colour(shade)
    pen.shape(*_DIAMOND)
    pen.colour(body)
    pen.shape((50, 86), (82, 54), (50, 22), (18, 54))
    pen.colour(light)
    pen.line((20, 55), (50, 85), (80, 55), width=4)


def draw_ghost(pen: Pen, side: Side | None) -> None:
    """Draw the outline of a missing piece."""
    outline: tuple[Point, ...]
    if side is Side.RED:
        low, high = ((14, 12), (86, 12), (86, 88), (66, 88)), ((34, 88), (14, 88))
        outline = (*low, (66, 68), (60, 68), (60, 88), (40, 88), (40, 68), (34, 68), *high)
    else:
        turn = (n * math.pi / 24 for n in range(48))
        outline = tuple((50 + 38 * math.cos(a), 50 + 38 * math.sin(a)) for a in turn)
    colour = theme.SIDES[side] if side else theme.QUIET
    for tone, width in ((theme.SHADE, 13), (colour, 6)):
        pen.colour(tone)
        pen.line(*outline, width=width, close=True)
