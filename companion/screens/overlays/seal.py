"""Animated seal for a declaration or an army: the same for every rank."""

from typing import Final

from kivy.graphics import PopMatrix, PushMatrix, Scale
from kivy.uix.widget import Widget

from companion.screens.base.passing import SECONDS, Show
from companion.screens.widgets.wax import draw_wax
from engine.board.geometry import Side

_PRESSED: Final = 0.13
"""Time until the seal is pressed on, in seconds; then it stays, and fades."""
_FADES: Final = 0.3
_SIZE: Final = 168


class Seal(Widget):
    """Wax in the colour of a side, with its sign."""

    def __init__(self, side: Side) -> None:
        super().__init__()
        self._side = side
        self._drawn_at: tuple[float, float] | None = None

    def show(self, age: float) -> None:
        """Show the seal `age` seconds after the declaration."""
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
        draw_wax(self.canvas, self._side, left, bottom, _SIZE)
        self.canvas.add(PopMatrix())
