"""A seal that is pressed on what was declared: the same for every rank."""

from typing import Final

from kivy.graphics import Color, PopMatrix, PushMatrix, Scale
from kivy.uix.widget import Widget

from companion.screens.base.passing import SECONDS, Show
from companion.screens.widgets import theme
from companion.screens.widgets.pen import Pen
from companion.screens.widgets.stamp import stamp_piece
from engine.sides import Side

_PRESSED: Final = 0.13
"""After so many seconds it is pressed on; then it stays, and fades."""
_FADES: Final = 0.3
_SIZE: Final = 168
_DENTS: Final = ((50, 96), (92, 74), (97, 34), (66, 4), (22, 8), (3, 44), (14, 84))
"""Where the wax has run out over the rim."""


class Seal(Widget):
    """Wax in the colour of a side, with its sign."""

    def __init__(self, side: Side) -> None:
        super().__init__()
        self._side = side
        self._drawn_at: tuple[float, float] | None = None

    def show(self, age: float) -> None:
        """Show it so long after the rank was declared."""
        if self._drawn_at != (self.center_x, self.center_y):
            self._draw()
        self._press.x = self._press.y = 1 + 0.9 * max(0.0, 1 - age / _PRESSED)
        left = SECONDS[Show.SEAL] - age
        self.opacity = min(1.0, age / 0.06, left / _FADES)

    def _draw(self) -> None:
        self._drawn_at = self.center_x, self.center_y
        left, bottom = self.center_x - _SIZE / 2, self.center_y - _SIZE / 2
        self.canvas.clear()
        self.canvas.add(PushMatrix())
        self._press = Scale(1, 1, 1, origin=self.center)
        self.canvas.add(self._press)
        red, green, blue, _alpha = theme.SIDES[self._side]
        pen = Pen(self.canvas, left, bottom, _SIZE)
        pen.colour((0, 0, 0, 0.45))
        pen.disc(52, 46, 54)
        for share in (0.42, 0.55):
            pen.colour((red * share, green * share, blue * share, 1))
            shrink = 0 if share == 0.42 else 4
            for x, y in _DENTS:
                pen.disc(x, y, 13 - shrink)
            pen.disc(50, 50, 50 - shrink)
        pen.colour((red * 0.42, green * 0.42, blue * 0.42, 1))
        pen.ring(50, 50, 36, 3)
        self.canvas.add(Color(1, 1, 1, 1))
        sign = 78
        stamp_piece(
            self.canvas, self._side, self.center_x - sign / 2, self.center_y - sign / 2, sign
        )
        self.canvas.add(PopMatrix())
