"""A screen with a curtain: one player takes the screen, and nobody else may see what is behind it.

A curtain names the player and stands in full view. It is opened by holding a finger on it for
0.6 seconds, and it falls again when the player closes it, when the screen has not been touched for
a few seconds, and whenever the table goes on. What was behind it then is not behind it when it is
opened again: whoever opens it next may be somebody else.

Why the finger does not stay down: many screens, and every mouse, know one finger at a time, and
the one that holds the curtain could not touch a tile. Sliding to the tile without letting go would
work, but a slip of the finger would then choose a rank, and children slip. So holding is what
opens, for that is what must never happen by accident: a touch in passing, a sleeve or the last
touch of the other player does not lift the curtain. What keeps the rank secret is that the other
player looks away, and that the private half is built when the curtain opens and thrown away when
it falls.
"""

import math
from typing import Final

from kivy.input.motionevent import MotionEvent
from kivy.properties import BooleanProperty, ObjectProperty, StringProperty

from companion.screens.base.base_screen import GameScreen
from companion.screens.base.stage import Stage
from companion.screens.widgets.behind import Behind
from companion.screens.widgets.drapes import Drapes
from companion.screens.widgets.seats import Seat
from companion.screens.widgets.turned import Turned
from engine.sides import Side

PATIENCE_SECONDS: Final = 6.0
"""For so long a curtain stays open that nobody touches: enough to look at a piece, or at a tile."""
READING_SECONDS: Final = 20.0
"""The same while there is a text to read."""


class CurtainScreen(GameScreen):
    """The public half; its kv has the curtain, a `HoldArea` called ``hold``."""

    look_away = StringProperty()
    """What the other player is asked."""
    seat = ObjectProperty(Seat.FRONT)
    """Where the player sits for whom the curtain is."""
    lies = BooleanProperty(False)
    """Whether that is at a side of the screen, so that the curtain is higher than wide."""

    def __init__(self, stage: Stage, **kwargs: object) -> None:
        self._behind: Behind | None = None
        self._touched_at = 0.0
        self._drapes: Turned | None = None
        """The curtain as it is seen while it opens, turned to whom it is for."""
        self._opened_at = 0.0
        self._closed_at = -math.inf
        super().__init__(stage, **kwargs)

    @property
    def is_open(self) -> bool:
        """Whether the curtain is open."""
        return self._behind is not None

    def show_side(self, side: Side | None) -> None:
        """Let a side head the screen, and turn to its player."""
        super().show_side(side)
        self.seat = self.stage.settings.seat(side) if side else Seat.FRONT
        self.lies = self.seat in (Seat.LEFT, Seat.RIGHT)

    def on_touch_down(self, touch: MotionEvent) -> bool:
        """A touch ends the fall of the curtain, and does what it does."""
        self._closed_at = -math.inf
        return bool(super().on_touch_down(touch))

    def make_behind(self) -> Behind | None:
        """Make what is behind the curtain, None if there is nothing to be seen just now."""
        raise NotImplementedError

    def tick(self, now: float) -> None:
        self.ids.hold.tick(now)
        self._tick_drapes(now)
        if self._behind is not None:
            self._behind.tick(now)
        if self._behind is not None:  # what was held to its end has not closed it
            self._tick_patience(self._behind, now)

    def _tick_drapes(self, now: float) -> None:
        """Part the curtain under a finger, draw it aside once it is open, and let it fall."""
        fill, closed = self.ids.hold.fill, now - self._closed_at
        if self._drapes is None and self.side and (fill or closed < math.inf):
            self._drapes = Turned(seat=self.seat, size=self.size, pos=self.pos)
            self._drapes.add_widget(Drapes(self.side))
            self.add_widget(self._drapes)
        if self._drapes is None:
            return
        (drapes,) = self._drapes.inside
        if fill:
            drapes.hold(fill)
        elif not (drapes.leave(now - self._opened_at) if self.is_open else drapes.fall(closed)):
            self.remove_widget(self._drapes)
            self._drapes, self._closed_at = None, -math.inf

    def _tick_patience(self, behind: Behind, now: float) -> None:
        if behind.is_touched:
            self.touched()
        patience = READING_SECONDS if behind.is_to_be_read else PATIENCE_SECONDS
        behind.left = max(0.0, 1 - (now - self._touched_at) / patience)
        if not behind.left:
            self.close()

    def open(self) -> None:
        """Open the curtain."""
        if self.is_open:
            return
        self._behind = self.make_behind()
        if self._behind is not None:
            self._behind.bind(on_turned=lambda _behind: self._turn())
            self._turned = Turned(seat=self.seat, size=self.size, pos=self.pos)
            self._turned.add_widget(self._behind)
            self.add_widget(self._turned, index=1 if self._drapes else 0)
            self._opened_at, self._closed_at = self.stage.now(), -math.inf
            self._turn()

    def close(self) -> None:
        """Let the curtain fall; what was behind it is gone."""
        self.ids.hold.empty()
        if self._behind is not None:
            self.remove_widget(self._turned)
            self._behind, self._closed_at = None, self.stage.now()
            self.stage.renew()

    def hide_ranks(self) -> None:
        super().hide_ranks()
        if self.is_open:
            self.close()

    def _turn(self) -> None:
        self.touched()
        self.stage.renew()

    def touched(self) -> None:
        """The player behind the curtain is still there."""
        self._touched_at = self.stage.now()
