"""Screens with a curtain: one player opens it, and only that player may see the content behind it.

A curtain is always in view and names its player. It is opened by holding a finger on it for 0.6
seconds. It closes when the player closes it, when the screen has not been touched for a few
seconds, and whenever the game continues. The private content is then discarded and built again at
the next opening, because another player may open it.

Why the finger need not stay down: many screens, and every mouse, track one finger at a time. A
finger that had to hold the curtain could not touch a tile. Sliding to the tile without lifting the
finger would work, but a slip would then choose a rank, and children slip. Holding is required only
to open, because opening must never happen by accident: a touch in passing, a sleeve or the other
player's last touch does not open the curtain. The rank stays secret because the other player looks
away, and because the private half is built when the curtain opens and discarded when it closes.
"""

import math
from typing import Final

from kivy.input.motionevent import MotionEvent
from kivy.properties import BooleanProperty, ObjectProperty, StringProperty

from companion.session.settings import ScreenEdge
from companion.ui.base.base_screen import GameScreen
from companion.ui.base.presenter import GamePresenter
from companion.ui.drawing import theme
from companion.ui.drawing.cloth import Drapes
from companion.ui.widgets.private_pane import Behind
from companion.ui.widgets.transformed import Rotated
from engine.board.geometry import Side

PATIENCE_SECONDS: Final = 6.0
"""Time after which an untouched curtain closes, in seconds: enough to look at a piece or a tile."""
READING_SECONDS: Final = 20.0
"""Time after which an untouched curtain closes while a text is shown, in seconds."""


class CurtainScreen(GameScreen):
    """The public half; its kv file contains the curtain, a `HoldArea` called ``hold``."""

    look_away = StringProperty()
    """The request to the other player to look away."""
    seat = ObjectProperty(ScreenEdge.FRONT)
    """Seat of the player who opens the curtain."""
    lies = BooleanProperty(False)
    """Whether the curtain is higher than wide, as its player sees it."""

    def __init__(self, presenter: GamePresenter, **kwargs: object) -> None:
        self._behind: Behind | None = None
        self._touched_at = 0.0
        self._drapes: Rotated | None = None
        """The curtain during its animation, rotated towards its player."""
        self._opened_at = 0.0
        self._closed_at = -math.inf
        super().__init__(presenter, **kwargs)

    @property
    def is_open(self) -> bool:
        """Whether the curtain is open."""
        return self._behind is not None

    def show_side(self, side: Side | None) -> None:
        """Show a side in the heading, and rotate the curtain towards its player."""
        super().show_side(side)
        self.seat = self.presenter.settings.seat(side) if side else ScreenEdge.FRONT
        self.lies = (self.seat in (ScreenEdge.LEFT, ScreenEdge.RIGHT)) != theme.UPRIGHT

    def on_touch_down(self, touch: MotionEvent) -> bool:
        """End the closing animation, and handle the touch as usual."""
        self._closed_at = -math.inf
        return bool(super().on_touch_down(touch))

    def make_behind(self) -> Behind | None:
        """Create the private half, or return None if there is nothing to show."""
        raise NotImplementedError

    def tick(self, now: float) -> None:
        self.ids.hold.tick(now)
        self._tick_drapes(now)
        if self._behind is not None:
            self._behind.tick(now)
        if self._behind is not None:  # not if a completed hold has closed it
            self._tick_patience(self._behind, now)

    def _tick_drapes(self, now: float) -> None:
        """Animate the curtain: parting under a finger, opening and closing."""
        fill, closed = self.ids.hold.fill, now - self._closed_at
        if self._drapes is None and self.side and (fill or closed < math.inf):
            self._drapes = Rotated(seat=self.seat, size=self.size, pos=self.pos)
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
        """Open the curtain, unless it is open already."""
        if self.is_open:
            return
        self._behind = self.make_behind()
        if self._behind is not None:
            self._behind.bind(on_turned=lambda _behind: self._turn())
            self._turned = Rotated(seat=self.seat, size=self.size, pos=self.pos)
            self._turned.add_widget(self._behind)
            self.add_widget(self._turned, index=1 if self._drapes else 0)
            self._opened_at, self._closed_at = self.presenter.now(), -math.inf
            self._turn()

    def close(self) -> None:
        """Close the curtain and discard the private half."""
        self.ids.hold.empty()
        if self._behind is not None:
            self.remove_widget(self._turned)
            self._behind, self._closed_at = None, self.presenter.now()
            self.presenter.renew()

    def hide_ranks(self) -> None:
        super().hide_ranks()
        if self.is_open:
            self.close()

    def _turn(self) -> None:
        self.touched()
        self.presenter.renew()

    def touched(self) -> None:
        """Register that the player is still there."""
        self._touched_at = self.presenter.now()
