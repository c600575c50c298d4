"""Shows one modal layer at a time over the current screen."""

from collections.abc import Callable

from kivy.uix.floatlayout import FloatLayout

from companion.ui.base.lazy_imports import lazy
from companion.ui.base.modal import Modal
from companion.ui.base.presenter import GamePresenter
from companion.ui.drawing.translator import _
from engine.game.game_state import Phase

with lazy("companion.ui.dialogs"):
    from companion.ui.dialogs import arbiter_dialogs, menus, rules_dialogs


class ModalHost:
    """Shows one modal layer at a time. A layer closes when the state of the game changes."""

    def __init__(
        self, root: FloatLayout, presenter: GamePresenter, changed: Callable[[], None]
    ) -> None:
        """Show modal layers over `root`. `changed` is called whenever the topmost layer changes."""
        self.modal: Modal | None = None
        self._root, self._presenter, self._changed = root, presenter, changed
        self._moment: object = None

    def show(self, modal: Modal) -> None:
        """Show a modal layer in place of the current one."""
        self.close()
        self.modal, self._moment = modal, self._now
        self._root.add_widget(modal)
        self._presenter.renew()
        self._changed()

    def close(self) -> None:
        if self.modal:
            self._root.remove_widget(self.modal)
            self.modal = None
            self._presenter.renew()
            self._changed()

    def refresh(self) -> None:
        """Refresh the layer, or close it if the state of the game has changed."""
        if self.modal is None:
            return
        if self._now != self._moment:
            self.close()
        elif isinstance(
            self.modal,
            menus.Menu
            | menus.ArbiterMenu
            | arbiter_dialogs.AdoptBoardDialog
            | rules_dialogs.RankCardDialog,
        ):
            with _.speaking(self.modal.spoken_in):
                self.modal.refresh()

    def tick(self, now: float) -> None:
        """Update the layer's animations and timeouts."""
        if self.modal:
            with _.speaking(self.modal.spoken_in):
                self.modal.tick(now)

    @property
    def _now(self) -> object:
        table = self._presenter.host.table
        # The menu stays open when the computer plays a turn.
        if table and self._presenter.plays_itself:
            return table.view.phase is Phase.OVER
        return table and (table.view.phase, table.view.plies, table.state.violation)
