"""Cached images of the board, the pieces, and the map behind all screens.

Drawing eighty pieces in every frame would be too slow on a Raspberry Pi, so each image is drawn
only once.
"""

import math
import random
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from math import ceil
from typing import Final

from kivy.graphics import Canvas, Color, Fbo, PopMatrix, PushMatrix, Rectangle, Rotate, Translate
from kivy.graphics.texture import Texture

from companion.ui.drawing import theme
from companion.ui.drawing.hidpi_text import ZOOM
from companion.ui.drawing.theme import Colour
from companion.ui.drawing.vector_pen import Pen, Point
from engine.board.geometry import LAKES, SQUARES, WIDTH, Side, Square

_GRAIN: Final = (256, 128)
"""Size of the wood grain texture, in pixels."""


def draw_board(canvas: Canvas, step: float, squares: Sequence[Square] = SQUARES) -> None:
    """Draw the board, or only some of its squares, with square a1 at the origin of the canvas.

    `step` is the length of a square's side.
    """
    chance = random.Random(10)
    for square in squares:
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
    for square in squares:
        if all(LAKES >> part & 1 for part in (square, square + 1, square + WIDTH)):
            row, column = divmod(square, WIDTH)
            _draw_lake(Pen(canvas, column * step, row * step, 2 * step))


def _piece_of_wood(u: float, v: float) -> tuple[float, ...]:
    """Return the texture coordinates of a rectangular section of the wood grain."""
    across, along = 0.3, 0.4
    return (u, v, u + across, v, u + across, v + along, u, v + along)


def _bevel(pen: Pen) -> None:
    """Draw a lit edge and a shaded edge."""
    pen.colour(theme.SHORE, 0.22)
    pen.box(0, 97, 100, 3)
    pen.box(0, 0, 3, 100)
    pen.colour(theme.SHADE, 0.4)
    pen.box(0, 0, 100, 3)
    pen.box(97, 0, 3, 100)


def _draw_lake(pen: Pen) -> None:
    """Draw a lake over four squares, with a shore, shallow and deep water, and ripples."""
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
    """Return a point on the shore, which is a slightly irregular rounded square."""
    c, s = math.cos(angle), math.sin(angle)
    reach = radius / (abs(c) ** 4 + abs(s) ** 4) ** 0.25
    reach *= 1 - 0.025 * (1 + math.sin(3 * angle + 1) * math.sin(5 * angle))
    return 50 + reach * c, 50 + reach * s


@cache
def _grain() -> Texture:
    """Return a seamless texture of growth rings in shades of grey."""
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


# The background of every screen is an old map, so faint that text stays easy to read.

_HILLS: Final = ((655, 340, 120, 7, 1), (110, 395, 130, 7, 4), (330, 150, 150, 8, 2))
"""For each hill, the centre (x, y), the radius, the number of contours, and a shape parameter."""
_PEAKS: Final = ((560, 262), (578, 254), (596, 264), (218, 318), (236, 310), (40, 180), (60, 172))
_ROUTE: Final = ((498, 40), (540, 78), (560, 130), (618, 150), (650, 205), (640, 262), (655, 330))
_COMPASS: Final = (724, 118, 52)


def draw_map(canvas: Canvas, scale: float) -> None:
    """Draw the map on a canvas. `scale` is the length of a screen unit in pixels."""
    width, height = sorted(theme.SCREEN, reverse=True)
    canvas.add(PushMatrix())
    if theme.UPRIGHT:  # rotate the map so that its left edge is at the bottom
        canvas.add(Translate(height * scale, 0))
        canvas.add(Rotate(angle=90, origin=(0, 0)))
    pen = Pen(canvas, 0, 0, 100 * scale)
    pen.colour(theme.BACKGROUND)
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
    canvas.add(PopMatrix())


def _contour(x: float, y: float, reach: float, form: int) -> list[Point]:
    """Return a contour line around a hilltop."""
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
        path = [
            (x + bank * 0.5, 232 + 46 * math.sin(x / 95 + 0.6) + 15 * math.sin(x / 31) + bank)
            for x in range(-10, 811, 6)
        ]
        pen.line(*path, width=1.2)


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


# Pieces.

_MERLONS: Final = (14, 40, 66)
"""Left edges of the merlons on Red's pieces."""
_DIAMOND: Final = ((50, 90), (90, 50), (50, 10), (10, 50))


