"""A drawn sign for every rank, so that nobody has to read to find a piece.

Soldiers have insignia that grow with the rank, specialists their tool, bomb and flag themselves.
Where there is room for one sign only it is the number, or the drawing if the rank has none.
"""

import math
from collections.abc import Callable
from typing import Final

from kivy.properties import BooleanProperty, ColorProperty, ObjectProperty
from kivy.uix.widget import Widget

from companion.screens.widgets import theme
from companion.screens.widgets.pen import Pen
from companion.screens.widgets.texts import _, capitalized
from engine.ranks import Rank


def _flag(pen: Pen) -> None:
    pen.line((28, 8), (28, 92), width=7)
    wave = [(32 + 5.4 * n, 88 + 5 * math.sin(n * 0.63)) for n in range(11)]
    under = [(x, y - 40) for x, y in reversed(wave)]
    pen.shape((58, 68), *wave, *under, wave[0])


def _spy(pen: Pen) -> None:
    lid = [(8 + 8.4 * n, 50 + 30 * math.sin(math.pi * n / 10)) for n in range(11)]
    low = [(x, 100 - y) for x, y in reversed(lid)]
    pen.line(*lid, *low[1:-1], width=7, close=True)
    pen.disc(50, 50, 16)


def _scout(pen: Pen) -> None:
    pen.line((8, 50), (78, 50), width=8)
    for tip in (92, 68):
        pen.line((tip - 28, 80), (tip, 50), (tip - 28, 20), width=8)


def _miner(pen: Pen) -> None:
    pen.line((18, 10), (66, 72), width=9)
    arc = [(63 + 44 * math.cos(a), 64 + 26 * math.sin(a)) for a in _turn(0.06, 0.98, 14)]
    tilted = [_about(p, (63, 64), -0.62) for p in arc]
    pen.line(*tilted, width=10)


def _sergeant(pen: Pen) -> None:
    for y in (12, 36, 60):
        pen.line((14, y + 24), (50, y), (86, y + 24), width=10)


def _lieutenant(pen: Pen) -> None:
    pen.box(40, 12, 20, 76, 4)


def _captain(pen: Pen) -> None:
    pen.box(22, 12, 20, 76, 4)
    pen.box(58, 12, 20, 76, 4)


def _major(pen: Pen) -> None:
    pen.star(50, 48, 44)


def _colonel(pen: Pen) -> None:
    pen.star(27, 50, 27)
    pen.star(73, 50, 27)


def _general(pen: Pen) -> None:
    for x, y in ((50, 72), (26, 28), (74, 28)):
        pen.star(x, y, 25)


def _marshal(pen: Pen) -> None:
    pen.shape((50, 30), (14, 30), (8, 80), (31, 52), (50, 90), (69, 52), (92, 80), (86, 30))
    pen.box(14, 10, 72, 13, 3)


def _bomb(pen: Pen) -> None:
    pen.disc(44, 38, 34)
    pen.line((62, 64), (70, 76), width=12)
    pen.line((70, 76), (78, 86), (88, 86), width=5)
    for angle in (-0.5, 0.35, 1.2):
        x, y = math.cos(angle), math.sin(angle)
        pen.line((90 + 4 * x, 84 + 4 * y), (90 + 12 * x, 84 + 12 * y), width=4)


def _infiltrator(pen: Pen) -> None:
    """A hat and dark glasses: the spy's number, but no spy."""
    pen.shape((50, 60), (24, 58), (32, 92), (50, 86), (68, 92), (76, 58))
    pen.line((6, 54), (94, 54), width=9)
    for x in (28, 72):
        pen.disc(x, 25, 19)
    pen.line((40, 30), (60, 30), width=8)


def _turn(start: float, stop: float, steps: int) -> list[float]:
    """Angles from one part of half a turn to another."""
    return [math.pi * (start + (stop - start) * n / steps) for n in range(steps + 1)]


def _about(
    point: tuple[float, float], centre: tuple[float, float], angle: float
) -> tuple[float, float]:
    x, y = point[0] - centre[0], point[1] - centre[1]
    c, s = math.cos(angle), math.sin(angle)
    return centre[0] + c * x - s * y, centre[1] + s * x + c * y


_DRAWN: Final[dict[Rank, Callable[[Pen], None]]] = {
    Rank.FLAG: _flag,
    Rank.SPY: _spy,
    Rank.SCOUT: _scout,
    Rank.MINER: _miner,
    Rank.SERGEANT: _sergeant,
    Rank.LIEUTENANT: _lieutenant,
    Rank.CAPTAIN: _captain,
    Rank.MAJOR: _major,
    Rank.COLONEL: _colonel,
    Rank.GENERAL: _general,
    Rank.MARSHAL: _marshal,
    Rank.BOMB: _bomb,
    Rank.INFILTRATOR: _infiltrator,
}


def number(rank: object) -> str:
    """The number of a rank that has one of its own."""
    symbol: str = getattr(rank, "symbol", "")
    return symbol if symbol.isdecimal() else ""


def full_name(rank: Rank) -> str:
    """A rank for people who know their pieces by name, and for those who know them by number."""
    return " · ".join(filter(None, (number(rank), capitalized(_.language.rank(rank)))))


def draw_rank(pen: Pen, rank: Rank) -> None:
    """Draw the sign of a rank in the colour that the pen has."""
    _DRAWN[rank](pen)


class RankSymbol(Widget):
    """The sign of a rank, as big as fits."""

    rank = ObjectProperty(None, allownone=True)
    colour = ColorProperty(theme.TEXT)
    struck = BooleanProperty(False)
    """Whether the sign is crossed out."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.bind(
            pos=self._draw, size=self._draw, rank=self._draw, colour=self._draw, struck=self._draw
        )
        self._draw()

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        if self.rank is None:
            return
        size = min(self.size)
        pen = Pen(self.canvas, self.center_x - size / 2, self.center_y - size / 2, size)
        pen.colour(self.colour)
        draw_rank(pen, self.rank)
        if self.struck:
            pen.colour(theme.RAISED)
            pen.line((4, 4), (96, 96), width=15)
            pen.colour(self.colour)
            pen.line((4, 4), (96, 96), width=6)
