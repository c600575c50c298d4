"""Bold brush lettering for an exclamation: Boom!

It contains only the letters that the translations of the exclamation need.
"""

import math
from collections.abc import Iterator
from functools import cache
from typing import Final

from kivy.graphics import Canvas, Color, Fbo, Line, Rectangle
from kivy.graphics.texture import Texture

from companion.ui.drawing.theme import Colour
from companion.ui.drawing.vector_pen import Point

Stroke = tuple[Point, ...]

HEIGHT: Final = 180
"""Height of a letter, in the units of the strokes."""
_ROUND: Final = 6
"""Number of segments of a bend."""
_GAP: Final = 26
_BRUSH: Final = 17
"""Half the width of the brush."""
_EDGE: Final = 9
"""Width of the dark outline of a letter."""
INK: Final[Colour] = (1.0, 0.95, 0.8, 1.0)
OUTLINE: Final[Colour] = (0.16, 0.03, 0.02, 1.0)
_TILTS: Final = (-7.0, 5.0, -4.0, 8.0, -6.0, 9.0)
_HOPS: Final = (0.0, 12.0, -9.0, 10.0, -5.0, 7.0)
"""Vertical offsets of the letters: adjacent letters never have the same offset."""
_MARGIN: Final = 46
_LARGEST: Final = 1600
"""Maximum width of the drawing of a word; older Pis have no texture larger than 2048."""

_BENT: Final[dict[str, tuple[Stroke, ...]]] = {
    "B": (
        ((20, 172), (58, 178), (86, 152), (78, 116), (26, 98)),
        ((28, 96), (84, 92), (104, 48), (80, 8), (16, 6)),
    ),
    "O": (((54, 178), (16, 150), (4, 88), (20, 22), (54, 2), (90, 26), (104, 92), (90, 152)),),
    "U": (((12, 178), (8, 70), (24, 14), (54, 2), (86, 16), (98, 70), (96, 180)),),
    "P": (((16, 172), (66, 178), (98, 136), (76, 88), (20, 78)),),
}
"""Strokes with soft bends; the O's stroke returns to its start."""
_STRAIGHT: Final[dict[str, tuple[Stroke, ...]]] = {
    "B": (((16, 4), (12, 90), (20, 174)),),
    "P": (((18, 0), (12, 96), (16, 174)),),
    "M": (((4, 0), (16, 176), (56, 64), (98, 180), (108, 2)),),
    "E": (((94, 170), (18, 176), (12, 6), (98, 10)), ((16, 92), (78, 96))),
    "!": (((34, 180), (26, 66)), ((22, 8), (24, 10))),
    "¡": (((26, 116), (18, 2)), ((28, 172), (30, 174))),
}
_WIDTHS: Final = {"!": 44, "¡": 44}
_WIDTH: Final = 106


class Exclamation:
    """An exclamation in hand-drawn letters."""

    def __init__(self, canvas: Canvas, word: str) -> None:
        self._texture = written(word)
        self._colour = Color(1, 1, 1, 0)
        self._paper = Rectangle(texture=self._texture, size=(0, 0))
        canvas.add(self._colour)
        canvas.add(self._paper)

    def show(self, middle: Point, width: float, alpha: float) -> None:
        self._colour.a = alpha
        height = width * self._texture.height / self._texture.width
        self._paper.size = width, height
        self._paper.pos = middle[0] - width / 2, middle[1] - height / 2


def _letters(word: str) -> list[str]:
    return [letter for letter in word.upper() if not letter.isspace()]


def can_be_written(word: str) -> bool:
    """Whether all letters of a word are available."""
    return all(letter in _BENT or letter in _STRAIGHT for letter in _letters(word))


@cache
def written(word: str) -> Texture:
    """Draw a word once, larger than it is shown, for smooth edges."""
    letters = [(letter, _WIDTHS.get(letter, _WIDTH)) for letter in _letters(word)]
    width = sum(each + _GAP for _letter, each in letters) - _GAP + 2 * _MARGIN
    scale = _LARGEST / width
    sheet = Fbo(size=(_LARGEST, round((HEIGHT + 2 * _MARGIN) * scale)))
    for colour, thickness in ((OUTLINE, _BRUSH + _EDGE), (INK, _BRUSH)):
        sheet.add(Color(*colour))
        left = float(_MARGIN)
        for place, (letter, wide) in enumerate(letters):
            for stroke, closes in _strokes(letter):
                stood = (_stand(point, place, left, wide) for point in stroke)
                points = [scale * number for point in stood for number in point]
                sheet.add(_brushed(points, scale * thickness, closes=closes))
            left += wide + _GAP
    sheet.draw()
    return sheet.texture


def _brushed(points: list[float], width: float, *, closes: bool) -> Line:
    return Line(points=points, width=width, close=closes, joint="round", cap="round")


def _strokes(letter: str) -> Iterator[tuple[Stroke, bool]]:
    for stroke in _STRAIGHT.get(letter, ()):
        yield stroke, False
    for stroke in _BENT.get(letter, ()):
        closes = letter == "O"
        yield tuple(_bend(stroke, closes=closes)), closes


def _bend(stroke: Stroke, *, closes: bool) -> Iterator[Point]:
    """Interpolate a smooth line through the points of a stroke (Catmull-Rom spline)."""
    last = len(stroke) - 1
    for n in range(len(stroke) if closes else last):
        a, b, c, d = (
            stroke[m % len(stroke)] if closes else stroke[min(max(m, 0), last)]
            for m in range(n - 1, n + 3)
        )
        for step in range(_ROUND):
            t = step / _ROUND
            yield _between(a[0], b[0], c[0], d[0], t), _between(a[1], b[1], c[1], d[1], t)
    if not closes:
        yield stroke[-1]


def _between(a: float, b: float, c: float, d: float, t: float) -> float:
    return b + t / 2 * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))


def _stand(point: Point, place: int, left: float, width: float) -> Point:
    """Tilt a letter slightly and offset it vertically."""
    angle = math.radians(_TILTS[place % len(_TILTS)])
    x, y = point[0] - width / 2, point[1] - HEIGHT / 2
    across = x * math.cos(angle) - y * math.sin(angle)
    up = x * math.sin(angle) + y * math.cos(angle) + _HOPS[place % len(_HOPS)]
    return left + width / 2 + across, _MARGIN + HEIGHT / 2 + up
