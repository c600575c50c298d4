"""A screen with a curtain: one player takes the screen, and nobody else may see what is behind it.

A curtain names the player and stands in full view. It is opened by holding a finger on it for
0.6 seconds, and it falls again when the player closes it, when the screen has not been touched for
20 seconds, and whenever the table goes on.

Why the finger does not stay down: many screens, and every mouse, know one finger at a time, and
the one that holds the curtain could not touch a tile. Sliding to the tile without letting go would
work, but a slip of the finger would then choose a rank, and children slip. So holding is what
opens, for that is what must never happen by accident: a touch in passing, a sleeve or the last
touch of the other player does not lift the curtain. What keeps the rank secret is that the other
player looks away, and that the private half is built when the curtain opens and thrown away when
it falls.
"""

from typing import Final

from kivy.properties import ObjectProperty, StringProperty
from kivy.uix.widget import Widget

from companion.screens.base.base_screen import GameScreen
from companion.screens.base.stage import Stage

PATIENCE_SECONDS: Final = 20.0


class CurtainScreen(GameScreen):
    """The public half; its kv has the curtain, a `HoldArea` called ``hold``."""

    look_away = StringProperty()
    """What the other player is asked."""
    open_menu = ObjectProperty(None)

    def __init__(self, stage: Stage, **kwargs: object) -> None:
        self._behind: Widget | None = None
        self._touched_at = 0.0
        super().__init__(stage, **kwargs)

    @property
    def is_open(self) -> bool:
        """Whether the curtain is open."""
        return self._behind is not None

    def make_behind(self) -> Widget | None:
        """Make what is behind the curtain, None if there is nothing to be seen just now."""
        raise NotImplementedError

    def tick(self, now: float) -> None:
        self.ids.hold.tick(now)
        if self.is_open and now >= self._touched_at + PATIENCE_SECONDS:
            self.close()

    def open(self) -> None:
        """Open the curtain."""
        if self.is_open:
            return
        self._behind = self.make_behind()
        if self._behind:
            self.touched()
            self.add_widget(self._behind)

    def close(self) -> None:
        """Let the curtain fall; what was behind it is gone."""
        self.ids.hold.empty()
        if self._behind:
            self.remove_widget(self._behind)
            self._behind = None

    def touched(self) -> None:
        """The player behind the curtain is still there."""
        self._touched_at = self.stage.now()
