"""Cached pictures that are drawn once: a board has eighty pieces, and a Pi is slow."""

from collections.abc import Callable
from functools import cache
from math import ceil
from typing import Final

from kivy.graphics import Canvas, Fbo, Rectangle
from kivy.graphics.texture import Texture

from companion.screens.widgets import theme
from companion.screens.widgets.board_ground import draw_board
from companion.screens.widgets.map_ground import draw_map
from companion.screens.widgets.pen import Pen
from companion.screens.widgets.piece import draw_ghost, draw_piece
from companion.screens.widgets.sharp import ZOOM
from engine.board.geometry import WIDTH, Side

_FINE: Final = 2
"""Minimum oversampling of a picture, for smooth edges without multisampling."""


def stamp_piece(canvas: Canvas, side: Side | None, x: float, y: float, size: float) -> None:
    """Draw a piece on a canvas."""
    _stamp(canvas, _piece(side, round(size), _fine()), x, y, round(size))


def stamp_ghost(canvas: Canvas, side: Side | None, x: float, y: float, size: float) -> None:
    """Draw the outline of a missing piece on a canvas."""
    _stamp(canvas, _ghost(side, round(size), _fine()), x, y, round(size))


def stamp_board(canvas: Canvas, x: float, y: float, step: float) -> None:
    """Draw the empty board on a canvas; `step` is the length of a square's side."""
    _stamp(canvas, _board(round(step), _fine()), x, y, WIDTH * round(step))


def _fine() -> int:
    return max(_FINE, ceil(ZOOM.scale))


def _stamp(canvas: Canvas, texture: Texture, x: float, y: float, size: int) -> None:
    # Whole pixels only: at fractions a picture is blurred.
    canvas.add(Rectangle(texture=texture, pos=(round(x), round(y)), size=(size, size)))


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
    """Background of all screens."""
    return _map(theme.GROUND, theme.MAP)


@cache
def _map(_ground: theme.Colour, _lines: theme.Colour) -> Texture:
    """The map in the present colours."""
    sheet = Fbo(size=[length * _FINE for length in theme.SCREEN])
    draw_map(sheet, _FINE)
    sheet.draw()
    return sheet.texture


def _drawn(size: int, draw: Callable[[Fbo], None]) -> Texture:
    sheet = Fbo(size=(size, size))
    draw(sheet)
    sheet.draw()
    return sheet.texture
