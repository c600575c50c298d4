"""Build settings of the board: shows the current ones and corrects them before a calibration."""

from collections.abc import Callable
from typing import Final

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty

from companion.diagnostics.board_settings import SettingsUpdate, UpdateState
from companion.speech.i18n import N_
from companion.ui.base.modal import Modal
from companion.ui.base.presenter import GamePresenter
from companion.ui.drawing.translator import _
from companion.ui.screens.start_screen import board_text
from companion.ui.widgets.buttons import load_kv
from firmware_bridge.link import Connected, Event, LinkError
from firmware_bridge.wire import Configure, Hello

_TASK: Final = N_(
    "The board uses what is selected here. A new board detects how it is built. Correct what "
    "is wrong."
)


class BoardSettingsDialog(Modal):
    """Asks for the kind of sensors and the wiring. Sends only changed settings to the board."""

    kind = ObjectProperty(None, allownone=True)
    """The selected kind of sensors, or None before the board has introduced itself."""
    geometry = ObjectProperty(None, allownone=True)
    task = StringProperty()
    """The user's task; empty while an error is shown."""
    error = StringProperty()
    """The reason why the board rejects the settings or cannot be reached."""
    next = StringProperty()
    can_choose = BooleanProperty(False)
    """Whether the board is connected and no settings are being sent."""

    def __init__(
        self, presenter: GamePresenter, close: Callable[[], None], calibrate: Callable[[], None]
    ) -> None:
        """Create the dialog; `calibrate` continues once the board has the selected settings."""
        super().__init__()
        self._presenter, self._close, self._calibrate = presenter, close, calibrate
        self._source = presenter.host.source
        self._hello: Hello | None = None
        """The introduction of the board, or None while it is disconnected."""
        self._telling: SettingsUpdate | None = None

    def on_parent(self, _modal: Modal, parent: object) -> None:
        """Stop watching the board, however the dialog is closed."""
        self._source.watch(self._on_event if parent else None)
        if parent:
            self._show()

    def tick(self, now: float) -> None:
        if self._telling:
            self._telling.tick(now)
        self._show()

    def go_on(self) -> None:
        """Send the selected settings to the board, unless it has them already."""
        assert self._hello
        if (self.kind, self.geometry) == (self._hello.kind, self._hello.geometry):
            self._calibrate()
            return
        wish = Configure(self.kind, self.geometry)
        self._telling = SettingsUpdate(wish, self._source.send, self._presenter.now(), _.language)
        self._show()

    def close(self) -> None:
        self._close()

    def _on_event(self, at: float, event: Event) -> None:
        if self._telling:
            self._telling.take(event, at)
        if isinstance(event, Connected):
            before, self._hello = self._hello, event.hello
            if before is None:  # this may be a different board
                self._telling = None
            # A board recognises its sensors once they have a supply, which may be later.
            if before is None or (self.kind, self.geometry) == (before.kind, before.geometry):
                self.kind, self.geometry = event.hello.kind, event.hello.geometry
        elif isinstance(event, LinkError):
            self._hello = None

    def _show(self) -> None:
        telling = self._telling
        if telling and telling.answer is UpdateState.TAKEN:
            self._telling = None
            self._calibrate()
            return
        is_asked = telling is not None and telling.answer is UpdateState.AWAITED
        self.can_choose = self._hello is not None and not is_asked
        self.next = _("Asking the board …") if is_asked else _("Continue")
        refused = telling.error if telling else ""
        self.error = refused if self._hello else board_text(self._presenter)
        self.task = "" if self.error else _(_TASK)


load_kv(__file__)
