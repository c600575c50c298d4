"""A board in real time: converts the events of its link into inputs for the table.

The link runs in its own thread and stamps its events with the time of arrival. The program that
drives the table polls for events in a single thread, at its own pace.
"""

import logging
import math
import time
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock
from typing import Final, Self, TypeAlias

from companion.core.inputs import Input
from companion.devices.board_inputs import BoardInputs
from companion.storage.atomic_file import write_atomically
from engine.board.geometry import SquareSet
from firmware_bridge.image import Image
from firmware_bridge.link import (
    BoardLink,
    Connected,
    LinkError,
    LinkErrorKind,
    MessageReceived,
    PortSearch,
    Statistics,
    find_ports,
    stable_name,
)
from firmware_bridge.link import Event as LinkEvent
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.port import SimulatedPort
from firmware_bridge.wire import FieldReadings, HostCommand, Lamps, RequestField, State

_logger = logging.getLogger(__name__)


class WakeUp:
    """Wake-up flag, cleared at first: one thread sets it, another one waits for it.

    The program waits twenty times per second during a whole game, and `threading.Event` takes twice
    as long.
    """

    def __init__(self) -> None:
        self._none = Lock()
        self._none.acquire()

    @property
    def is_there(self) -> bool:
        """Whether the flag is set."""
        return not self._none.locked()

    def set(self) -> None:
        """Set the flag; from one thread only."""
        if self._none.locked():
            self._none.release()

    def clear(self) -> None:
        """Clear the flag; from the waiting thread."""
        self._none.acquire(blocking=False)

    def wait(self, seconds: float) -> None:
        """Wait until the flag is set, for at most this number of seconds."""
        if self._none.acquire(timeout=seconds):
            self._none.release()


Watcher: TypeAlias = Callable[[float, LinkEvent], None]
"""Callback for all events of the link, with the time of their arrival."""


MEMORY: Final = "board-port.txt"
"""File name, beside the games, of the port at which a board was connected last."""
FEEL_SECONDS: Final = 1.0
"""Interval of field measurements in a game, in seconds; each is the reference for later
measurements."""
SEEK_SECONDS: Final = 0.15
"""Interval of field measurements while a piece is missing, in seconds. In this search mode a board
does not track sensor drift."""
MOST_SOUGHT: Final = 120.0
"""Maximum duration of the search mode, in seconds."""


