"""Measures the UI's resource use and response times with a simulated board.

A script sets up the pieces, lifts and places some of them, touches the screen and attacks a bomb.
Each change on the simulated board passes through its port, the link and the table before it is
drawn.

The memory figure excludes libraries for software rendering, which are needed only on computers
without a GPU.
"""

import re
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.core.window import Window

from companion.core.inputs import CommandInput, Ready
from companion.devices.live_board import LiveBoard
from companion.storage.journal_provider import JournalProvider
from companion.ui.base.input_devices import SyntheticTouch
from companion.ui.program import BoomboardApp
from engine.board.geometry import WIDTH, Side, square, squares_in
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.game.actions import Attack, Declare
from engine.game.game_state import Phase
from firmware_bridge.image import Image
from firmware_bridge.link import BoardLink, Event, MessageReceived
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.wire import State

_TIMES: Final = 20
"""Number of touches to measure. Lifts and placements are measured for the pieces of one row."""
_REST_SECONDS: Final = 3.0
_MAPPING: Final = re.compile(r"[0-9a-f]+-[0-9a-f]+ +\S+ +\S+ +\S+ +\S+ *(.*)")
"""Pattern that matches the first line of an entry in /proc/self/smaps, with the mapped file's name.
"""
_SOFTWARE_RENDERER: Final = re.compile(r"/(libLLVM|swrast|libgallium|libz3)[^/]*$")

Wait = Callable[[], object]


