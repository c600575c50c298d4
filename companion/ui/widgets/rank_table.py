"""A small table of all ranks, with the number of pieces that each army has left.

Each rank has a column with its portrait, its number, and one count per side. A rank of which a side
has no piece left is crossed out.
"""

from collections.abc import Mapping
from typing import Final

from kivy.clock import Clock
from kivy.graphics import Color
from kivy.properties import ObjectProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.widget import Widget

from companion.ui.drawing import theme
from companion.ui.drawing.hidpi_text import HidpiText
from companion.ui.drawing.rank_symbol import draw_portrait, number
from companion.ui.drawing.shown import Shown
from companion.ui.drawing.texture_cache import draw_cached_piece
from companion.ui.drawing.vector_pen import Pen, write
from companion.ui.widgets.captured_pieces import ORDER
from engine.board.geometry import Side
from engine.board.ranks import Rank

HEIGHT: Final = 106
"""Height of the whole table: four lines and the margins."""
_LINE: Final = 25
"""Height of a line; a portrait has to be at least 24 pixels high."""
_MARGIN: Final = 3
_SIGN: Final = 20
"""Width of the column with the signs of the sides."""
_LARGE: Final = 24
"""Font size with large letters: larger numbers would not fit beside each other."""

Losses = Mapping[Rank | None, int]
"""Number of captured pieces of each rank; under None, of the pieces whose rank was not revealed."""


class RankTable(Shown, HidpiText, ButtonBehavior, Widget):
    """The table. A touch opens the whole card of ranks."""

    army = ObjectProperty({})
    """Number of pieces of each rank at the beginning of the game, by side."""
    captured = ObjectProperty(None, allownone=True)
    """The losses of each side."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(min_state_time=0, **kwargs)
        self._redraw = Clock.create_trigger(self._draw, -1)
        for name in ("pos", "size", "army", "captured", "state"):
            self.fbind(name, self._redraw)

    def sharpen(self) -> None:
        self._redraw()

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        if self.height < HEIGHT or not self.captured:
            return
        pen = Pen(self.canvas, self.x, self.y, 100)
        pen.colour(theme.fill(pressed=self.state == "down"))
        pen.box(0, 0, self.width, HEIGHT, 8)
        self._draw_signs()
        unknown: list[Rank | None] = [None] if self._unknown else []
        ranks = [r for r in ORDER if any(army.get(r) for army in self.army.values())]
        columns = [*ranks, *unknown]
        width = (self.width - _SIGN - 2 * _MARGIN) / len(columns)
        for place, rank in enumerate(columns):
            self._draw_column(rank, self.x + _MARGIN + _SIGN + place * width, width)

    @property
    def _unknown(self) -> int:
        """Number of pieces off the board whose rank was not revealed."""
        return sum(losses.get(None, 0) for losses in self.captured.values())

    def _draw_signs(self) -> None:
        self.canvas.add(Color(1, 1, 1, 1))
        for line, side in zip((2, 3), Side, strict=True):
            bottom = self._bottom(line) + (_LINE - _SIGN) / 2
            draw_cached_piece(self.canvas, side, self.x + _MARGIN, bottom, _SIGN)

    def _bottom(self, line: int) -> float:
        """Lower edge of a line, counted from the top."""
        return float(self.y) + HEIGHT - _MARGIN - (line + 1) * _LINE

    def _draw_column(self, rank: Rank | None, left: float, width: float) -> None:
        if rank is not None:
            size = min(_LINE - 1, width)
            corner = left + (width - size) / 2, self._bottom(0) + (_LINE - size) / 2
            pen = Pen(self.canvas, *corner, size)
            pen.colour(theme.TEXT)
            draw_portrait(pen, rank)
        self._write("?" if rank is None else number(rank), 1, left, width, theme.TEXT)
        for line, side in zip((2, 3), Side, strict=True):
            fallen = self.captured[side].get(rank, 0)
            if rank is None:
                text, colour = (f"−{fallen}" if fallen else ""), theme.TEXT_SECONDARY
            else:
                left_over = self.army[side][rank] - fallen
                text, colour = str(left_over), theme.TEXT if left_over else theme.TEXT_SECONDARY
            self._write(text, line, left, width, colour)
            if text == "0":
                self._cross_out(line, left, width)

    def _write(self, text: str, line: int, left: float, width: float, colour: theme.Colour) -> None:
        middle = self._bottom(line) + _LINE / 2
        size = theme.choose(theme.BODY, large=_LARGE)
        if text:
            place = left + width / 2, middle
            write(self.canvas, text, *place, colour, bold=line == 1, size=size, widest=width - 2)

    def _cross_out(self, line: int, left: float, width: float) -> None:
        pen = Pen(self.canvas, left, self._bottom(line), 100)
        pen.colour(theme.TEXT)
        pen.line((3, 5), (width - 3, _LINE - 5), width=2)
