"""The sign of a rank: its portrait where there is room, otherwise its number.

Bomb and flag have no number. Where there is no room for a portrait they are small and solid.
"""

import math
from typing import Final

from kivy.properties import ColorProperty, ObjectProperty
from kivy.uix.widget import Widget

from companion.screens.widgets import theme
from companion.screens.widgets.pen import Pen
from companion.screens.widgets.portrait import draw_portrait
from companion.screens.widgets.shown import Shown
from companion.screens.widgets.texts import _
from companion.speech.language import capitalized
from engine.board.ranks import Rank


def _flag(pen: Pen) -> None:
    pen.line((28, 8), (28, 92), width=9)
    wave = [(32 + 5.4 * n, 88 + 5 * math.sin(n * 0.63)) for n in range(11)]
    under = [(x, y - 40) for x, y in reversed(wave)]
    pen.shape((58, 68), *wave, *under, wave[0])


def _bomb(pen: Pen) -> None:
    pen.disc(44, 38, 34)
    pen.line((62, 64), (70, 76), width=12)
    pen.line((70, 76), (78, 86), (88, 86), width=5)
    for angle in (-0.5, 0.35, 1.2):
        x, y = math.cos(angle), math.sin(angle)
        pen.line((90 + 4 * x, 84 + 4 * y), (90 + 12 * x, 84 + 12 * y), width=4)


LEAST: Final = 24
"""Minimum size of a portrait, in pixels."""
_SOLID: Final = {Rank.FLAG: _flag, Rank.BOMB: _bomb}


def number(rank: object) -> str:
    """The number of a rank in the players' numbering, or the letter of an American spy."""
    return _.language.rank_number(rank) if isinstance(rank, Rank) else ""


def full_name(rank: Rank) -> str:
    """Name and number of a rank, for players used to either."""
    return " · ".join(filter(None, (number(rank), capitalized(_.language.rank(rank)))))


def draw_small(pen: Pen, rank: Rank) -> None:
    """Draw a rank without a number in a small size, in the pen's present colour."""
    if rank in _SOLID:
        _SOLID[rank](pen)
    else:
        draw_portrait(pen, rank)


class RankSymbol(Shown, Widget):
    """The portrait of a rank, as large as fits; empty where it would be unrecognizable."""

    rank = ObjectProperty(None, allownone=True)
    colour = ColorProperty(theme.TEXT)

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.bind(pos=self._draw, size=self._draw, rank=self._draw, colour=self._draw)
        self._draw()

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        size = min(self.size)
        if self.rank is None or size < LEAST:
            return
        left, bottom = self.x + (self.width - size) / 2, self.y + (self.height - size) / 2
        pen = Pen(self.canvas, left, bottom, size)
        pen.colour(self.colour)
        draw_portrait(pen, self.rank)
