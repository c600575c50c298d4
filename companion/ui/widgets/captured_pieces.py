"""Both armies' captured pieces on shelves. A side without losses has no shelf."""

from collections.abc import Iterator, Mapping

from kivy.clock import Clock
from kivy.graphics import Color
from kivy.properties import AliasProperty, ObjectProperty
from kivy.uix.widget import Widget

from companion.ui.drawing import theme
from companion.ui.drawing.hidpi_text import HidpiText
from companion.ui.drawing.signs import write_rank
from companion.ui.drawing.texture_cache import draw_cached_piece
from companion.ui.drawing.vector_pen import Pen, write
from engine.board.geometry import Side
from engine.board.ranks import Rank

ORDER = (
    *(Rank.MARSHAL, Rank.GENERAL, Rank.COLONEL, Rank.MAJOR, Rank.CAPTAIN, Rank.LIEUTENANT),
    *(Rank.SERGEANT, Rank.MINER, Rank.SCOUT, Rank.SPY, Rank.INFILTRATOR, Rank.BOMB, Rank.FLAG),
    None,
)
"""The ranks from left to right. Pieces of unknown rank come last, marked with ``?``."""
FIGURE = 30
TIMES = 24
"""Width reserved for the label with the count."""
BOARD = 4
"""Thickness of a shelf."""

Figures = list[tuple[Rank | None, int]]


class CapturedPieces(HidpiText, Widget):
    """Each side's captured pieces, grouped by rank, with counts such as ``× 3``."""

    captured = ObjectProperty(None, allownone=True)

    def _needed(self) -> float:
        return float(len(list(self._shelves())) * (FIGURE + BOARD + 2))

    needed = AliasProperty(_needed, bind=["captured", "width"])

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self._redraw = Clock.create_trigger(self._draw, -1)
        for name in ("pos", "size", "captured"):
            self.fbind(name, self._redraw)

    def sharpen(self) -> None:
        self._redraw()

    def _shelves(self) -> Iterator[tuple[Side, Figures]]:
        """Yield each shelf with its pieces, from top to bottom."""
        captured: Mapping[Side, Mapping[Rank | None, int]] = self.captured or {}
        for side in Side:
            fallen = captured.get(side, {})
            shelf: Figures = []
            for rank in ORDER:
                if not fallen.get(rank):
                    continue
                if shelf and _length(shelf) + _breadth(fallen[rank]) > self.width:
                    yield side, shelf
                    shelf = []
                shelf.append((rank, fallen[rank]))
            if shelf:
                yield side, shelf

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        y = self.top
        for side, figures in self._shelves():
            y -= FIGURE + BOARD + 2
            self._draw_board(y)
            x = self.x
            for rank, count in figures:
                self._draw_figure(side, rank, x, y + BOARD)
                if count > 1:
                    middle = x + FIGURE + TIMES / 2 - 1
                    write(self.canvas, f"×{count}", middle, y + BOARD + FIGURE / 2, theme.TEXT)
                x += _breadth(count)

    def _draw_board(self, y: float) -> None:
        pen = Pen(self.canvas, self.x, y, 100)
        pen.colour(theme.WOOD_DARK)
        pen.box(0, 0, self.width, BOARD, 1)
        pen.colour(theme.WOOD)
        pen.box(0, BOARD - 1, self.width, 1)

    def _draw_figure(self, side: Side, rank: Rank | None, x: float, y: float) -> None:
        self.canvas.add(Color(1, 1, 1, 1))
        draw_cached_piece(self.canvas, side, x, y - 2, FIGURE)
        write_rank(self.canvas, rank, x + FIGURE / 2, y + FIGURE / 2 - 2, FIGURE * 0.6)


def _breadth(count: int) -> int:
    return FIGURE + (TIMES if count > 1 else 2)


def _length(figures: Figures) -> int:
    return sum(_breadth(count) for _, count in figures)
