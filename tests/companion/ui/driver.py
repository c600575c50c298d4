"""Drives the real app with frames, touches and a simulated clock in a single thread."""

import select
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.core.image import Image as Picture
from kivy.graphics.opengl import GL_RGBA, GL_UNSIGNED_BYTE, glReadPixels
from kivy.graphics.texture import Texture
from kivy.lang import Builder

from companion import pads
from companion.core import inputs
from companion.devices.espeak import Earphone, Espeak
from companion.devices.lamps import PanelLamps
from companion.devices.watchdog import SystemdNotifier
from companion.session.computer_side import Decision, ImmediateWorker, Worker
from companion.session.tabletop import Tabletop
from companion.speech.i18n import Language
from companion.storage.journal import Journal
from companion.storage.journal_provider import JournalProvider
from companion.ui.base.input_devices import SyntheticTouch
from companion.ui.base.modal import Modal
from companion.ui.base.pads import NetworkOptions
from companion.ui.drawing.theme import LANDSCAPE
from companion.ui.program import BoomboardApp
from companion.ui.widgets.board_picture import PieceTray
from companion.ui.widgets.buttons import HOLD_SECONDS, Holding
from companion.ui.widgets.private_pane import Behind
from engine.board.geometry import Side, SquareSet, square
from engine.board.ranks import Rank
from engine.game.clocks import TimeControl
from engine.rules.editions import Edition
from firmware_bridge.image import Image, PieceLocation
from firmware_bridge.link import Connected, Event, LinkError, LinkErrorKind, Statistics
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.port import SimulatedPort
from firmware_bridge.wire import HostCommand

SETTLE = 4
"""Maximum number of frames that nested layouts take to settle."""
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


