"""A player's phone as a sign, with its side's piece; struck out while disconnected."""

from typing import Final

from kivy.graphics import Color
from kivy.properties import AliasProperty, BooleanProperty, ObjectProperty
from kivy.uix.widget import Widget

from companion.screens.widgets import theme
from companion.screens.widgets.pen import Pen
from companion.screens.widgets.side_panel import Yielding
from companion.screens.widgets.side_sign import LEAST
from companion.screens.widgets.stamp import stamp_piece
from engine.board.geometry import Side

_LEFT, _RIGHT, _LOW, _HIGH = 24, 76, 2, 98
_PIECE: Final = 42
HIGH: Final = 44
"""Height of signs in a row."""


class PhoneSign(Widget):
    """One phone, as large as fits; empty without a side."""

    side = ObjectProperty(None, allownone=True)
    here = BooleanProperty(True)

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        for name in ("pos", "size", "side", "here"):
            self.fbind(name, self._draw)
        self._draw()

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        size = min(self.size)
        if self.side is None or size < LEAST:
            return
        left, bottom = self.x + (self.width - size) / 2, self.y + (self.height - size) / 2
        pen = Pen(self.canvas, left, bottom, size)
        pen.colour(theme.TEXT)
        pen.box(_LEFT, _LOW, _RIGHT - _LEFT, _HIGH - _LOW, 9)
        pen.colour(theme.GROUND)
        pen.box(_LEFT + 4, _LOW + 12, _RIGHT - _LEFT - 8, _HIGH - _LOW - 20, 2)
        self.canvas.add(Color(1, 1, 1, 1))
        edge, unit = size * _PIECE / 100, size / 100
        stamp_piece(
            self.canvas, self.side, left + (50 - _PIECE / 2) * unit, bottom + 32 * unit, edge
        )
        if not self.here:
            for colour, width in ((theme.GROUND, 18), (theme.TEXT, 8)):
                pen.colour(colour)
                pen.line((10, 14), (90, 86), width=width)


class PhoneLine(Yielding):
    """The players' phones, side by side; hidden where there is no room."""

    seats = ObjectProperty({})
    """The sides that have a phone, and whether it is connected."""

    def _needed(self) -> float:
        return HIGH if self.seats else 0

    needed = AliasProperty(_needed, bind=["seats"])

    def on_seats(self, *_args: object) -> None:
        self.clear_widgets()
        for side in Side:
            if side in self.seats:
                sign = PhoneSign(side=side, here=self.seats[side], size_hint_x=None, width=HIGH)
                self.add_widget(sign)