def draw_piece(pen: Pen, side: Side | None) -> None:
    """Draw a piece that fills most of the square in which `pen` draws.

    If `side` is None, the colour of the piece is unknown.

    Red's pieces are blocks with merlons and Blue's are round shields, so that they can be told
    apart without colour. Both are lit from the upper left.
    """
    if side is Side.RED:
        _block(pen)
    elif side is Side.BLUE:
        _shield(pen)
    else:
        _token(pen)


def _block(pen: Pen) -> None:
    shade, body, light = theme.PIECES[Side.RED]
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
    shade, body, light = theme.PIECES[Side.BLUE]
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
    pen.colour(theme.MARK)
    pen.disc(47, 53, 4)


def _arc(pen: Pen, colour: Colour, radius: float, begin: int, end: int, width: float) -> None:
    """Draw an arc around the centre. Angles are in degrees."""
    pen.colour(colour, 0.8)
    angles = (math.radians(begin + (end - begin) * n / 16) for n in range(17))
    points = [(50 + radius * math.cos(a), 50 + radius * math.sin(a)) for a in angles]
    pen.line(*points, width=width)


def _token(pen: Pen) -> None:
    shade, body, light = theme.PIECES[None]
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
    colour = theme.SIDE_MARKS[side]
    for tone, width in ((theme.SHADE, 13), (colour, 6)):
        pen.colour(tone)
        pen.line(*outline, width=width, close=True)


# Cached textures.

_FINE: Final = 2
"""Minimum oversampling factor of an image. Oversampling smooths edges without multisampling."""


def draw_cached_piece(canvas: Canvas, side: Side | None, x: float, y: float, size: float) -> None:
    _stamp(canvas, _piece(side, round(size), _fine()), x, y, round(size))


def draw_cached_ghost(canvas: Canvas, side: Side | None, x: float, y: float, size: float) -> None:
    _stamp(canvas, _ghost(side, round(size), _fine()), x, y, round(size))


def draw_cached_board(canvas: Canvas, x: float, y: float, step: float) -> None:
    """Draw the empty board on a canvas. `step` is the length of a square's side."""
    _stamp(canvas, _board(round(step), _fine()), x, y, WIDTH * round(step))


def _fine() -> int:
    return max(_FINE, ceil(ZOOM.scale))


def _stamp(canvas: Canvas, texture: Texture, x: float, y: float, size: int) -> None:
    # An image at a fractional position would be blurred, so the position is rounded.
    canvas.add(Rectangle(texture=texture, pos=(round(x), round(y)), size=(size, size)))


def board_texture(step: int) -> Texture:
    """Return an image of the empty board, for drawing in perspective."""
    return _board(step, _fine())


def piece_texture(side: Side, size: int) -> Texture:
    """Return an image of a piece, for drawing at any size up to `size`."""
    return _piece(side, size, _fine())


@cache
def _board(step: int, fine: int) -> Texture:
    return _drawn(WIDTH * step * fine, lambda sheet: draw_board(sheet, step * fine))


@cache
def _piece(side: Side | None, size: int, fine: int) -> Texture:
    return _drawn(size * fine, lambda sheet: draw_piece(Pen(sheet, 0, 0, size * fine), side))


@cache
def _ghost(side: Side | None, size: int, fine: int) -> Texture:
    return _drawn(size * fine, lambda sheet: draw_ghost(Pen(sheet, 0, 0, size * fine), side))


def map_texture() -> Texture:
    """Return the background of all screens."""
    return _map(theme.BACKGROUND, theme.MAP, theme.SCREEN)


@cache
def _map(_ground: theme.Colour, _lines: theme.Colour, _size: tuple[int, int]) -> Texture:
    """Draw the map in the current colours and size."""
    sheet = Fbo(size=[length * _FINE for length in theme.SCREEN])
    draw_map(sheet, _FINE)
    sheet.draw()
    return sheet.texture


def _drawn(size: int, draw: Callable[[Fbo], None]) -> Texture:
    sheet = Fbo(size=(size, size))
    draw(sheet)
    sheet.draw()
    return sheet.texture


# Lists fade out at edges beyond which their content continues.

_STEPS: Final = 32


@cache
def fade() -> Texture:
    """Return the cached texture, which is transparent at the top and opaque at the bottom."""
    texture = Texture.create(size=(1, _STEPS), colorfmt="rgba")
    rows = (bytes((255, 255, 255, 255 * (_STEPS - row) // _STEPS)) for row in range(_STEPS))
    texture.blit_buffer(b"".join(rows), colorfmt="rgba", bufferfmt="ubyte")
    return texture
