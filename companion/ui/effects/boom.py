"""Full-screen explosion with the word BOOM!, after a fuse has burned silently.

A touch skips the effect.

All graphics are created in advance and then only moved, scaled and faded, because a frame may take
at most 50 ms on a Raspberry Pi.
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final

from kivy.graphics import Canvas, Color, Fbo, Line, Mesh, Rectangle
from kivy.graphics.texture import Texture
from kivy.input.motionevent import MotionEvent
from kivy.uix.widget import Widget

from companion.ui.base.presenter import BOOM_SECONDS, FUSE_SECONDS
from companion.ui.drawing import theme
from companion.ui.drawing.translator import _
from companion.ui.drawing.vector_pen import Pen, Point

Stroke = tuple[Point, ...]

HEIGHT: Final = 180
"""Letter height, in stroke units."""
_ROUND: Final = 6
"""Number of line segments per bend."""
_GAP: Final = 26
_BRUSH: Final = 17
"""Half the brush width."""
_EDGE: Final = 9
"""Width of the dark outline around a letter."""
_TILTS: Final = (-7.0, 5.0, -4.0, 8.0, -6.0, 9.0)
_HOPS: Final = (0.0, 12.0, -9.0, 10.0, -5.0, 7.0)
"""Vertical offsets of successive letters. Adjacent letters never have the same offset."""
_MARGIN: Final = 46
_LARGEST: Final = 1600
"""Maximum width of a drawn word in pixels. Older Pis support textures of at most 2048 pixels."""

_BENT: Final[dict[str, tuple[Stroke, ...]]] = {
    "B": (
        ((20, 172), (58, 178), (86, 152), (78, 116), (26, 98)),
        ((28, 96), (84, 92), (104, 48), (80, 8), (16, 6)),
    ),
    "O": (((54, 178), (16, 150), (4, 88), (20, 22), (54, 2), (90, 26), (104, 92), (90, 152)),),
    "U": (((12, 178), (8, 70), (24, 14), (54, 2), (86, 16), (98, 70), (96, 180)),),
    "P": (((16, 172), (66, 178), (98, 136), (76, 88), (20, 78)),),
}
"""Curved strokes of the letters. The O is a closed curve."""
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
    """Whether all letters of a word can be drawn."""
    return all(letter in _BENT or letter in _STRAIGHT for letter in _letters(word))


@cache
def written(word: str) -> Texture:
    """Draw a word once, larger than it is shown, so that its edges are smooth."""
    letters = [(letter, _WIDTHS.get(letter, _WIDTH)) for letter in _letters(word)]
    width = sum(each + _GAP for _letter, each in letters) - _GAP + 2 * _MARGIN
    scale = _LARGEST / width
    sheet = Fbo(size=(_LARGEST, round((HEIGHT + 2 * _MARGIN) * scale)))
    for colour, thickness in (
        (theme.EXPLOSION_OUTLINE, _BRUSH + _EDGE),
        (theme.EXPLOSION_INK, _BRUSH),
    ):
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
    """Tilt a letter slightly, and offset it vertically."""
    angle = math.radians(_TILTS[place % len(_TILTS)])
    x, y = point[0] - width / 2, point[1] - HEIGHT / 2
    across = x * math.cos(angle) - y * math.sin(angle)
    up = x * math.sin(angle) + y * math.cos(angle) + _HOPS[place % len(_HOPS)]
    return left + width / 2 + across, _MARGIN + HEIGHT / 2 + up


_BOOM_PUFFS: Final = 32


def prepare() -> None:
    """Create the slowest objects in advance, so that they do not delay a frame of the explosion."""
    for tints in (FIRE, SMOKE, SPARK):
        cloud(tints)
    written(_.language.cry)


class Boom(Widget):
    """The explosion or, with reduced motion, a static ring of smoke with the word “Boom!”."""

    def __init__(
        self,
        *,
        reduced_motion: bool,
        skip: Callable[[], None],
        heart: Callable[[], Point] | None = None,
    ) -> None:
        """Start the explosion. `heart` returns the bomb's position on the screen."""
        super().__init__()
        self._reduced_motion, self._skip = reduced_motion, skip
        self._heart = heart or (lambda: self.center)
        self._drawn_for: tuple[float, ...] | None = None
        self._fuse: Fuse | None = None
        self._blast: Blast | None = None

    @property
    def white(self) -> float:
        """Opacity of the white flash, from 0 to 1."""
        return self._blast.white if self._blast else 0.0

    def on_touch_down(self, _touch: MotionEvent) -> bool:
        self._skip()
        return True

    def show(self, left: float) -> None:
        """Draw the frame `left` seconds before the end."""
        age = BOOM_SECONDS - left
        if self._drawn_for != (*self.pos, *self.size):
            self._drawn_for = (*self.pos, *self.size)
            self._draw()
        if self._reduced_motion:
            return
        assert self._fuse
        assert self._blast
        self._fuse.show(age)
        self._blast.show(age - FUSE_SECONDS, left)

    def _draw(self) -> None:
        """Create the graphics for all phases. Those for later phases are invisible at first."""
        self.canvas.clear()
        if self._reduced_motion:
            self._draw_still()
            return
        self._blast = Blast(self.canvas, self, self._heart(), _.language.cry)
        self._fuse = Fuse(self.canvas, self)

    def _draw_still(self) -> None:
        with self.canvas:
            Color(*theme.BACKGROUND)
            Rectangle(pos=self.pos, size=self.size)
        radius = 0.36 * self.height
        for n in range(_BOOM_PUFFS):
            angle = n * math.tau / _BOOM_PUFFS
            x = self.center_x + 1.5 * radius * math.cos(angle)
            y = self.center_y + radius * math.sin(angle)
            Puff(self.canvas, SMOKE).show((x, y), radius * (0.34 + 0.08 * (n % 3)), 0.8)
        Exclamation(self.canvas, _.language.cry).show(self.center, 0.62 * self.width, 1)


