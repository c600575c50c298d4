"""Background of every screen: an old map, too faint to make any text harder to read."""

import math
from itertools import pairwise
from typing import Final

from kivy.graphics import Canvas

from companion.screens.widgets import theme
from companion.screens.widgets.pen import Pen, Point

_HILLS: Final = ((655, 340, 120, 7, 1), (110, 395, 130, 7, 4), (330, 150, 150, 8, 2))
"""Hills: centre x and y, radius, number of contours, and a number that varies their shape."""
_PEAKS: Final = ((560, 262), (578, 254), (596, 264), (218, 318), (236, 310), (40, 180), (60, 172))
_ROUTE: Final = ((498, 40), (540, 78), (560, 130), (618, 150), (650, 205), (640, 262), (655, 330))
_COMPASS: Final = (724, 118, 52)


def draw_map(canvas: Canvas, scale: float) -> None:
    """Draw the map on a canvas; `scale` is the length of a unit of the screen in pixels."""
    width, height = theme.SCREEN
    pen = Pen(canvas, 0, 0, 100 * scale)
    pen.colour(theme.GROUND)
    pen.box(0, 0, width, height)
    pen.colour(theme.MAP, 0.45)
    for x in range(0, width + 1, 80):
        pen.line((x, 0), (x, height), width=0.5)
    for y in range(0, height + 1, 80):
        pen.line((0, y), (width, y), width=0.5)
    pen.colour(theme.MAP)
    for x, y, reach, contours, form in _HILLS:
        for n in range(contours):
            pen.line(*_contour(x, y, reach * (n + 1) / contours, form), width=1, close=True)
    _draw_river(pen)
    for x, y in _PEAKS:
        pen.line((x - 9, y - 8), (x, y + 8), (x + 9, y - 8), width=1.2)
        pen.line((x + 1, y + 6), (x + 3, y - 5), width=1)
    _draw_route(pen)
    _draw_compass(pen, *_COMPASS)


def _contour(x: float, y: float, reach: float, form: int) -> list[Point]:
    """A contour line around the top of a hill."""
    points = []
    for n in range(72):
        a = n * math.tau / 72
        wave = 0.16 * math.sin(2 * a + form) + 0.09 * math.sin(3 * a - 2 * form)
        wave += 0.05 * math.sin(5 * a + reach / 30)
        far = reach * (1 + wave)
        points.append((x + 1.25 * far * math.cos(a), y + far * math.sin(a)))
    return points


def _draw_river(pen: Pen) -> None:
    for bank in (-3, 3):
        course = [
            (x + bank * 0.5, 232 + 46 * math.sin(x / 95 + 0.6) + 15 * math.sin(x / 31) + bank)
            for x in range(-10, 811, 6)
        ]
        pen.line(*course, width=1.2)


def _draw_route(pen: Pen) -> None:
    """Draw a dashed route that ends in a cross."""
    for (x1, y1), (x2, y2) in pairwise(_ROUTE):
        dashes = max(1, round(math.dist((x1, y1), (x2, y2)) / 12))
        for n in range(dashes):
            begin, end = n / dashes, (n + 0.55) / dashes
            pen.line(
                (x1 + (x2 - x1) * begin, y1 + (y2 - y1) * begin),
                (x1 + (x2 - x1) * end, y1 + (y2 - y1) * end),
                width=1.6,
            )
    x, y = _ROUTE[-1]
    pen.line((x - 6, y - 6), (x + 6, y + 6), width=2)
    pen.line((x - 6, y + 6), (x + 6, y - 6), width=2)


def _draw_compass(pen: Pen, x: float, y: float, reach: float) -> None:
    for radius in (reach * 0.62, reach * 0.56, reach * 0.2):
        pen.ring(x, y, radius, 1)
    for n in range(8):
        angle = n * math.pi / 4
        long = reach if n % 2 == 0 else reach * 0.6
        tip = x + long * math.cos(angle), y + long * math.sin(angle)
        for turn in (-math.pi / 4, math.pi / 4):
            foot = reach * 0.17
            side = x + foot * math.cos(angle + turn), y + foot * math.sin(angle + turn)
            pen.line((x, y), tip, side, width=1)
