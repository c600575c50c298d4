"""Pictures that are drawn once and then stamped: a board has eighty pieces, and a Pi is slow."""

from collections.abc import Callable
from functools import cache

from kivy.graphics import Canvas, Fbo, Rectangle
from kivy.graphics.texture import Texture

from companion.screens.widgets import theme
from companion.screens.widgets.pen import Pen
from companion.screens.widgets.piece import draw_ghost, draw_piece
from engine.sides import Side
from engine.squares import LAKES, SQUARES, WIDTH, Square


def stamp_piece(canvas: Canvas, side: Side | None, x: float, y: float, size: float) -> None:
    """Put a piece on a canvas."""
    _stamp(canvas, _piece(side, round(size)), x, y)


def stamp_ghost(canvas: Canvas, side: Side | None, x: float, y: float, size: float) -> None:
    """Put the outline of a missing piece on a canvas."""
    _stamp(canvas, _ghost(side, round(size)), x, y)


def stamp_fields(canvas: Canvas, x: float, y: float, step: float) -> None:
    """Put the empty board on a canvas; `step` is the length of a square's side."""
    _stamp(canvas, _fields(round(step)), x, y)


def _stamp(canvas: Canvas, texture: Texture, x: float, y: float) -> None:
    # Only whole pixels: between them a picture is blurred.
    canvas.add(Rectangle(texture=texture, pos=(round(x), round(y)), size=texture.size))


@cache
def _fields(step: int) -> Texture:
    sheet = Fbo(size=(WIDTH * step, WIDTH * step))
    for square in SQUARES:
        row, column = divmod(square, WIDTH)
        _draw_field(Pen(sheet, column * step, row * step, step), square)
    sheet.draw()
    return sheet.texture


@cache
def _piece(side: Side | None, size: int) -> Texture:
    return _drawn(size, lambda pen: draw_piece(pen, side))


@cache
def _ghost(side: Side | None, size: int) -> Texture:
    return _drawn(size, lambda pen: draw_ghost(pen, side))


def _drawn(size: int, draw: Callable[[Pen], None]) -> Texture:
    sheet = Fbo(size=(size, size))
    draw(Pen(sheet, 0, 0, size))
    sheet.draw()
    return sheet.texture


def _draw_field(pen: Pen, square: Square) -> None:
    if LAKES >> square & 1:
        pen.colour(theme.LAKE)
        pen.box(0, 0, 100, 100)
        pen.colour(theme.BLUE, 0.35)
        for y in (35, 60):
            pen.line((22, y), (36, y + 8), (50, y), (64, y + 8), (78, y), width=4)
        return
    row, column = divmod(square, WIDTH)
    pen.colour(theme.FIELD if (row + column) % 2 else theme.FIELD_DARK)
    pen.box(2, 2, 96, 96, 8)