# Clouds of fire and smoke.

_SIDE: Final = 64
Tints = tuple[tuple[int, int, int], ...]
FIRE: Final[Tints] = ((255, 226, 130), (255, 158, 44), (236, 84, 20), (188, 36, 14), (70, 12, 8))
"""Colours of the fire, from the centre to the rim."""
SPARK: Final[Tints] = ((255, 240, 190), (255, 160, 40))
SMOKE: Final[Tints] = ((104, 108, 112),)


class Puff:
    """A soft, round cloud of fire or smoke, which fades towards the rim."""

    def __init__(self, canvas: Canvas, tints: Tints) -> None:
        self._colour = Color(1, 1, 1, 0)
        self._cloud = Rectangle(texture=cloud(tints), size=(0, 0))
        canvas.add(self._colour)
        canvas.add(self._cloud)

    def show(self, middle: Point, radius: float, alpha: float) -> None:
        radius = radius if alpha > 0 else 0.0
        self._colour.a = max(0.0, alpha)
        self._cloud.size = 2 * radius, 2 * radius
        self._cloud.pos = middle[0] - radius, middle[1] - radius


@cache
def cloud(tints: Tints) -> Texture:
    middle = (_SIDE - 1) / 2
    pixels = bytearray()
    for y in range(_SIDE):
        for x in range(_SIDE):
            away = min(1.0, ((x - middle) ** 2 + (y - middle) ** 2) ** 0.5 / middle)
            alpha = (1 - away**2) ** 1.5
            pixels += bytes((*_tint(tints, away), round(255 * alpha)))
    texture = Texture.create(size=(_SIDE, _SIDE), colorfmt="rgba")
    texture.blit_buffer(bytes(pixels), colorfmt="rgba", bufferfmt="ubyte")
    return texture


def _tint(tints: Sequence[tuple[int, int, int]], away: float) -> tuple[int, ...]:
    """Return the colour at a distance from the centre. `away` is a fraction of the radius."""
    way = away * (len(tints) - 1)
    n = min(int(way), len(tints) - 1)
    near, far = tints[n], tints[min(n + 1, len(tints) - 1)]
    return tuple(round(a + (way - n) * (b - a)) for a, b in zip(near, far, strict=True))


# Explosion.

WHITE_SECONDS: Final = 0.07
"""Duration of the white flash, in seconds."""
_WHITE_FADES: Final = 0.3
_SMOKE_AFTER: Final = 0.35
_RING_SECONDS: Final = 0.75
_GROWN_SECONDS: Final = 0.13
"""Time that the letters take to reach full size, in seconds."""
_SHAKE_SECONDS: Final = 0.7
_FADE_SECONDS: Final = 0.45
"""Duration of the final fade-out, in seconds."""
_SHARDS: Final = 30
_PUFFS: Final = 9


