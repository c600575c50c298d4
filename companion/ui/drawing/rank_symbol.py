"""Draws the ranks, and the faces of the computer's difficulty levels.

A rank is drawn as a portrait or, where a portrait would be too small, as a number. The bomb and the
flag have no number; they are drawn as small solid symbols instead. The faces are in the same style
as the portraits.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Final

from kivy.clock import Clock
from kivy.properties import ColorProperty, ObjectProperty
from kivy.uix.widget import Widget

from companion.opponent.levels import Level
from companion.speech.i18n import capitalized
from companion.ui.drawing import theme
from companion.ui.drawing.shown import Shown
from companion.ui.drawing.translator import _
from companion.ui.drawing.vector_pen import Pen, Point
from engine.board.ranks import Rank

# Portraits.

WEIGHT: Final = 4.5
"""Thickness of every line, in pen units."""


def draw_portrait(pen: Pen, rank: Rank) -> None:
    """Draw a rank's portrait in the pen's current colour.

    All portraits share one style: busts drawn in lines of the same thickness, with insignia on the
    chest. The higher the rank, the larger the hat. The bomb and the flag are drawn as objects.
    """
    _DRAWN[rank](pen)


def stroke(pen: Pen, *points: Point, close: bool = False) -> None:
    """Draw a line in the portraits' line weight."""
    pen.line(*points, width=WEIGHT, close=close)


