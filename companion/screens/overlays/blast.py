"""Explosion of a bomb: a white flash, fire, a ring over the board, shards, smoke and letters.

The screen flashes once. Three flashes a second or more can trigger seizures.
"""

import math
import random
from typing import Final

from kivy.graphics import Canvas, Color, Line, Mesh, Rectangle
from kivy.uix.widget import Widget

from companion.screens.widgets import theme
from companion.screens.widgets.glow import FIRE, SMOKE, Puff
from companion.screens.widgets.hand_letters import INK, OUTLINE, Word
from companion.screens.widgets.pen import Point

WHITE_SECONDS: Final = 0.07
"""Duration of the white flash, in seconds."""
_WHITE_FADES: Final = 0.3
_SMOKE_AFTER: Final = 0.35
_RING_SECONDS: Final = 0.75
_GROWN_SECONDS: Final = 0.13
"""Time in which the letters reach their full size, in seconds."""
_SHAKE_SECONDS: Final = 0.7
_FADE_SECONDS: Final = 0.45
"""Duration of the fade-out at the end, in seconds."""
_SHARDS: Final = 30
_PUFFS: Final = 9


class Blast:
    """The flash, a ball of fire, a ring over the board, shards, smoke and the letters."""

    def __init__(self, canvas: Canvas, place: Widget, heart: Point, cry: str) -> None:
        self._place, self._heart = place, heart
        self._reach = math.hypot(place.width, place.height)
        self._dark = Color(*theme.GROUND[:3], 0)
        canvas.add(self._dark)
        canvas.add(Rectangle(pos=place.pos, size=place.size))
        self._fire = Puff(canvas, FIRE)
        self._smoke = [Puff(canvas, SMOKE) for _n in range(_PUFFS)]
        self._shards = _Shards(canvas, heart, place.height)
        self._ring_colour = Color(*INK[:3], 0)
        self._ring = Line(width=1)
        canvas.add(self._ring_colour)
        canvas.add(self._ring)
        self._word = Word(canvas, cry)
        self._white = Color(1, 1, 1, 0)
        self._sheet = Rectangle(pos=place.pos, size=(0, 0))
        canvas.add(self._white)
        canvas.add(self._sheet)

    def show(self, age: float, left: float) -> None:
        """Show the frame `age` seconds after the bang; before the bang, all is dark."""
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
        """Opacity of the white flash, from 0 to 1."""
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
        """Centre of the fire, between the bomb and the middle of the screen."""
        (x, y), (mx, my) = self._heart, self._place.center
        return (x + 2 * mx) / 3, (y + 2 * my) / 3


class _Shards:
    """Splinters that fly, turn and fall."""

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
        self._colour = Color(*OUTLINE[:3], 0)
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
            for corner, reach in enumerate((1.0, 0.5, 0.8, 0.6)):
                turned = angle + spin * age + corner * math.pi / 2
                vertices += [
                    x + self._unit * size * reach * math.cos(turned),
                    y + self._unit * size * reach * math.sin(turned),
                    0,
                    0,
                ]
        self._mesh.vertices = vertices


def _grown(age: float) -> float:
    """Scale of the letters: they grow from nothing, overshoot the screen and settle."""
    if age < _GROWN_SECONDS:
        return 0.3 + 1.1 * age / _GROWN_SECONDS
    return 1 + 0.4 * math.exp(-(age - _GROWN_SECONDS) / 0.18)


def _shake(age: float) -> Point:
    reach = 16 * max(0.0, 1 - age / _SHAKE_SECONDS)
    return reach * math.sin(age * 71), reach * math.cos(age * 57)