class UiBenchmark:
    """Measures one session. `begun` is the process's start time on the monotonic clock."""

    def __init__(self, begun: float) -> None:
        self._begun = begun
        self._board = SimulatedBoard()
        self.figures: dict[str, float] = {}
        self._flips: list[float] = []
        self._change: Wait | None = None
        self._seen = Image()
        self._seen_at = 0.0
        """Arrival time of the last image that differed from the one before it."""

    def run(self) -> dict[str, float]:
        """Run the session, and return its figures.

        Their units are seconds, megabytes, per cent and milliseconds.
        """
        with (
            TemporaryDirectory(prefix="boomboard-bench-") as folder,
            LiveBoard(simulated=self._board) as live,
        ):
            live.simulated = None  # otherwise, the screen would also draw the simulated pieces
            live.watch(self._on_event)
            journals = JournalProvider(Path(folder) / "games.sqlite")
            self._app = BoomboardApp(journals, live)
            Window.bind(on_flip=self._note)
            session = self._session()
            waiting: list[Wait] = [next(session)]

            def go_on(_seconds: float) -> None:
                while waiting[0]():
                    try:
                        waiting[0] = next(session)
                    except StopIteration:
                        Clock.unschedule(go_on)
                        self._app.stop()
                        return

            Clock.schedule_interval(go_on, 0)
            self._app.run()
            journals.close()
        return self.figures

    def _note(self, _window: object) -> None:
        """Record the time of a screen flip. A frame is drawn only if something has changed."""
        self._flips.append(time.monotonic())
        if self._change and self._change():
            self._change = None

    def _on_event(self, at: float, event: Event) -> None:
        """Record the arrival time of an image that differs from the previous one."""
        match event:
            case MessageReceived(State(image=image)) if image != self._seen:
                self._seen, self._seen_at = image, at

    def _shown(self, change: Wait) -> Wait:
        """Return a condition that is met as soon as a frame shows the change."""
        self._change = change
        return lambda: self._change is None

    # The session

    def _session(self) -> Iterator[Wait]:
        yield lambda: self._flips
        self.figures["first-frame"] = self._flips[0] - self._begun
        host, now = self._app.host, time.monotonic
        yield self._until(now() + 1)
        yield lambda: self._app.backlog.is_done
        self.figures["resident"] = _resident_mb()
        yield lambda: host.found
        host.begin(self._app.presenter.settings.edition)
        for side in Side:
            for each in squares_in(side.home):
                self._board.stand(side, each)
        yield lambda: host.table and host.table.setup.red == host.table.setup.blue == 40
        for side in Side:
            host.submit(CommandInput(now(), Ready(side)))
        yield lambda: host.table and host.table.referee.phase is Phase.PLAY
        yield self._until(now() + 2)
        yield from self._rest()
        yield from self._lifts()
        yield from self._touches()
        yield from self._bang()

    def _rest(self) -> Iterator[Wait]:
        """Measure the processor load while the players think: frames arrive, but nothing moves."""
        begun, used = time.monotonic(), _processor_time()
        yield self._until(begun + _REST_SECONDS)
        taken = _processor_time() - used
        self.figures["at-rest"] = 100 * taken / (time.monotonic() - begun)

    def _lifts(self) -> Iterator[Wait]:
        """Lift each piece of a row once and put it back; repeated lifts would count as flicker."""
        taken = []
        for at in range(square("a4"), square("a4") + WIDTH):
            piece = self._board.lift(at)
            yield self._shown(lambda at=at: self._face.lifted == at)  # type: ignore[misc]
            taken.append(self._flips[-1] - self._seen_at)
            yield self._until(time.monotonic() + 0.137)  # not a multiple of the frame period
            self._board.place(piece, at)
            yield self._shown(lambda: self._face.lifted is None)
            taken.append(self._flips[-1] - self._seen_at)
            yield self._until(time.monotonic() + 0.137)
        self.figures["lifted"] = 1000 * median(taken)

    def _touches(self) -> Iterator[Wait]:
        """Measure touches of a square on the screen."""
        taken = []
        for n in range(_TIMES):
            at = square("e4" if n % 2 else "d4")
            board = self._face.ids.board
            finger = SyntheticTouch("gauge", n, *board.to_window(*board.grid.centre(at)))
            begun = time.monotonic()
            EventLoop.post_dispatch_input("begin", finger)
            EventLoop.post_dispatch_input("end", finger)
            yield self._shown(lambda at=at: self._face.chosen == at)  # type: ignore[misc]
            taken.append(self._flips[-1] - begun)
            yield self._until(time.monotonic() + 0.137)
        self.figures["touched"] = 1000 * median(taken)

    def _bang(self) -> Iterator[Wait]:
        """Measure the frame times while Red's scout attacks a bomb."""
        host, now = self._app.host, time.monotonic
        host.submit(CommandInput(now(), Attack(square("e4"), square("e7"))))
        yield self._until(now() + 0.5)
        host.submit(CommandInput(now(), Declare(Secret(Side.BLUE, Rank.BOMB))))
        yield self._shown(lambda: self._app.presenter.explosion_seconds_left is not None)
        first = len(self._flips)
        yield lambda: self._app.presenter.explosion_seconds_left is None
        flips = self._flips[first - 1 :]
        gaps = [after - before for before, after in pairwise(flips)]
        self.figures["bang"] = 1000 * max(gaps)

    # Waiting for conditions.

    @property
    def _face(self) -> Any:
        return self._app.face.face

    def _until(self, moment: float) -> Wait:
        return lambda: time.monotonic() >= moment


def _processor_time() -> float:
    """Return the processor time of the UI thread and of the thread for the board link.

    The threads of the simulated board are not counted, because a real board does not need them.
    """
    names = (threading.main_thread().name, BoardLink.THREAD)
    needed = (each for each in threading.enumerate() if each.name in names)
    clocks = (time.pthread_getcpuclockid(each.ident or 0) for each in needed)
    return sum(map(time.clock_gettime, clocks))


def _resident_mb() -> float:
    kilobytes, counts = 0, True
    for line in Path("/proc/self/smaps").read_text().splitlines():
        if mapping := _MAPPING.fullmatch(line):
            counts = not _SOFTWARE_RENDERER.search(mapping[1])
        elif counts and line.startswith("Rss:"):
            kilobytes += int(line.split()[1])
    return kilobytes * 1024 / 1e6