@cache
def arc(x: float, y: float, wide: float, high: float, begin: int, end: int) -> tuple[Point, ...]:
    """Return the points of an elliptic arc around (x, y). Angles are in degrees."""
    steps = max(6, abs(end - begin) // 12)
    angles = (math.radians(begin + (end - begin) * n / steps) for n in range(steps + 1))
    return tuple((x + wide * math.cos(a), y + high * math.sin(a)) for a in angles)


def _bust(pen: Pen) -> None:
    """Draw shoulders, face and eyes. Headgear and insignia distinguish the ranks."""
    stroke(pen, (8, 4), *arc(28, 4, 20, 22, 180, 95), (40, 28), (50, 20), (60, 28))
    stroke(pen, (60, 28), *arc(72, 4, 20, 22, 85, 0))
    stroke(pen, *arc(50, 48, 19, 21, 160, 380))
    _eyes(pen)


def _eyes(pen: Pen) -> None:
    for x in (43, 57):
        pen.disc(x, 50, 2.6)


def _moustache(pen: Pen) -> None:
    stroke(pen, (38, 37), *arc(44, 38, 6, 4, 200, 20), *arc(56, 38, 6, 4, 160, -20), (62, 37))


def _beard(pen: Pen) -> None:
    stroke(pen, (33, 46), (36, 30), (50, 18), (64, 30), (67, 46))
    stroke(pen, (42, 37), (58, 37))


def _star(pen: Pen, x: float, y: float, radius: float = 6.5) -> None:
    pen.star(x, y, radius)


def _stars(pen: Pen, places: Iterable[Point]) -> None:
    for x, y in places:
        _star(pen, x, y)


def _peaked_cap(pen: Pen) -> None:
    stroke(pen, (29, 60), (24, 78), *arc(50, 76, 28, 14, 170, 10), (76, 78), (71, 60))
    stroke(pen, *arc(50, 66, 24, 8, 195, 345))


def _spy(pen: Pen) -> None:
    """Draw a hat pulled over the eyes and a collar turned up to the ears."""
    stroke(pen, (8, 4), (16, 28), (38, 40), (50, 14), (62, 40), (84, 28), (92, 4))
    stroke(pen, (14, 60), *arc(50, 66, 36, 8, 200, 340), (86, 60))
    stroke(pen, (30, 62), (34, 86), *arc(50, 84, 16, 8, 160, 20), (66, 86), (70, 62))
    stroke(pen, (31, 56), (31, 46))
    stroke(pen, (69, 56), (69, 46))
    _eyes(pen)


def _scout(pen: Pen) -> None:
    """Draw a feather on a small cap, and a spyglass."""
    _bust(pen)
    stroke(pen, (30, 60), *arc(50, 60, 20, 18, 170, 10), (70, 60), close=True)
    stroke(pen, (64, 74), *arc(78, 74, 14, 20, 180, 80), (84, 84), (70, 70))
    stroke(pen, (60, 49), (90, 40), (92, 48), (62, 55), close=True)


def _miner(pen: Pen) -> None:
    """Draw a helmet with a lamp, and a pick over the shoulder."""
    _bust(pen)
    stroke(pen, (26, 60), *arc(50, 60, 22, 24, 172, 8), (74, 60), close=True)
    pen.disc(50, 74, 6)
    for angle in (50, 90, 130):
        a = math.radians(angle)
        stroke(
            pen,
            (50 + 14 * math.cos(a), 74 + 14 * math.sin(a)),
            (50 + 21 * math.cos(a), 74 + 21 * math.sin(a)),
        )
    stroke(pen, (80, 6), (92, 66))
    stroke(pen, *arc(88, 52, 16, 18, 160, 40))


def _sergeant(pen: Pen) -> None:
    """Draw a forage cap and three chevrons."""
    _bust(pen)
    stroke(pen, (28, 60), (36, 82), (76, 70), (72, 60), close=True)
    for x in (20, 74):
        for y in (4, 11):
            stroke(pen, (x - 3, y + 5), (x + 3, y), (x + 9, y + 5))


def _lieutenant(pen: Pen) -> None:
    """Draw a peaked cap with one bar."""
    _bust(pen)
    _peaked_cap(pen)
    stroke(pen, (50, 74), (50, 86))


def _captain(pen: Pen) -> None:
    """Draw a three-cornered hat with two bars, and a moustache."""
    _bust(pen)
    _moustache(pen)
    stroke(
        pen,
        (14, 68),
        (34, 66),
        (50, 60),
        (66, 66),
        (86, 68),
        (72, 84),
        (50, 90),
        (28, 84),
        close=True,
    )
    for x in (45, 55):
        stroke(pen, (x, 70), (x, 82))


def _major(pen: Pen) -> None:
    """Draw a shako with a star."""
    _bust(pen)
    _moustache(pen)
    stroke(pen, (30, 62), *arc(50, 90, 23, 6, 180, 0), (70, 62))
    stroke(pen, *arc(50, 67, 25, 8, 195, 345))
    _star(pen, 50, 79, 9)


def _bicorne(pen: Pen) -> None:
    stroke(
        pen,
        (8, 62),
        *arc(50, 64, 40, 26, 175, 5),
        (92, 62),
        *arc(50, 62, 40, 5, 0, -180),
        close=True,
    )


def _colonel(pen: Pen) -> None:
    """Draw a cocked hat with two stars."""
    _bust(pen)
    _moustache(pen)
    _bicorne(pen)
    _stars(pen, ((38, 74), (62, 74)))


def _general(pen: Pen) -> None:
    """Draw a cocked hat with three stars and a plume, and epaulettes."""
    _bust(pen)
    _moustache(pen)
    _bicorne(pen)
    _stars(pen, ((30, 70), (50, 76), (70, 70)))
    stroke(pen, (50, 88), (44, 98), (56, 98), close=True)
    for x in (6, 78):
        stroke(pen, (x, 22), (x + 16, 22))
        for n in range(4):
            stroke(pen, (x + 1 + 4.6 * n, 20), (x + 1 + 4.6 * n, 12))


def _marshal(pen: Pen) -> None:
    """Draw a crown, a beard and a baton."""
    _bust(pen)
    _beard(pen)
    crown = ((28, 62), (22, 90), (36, 78), (50, 96), (64, 78), (78, 90), (72, 62))
    stroke(pen, *crown, close=True)
    stroke(pen, (29, 70), (71, 70))
    stroke(pen, (78, 2), (92, 40), (86, 42), (72, 4))


def _infiltrator(pen: Pen) -> None:
    """Draw a beret and dark glasses, to distinguish the infiltrator from the spy."""
    _bust(pen)
    stroke(pen, (28, 60), *arc(46, 66, 28, 18, 190, 20), (72, 60), close=True)
    pen.disc(48, 86, 3)
    for x in (41, 59):
        pen.disc(x, 50, 7)
    stroke(pen, (30, 52), (70, 52))


def _bomb(pen: Pen) -> None:
    pen.ring(44, 38, 33, WEIGHT)
    stroke(pen, *arc(44, 38, 22, 22, 110, 165))
    stroke(pen, (58, 70), (66, 80), (76, 74), (68, 63))
    stroke(pen, (71, 77), (78, 86), (88, 86))
    for angle in (-0.5, 0.35, 1.2):
        x, y = math.cos(angle), math.sin(angle)
        stroke(pen, (92 + 2 * x, 84 + 4 * y), (92 + 8 * x, 84 + 12 * y))


def _flag(pen: Pen) -> None:
    stroke(pen, (24, 4), (24, 96))
    wave = [(24 + 6.4 * n, 88 + 5 * math.sin(n * 0.63)) for n in range(11)]
    stroke(pen, *wave, *((x, y - 42) for x, y in reversed(wave)), close=True)
    _star(pen, 56, 68, 12)


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


def _draw_flag(pen: Pen) -> None:
    pen.line((28, 8), (28, 92), width=9)
    wave = [(32 + 5.4 * n, 88 + 5 * math.sin(n * 0.63)) for n in range(11)]
    under = [(x, y - 40) for x, y in reversed(wave)]
    pen.shape((58, 68), *wave, *under, wave[0])


def _draw_bomb(pen: Pen) -> None:
    pen.disc(44, 38, 34)
    pen.line((62, 64), (70, 76), width=12)
    pen.line((70, 76), (78, 86), (88, 86), width=5)
    for angle in (-0.5, 0.35, 1.2):
        x, y = math.cos(angle), math.sin(angle)
        pen.line((90 + 4 * x, 84 + 4 * y), (90 + 12 * x, 84 + 12 * y), width=4)


# Symbols for all sizes.

LEAST: Final = 24
"""Minimum size of a portrait in pixels."""
_SOLID: Final = {Rank.FLAG: _draw_flag, Rank.BOMB: _draw_bomb}


def number(rank: object) -> str:
    """Return a rank's number in the chosen numbering, or S for the spy in American numbering."""
    return _.language.rank_number(rank) if isinstance(rank, Rank) else ""


def full_name(rank: Rank) -> str:
    """Return a rank's number and name, because some players know only one of the two."""
    return " · ".join(filter(None, (number(rank), capitalized(_.language.rank(rank)))))


def draw_small(pen: Pen, rank: Rank) -> None:
    """Draw the small symbol of a rank without a number, in the pen's current colour."""
    if rank in _SOLID:
        _SOLID[rank](pen)
    else:
        draw_portrait(pen, rank)


class RankSymbol(Shown, Widget):
    """The portrait of a rank, as large as possible.

    The portrait is omitted if it would be too small to recognize.
    """

    rank = ObjectProperty(None, allownone=True)
    colour = ColorProperty()
    """Colour of the lines. The default is the theme's text colour."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**({"colour": theme.TEXT} | kwargs))
        redraw = Clock.create_trigger(self._draw, -1)
        for name in ("pos", "size", "rank", "colour"):
            self.fbind(name, redraw)
        redraw()

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        size = min(self.size)
        if self.rank is None or size < LEAST:
            return
        left, bottom = self.x + (self.width - size) / 2, self.y + (self.height - size) / 2
        pen = Pen(self.canvas, left, bottom, size)
        pen.colour(self.colour)
        draw_portrait(pen, self.rank)


def draw_face(pen: Pen, level: Level) -> None:
    """Draw the face of a difficulty level in the pen's current colour.

    The hat grows with the level, as in the rank portraits.
    """
    _DRAWN_FACES[level](pen)


def _shoulders(pen: Pen) -> None:
    stroke(pen, (8, 4), *arc(28, 4, 20, 20, 180, 95), (41, 26))
    stroke(pen, (59, 26), *arc(72, 4, 20, 20, 85, 0))


def _face_eyes(pen: Pen, y: float, size: float = 2.8) -> None:
    for x in (42, 58):
        pen.disc(x, y, size)


def _pip(pen: Pen) -> None:
    """Draw a child: round cheeks, freckles, a wide smile, and a cap that is too large."""
    _shoulders(pen)
    stroke(pen, *arc(50, 46, 23, 22, 152, 388))
    _face_eyes(pen, 48, 3.4)
    stroke(pen, *arc(50, 40, 11, 9, 200, 340))
    for x, y in ((34, 42), (38, 38), (66, 42), (62, 38)):
        pen.disc(x, y, 1.2)
    stroke(pen, (24, 58), (30, 84), (82, 72), (78, 56), close=True)
    stroke(pen, (27, 66), (79, 62))
    stroke(pen, (38, 16), (50, 8), (62, 16))


def _lena(pen: Pen) -> None:
    """Draw a young woman: a fringe, a ponytail, and a peaked cap with one chevron."""
    _shoulders(pen)
    stroke(pen, *arc(50, 47, 20, 23, 165, 375))
    _face_eyes(pen, 49)
    stroke(pen, *arc(50, 38, 8, 5, 205, 335))
    stroke(pen, (37, 56), (46, 53))
    stroke(pen, (54, 53), (63, 56))
    stroke(pen, (71, 56), *arc(76, 42, 13, 16, 80, -70), (72, 36))
    stroke(pen, (28, 62), (24, 80), *arc(50, 77, 28, 12, 170, 10), (76, 80), (72, 62))
    stroke(pen, *arc(50, 67, 24, 8, 195, 345))
    stroke(pen, (43, 74), (50, 81), (57, 74))


def _bruno(pen: Pen) -> None:
    """Draw a man of forty: heavy eyebrows, a broad moustache, and a three-cornered hat."""
    _shoulders(pen)
    stroke(pen, *arc(50, 47, 21, 24, 160, 380))
    _face_eyes(pen, 50)
    stroke(pen, (35, 57), (46, 55))
    stroke(pen, (54, 55), (65, 57))
    stroke(pen, (50, 47), (47, 41), (52, 41))
    left, right = arc(41, 36, 11, 5, 80, 200), arc(59, 36, 11, 5, -20, 100)
    pen.shape((50, 38), (50, 40), *left, (50, 34), *right)
    stroke(
        pen,
        (12, 70),
        (32, 66),
        (50, 61),
        (68, 66),
        (88, 70),
        (74, 86),
        (50, 93),
        (26, 86),
        close=True,
    )
    for x in (45, 55):
        stroke(pen, (x, 70), (x, 83))


def _augusta(pen: Pen) -> None:
    """Draw an old lady: white curls, spectacles, and a cocked hat with a plume and stars."""
    _shoulders(pen)
    stroke(pen, *arc(50, 47, 19, 24, 165, 375))
    for x in (41, 59):
        pen.ring(x, 49, 8, 3)
        pen.disc(x, 49, 2.2)
    stroke(pen, (49, 50), (51, 50))
    stroke(pen, *arc(50, 35, 8, 3, 200, 340))
    for x in (28, 72):
        for y in (56, 45, 34):
            pen.ring(x, y, 5.5, 3)
    stroke(
        pen,
        (8, 64),
        *arc(50, 66, 40, 25, 175, 5),
        (92, 64),
        *arc(50, 64, 40, 5, 0, -180),
        close=True,
    )
    for x, y in ((30, 74), (50, 79), (70, 74)):
        pen.star(x, y, 6.5)
    stroke(pen, (50, 91), *arc(64, 90, 14, 9, 180, 20))
    pen.star(22, 13, 6)
    pen.star(78, 13, 6)


_DRAWN_FACES: Final[Mapping[Level, Callable[[Pen], None]]] = {
    Level.RECRUIT: _pip,
    Level.CADET: _lena,
    Level.CAPTAIN: _bruno,
    Level.MARSHAL: _augusta,
}


class Face(Widget):
    """The face of a difficulty level, as large as possible."""

    level = ObjectProperty(None, allownone=True)
    colour = ColorProperty()
    """Colour of the lines. The default is the theme's text colour."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**({"colour": theme.TEXT} | kwargs))
        self.bind(pos=self._draw, size=self._draw, level=self._draw, colour=self._draw)
        self._draw()

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        size = min(self.size)
        if self.level is None or size < 1:
            return
        left, bottom = self.x + (self.width - size) / 2, self.y + (self.height - size) / 2
        pen = Pen(self.canvas, left, bottom, size)
        pen.colour(self.colour)
        draw_face(pen, self.level)
