"""Draws the curtain as pleated cloth in a side's colour, and a card that turns over."""

import math
from functools import cache
from typing import Final

from kivy.graphics import (
    Color,
    InstructionGroup,
    PopMatrix,
    PushMatrix,
    Rectangle,
    Rotate,
    Scale,
    Translate,
)
from kivy.graphics.texture import Texture
from kivy.input.motionevent import MotionEvent
from kivy.properties import NumericProperty, ObjectProperty, ReferenceListProperty
from kivy.uix.widget import Widget

from companion.ui.drawing import theme
from companion.ui.drawing.texture_cache import draw_cached_piece
from engine.board.geometry import Side

FOLDS: Final = 7
_WIDTH: Final = 256
_DYE: Final = 0.52
"""Brightness of the cloth relative to the side's symbol."""


@cache
def cloth(side: Side) -> Texture:
    """Return the cached texture, which alternates between light and dark from left to right."""
    pixels = bytearray()
    for x in range(_WIDTH):
        fold = math.sin(x / _WIDTH * math.tau * FOLDS + 0.6 * math.sin(x * 0.05))
        light = _DYE * (0.78 + 0.22 * fold)
        pixels += bytes((*(round(255 * part * light) for part in theme.SIDE_MARKS[side][:3]), 255))
    texture = Texture.create(size=(_WIDTH, 1), colorfmt="rgba")
    texture.blit_buffer(bytes(pixels), colorfmt="rgba", bufferfmt="ubyte")
    return texture


# Curtain.

_MEET: Final = 0.3
"""The curtain opens after a finger has held it for some time. After this fraction of that time, the
two halves of the curtain meet, and then begin to part again."""
_BUNCHED: Final = 0.1
"""Fraction of the screen that each half of the curtain still covers when the curtain opens."""
LEAVE_SECONDS: Final = 0.25
"""Time that the two halves take to disappear after the curtain has opened, in seconds."""
FALL_SECONDS: Final = 0.3
"""Time that the cloth takes to fall from top to bottom, in seconds."""
_HEM: Final = 7


class Drapes(Widget):
    """The two halves of a curtain. When the curtain closes, they fall together like a single cloth.

    While a finger holds the curtain, the halves first meet and then part. Touches pass through to
    the widget below, which is the one that the finger really holds.
    """

    def __init__(self, side: Side, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.cover = 0.0
        """Fraction of the width that is covered."""
        self.drop = 1.0
        """Fraction of the height that is covered."""
        with self.canvas:
            Color(*theme.BACKGROUND)
            self._dark = Rectangle()
            Color(1, 1, 1, 1)
            self._halves = [Rectangle(texture=cloth(side)) for _half in range(2)]
            Color(*theme.SIDE_MARKS[side])
            self._hems = [Rectangle() for _half in range(2)]
        self.bind(pos=self._draw, size=self._draw)
        self._draw()

    def hold(self, fill: float) -> None:
        """Show the curtain after the fraction `fill` of the time for which it must be held."""
        if fill < _MEET:
            self._dark.size = 0, 0
            self._show(fill / _MEET)
        else:
            self._dark.pos, self._dark.size = self.pos, self.size
            self._show(1 - (1 - 2 * _BUNCHED) * (fill - _MEET) / (1 - _MEET))

    def leave(self, age: float) -> bool:
        """Show the curtain `age` seconds after opening. Return whether it is still visible."""
        self._dark.size = 0, 0
        self._show(2 * _BUNCHED * max(0.0, 1 - age / LEAVE_SECONDS))
        return age < LEAVE_SECONDS

    def fall(self, age: float) -> bool:
        """Draw the curtain `age` seconds after it began to fall. Return whether it is visible."""
        self._dark.size = 0, 0
        self.drop = min(1.0, age / FALL_SECONDS) ** 2
        left = max(0.0, age - FALL_SECONDS) / LEAVE_SECONDS
        self._show(max(0.0, 1 - left))
        return left < 1

    def on_touch_down(self, _touch: MotionEvent) -> bool:
        return False

    def _show(self, cover: float) -> None:
        self.cover = cover
        self._draw()

    def _draw(self, *_args: object) -> None:
        half = self.cover * self.width / 2
        high = self.drop * self.height
        low = self.top - high
        left, right = self._halves
        left.size = right.size = half, high
        left.pos, right.pos = (self.x, low), (self.right - half, low)
        for hem, x in zip(self._hems, (self.x + half - _HEM, self.right - half), strict=True):
            hem.pos, hem.size = (x, low), (_HEM if half > _HEM else 0, high)


# Card.

_SIGN: Final = 72


class FlipCard(Widget):
    """A card of `side` that slides in face down from its player's edge, then turns over."""

    side = ObjectProperty(None, allownone=True)
    away_x = NumericProperty(0.0)
    away_y = NumericProperty(0.0)
    away = ReferenceListProperty(away_x, away_y)
    """Offset from the final position."""
    turned = NumericProperty(1.0)
    """Progress of the turn, from 0 (showing the back) to 1 (showing the face)."""
    tilt = NumericProperty(0.0)
    """Tilt in degrees."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self._carry, self._lean, self._flip = Translate(), Rotate(axis=(0, 0, 1)), Scale(1, 1, 1)
        # These canvas instructions enclose everything that the layout draws.
        for place, each in enumerate((PushMatrix(), self._carry, self._lean, self._flip)):
            self.canvas.before.insert(place, each)
        self._back = InstructionGroup()
        self.canvas.after.add(self._back)
        self.canvas.after.add(PopMatrix())
        for name in ("pos", "size", "away", "turned", "tilt", "side"):
            self.fbind(name, self._place)
        self._place()

    def _place(self, *_args: object) -> None:
        self._carry.xy = self.away
        self._lean.origin, self._lean.angle = self.center, self.tilt
        self._flip.origin = self.center
        self._flip.x = max(0.02, abs(math.cos(math.pi * self.turned)))
        self._back.clear()
        if self.turned >= 0.5 or self.side is None:
            return
        self._back.add(Color(1, 1, 1, 1))
        self._back.add(Rectangle(pos=self.pos, size=self.size, texture=cloth(self.side)))
        corner = self.center_x - _SIGN / 2, self.center_y - _SIGN / 2
        draw_cached_piece(self._back, self.side, *corner, _SIGN)
