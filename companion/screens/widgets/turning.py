"""A card that moves in from its player's edge, back up, and is turned over."""

import math
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
from kivy.properties import NumericProperty, ObjectProperty, ReferenceListProperty
from kivy.uix.widget import Widget

from companion.screens.widgets.cloth import cloth
from companion.screens.widgets.stamp import stamp_piece

_SIGN: Final = 72


class Turning(Widget):
    """A widget of a `side` whose picture may be moved, tilted or turned over."""

    side = ObjectProperty(None, allownone=True)
    away_x = NumericProperty(0.0)
    away_y = NumericProperty(0.0)
    away = ReferenceListProperty(away_x, away_y)
    """Offset from its place."""
    turned = NumericProperty(1.0)
    """Progress of turning over: 0 shows the back, 1 the face."""
    tilt = NumericProperty(0.0)
    """Tilt, in degrees."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self._carry, self._lean, self._flip = Translate(), Rotate(axis=(0, 0, 1)), Scale(1, 1, 1)
        # Below the drawing of the layout, and above it.
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
        stamp_piece(self._back, self.side, *corner, _SIGN)