class Driver:
    """The app, controlled by a test."""

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
        self.touches = 0

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
        """Run frames.

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

        The layout is final when a frame has changed nothing at the table and all scheduled calls
        are repeated ones, such as the app's tick. With large text, the maximum number of frames is
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
        """Begin a game with both armies ready, letting as much time pass as the touches would take.

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

    def find(self, name: str) -> Any:
        """Return the topmost widget with this id, preferring widgets that can be touched.

        All pages are searched.
        """
        found = self._turn_until(lambda: self.on_top(name))
        below = (each for each in reversed(self._named(walk(self.app.root), name)))
        found = found or next(below, None)
        assert found is not None, f"no {name!r} on the screen {self.view!r}"
        return found

    def on_top(self, name: str) -> Any:
        """Return the widget with this id if it is uncovered on the open page, or None."""
        found = self._named(self.uncovered(), name)
        return found[-1] if found else None

    def uncovered(self) -> list[Any]:
        """Return the widgets that no dialog covers."""
        widgets = walk(self.app.root)
        covers = [n for n, each in enumerate(widgets) if isinstance(each, Modal | Behind)]
        return widgets[max(covers, default=0) :]

    def _named(self, widgets: list[Any], name: str) -> list[Any]:
        called = (each.ids.get(name) for each in widgets if hasattr(each, "ids"))
        return [each for each in called if each is not None and is_shown(each)]

    def _turn_until(self, find: Callable[[], Any]) -> Any:
        """Turn pages until `find` returns something. Return None if it never does."""
        found = find()
        turner = self.on_top("turn") if found is None else None
        for _page in range(turner.count if turner else 0):
            self.tap_at(*self.middle(self.on_top("turn")))
            if (found := find()) is not None:
                break
        return found

    def _tile(self, grid: str, rank: Rank) -> Any:
        tiles = self.find(grid)

        def find() -> Any:
            return next((each for each in tiles.children if getattr(each, "rank", 0) is rank), None)

        tile = self._turn_until(find)
        assert tile is not None, f"no tile of {rank.name}"
        return tile

    def touch_at(self, x: float, y: float) -> SyntheticTouch:
        """Touch a point after the delay during which new widgets ignore touches."""
        presenter = self.app.presenter
        self.now += LOOK
        self.wait_for_real(lambda: not presenter.is_new)
        return self.touch_again_at(x, y)

    def touch_again_at(self, x: float, y: float) -> SyntheticTouch:
        """Touch a point immediately."""
        self.touches += 1
        finger = SyntheticTouch("hand", self.touches, x, y)
        EventLoop.post_dispatch_input("begin", finger)
        self.frames(1)
        return finger

    def slide(self, finger: SyntheticTouch, x: float, y: float) -> None:
        finger.slide(x, y)
        EventLoop.post_dispatch_input("update", finger)
        self.frames(1)

    def release(self, finger: SyntheticTouch) -> None:
        EventLoop.post_dispatch_input("end", finger)
        self.settle()

    def tap_at(self, x: float, y: float) -> None:
        self.release(self.touch_at(x, y))

    def tap(self, name: str) -> None:
        self.tap_at(*self.middle(self.find(name)))

    def tap_inside(self, outer: str, inner: str) -> None:
        """Tap the widget `inner` that is part of the widget `outer`."""
        self.tap_at(*self.middle(self.find(outer).ids[inner]))

    def tap_tile(self, grid: str, rank: Rank) -> None:
        self.tap_at(*self.middle(self._tile(grid, rank)))

    def tap_option(self, row: str, value: object) -> None:
        """Tap a choice, which may be on any page."""
        holder = next(
            each.ids[row] for each in reversed(self.uncovered()) if row in getattr(each, "ids", ())
        )

        def find() -> Any:
            options = getattr(holder, "things", holder.children)
            return next((each for each in options if each.value == value and is_shown(each)), None)

        option = self._turn_until(find)
        assert option is not None, f"no {value!r} among {row!r}"
        self.tap_at(*self.middle(option))

    def tap_answer(self, buttons: str, text: str) -> None:
        """Tap an answer to the table's question about what the hands did."""
        (press,) = (press for press in self.find(buttons).children if press.text == text)
        self.tap_at(*self.middle(press))

    def tap_square(self, where: int) -> None:
        board = self.find("board")
        self.tap_at(*board.to_window(*board.grid.centre(where)))

    @property
    def tabletop(self) -> Tabletop:
        assert self.app.host.tabletop
        return self.app.host.tabletop

    def on_board(self, name: str) -> tuple[float, float]:
        """Return the screen position of a square on the simulated board."""
        board = self.app.face.simulated_board
        assert board
        x, y = board.to_window(*board.grid.centre(square(name)))
        return float(x), float(y)

    def on_tray(self, side: str) -> tuple[float, float]:
        """Return the screen position of the side's last piece beside the simulated board."""
        board = self.app.face.simulated_board
        assert board
        *_, (_, (left, bottom)) = PieceTray(board).row(Side(side), self.tabletop.beside[Side(side)])
        x, y = board.to_window(left + 18, bottom + 18)
        return float(x), float(y)

    def carry(self, source: str, target: str) -> None:
        self.drag(self.on_board(source), self.on_board(target))

    def drag(self, source: tuple[float, float], target: tuple[float, float]) -> None:
        finger = self.touch_at(*source)
        self.slide(finger, *target)
        self.release(finger)

    def hold(self, name: str, seconds: float) -> None:
        self.hold_at(self.find(name), seconds)

    def hold_tile(self, grid: str, rank: Rank) -> None:
        """Hold a finger on a rank's tile until the rank has been declared."""
        finger = self.touch_tile(grid, rank)
        self.pass_time(HOLD_SECONDS + 0.1)
        self.release(finger)

    def press(self, name: str) -> None:
        """Tap a button, or hold it if it requires holding."""
        if isinstance(self.find(name), Holding):
            self.hold(name, HOLD_SECONDS + 0.1)
        else:
            self.tap(name)

    def confirm(self) -> None:
        """Answer yes. Hold the button if the answer cannot be undone."""
        self.press("yes")

    def enter_code(self, code: str) -> None:
        for digit in code:
            self.tap_at(
                *self.middle(
                    next(key for key in self.find("pad").ids.digits.children if key.text == digit)
                )
            )

    def touch_tile(self, grid: str, rank: Rank) -> SyntheticTouch:
        finger = self.touch_at(*self.middle(self._tile(grid, rank)))
        self.frames(1)
        return finger

    def hold_at(self, widget: Any, seconds: float) -> None:
        """Hold a finger on the middle of a widget for a while."""
        finger = self.touch_at(*self.middle(widget))
        self.frames(1)
        self.pass_time(seconds)
        self.release(finger)

    @staticmethod
    def middle(widget: Any) -> tuple[float, float]:
        x, y = widget.to_window(*widget.center)
        return float(x), float(y)

    def texts(self) -> str:
        """Return all text that can be read on the screen."""
        return "\n".join(
            widget.text
            for widget in walk(self.app.root)
            if isinstance(getattr(widget, "text", None), str) and widget.text and is_shown(widget)
        )

    def pixels(self) -> bytes:
        window = EventLoop.window
        self.frames(2)
        window.canvas.ask_update()
        window.on_draw()
        return bytes(glReadPixels(0, 0, window.width, window.height, GL_RGBA, GL_UNSIGNED_BYTE))

    def photograph(self, path: Path) -> None:
        window = EventLoop.window
        texture = Texture.create(size=window.size, colorfmt="rgba")
        texture.blit_buffer(self.pixels(), colorfmt="rgba", bufferfmt="ubyte")
        Picture(texture).save(str(path), flipped=True)


def prepare_window(size: tuple[int, int]) -> None:
    """Open this process's only window, or resize it."""
    EventLoop.ensure_window()
    window = EventLoop.window
    if tuple(window.size) != size:
        window.size = size
    for _ in range(3):
        EventLoop.idle()


def walk(widget: Any) -> list[Any]:
    """Return a widget and its descendants in drawing order."""
    found, rest = [], [widget]
    while rest:
        each = rest.pop()
        found.append(each)
        rest.extend(each.children)
    return found


def is_shown(widget: Any) -> bool:
    while widget is not None and widget is not EventLoop.window:
        if widget.opacity == 0 or widget.parent is None:
            return False
        widget = widget.parent
    return True
