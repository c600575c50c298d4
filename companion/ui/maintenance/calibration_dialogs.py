"""Dialogs for a board's build settings and for its calibration.

The user first checks the build settings, then sets up pieces in several steps while the board
measures them.
"""

from collections.abc import Callable, Mapping
from typing import Final

from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty

from companion.diagnostics.calibration import (
    TASKS,
    CalibrationPhase,
    GuidedCalibration,
    SettingsUpdate,
    UpdateState,
)
from companion.diagnostics.report import marks
from companion.speech.i18n import N_
from companion.ui.base.modal import Modal
from companion.ui.base.presenter import GamePresenter
from companion.ui.drawing.translator import _
from companion.ui.screens.start_screen import board_text
from companion.ui.widgets.buttons import load_kv
from engine.board.geometry import HOMES
from engine.rules.editions import DEFAULT
from firmware_bridge.image import Image
from firmware_bridge.link import Connected, Event, LinkError
from firmware_bridge.wire import CalibrationStep, Configure, Hello

_TASK: Final = N_(
    "The board uses what is selected here. A new board detects how it is built. Correct what "
    "is wrong."
)


class BoardSettingsDialog(Modal):
    """Asks for the sensor type and the wiring. The settings are sent only if they have changed."""

    kind = ObjectProperty(None, allownone=True)
    """The selected sensor type, or None until the board has identified itself."""
    geometry = ObjectProperty(None, allownone=True)
    task = StringProperty()
    """Instruction for the user, or an empty string while an error is shown."""
    error = StringProperty()
    """Reason why the board rejects the settings or cannot be reached, or an empty string."""
    next = StringProperty()
    can_choose = BooleanProperty(False)
    """Whether the board is connected and no settings are being sent."""

    def __init__(
        self, presenter: GamePresenter, close: Callable[[], None], calibrate: Callable[[], None]
    ) -> None:
        """Create the dialog. `calibrate` is called once the board has the selected settings."""
        super().__init__()
        self._presenter, self._close, self._calibrate = presenter, close, calibrate
        self._source = presenter.host.source
        self._hello: Hello | None = None
        """The board's identification message, or None while the board is disconnected."""
        self._update: SettingsUpdate | None = None

    def on_parent(self, _modal: Modal, parent: object) -> None:
        """Watch the board for as long as the dialog is open."""
        self._source.watch(self._on_event if parent else None)
        if parent:
            self._show()

    def tick(self, now: float) -> None:
        if self._update:
            self._update.tick(now)
        self._show()

    def go_on(self) -> None:
        """Start the calibration if the board already has the selected settings.

        Otherwise, send the settings to the board.
        """
        assert self._hello
        if (self.kind, self.geometry) == (self._hello.kind, self._hello.geometry):
            self._calibrate()
            return
        settings = Configure(self.kind, self.geometry)
        self._update = SettingsUpdate(
            settings, self._source.send, self._presenter.now(), _.language
        )
        self._show()

    def close(self) -> None:
        self._close()

    def _on_event(self, at: float, event: Event) -> None:
        if self._update:
            self._update.take(event, at)
        if isinstance(event, Connected):
            before, self._hello = self._hello, event.hello
            if before is None:  # this may be a different board
                self._update = None
            # A board recognises its sensors only once they are powered, which may happen later.
            if before is None or (self.kind, self.geometry) == (before.kind, before.geometry):
                self.kind, self.geometry = event.hello.kind, event.hello.geometry
        elif isinstance(event, LinkError):
            self._hello = None

    def _show(self) -> None:
        update = self._update
        if update and update.answer is UpdateState.TAKEN:
            self._update = None
            self._calibrate()
            return
        is_asked = update is not None and update.answer is UpdateState.AWAITED
        self.can_choose = self._hello is not None and not is_asked
        self.next = _("Asking the board …") if is_asked else _("Continue")
        refused = update.error if update else ""
        self.error = refused if self._hello else board_text(self._presenter)
        self.task = "" if self.error else _(_TASK)


USUAL_SECONDS: Final = 1.0
"""Usual duration of a step in seconds, after which the progress bar is full."""
_DONE: Final[Mapping[CalibrationStep, str]] = {
    CalibrationStep.EMPTY: N_("The board is empty"),
    CalibrationStep.ARMIES: N_("Both armies are set up"),
}
"""Labels of the buttons with which the user confirms that a step's task is done."""


