"""What is printed on a piece, where it may be seen."""

from kivy.graphics.instructions import Canvas

from companion.screens.widgets import theme
from companion.screens.widgets.pen import Pen, write
from companion.screens.widgets.rank_symbol import draw_rank, number
from engine.ranks import SYMBOLS


def draw_label(canvas: Canvas, label: str, x: float, y: float, size: float) -> None:
    """Draw a rank by its sign, on a plate so that it can be read, onto a piece of this size."""
    plate = Pen(canvas, x, y, size)
    plate.colour(theme.GROUND)
    plate.box(22, 22, 56, 48, 14)
    rank = SYMBOLS.get(label)
    if rank is None or number(rank):
        write(canvas, label, x + size / 2, y + size * 0.46, theme.TEXT, bold=True)
        return
    sign = Pen(canvas, x + size * 0.32, y + size * 0.28, size * 0.36)
    sign.colour(theme.TEXT)
    draw_rank(sign, rank)
