"""The cover that lies over the screen that is due; there is one at most."""

from collections.abc import Callable

from kivy.uix.floatlayout import FloatLayout

from companion.screens.base.cover import Cover
from companion.screens.base.later import later
from companion.screens.base.stage import Stage
from companion.screens.widgets.texts import _
from engine.play.moment import Phase

with later("companion.screens.overlays"):
    from companion.screens.overlays import board_right
    from companion.screens.overlays import menu as menus


class Over:
    """Shows one cover, as long as the moment of the game lasts for which it was opened."""

    def __init__(self, root: FloatLayout, stage: Stage, changed: Callable[[], None]) -> None:
        """Lie over a root; `changed` is called whenever another thing lies on top."""
        self.cover: Cover | None = None
        self._root, self._stage, self._changed = root, stage, changed
        self._moment: object = None

    def show(self, cover: Cover) -> None:
        """Show a cover, instead of the one that is there."""
        self.close()
        self.cover, self._moment = cover, self._now
        self._root.add_widget(cover)
        self._stage.renew()
        self._changed()

    def close(self) -> None:
        """Take the cover away, if there is one."""
        if self.cover:
            self._root.remove_widget(self.cover)
            self.cover = None
            self._stage.renew()
            self._changed()

    def refresh(self) -> None:
        """Show how things stand now. A question about a moment that has gone is withdrawn."""
        if self.cover is None:
            return
        if self._now != self._moment:
            self.close()
        elif isinstance(self.cover, menus.Menu | menus.ArbiterMenu | board_right.BoardRightCover):
            with _.speaking(self.cover.spoken_in):
                self.cover.refresh()

    def tick(self, now: float) -> None:
        """Show what moves or ends with time."""
        if self.cover:
            with _.speaking(self.cover.spoken_in):
                self.cover.tick(now)

    @property
    def _now(self) -> object:
        table = self._stage.host.table
        if table and self._stage.plays_itself:  # else whatever it plays would close what is open
            return table.view.phase is Phase.OVER
        return table and (table.view.phase, table.view.plies, table.state.violation)