class CalibrationDialog(Modal):
    """Shows the current task, the sensors, rejected steps, and the calibration result."""

    heading = StringProperty()
    task = StringProperty()
    """The task or, at the end, the result. Empty after a rejection, because the error message
    repeats the task."""
    error = StringProperty()
    """Error that prevents the next step, or an empty string."""
    next = StringProperty()
    """Label of the large button."""
    under_way = BooleanProperty(False)
    asked = BooleanProperty(False)
    """Whether the board is busy with a step."""
    progress = NumericProperty(0)
    """Progress of the step, from 0 to 1, estimated from its usual duration."""
    image = ObjectProperty(Image())
    awaited = NumericProperty(0)
    """Squares whose pieces are still missing."""
    marks = ObjectProperty({})
    help = StringProperty()
    """Label of the button that prepares the simulated board for the current step."""

    def __init__(self, presenter: GamePresenter, close: Callable[[], None]) -> None:
        super().__init__()
        self._presenter, self._close = presenter, close
        self._host = presenter.host
        self._calibration: GuidedCalibration | None = None
        """The calibration in progress, or None until the board is connected."""
        self._begun = 0.0
        self.ids.board.tabletop = self._host.tabletop

    def on_parent(self, _modal: Modal, parent: object) -> None:
        """Watch the board for as long as the dialog is open."""
        self._host.source.watch(self._on_event if parent else None)
        self._host.calibrating = None
        if parent:
            self._show(self._presenter.now())

    def tick(self, now: float) -> None:
        if self._calibration:
            self._calibration.tick(now)
        self._show(now)

    def stop(self) -> None:
        if self._calibration:
            self._calibration.leave(self._presenter.now())

    def go_on(self) -> None:
        """Start the step, or close the dialog if the calibration is over."""
        if self._calibration is None or not self.under_way:
            self._close()
            return
        self._begun = self._presenter.now()
        self._calibration.go_on(self._begun)
        self._show(self._begun)

    def lend_a_hand(self) -> None:
        """Set up or clear the simulated board, as required by the step."""
        tabletop = self._host.tabletop
        assert tabletop
        if self._host.calibrating is CalibrationStep.ARMIES:
            tabletop.set_up(DEFAULT, self._host.seed)
        else:
            tabletop.clear()

    def _on_event(self, at: float, event: Event) -> None:
        if self._calibration:
            self._calibration.take(event, at)
        elif isinstance(event, Connected):
            self._calibration = GuidedCalibration(event.hello, self._host.source.send, _.language)

    def _show(self, now: float) -> None:
        calibration = self._calibration
        self.image = self._host.seen if self._host.found else Image()
        self.under_way = bool(
            calibration and calibration.phase in (CalibrationPhase.DUE, CalibrationPhase.ASKED)
        )
        if calibration is None or not self.under_way:
            self._show_the_end(calibration)
            return
        self.asked = calibration.phase is CalibrationPhase.ASKED
        self.progress = min((now - self._begun) / USUAL_SECONDS, 1) if self.asked else 0
        self.error = self.help = ""
        if calibration.step in TASKS:
            self._show_step(calibration)
        self.next = _("Measuring …") if self.asked else _(_DONE[calibration.step])
        self._list(calibration)

    def _show_step(self, calibration: GuidedCalibration) -> None:
        step = calibration.step
        number = list(TASKS).index(step) + 1
        self.heading = _("Step {number} of {count}", number=number, count=len(TASKS))
        self.task = "" if calibration.findings else _(TASKS[step])
        self.awaited = HOMES & ~self.image.occupied if step is CalibrationStep.ARMIES else 0
        self._host.calibrating = step
        is_empty = not self.image.occupied
        if self._host.tabletop and (step is CalibrationStep.ARMIES or not is_empty):
            is_set_up = step is CalibrationStep.ARMIES
            self.help = _("Set up all pieces") if is_set_up else _("Remove all pieces")

    def _show_the_end(self, calibration: GuidedCalibration | None) -> None:
        self.heading, self.next = _("Calibration"), _("Back")
        self.task = calibration.verdict if calibration else ""
        self.error = calibration.error if calibration else board_text(self._presenter)
        self.asked, self.progress, self.awaited, self.help = False, 0, 0, ""
        self._host.calibrating = None
        self._list(calibration)

    def _list(self, calibration: GuidedCalibration | None) -> None:
        found = calibration.findings if calibration else []
        self.marks = marks(found)
        self.ids.findings.fill(found)


load_kv(__file__)
