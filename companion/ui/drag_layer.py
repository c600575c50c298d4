"""Drag layer of the simulated board: pieces that fingers carry are drawn above everything."""

import math
from collections.abc import Callable
from typing import Final

from kivy.input.motionevent import MotionEvent
from kivy.uix.widget import Widget

from companion.session.tabletop import Tabletop
from companion.ui.widgets.board_picture import BoardPicture, stamp_wood

_SLIP: Final = 12
"""Maximum movement of a touch that still counts as a tap, in pixels."""
_SIZE: Final = 1.25
"""Size of a carried piece, as a fraction of a square's side."""


class DragLayer(Widget):
    """Topmost layer: draws carried pieces under the fingers, but takes no touch itself.

    The screen may change during a drag, so the piece is dropped on the picture of the board that
    is shown at that moment.
    """

    def __init__(self, tabletop: Tabletop, find: Callable[[], BoardPicture | None]) -> None:
        """Create the layer; `find` returns the picture that currently shows the simulated board."""
        super().__init__()
        self._tabletop, self._find = tabletop, find
        self._fingers: dict[int, tuple[float, float]] = {}
        """Position of each finger."""
        self._drawn: object = None

    def tick(self) -> None:
        """Redraw the board if it has changed, whatever the cause."""
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
            self._release(touch)
        return False

    def _release(self, touch: MotionEvent) -> None:
        picture = self._find()
        where = None
        if picture:
            where = picture.grid.field_at(*picture.to_widget(*self.to_window(*touch.pos)))
        pointed = self._tabletop.release(touch.uid, where)
        if picture and pointed is not None:
            picture.dispatch("on_square", pointed)
