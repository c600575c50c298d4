"""The fallen pieces of both armies by rank: public, and always on the screen (rules.md §10)."""

from collections.abc import Mapping

from kivy.clock import Clock
from kivy.graphics import Color
from kivy.properties import AliasProperty, NumericProperty, ObjectProperty
from kivy.uix.widget import Widget

from companion.screens.widgets import theme
from companion.screens.widgets.pen import Pen, write
from companion.screens.widgets.rank_symbol import draw_rank, number
from companion.screens.widgets.stamp import stamp_piece
from engine.ranks import Rank
from engine.sides import Side

ORDER = (
    *(Rank.MARSHAL, Rank.GENERAL, Rank.COLONEL, Rank.MAJOR, Rank.CAPTAIN, Rank.LIEUTENANT),
    *(Rank.SERGEANT, Rank.MINER, Rank.SCOUT, Rank.SPY, Rank.INFILTRATOR, Rank.BOMB, Rank.FLAG),
)
LINES = 2
"""For each side."""


class Tally(Widget):
    """Two lines a side: the sign of each rank of the army and how many of it have fallen."""

    captured = ObjectProperty(None, allownone=True)
    row = NumericProperty(29)

    def _needed(self) -> float:
        return len(Side) * LINES * float(self.row) + theme.GAP / 2

    needed = AliasProperty(_needed, bind=["row"])

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self._redraw = Clock.create_trigger(self._draw, -1)
        for name in ("pos", "width", "captured", "row"):
            self.fbind(name, self._redraw)

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        captured: Mapping[Side, Mapping[Rank, int]] = self.captured or {}
        top = self.top
        for side in Side:
            self._draw_army(side, captured.get(side, {}), top)
            top -= LINES * self.row + theme.GAP / 2

    def _draw_army(self, side: Side, fallen: Mapping[Rank, int], top: float) -> None:
        sign = 26
        self.canvas.add(Color(1, 1, 1, 1))
        stamp_piece(self.canvas, side, self.x, top - self.row + 1, sign)
        ranks = [rank for rank in ORDER if rank in fallen]
        columns = -(-len(ranks) // LINES)
        for n, rank in enumerate(ranks):
            line, column = divmod(n, columns)
            width = (self.width - sign - 4) / columns
            x = self.x + sign + 4 + column * width
            y = top - (line + 1) * self.row
            self._draw_cell(rank, fallen[rank], x, y, width)

    def _draw_cell(self, rank: Rank, count: int, x: float, y: float, width: float) -> None:
        chip = 24
        pen = Pen(self.canvas, x, y + 2, chip)
        pen.colour(theme.PRESSED if count else theme.RAISED)
        pen.box(0, 0, 100, 100, 20)
        colour = theme.TEXT if count else theme.QUIET
        if number(rank):
            write(self.canvas, number(rank), x + chip / 2, y + 2 + chip / 2, colour)
        else:
            pen = Pen(self.canvas, x + 4, y + 6, chip - 8)
            pen.colour(colour)
            draw_rank(pen, rank)
        if count:
            middle = x + chip + (width - chip) / 2 - 1
            write(self.canvas, str(count), middle, y + 14, theme.TEXT, bold=True)
