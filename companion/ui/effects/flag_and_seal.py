"""Effects on the left half of the screen: the winner's flag, and the seal of a declaration."""

import math
from typing import Final

from kivy.graphics import Color, Mesh, PopMatrix, PushMatrix, Rectangle, Scale
from kivy.uix.widget import Widget

from companion.ui.base.screen_selection import SECONDS, Effect
from companion.ui.drawing import theme
from companion.ui.drawing.cloth import cloth
from companion.ui.drawing.signs import draw_wax
from companion.ui.drawing.texture_cache import draw_cached_piece
from engine.board.geometry import Side

RISES: Final = 1.5
"""Time that the flag takes to reach the top, in seconds."""
_FADES: Final = 0.5
_STRIPS: Final = 14
_POLE: Final = 9
_WIDE, _HIGH = 0.42, 0.4
"""Width and height of the flag, as fractions of the board's width and the screen's height."""
_SIGN: Final = 96


class RisingFlag(Widget):
    """The winner's flag, which rises on a pole to the top of the screen, waves, and fades."""

    def __init__(self, side: Side) -> None:
        super().__init__()
        with self.canvas:
            Color(*theme.TEXT)
            self._pole = Rectangle()
            Color(1, 1, 1, 1)
            self._cloth = Mesh(
                mode="triangle_strip", indices=range(2 * _STRIPS + 2), texture=cloth(side)
            )
        draw_cached_piece(self.canvas, side, 0, 0, _SIGN)
        self._sign = next(
            each for each in reversed(self.canvas.children) if isinstance(each, Rectangle)
        )

    def show(self, age: float) -> None:
        """Show the flag `age` seconds after the game was won."""
        self.opacity = min(1.0, age / 0.15, (SECONDS[Effect.FLAG] - age) / _FADES)
        way = min(1.0, age / RISES)
        risen = 1 - (1 - way) ** 2
        left, width = self.x + 0.08 * self.width, _WIDE * 0.6 * self.width
        height = _HIGH * self.height
        top = self.y + height + (self.height - height - 26) * risen
        self._pole.pos, self._pole.size = (left - _POLE, self.y), (_POLE, self.height - 6)
        vertices: list[float] = []
        for strip in range(_STRIPS + 1):
            share = strip / _STRIPS
            wave = 13 * share * math.sin(7 * share - 6.5 * age)
            x = left + share * width
            for y, v in ((top - height + wave, 0), (top + wave, 1)):
                vertices += [x, y, share, v]
        self._cloth.vertices = vertices
        wave = 13 * 0.5 * math.sin(3.5 - 6.5 * age)
        self._sign.pos = left + (width - _SIGN) / 2, top - (height + _SIGN) / 2 + wave


# Seal.

_PRESSED: Final = 0.13
"""Time that it takes to press the seal, in seconds. The seal then stays for a while before it
fades."""
_SEAL_FADES: Final = 0.3
_SIZE: Final = 168


class Seal(Widget):
    """A wax seal with a side's colour and symbol, shown after a declaration.

    The seal is the same for every rank.
    """

    def __init__(self, side: Side) -> None:
        super().__init__()
        self._side = side
        self._drawn_at: tuple[float, float] | None = None

    def show(self, age: float) -> None:
        """Show the seal `age` seconds after the declaration."""
        if self._drawn_at != (self.center_x, self.center_y):
            self._draw()
        self._press.x = self._press.y = 1 + 0.9 * max(0.0, 1 - age / _PRESSED)
        left = SECONDS[Effect.SEAL] - age
        self.opacity = min(1.0, age / 0.06, left / _SEAL_FADES)

    def _draw(self) -> None:
        self._drawn_at = self.center_x, self.center_y
        left, bottom = self.center_x - _SIZE / 2, self.center_y - _SIZE / 2
        self.canvas.clear()
        self.canvas.add(PushMatrix())
        self._press = Scale(1, 1, 1, origin=self.center)
        self.canvas.add(self._press)
        draw_wax(self.canvas, self._side, left, bottom, _SIZE)
        self.canvas.add(PopMatrix())
