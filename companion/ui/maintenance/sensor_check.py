"""Sensor check: live readings from every sensor on the board, and diagnostics."""

from collections.abc import Callable, Iterator
from math import inf
from typing import Final

from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty

from companion.diagnostics.board_monitor import BoardMonitor
from companion.diagnostics.firmware_update import UpdateOffer, offer_after_error, offer_for_board
from companion.diagnostics.inspection import Inspection
from companion.diagnostics.report import ON_MODULE, ON_TILE, Finding, marks
from companion.ui.base.modal import Modal
from companion.ui.base.presenter import GamePresenter
from companion.ui.drawing.translator import _
from companion.ui.screens.start_screen import board_text
from companion.ui.widgets.buttons import load_kv
from companion.ui.widgets.sensor_picture import strength_text
from engine.board.geometry import Square, name, set_of
from firmware_bridge.board_hardware import WIRINGS
from firmware_bridge.image import ARMIES
from firmware_bridge.link import Connected, Event, Statistics
from firmware_bridge.wire import BoardKind, Geometry, Hello

DRAW_SECONDS: Final = 0.2
"""Interval between redraws, in seconds."""
JUDGE_SECONDS: Final = 1.0
"""Interval between evaluations, in seconds. Nobody could read findings that changed faster."""
READY_SECONDS: Final = 1.5
"""Observation time before the first finding is shown, in seconds."""


