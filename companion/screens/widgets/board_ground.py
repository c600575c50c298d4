"""The empty board: light and dark wood, with two inlaid lakes."""

import math
import random
from functools import cache
from typing import Final

from kivy.graphics import Canvas, Color, Rectangle
from kivy.graphics.texture import Texture

from companion.screens.widgets import theme
from companion.screens.widgets.pen import Pen, Point
from engine.board.geometry import LAKES, SQUARES, WIDTH

_GRAIN: Final = (256, 128)
"""Size of the texture of the grain, in pixels."""


def draw_board(canvas: Canvas, step: float) -> None:
    """Draw the board at the origin of a canvas; `step` is the length of a square's side."""
    chance = random.Random(10)
    for square in SQUARES:
        row, column = divmod(square, WIDTH)
        x, y = column * step, row * step
        canvas.add(Color(*(theme.WOOD if (row + column) % 2 else theme.WOOD_DARK)))
        canvas.add(
            Rectangle(
                texture=_grain(),
                pos=(x, y),
                size=(step, step),
                tex_coords=_piece_of_wood(chance.random(), chance.random()),
            )
        )
        _bevel(Pen(canvas, x, y, step))
    for square in SQUARES:
        if all(LAKES >> part & 1 for part in (square, square + 1, square + WIDTH)):
            row, column = divmod(square, WIDTH)
            _draw_lake(Pen(canvas, column * step, row * step, 2 * step))


def _piece_of_wood(u: float, v: float) -> tuple[float, ...]:
    """Texture coordinates of a square cut-out of the grain."""
    across, along = 0.3, 0.4
    return (u, v, u + across, v, u + across, v + along, u, v + along)


def _bevel(pen: Pen) -> None:
    """A lit edge and a shaded edge."""
    pen.colour(theme.SHORE, 0.22)
    pen.box(0, 97, 100, 3)
    pen.box(0, 0, 3, 100)
    pen.colour(theme.SHADE, 0.4)
    pen.box(0, 0, 100, 3)
    pen.box(97, 0, 3, 100)


def _draw_lake(pen: Pen) -> None:
    """A lake over four squares: shore, shallow and deep water, ripples."""
    for colour, alpha, radius in (
        (theme.SHADE, 0.5, 49.5),
        (theme.SHORE, 1.0, 47.5),
        (theme.RIPPLE, 1.0, 43.5),
        (theme.LAKE, 1.0, 42.0),
        (theme.LAKE_DEEP, 0.6, 35.0),
        (theme.LAKE_DEEP, 0.6, 27.0),
    ):
        pen.colour(colour, alpha)
        rim = [_bank(radius, n * math.tau / 60) for n in range(61)]
        pen.shape((50, 50), *rim)
    for x, y, length in ((30, 62, 18), (52, 50, 22), (36, 36, 14), (58, 70, 12), (62, 30, 10)):
        pen.colour(theme.RIPPLE, 0.75)
        wave = [(x + length * n / 8, y + 1.6 * math.sin(n * math.pi / 2)) for n in range(9)]
        pen.line(*wave, width=1.6)


def _bank(radius: float, angle: float) -> Point:
    """A point on the shore of a lake: between a circle and a square, slightly irregular."""
    c, s = math.cos(angle), math.sin(angle)
    reach = radius / (abs(c) ** 4 + abs(s) ** 4) ** 0.25
    reach *= 1 - 0.025 * (1 + math.sin(3 * angle + 1) * math.sin(5 * angle))
    return 50 + reach * c, 50 + reach * s


@cache
def _grain() -> Texture:
    """Growth rings in shades of one colour; the texture tiles without seams."""
    width, height = _GRAIN
    chance = random.Random(4)
    years, tone = [], 0.0
    for _ in range(height):
        tone = 0.82 * tone + chance.uniform(-9, 9)
        years.append(242 + 0.5 * tone - (16 if chance.random() < 0.09 else 0))
    bend = [4 * math.sin(x * math.tau / width) for x in range(width)]
    shades = bytes(
        min(255, max(205, round(years[int(y + bend[x]) % height] + chance.uniform(-2, 2))))
        for y in range(height)
        for x in range(width)
    )
    grain = Texture.create(size=_GRAIN, colorfmt="luminance")
    grain.wrap = "repeat"
    grain.blit_buffer(shades, colorfmt="luminance", bufferfmt="ubyte")
    return grain