class LiveBoard:
    """The connected board, or a simulated one, until it is closed."""

    def __init__(
        self,
        port: str | None = None,
        *,
        simulated: SimulatedBoard | None = None,
        clock: Callable[[], float] = time.monotonic,
        haste: float = 1.0,
        memory: Path | None = None,
        find: Callable[[], list[str]] = find_ports,
    ) -> None:
        """Look for a board, at `port` or at any port, or connect a simulated board.

        A search begins at the port of the board that was connected last, which is kept in the file
        `memory`.

        With a `clock` that is faster than real time by `haste`, a simulated board runs as much
        faster.
        """
        self.simulated = simulated
        """The simulated board, whose pieces the program has to move; None for a real one."""
        self.error: LinkError | None = None
        """The link error that prevents the connection to a board, or None."""
        self._clock = clock
        self._queue: SimpleQueue[tuple[float, LinkEvent]] = SimpleQueue()
        self._inputs = BoardInputs()
        self._watcher: Watcher | None = None
        self._wake_up = WakeUp()
        """Set after every event except an unchanged image of the board."""
        self._latest = Image()
        self._lit: SquareSet | None = None
        """The lamps last sent to the board, or None before the first time."""
        self._measured_at = -math.inf
        """Time of the last field measurement."""
        self._searching_since: float | None = None
        """Time at which the search for a piece began, or None."""
        self.simulated_port = SimulatedPort(simulated) if simulated else None
        """The port of the simulated board, None for a real one."""
        if self.simulated_port:
            self.simulated_port.run(haste)
            port = str(self.simulated_port.path)
        self._port = port
        self._memory = memory if port is None else None
        self._find = find
        self._link = self._start_link()

    def _start_link(self) -> BoardLink:
        """Start a link to the port, without time limits for a simulated board in this process.

        A busy computer delays the simulated board's thread as much as ours, so its silence means
        nothing. The link still reports when the simulated cable is unplugged on the screen.
        """
        if self.simulated:
            link = BoardLink(
                self._enqueue, self._port, hello_seconds=math.inf, silent_seconds=math.inf
            )
        else:
            link = BoardLink(
                self._enqueue, self._port, search=PortSearch(self._last_port(), self._find)
            )
        link.start()
        return link

    def close(self) -> None:
        """Switch the board's lamps off and disconnect."""
        self.set_lamps(0)
        self._link.stop()
        if self.simulated_port:
            self.simulated_port.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def poll(self) -> list[Input]:
        """Return all inputs since the last call, the oldest first, including every frame."""
        self._wake_up.clear()
        found: list[Input] = []
        for at, event in self._events():
            found.extend(self._translate(at, event))
            if self._watcher:
                self._watcher(at, event)
        return found

    def wait(self, seconds: float) -> None:
        """Wait for a change of the board's image or another event, at most `seconds`.

        Events since the latest `poll` end the wait at once.
        """
        self._wake_up.wait(seconds)

    @property
    def statistics(self) -> Statistics:
        """Running counters of the link."""
        return self._link.statistics

    def watch(self, watcher: Watcher | None) -> None:
        """Set the callback for the link's events, called in the polling thread; None removes it.

        If a board is already connected, its introduction is repeated first.
        """
        self._watcher = watcher
        if watcher and self._inputs.connected:
            watcher(self._clock(), self._inputs.connected)

    def send(self, command: HostCommand) -> bool:
        """Send a command to the board, and return at once; False without a board."""
        return self._link.send(command)

    def release_port(self) -> None:
        """Release the board's port for another program. There are no events until `reopen`."""
        self._link.stop()
        port = self._inputs.connected.port if self._inputs.connected else self._port
        self._enqueue(LinkError(LinkErrorKind.BUSY, port, "lent to another program"))

    def reopen(self) -> None:
        """Look for the board again, at the same port as before."""
        self._link = self._start_link()

    def set_lamps(self, squares: SquareSet) -> None:
        """Light the lamps of these squares at the board's edges, and no others.

        May be called often: a command is sent only on a change, and after the board has introduced
        itself again, since a restart switches the lamps off.
        """
        if squares != self._lit and self.send(Lamps(squares)):
            self._lit = squares

    def set_field_polling(self, *, seeks: bool) -> None:
        """Measure the field at intervals; with `seeks`, search for a piece that no square detects.

        Call it often, as long as a game is in progress.
        """
        now = self._clock()
        self._inputs.seek(seeks=seeks)
        if not seeks:
            self._searching_since = None
        elif self._searching_since is None:
            self._searching_since = now
        is_soon = self._searching_since is not None and now - self._searching_since <= MOST_SOUGHT
        if self._inputs.can_feel and now - self._measured_at >= (
            SEEK_SECONDS if is_soon else FEEL_SECONDS
        ):
            self._measured_at = now
            self.send(RequestField())

    @property
    def connected(self) -> Connected | None:
        """The introduction of the connected board, or None without one."""
        return self._inputs.connected

    def _last_port(self) -> str:
        try:
            return self._memory.read_text(encoding="utf-8").strip() if self._memory else ""
        except (OSError, ValueError):  # the first start, or the file is damaged
            return ""

    def _remember(self, port: str) -> None:
        name = stable_name(port)
        if self._memory is None or name == self._last_port():
            return
        try:
            write_atomically(self._memory, f"{name}\n")
        except OSError as error:  # a full disk: the next start tries all ports in order
            _logger.warning("the port of the board cannot be remembered: %s", error)

    def _events(self) -> list[tuple[float, LinkEvent]]:
        """Return the events of the link since the last call.

        If introductions are repeated without other events in between, only the last one counts.
        Otherwise a board that keeps restarting would block the program, because the table handles
        each introduction as a new board.
        """
        events: list[tuple[float, LinkEvent]] = []
        while True:
            try:
                at, event = self._queue.get_nowait()
            except Empty:
                return events
            if events and isinstance(event, Connected) and events[-1][1] == event:
                events.pop()
            events.append((at, event))

    def _enqueue(self, event: LinkEvent) -> None:
        self._queue.put((self._clock(), event))
        match event:
            case MessageReceived(State(image=image)) if image == self._latest:
                return
            case MessageReceived(FieldReadings()):
                return
            case MessageReceived(State(image=image)):
                self._latest = image
        self._wake_up.set()

    def _translate(self, at: float, event: LinkEvent) -> list[Input]:
        if isinstance(event, Connected):
            self.error = self._lit = None
            self._remember(event.port)
        elif isinstance(event, LinkError):
            self.error = event
        return self._inputs.take(at, event)