class Blast:
    """A white flash, a fireball, a ring over the board, shards, smoke and the letters.

    The screen flashes only once, because three or more flashes per second can trigger seizures.
    """

    def __init__(self, canvas: Canvas, place: Widget, heart: Point, cry: str) -> None:
        self._place, self._heart = place, heart
        self._reach = math.hypot(place.width, place.height)
        self._dark = Color(*theme.BACKGROUND[:3], 0)
        canvas.add(self._dark)
        canvas.add(Rectangle(pos=place.pos, size=place.size))
        self._fire = Puff(canvas, FIRE)
        self._smoke = [Puff(canvas, SMOKE) for _n in range(_PUFFS)]
        self._shards = _Shards(canvas, heart, place.height)
        self._ring_colour = Color(*theme.EXPLOSION_INK[:3], 0)
        self._ring = Line(width=1)
        canvas.add(self._ring_colour)
        canvas.add(self._ring)
        self._word = Exclamation(canvas, cry)
        self._white = Color(1, 1, 1, 0)
        self._sheet = Rectangle(pos=place.pos, size=(0, 0))
        canvas.add(self._white)
        canvas.add(self._sheet)

    def show(self, age: float, left: float) -> None:
        """Show the frame `age` seconds after the bang. Before the bang, everything is dark."""
        seen = min(1.0, left / _FADE_SECONDS)
        self._dark.a = seen
        if age < 0:
            return
        self._show_white(age)
        self._show_fire(age, seen)
        self._show_ring(age)
        self._shards.show(age, seen)
        dx, dy = _shake(age)
        x, y = self._place.center
        self._word.show((x + dx, y + dy), 1.1 * _grown(age) * self._place.width, seen)

    @property
    def white(self) -> float:
        return float(self._white.a)

    def _show_white(self, age: float) -> None:
        self._white.a = min(1.0, max(0.0, 1 - (age - WHITE_SECONDS) / _WHITE_FADES))
        self._sheet.size = self._place.size if self._white.a else (0, 0)

    def _show_fire(self, age: float, seen: float) -> None:
        spread = 1 - math.exp(-age / 0.16)
        self._fire.show(self._middle, self._reach * 1.05 * spread, min(seen, 1.5 - 0.7 * age))
        for n, puff in enumerate(self._smoke):
            angle = n * math.tau / _PUFFS + 0.4 * math.sin(n)
            away = self._reach * (0.34 + 0.05 * (n % 3)) * (1 - math.exp(-age / 0.4))
            x = self._middle[0] + 1.3 * away * math.cos(angle)
            y = self._middle[1] + away * math.sin(angle) + 40 * age * (1 + n % 3) / 2
            thick = min(0.75, max(0.0, age - _SMOKE_AFTER))
            puff.show((x, y), self._reach * 0.12 * (1 + age / 2), thick * seen)

    def _show_ring(self, age: float) -> None:
        way = min(1.0, age / _RING_SECONDS)
        self._ring_colour.a = (1 - way) ** 1.5
        if way < 1:
            radius = 30 + self._reach * (1 - (1 - way) ** 2)
            self._ring.width = 2 + 20 * (1 - way)
            self._ring.circle = (*self._heart, radius, 0, 360, 72)

    @property
    def _middle(self) -> Point:
        """Centre of the fire, between the bomb and the centre of the screen."""
        (x, y), (mx, my) = self._heart, self._place.center
        return (x + 2 * mx) / 3, (y + 2 * my) / 3


class _Shards:
    """Splinters, which fly, spin and fall."""

    def __init__(self, canvas: Canvas, heart: Point, height: float) -> None:
        chance = random.Random("shards")
        self._heart, self._unit = heart, height / 480
        self._flights = [
            (
                chance.uniform(0, math.tau),
                chance.uniform(260, 900),
                chance.uniform(9, 30),
                chance.uniform(-12, 12),
            )
            for _n in range(_SHARDS)
        ]
        self._colour = Color(*theme.EXPLOSION_OUTLINE[:3], 0)
        self._mesh = Mesh(
            vertices=[0.0] * 16 * _SHARDS,
            indices=[4 * n + k for n in range(_SHARDS) for k in (0, 1, 2, 0, 2, 3)],
            mode="triangles",
        )
        canvas.add(self._colour)
        canvas.add(self._mesh)

    def show(self, age: float, seen: float) -> None:
        """Show the splinters `age` seconds after the bang."""
        self._colour.a = seen
        vertices = []
        for angle, speed, size, spin in self._flights:
            way = self._unit * speed * age / (1 + 0.5 * age)
            x = self._heart[0] + way * math.cos(angle)
            y = self._heart[1] + way * math.sin(angle) + self._unit * (150 * age - 330 * age * age)
            for corner, reach in enumerate([1.0, 0.5, 0.8, 0.6]):
                turned = angle + spin * age + corner * math.pi / 2
                vertices += [
                    x + self._unit * size * reach * math.cos(turned),
                    y + self._unit * size * reach * math.sin(turned),
                    0,
                    0,
                ]
        self._mesh.vertices = vertices