class SensorCheck(Modal):
    """Requests readings from the board while the dialog is open, and shows them."""

    lost = BooleanProperty(True)
    """Whether the board is disconnected."""
    error = StringProperty()
    board = StringProperty()
    """Description of the board, in a few lines."""
    armies = BooleanProperty(False)
    """Whether the user has confirmed that both armies are set up."""
    sensors = ObjectProperty({})
    marks = ObjectProperty({})
    has_strength = BooleanProperty(True)
    unfelt = NumericProperty(0)
    """Squares in the armies' rows on which no piece is detected."""
    expected = ObjectProperty(ARMIES)
    offer = ObjectProperty(None, allownone=True)
    """The firmware update offered for the board, or None."""
    has_faults = BooleanProperty(False)
    """Whether faults can be injected into the board."""
    has_camera = BooleanProperty(False)
    """Whether a camera observes the board."""
    chosen = ObjectProperty(None, allownone=True)
    """The square that the user has touched, or None."""
    square = StringProperty()
    details = StringProperty()
    verdict = StringProperty()
    """Text to show if there are no findings."""

    def __init__(
        self,
        presenter: GamePresenter,
        close: Callable[[], None],
        open_calibration: Callable[[], None],
        open_flashing: Callable[[UpdateOffer], None],
        open_faults: Callable[[], None] | None,
        open_camera: Callable[[], None] | None,
    ) -> None:
        """Watch the board.

        `open_faults` is None unless the board is simulated; `open_camera` is None without a camera.
        """
        super().__init__()
        self._open_camera, self.has_camera = open_camera, open_camera is not None
        self._open_faults, self.has_faults = open_faults, open_faults is not None
        self._presenter, self._close = presenter, close
        self._open_calibration, self._open_flashing = open_calibration, open_flashing
        self._source = presenter.host.source
        self._inspection: Inspection | None = None
        self._begun = self._drawn = self._judged = -inf
        self._found: list[Finding] = []

    def on_parent(self, _modal: Modal, parent: object) -> None:
        """Watch the board for as long as the dialog is open, then turn the lamps off."""
        self._source.watch(self._on_event if parent else None)
        self._presenter.host.tried = None
        if parent:
            self._draw(self._presenter.now())

    def tick(self, now: float) -> None:
        if self._inspection:
            self._inspection.ask_if_due(now)
        if now - self._drawn >= DRAW_SECONDS:
            self._draw(now)

    def choose(self, square: Square) -> None:
        self.chosen = self._presenter.host.tried = None if square == self.chosen else square
        self._draw(self._presenter.now())

    def toggle_armies(self) -> None:
        self.armies = not self.armies
        self._judged = -inf
        self._draw(self._presenter.now())

    def calibrate(self) -> None:
        self._open_calibration()

    def flash(self) -> None:
        self._open_flashing(self.offer)

    def open_faults(self) -> None:
        assert self._open_faults
        self._open_faults()

    def open_camera(self) -> None:
        assert self._open_camera
        self._open_camera()

    def close(self) -> None:
        self._close()

    def _on_event(self, at: float, event: Event) -> None:
        lost = self._inspection is None or self._inspection.error
        if lost and isinstance(event, Connected):
            # This may be a different board.
            self._inspection = Inspection(event, self._source.statistics, self._source.send)
            self._begun, self._judged, self._found = at, -inf, []
        elif self._inspection:
            self._inspection.take(event, at)

    def _draw(self, now: float) -> None:
        self._drawn = now
        inspection = self._inspection
        self.lost = inspection is None or inspection.error is not None
        if inspection is None or self.lost:
            self._draw_nothing()
            return
        watch = inspection.watch
        is_real = not self._source.simulated
        self.offer = offer_for_board(watch.port, watch.hello) if is_real else None
        self._judge(inspection, now)
        self.board = _board(watch, inspection.statistics)
        self.has_strength = watch.hello.kind is BoardKind.COLOURS
        self.sensors, self.marks = watch.sensors(), marks(self._found)
        unfelt = (each for each, about in self.marks.items() if about == "unfelt")
        self.unfelt = set_of(unfelt)
        self._draw_chosen(watch)
        self._list()

    def _draw_nothing(self) -> None:
        self.error = board_text(self._presenter)
        self.offer = None if self._source.simulated else offer_after_error(self._source.error)
        self._found, self.sensors, self.marks, self.unfelt = [], {}, {}, 0
        self.verdict = ""
        self._draw_chosen(None)
        self._list()

    def _judge(self, inspection: Inspection, now: float) -> None:
        if now - self._begun < READY_SECONDS:
            self.verdict = _("Measuring …")
        elif now - self._judged >= JUDGE_SECONDS:
            self._judged, self.verdict = now, _("No faults found.")
            self._found = inspection.findings(now, armies=self.armies, language=_.language)

    def _draw_chosen(self, watch: BoardMonitor | None) -> None:
        if self.chosen is None:
            hint = _("Tap a square to see what its sensor reads and to test its lamps.")
            # The findings and the button for new firmware are more important than the hint, and
            # need its space.
            self.square, self.details = "", "" if self.offer or self._found else hint
            return
        wiring = watch.wiring if watch else WIRINGS[Geometry.BY_HAND]
        multiplexer, channel = wiring.place(self.chosen)
        lines = [_(ON_MODULE, multiplexer=multiplexer, input=channel)]
        if wiring.is_of_tiles:
            lines.insert(0, _(ON_TILE, plug=wiring.plug(multiplexer)))
        sensor = self.sensors.get(self.chosen)
        if sensor:
            lines.append(_("reading {reading}", reading=sensor.reading))
            if self.has_strength:
                lines[-1] += " · " + _("strength {strength} %", strength=strength_text(sensor))
            lines.append(_("noise {noise}", noise=sensor.noise))
        self.square, self.details = name(self.chosen), "\n".join(lines)

    def _list(self) -> None:
        """List the findings, starting with those about the chosen square."""
        chosen = 0 if self.chosen is None else 1 << self.chosen
        found = sorted(self._found, key=lambda finding: not finding.squares & chosen)
        self.ids.findings.fill(found)
        if found:
            self.verdict = ""


def _board(watch: BoardMonitor, statistics: Statistics) -> str:
    hello, supply, number = watch.hello, watch.supply_mv, _.language.number
    lines = (
        (
            _("Detects colours") if hello.kind is BoardKind.COLOURS else _("Detects pieces only"),
            _("firmware {version}", version=".".join(map(str, hello.firmware))),
        ),
        (
            *_calibration(hello),
            f"{'–' if supply is None else number(supply / 1000)} V",
            _("{rate} frames/s", rate=number(round(watch.frame_rate() or 0.0, 1))),
        ),
        (
            _("frames lost {lost}", lost=statistics.lost),
            _("damaged {damaged}", damaged=statistics.bad_frames),
        ),
    )
    return "\n".join(" · ".join(line) for line in lines)


def _calibration(hello: Hello) -> Iterator[str]:
    """Yield a phrase that says whether the board is calibrated.

    Yield nothing for a camera, which needs no calibration.
    """
    if not hello.is_camera:
        yield _("calibrated") if hello.calibration else _("not calibrated")


load_kv(__file__)
