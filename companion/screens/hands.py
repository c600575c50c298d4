"""The hands over the simulated board: what fingers carry is seen above everything."""

import math
from collections.abc import Callable
from typing import Final

from kivy.input.motionevent import MotionEvent
from kivy.uix.widget import Widget

from companion.screens.widgets.board_picture import BoardPicture
from companion.screens.widgets.ledge import stamp_wood
from companion.simulator.tabletop import Tabletop

_SLIP: Final = 12
"""So far a finger may slip that only taps."""
_SIZE: Final = 1.25
"""How large a piece is in the hand, in parts of a square's side."""


class Hands(Widget):
    """Lies above all screens and takes no touch; a finger that has lifted a piece carries it here.

    A screen may go while a finger carries something, so it is let go on whatever picture of the
    board is there by then.
    """

    def __init__(self, tabletop: Tabletop, find: Callable[[], BoardPicture | None]) -> None:
        """`find` tells the picture that is the simulated board at the moment."""
        super().__init__()
        self._tabletop, self._find = tabletop, find
        self._fingers: dict[int, tuple[float, float]] = {}
        """Where each finger is."""
        self._drawn: object = None

    def tick(self) -> None:
        """Show what has changed on the board, whoever has changed it."""
        picture, tabletop = self._find(), self._tabletop
        shown = picture, tabletop.changes, dict(self._fingers) if tabletop.carried else None
        if shown == self._drawn:
            return
        self._drawn = shown
        self.canvas.clear()
        if picture is None:
            return
        picture.sharpen()
        size = picture.grid.step * _SIZE
        for finger, held in tabletop.carried.items():
            x, y = self._fingers[finger]
            stamp_wood(self.canvas, tabletop, held.piece, x - size / 2, y - size / 2, size)

    def on_touch_down(self, touch: MotionEvent) -> bool:
        touch.grab(self)
        self._fingers[touch.uid] = touch.pos
        return False

    def on_touch_move(self, touch: MotionEvent) -> bool:
        if touch.grab_current is self and touch.uid in self._tabletop.carried:
            if math.dist(touch.pos, touch.opos) > _SLIP:
                self._tabletop.carry(touch.uid)
            self._fingers[touch.uid] = touch.pos
        return False

    def on_touch_up(self, touch: MotionEvent) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        self._fingers.pop(touch.uid, None)
        if touch.uid in self._tabletop.carried:
            self._let_go(touch)
        return False

    def _let_go(self, touch: MotionEvent) -> None:
        picture = self._find()
        where = None
        if picture:
            where = picture.grid.field_at(*picture.to_widget(*self.to_window(*touch.pos)))
        pointed = self._tabletop.release(touch.uid, where)
        if picture and pointed is not None:
            picture.dispatch("on_square", pointed)