def _grown(age: float) -> float:
    """Return the scale of the letters, which grow quickly, overshoot and settle."""
    if age < _GROWN_SECONDS:
        return 0.3 + 1.1 * age / _GROWN_SECONDS
    return 1 + 0.4 * math.exp(-(age - _GROWN_SECONDS) / 0.18)


def _shake(age: float) -> Point:
    reach = 16 * max(0.0, 1 - age / _SHAKE_SECONDS)
    return reach * math.sin(age * 71), reach * math.cos(age * 57)


# Burning fuse.

_BODY: Final = 84
"""Radius of the bomb on a screen that is 480 pixels high."""
_FUSE_POINTS: Final = (
    *((0.62, 0.86), (0.76, 1.08), (0.98, 1.22), (1.22, 1.2), (1.4, 1.04)),
    *((1.6, 0.98), (1.8, 1.1), (1.92, 1.34)),
)
"""Points along the fuse, starting at the bomb, relative to the bomb's centre and radius."""


class Fuse:
    """A round bomb, and a spark that runs along its fuse."""

    def __init__(self, canvas: Canvas, place: Widget) -> None:
        unit = place.height / 480
        x, y = place.center_x - 20 * unit, place.center_y - 30 * unit
        self._way = [
            (x + _BODY * unit * across, y + _BODY * unit * up) for across, up in _FUSE_POINTS
        ]
        self._colours: list[tuple[Color, float]] = []
        self._unit = unit

        def colour(tint: theme.Colour, alpha: float = 1.0) -> None:
            made = Color(*tint[:3], 0)
            canvas.add(made)
            self._colours.append((made, alpha))

        colour(theme.EDGE)
        side = 2 * _BODY * unit
        pen = Pen(canvas, x - side / 2, y - side / 2, side)
        pen.disc(50, 50, 51)
        pen.box(74, 82, 18, 18, 4)
        colour(theme.SURFACE)
        pen.disc(50, 50, 48)
        colour(theme.TEXT, 0.5)
        pen.line((20, 60), (26, 74), (38, 83), width=6)
        colour(theme.TEXT_SECONDARY)
        self._rope = Line(width=4 * unit, joint="round", cap="round")
        canvas.add(self._rope)
        self._glow = Puff(canvas, SPARK)
        colour(theme.EXPLOSION_INK)
        self._spark = Line(width=1.6 * unit)
        canvas.add(self._spark)

    def show(self, age: float) -> None:
        """Draw the spark `age` seconds after the fuse was lit. Hide it after the bang."""
        burnt = age / FUSE_SECONDS
        seen = 0.0 if burnt >= 1 else min(1.0, (age + 0.03) / 0.1)
        for colour, alpha in self._colours:
            colour.a = alpha * seen
        if burnt >= 1:
            self._glow.show((0, 0), 0, 0)
            return
        rest = (1 - burnt) * (len(self._way) - 1)
        whole = int(rest)
        (ax, ay), (bx, by) = self._way[whole], self._way[min(whole + 1, len(self._way) - 1)]
        x, y = ax + (rest - whole) * (bx - ax), ay + (rest - whole) * (by - ay)
        self._rope.points = [n for point in [*self._way[: whole + 1], (x, y)] for n in point]
        self._glow.show((x, y), (52 + 10 * math.sin(age * 60)) * self._unit, seen)
        rays = []
        for n in range(7):
            angle = n * math.tau / 7 + age * 9
            reach = (13 + 9 * math.sin(n * 5 + age * 70)) * self._unit
            rays += [x, y, x + reach * math.cos(angle), y + reach * math.sin(angle)]
        self._spark.points = rays
