"""Animation of a bomb with a burning fuse, before the explosion."""

import math
from typing import Final

from kivy.graphics import Canvas, Color, Line
from kivy.uix.widget import Widget

from companion.screens.base.stage import FUSE_SECONDS
from companion.screens.widgets import theme
from companion.screens.widgets.glow import SPARK, Puff
from companion.screens.widgets.hand_letters import INK
from companion.screens.widgets.pen import Pen

_BODY: Final = 84
"""Radius of the bomb, on a screen of height 480."""
_WAY: Final = (
    *((0.62, 0.86), (0.76, 1.08), (0.98, 1.22), (1.22, 1.2), (1.4, 1.04)),
    *((1.6, 0.98), (1.8, 1.1), (1.92, 1.34)),
)
"""Points of the fuse from the bomb to its end, in radii from the centre of the bomb."""


class Fuse:
    """A round bomb, and a spark that runs along its fuse."""

    def __init__(self, canvas: Canvas, place: Widget) -> None:
        unit = place.height / 480
        x, y = place.center_x - 20 * unit, place.center_y - 30 * unit
        self._way = [(x + _BODY * unit * across, y + _BODY * unit * up) for across, up in _WAY]
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
        colour(theme.RAISED)
        pen.disc(50, 50, 48)
        colour(theme.TEXT, 0.5)
        pen.line((20, 60), (26, 74), (38, 83), width=6)
        colour(theme.QUIET)
        self._rope = Line(width=4 * unit, joint="round", cap="round")
        canvas.add(self._rope)
        self._glow = Puff(canvas, SPARK)
        colour(INK)
        self._spark = Line(width=1.6 * unit)
        canvas.add(self._spark)

    def show(self, age: float) -> None:
        """Place the spark for `age` seconds after the fuse was lit; hide it after the bang."""
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
