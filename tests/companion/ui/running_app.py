"""The real app, run frame by frame in a single thread with a simulated clock."""

import select
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.lang import Builder

from companion import pads
from companion.core import inputs
from companion.devices.espeak import Earphone, Espeak
from companion.devices.lamps import PanelLamps
from companion.devices.watchdog import SystemdNotifier
from companion.session.computer_side import Decision, ImmediateWorker, Worker
from companion.speech.i18n import Language
from companion.storage.journal import Journal
from companion.storage.journal_provider import JournalProvider
from companion.ui.base.pads import NetworkOptions
from companion.ui.drawing.theme import LANDSCAPE
from companion.ui.program import BoomboardApp
from engine.board.geometry import Side, SquareSet
from engine.game.clocks import TimeControl
from engine.rules.editions import Edition
from firmware_bridge.image import Image, PieceLocation
from firmware_bridge.link import Connected, Event, LinkError, LinkErrorKind, Statistics
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.port import SimulatedPort
from firmware_bridge.wire import HostCommand

SETTLE = 4
"""Maximum number of frames until nested layouts have settled."""
LOOK = 0.6
"""Time that a person spends looking at the screen before each touch, in seconds."""
HERE = NetworkOptions(pads.ListenAddress("127.0.0.1", 0))
"""Network options for phones on this computer, with a free port."""
FRAMES = 60


@dataclass
class Script:
    """Board source whose images are provided by the test."""

    simulated: SimulatedBoard | None = None
    simulated_port: SimulatedPort | None = None
    error: LinkError | None = None
    waiting: list[inputs.Input] = field(default_factory=list)
    statistics: Statistics = field(default_factory=Statistics)
    asked: list[HostCommand] = field(default_factory=list)
    lit: list[SquareSet] = field(default_factory=list)
    """Lamp states so far, oldest first."""
    seeks: bool = False
    """Whether the board has been asked to locate an undetected piece."""
    watcher: Callable[[float, Event], None] | None = None
    connected: Connected | None = None
    """The board's identification message, or None if there is no board."""
    is_lent: bool = False
    """Whether another process holds the board's port."""
    clock: Callable[[], float] = time.monotonic

    @classmethod
    def with_simulated_board(cls) -> Self:
        """Return a source with a simulated board. The test provides its images."""
        return cls(simulated=SimulatedBoard())

    def wait(self, seconds: float) -> None:
        """Return immediately."""

    def poll(self) -> Sequence[inputs.Input]:
        came, self.waiting = self.waiting, []
        return came

    def watch(self, watcher: Callable[[float, Event], None] | None) -> None:
        self.watcher = watcher
        if watcher and self.connected:
            watcher(self.clock(), self.connected)

    def send(self, command: HostCommand) -> bool:
        self.asked.append(command)
        return True

    def release_port(self) -> None:
        assert not self.is_lent
        self.is_lent = True

    def reopen(self) -> None:
        assert self.is_lent
        self.is_lent = False

    def set_field_polling(self, *, seeks: bool) -> None:
        self.seeks = seeks

    def set_lamps(self, squares: SquareSet) -> None:
        if [squares] != self.lit[-1:]:
            self.lit.append(squares)


