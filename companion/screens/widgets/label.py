"""Rank labels on the pieces, where they may be seen."""

from kivy.graphics.instructions import Canvas

from companion.screens.widgets import theme
from companion.screens.widgets.pen import Pen, write
from companion.screens.widgets.rank_symbol import draw_small, number
from engine.board.ranks import SYMBOLS, Rank


def draw_label(canvas: Canvas, label: str, x: float, y: float, size: float) -> None:
    """Draw the sign of a rank on a plate, for legibility, on a piece of this size."""
    plate = Pen(canvas, x, y, size)
    plate.colour(theme.SHADE)
    plate.box(20, 22, 60, 50, 14)
    rank = SYMBOLS.get(label)
    if rank is None:
        write(canvas, label, x + size / 2, y + size * 0.47, theme.TEXT, bold=True)
    else:
        write_rank(canvas, rank, x + size / 2, y + size * 0.47, size * 0.42)


def write_rank(canvas: Canvas, rank: Rank | None, x: float, y: float, size: float) -> None:
    """Draw the sign of a rank around a point: its number, or a drawing of this size."""
    if rank is None or number(rank):
        text = "?" if rank is None else number(rank)
        write(canvas, text, x, y, theme.TEXT, bold=True, rimmed=True)
        return
    for colour, grow in ((theme.SHADE, 1.2), (theme.TEXT, 0.9)):
        pen = Pen(canvas, x - size * grow / 2, y - size * grow / 2, size * grow)
        pen.colour(colour)
        draw_small(pen, rank)