class RunningApp:
    """The app with its board and its clock, both controlled by a test."""

    def __init__(
        self,
        path: Path,
        *,
        language: str | None = "en",
        edition: Edition | None = None,
        control: TimeControl | None = None,
        source: Any = None,
        seed: int = 7,
        clock: Callable[[], float] | None = None,
        lamps: PanelLamps | None = None,
        espeak: Espeak | None = None,
        earphone: Earphone | None = None,
        supervisor: SystemdNotifier | None = None,
        reach: NetworkOptions = HERE,
        worker: Worker[Decision] | None = None,
    ) -> None:
        self.now = 100.0
        self.script = source if isinstance(source, Script) else Script()
        self.script.clock = lambda: self.now
        self.journals = JournalProvider(path)
        self.clients = ExitStack()
        """Network clients of the app. They are closed before the app is."""
        self._app = BoomboardApp(
            self.journals,
            source or self.script,
            Language(language) if language else None,
            edition,
            control,
            clock=clock or (lambda: self.now),
            draw=lambda: seed,
            lamps=lamps,
            espeak=espeak,
            earphone=earphone,
            supervisor=supervisor,
            reach=reach,
            worker=worker or ImmediateWorker(),
        )
        self._app._frame_rate.rest = lambda now: 0.0  # type: ignore[method-assign]
        self._is_open = False

    @property
    def app(self) -> BoomboardApp:
        """The app. Its first screen is built when this property is first used."""
        self._open()
        return self._app

    def _open(self) -> None:
        if self._is_open:
            return
        self._is_open = True
        self._app._run_prepare()
        EventLoop.status = "started"
        self.frames(2)

    def __enter__(self) -> Self:
        prepare_window(LANDSCAPE)
        return self

    def resize(self, width: int, height: int) -> None:
        """Resize the window, up to its original size."""
        prepare_window((width, height))
        self.settle()

    def __exit__(self, *_: object) -> None:
        self.clients.close()
        # `stop` would permanently close the event loop of the process.
        self.app.dispatch("on_stop")
        EventLoop.window.remove_widget(self.app.root)
        self.journals.close()

    @property
    def journal(self) -> Journal:
        return self.journals.journal()

    def frames(self, count: int = 1) -> None:
        """Run the app for some frames.

        Frames are rendered only for screenshots, because rendering is slow without a graphics card.
        """
        self._open()
        for _ in range(count):
            Clock.tick()
            EventLoop.dispatch_input()
            Builder.sync()
            Clock.tick_draw()
            Builder.sync()

    def settle(self) -> None:
        """Run frames until the layout is final.

        The layout is final when a frame has changed nothing at the table, and only recurring calls
        are scheduled, such as the app's tick. With large text, the maximum number of frames is
        always run, because each frame may change the text scale.
        """
        app = self.app
        for _ in range(SETTLE):
            changes = app.host.changes
            self.frames(1)
            is_quiet = changes == app.host.changes and all(e.loop for e in Clock.get_events())
            if is_quiet and not app.presenter.settings.large_letters:
                return

    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        self.settle()

    def wait(self, condition: Callable[[], object], frames: int = FRAMES) -> None:
        """Run frames until a condition is met. Raise AssertionError after `frames` frames."""
        for _ in range(frames):
            if condition():
                self.settle()
                return
            self.pass_time(0.05)
        raise AssertionError(f"the condition was not met within {frames} frames")

    def wait_for_real(self, condition: Callable[[], object]) -> None:
        """Run frames until a condition that depends on other threads is met."""
        if condition():
            self.frames(1)
            return
        while not condition():
            self.frames(1)
            select.select([], [], [], 0.002)  # yield to the other threads
        self.settle()

    def connect(self, *, sees_colours: bool = True) -> None:
        self.script.error = None
        self.script.waiting.append(inputs.BoardFound(self.now, sees_colours=sees_colours))
        self.frames(2)

    def begin(self, image: Image) -> None:
        """Begin a game with both armies ready. Let as much time pass as the touches would take.

        The start and setup screens are skipped, because going through them takes longer than most
        tests.
        """
        host = self._app.host
        self.script.error = None
        self.script.waiting.append(inputs.BoardFound(self.now, sees_colours=True))
        host.poll()
        self.now += LOOK
        self._app.presenter.begin()
        self.script.waiting.append(inputs.BoardSeen(self.now, image))
        host.poll()
        self.now += 1
        host.poll()
        for side in Side:
            self.now += LOOK
            host.submit(inputs.CommandInput(self.now, inputs.Ready(side)))
        self.wait(lambda: self.view == "turn")

    def lose(self, kind: LinkErrorKind = LinkErrorKind.UNPLUGGED) -> None:
        self.script.error, self.script.connected = LinkError(kind, "/dev/ttyUSB0", ""), None
        self.script.waiting.append(inputs.BoardLost(self.now))
        self.frames(2)

    def show(self, image: Image, seconds: float = 1.0) -> None:
        """Show an image on the board for long enough to become stable."""
        self.script.waiting.append(inputs.BoardSeen(self.now, image))
        self.frames(1)
        self.pass_time(seconds)

    def complain(self, *squares: int | None) -> None:
        """Report failed sensors or a supply fault repeatedly, until the report is accepted."""
        for _ in range(4):
            self.script.waiting += [
                inputs.BoardFaultReported(self.now, square) for square in squares
            ]
            self.frames(1)
            self.pass_time(0.5)

    def feel(self, side: Side, column: float, row: float) -> None:
        """Report the location of a piece that no square detects."""
        self.script.waiting.append(
            inputs.PieceLocated(self.now, **{side.value: PieceLocation(column, row, within=0.1)})
        )
        self.frames(1)

    def show_virtual(self) -> None:
        """Show what the sensors of the simulated board detect."""
        assert self.script.simulated
        self.show(self.script.simulated.image())

    def virtual_seen(self) -> inputs.BoardSeen:
        assert self.script.simulated
        return inputs.BoardSeen(self.now, self.script.simulated.image())

    @property
    def seen(self) -> Image:
        return self.app.host.seen

    @property
    def face(self) -> Any:
        return self.app.face.face

    @property
    def view(self) -> str:
        return str(self.face.name)


def prepare_window(size: tuple[int, int]) -> None:
    """Open this process's only window, or resize it."""
    EventLoop.ensure_window()
    window = EventLoop.window
    if tuple(window.size) != size:
        window.size = size
    for _ in range(3):
        EventLoop.idle()
