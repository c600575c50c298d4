"""Converts events from a board's link into inputs for the table.

The link runs in its own thread and stamps each event with its arrival time. The thread that drives
the table polls for events. Frames also carry the board's own timestamp.
"""

import logging
import math
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock
from typing import Final, Self, TypeAlias

from companion.core import inputs
from companion.storage.atomic_file import write_atomically
from engine.board.geometry import ALL, Side, SquareSet
from firmware_bridge import link, wire
from firmware_bridge.image import Image
from firmware_bridge.localization import PieceLocator
from firmware_bridge.sensing.change_detector import ChangeTimes
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.port import SimulatedPort

OFFSET_WINDOW_SECONDS: Final = 2.0
"""Length of the window that is searched for the fastest frame, in seconds of board time."""
MAX_FRAME_DELAY_SECONDS: Final = 1.0
"""Maximum delay of a frame, in seconds. A larger delay means that the board's clock has jumped, so
the offset is reset."""
_WRAP_MS: Final = 2**32


class BoardClock:
    """Converts times on the board's clock to times on the program's clock.

    The result is the time at which a frame was sent, not the time at which it arrived. A frame may
    be delayed by the adapter or a busy computer, but it never arrives early. The fastest recent
    frame therefore gives the offset between the two clocks. The board's cheap oscillator may be off
    by half a per cent, so old frames are ignored. All times are in seconds on the program's clock.
    """

    def __init__(self) -> None:
        self._latest = -float("inf")
        self.reset()

    def reset(self) -> None:
        """Reset the offset, because the board may have restarted. Returned times never decrease."""
        self._board_ms: int | None = None
        self._elapsed = 0.0
        """Seconds on the board's clock since the first frame."""
        self._fastest: deque[tuple[float, float]] = deque()
        """Monotonic queue for finding the smallest offset in the window. It contains the board time
        and offset of each frame, except frames that were followed by a frame with a smaller
        offset."""

    def moment(self, board_ms: int, arrived: float) -> float:
        """Return the time when a frame was sent. It is at most `arrived`, and never decreases."""
        if self._board_ms is not None:
            self._elapsed += (board_ms - self._board_ms) % _WRAP_MS / 1000
        self._board_ms = board_ms
        sent = self._min_offset(arrived - self._elapsed) + self._elapsed
        if sent < arrived - MAX_FRAME_DELAY_SECONDS:
            self.reset()
            return self.moment(board_ms, arrived)
        self._latest = max(self._latest, min(sent, arrived))
        return self._latest

    def _min_offset(self, offset: float) -> float:
        while self._fastest and self._fastest[-1][1] >= offset:
            self._fastest.pop()
        self._fastest.append((self._elapsed, offset))
        while self._fastest[0][0] < self._elapsed - OFFSET_WINDOW_SECONDS:
            self._fastest.popleft()
        return self._fastest[0][1]


_GAME_FAULTS: Final = frozenset(
    {
        wire.FaultCode.STUCK_CHANNEL,
        wire.FaultCode.OPEN_WIRE,
        wire.FaultCode.DYING,
        wire.FaultCode.LOW_SUPPLY,
    }
)
"""Faults that affect a game. Drift and ungrounded inputs are left for maintenance, because they do
not impair detection."""


class BoardInputs:
    """Converts the events of one link into inputs."""

    def __init__(self) -> None:
        self.connected: link.Connected | None = None
        """Identification message of the connected board, or None."""
        self._clock = BoardClock()
        self._change_times = ChangeTimes()
        self._field = PieceLocator()
        self._shown = Image()

    @property
    def can_feel(self) -> bool:
        """Whether the board can measure magnetic fields.

        This requires a calibration and colour sensors.
        """
        hello = self.connected.hello if self.connected else None
        return (
            hello is not None
            and hello.kind is wire.BoardKind.COLOURS
            and bool(hello.calibration)
            and not hello.is_camera
        )

    def seek(self, *, seeks: bool) -> None:
        """Start or stop the search for a piece that no square detects."""
        self._field.set_searching(seeks=seeks)

    def take(self, at: float, event: link.Event) -> list[inputs.Input]:
        """Return the inputs for an event that arrived at time `at`, in seconds."""
        match event:
            case link.Connected():
                self.connected = event
                self._clock.reset()
                self._change_times.reset()
                self._field.reset()
                return [
                    inputs.BoardFound(at, sees_colours=event.hello.kind is wire.BoardKind.COLOURS)
                ]
            case link.LinkError():
                was_connected, self.connected = self.connected, None
                return [inputs.BoardLost(at)] if was_connected else []
            case link.MessageReceived(wire.State() as state):
                sent = self._clock.moment(state.at_ms, at)
                if self.connected and self.connected.hello.is_camera:
                    # A camera sees a change only after the arm has left. Until then, every square
                    # is uncertain. These frames are dropped, because the table would mistake their
                    # times for the time of the change.
                    return [] if state.faint == ALL else [inputs.BoardSeen(sent, state.image)]
                moments = self._change_times.of(sent, state)
                self._shown = state.image
                return [inputs.BoardSeen(sent, state.image, moments, state.faint)]
            case link.MessageReceived(wire.Fault() as fault) if fault.code in _GAME_FAULTS:
                is_dying = fault.code is wire.FaultCode.DYING
                return [inputs.BoardFaultReported(at, fault.square, is_dying=is_dying)]
            case link.MessageReceived(wire.FieldReadings() as felt) if self._field.add(
                felt, self._shown
            ):
                places = self._field.places
                return [inputs.PieceLocated(at, places.get(Side.RED), places.get(Side.BLUE))]
        return []


_logger = logging.getLogger(__name__)


class WakeUp:
    """A flag that one thread sets and another waits for.

    The program waits twenty times per second. With `threading.Event`, these waits would take twice
    as much CPU time.
    """

    def __init__(self) -> None:
        self._none = Lock()
        self._none.acquire()

    @property
    def is_there(self) -> bool:
        return not self._none.locked()

    def set(self) -> None:
        """Set the flag. Call this from one thread only."""
        with suppress(RuntimeError):  # it is set already
            self._none.release()

    def clear(self) -> None:
        """Clear the flag. Call this from the waiting thread only."""
        self._none.acquire(blocking=False)

    def wait(self, seconds: float) -> None:
        """Wait until the flag is set, or until `seconds` have passed."""
        if self._none.acquire(timeout=seconds):
            with suppress(RuntimeError):  # `set` may have released it since
                self._none.release()


Watcher: TypeAlias = Callable[[float, link.Event], None]
"""Callback for all events of the link. It receives the arrival time and the event."""


MEMORY: Final = "board-port.txt"
"""Name of the file in the games folder that stores the port of the last connected board."""
FEEL_SECONDS: Final = 1.0
"""Interval between field measurements during a game, in seconds. The measurements serve as the
reference when a piece is missing."""
SEEK_SECONDS: Final = 0.15
"""Interval between field measurements while a piece is missing, in seconds. In this search mode,
the board does not track sensor drift."""
MOST_SOUGHT: Final = 120.0
"""Maximum duration of the search mode, in seconds."""


class LiveBoard:
    """The connected or simulated board, until `close` is called."""

    def __init__(
        self,
        port: str | None = None,
        *,
        simulated: SimulatedBoard | None = None,
        clock: Callable[[], float] = time.monotonic,
        haste: float = 1.0,
        memory: Path | None = None,
        find: Callable[[], list[str]] = link.find_ports,
    ) -> None:
        """Connect to a simulated board, or look for a real one.

        If `port` is given, only that port is searched. Otherwise, all ports are searched, beginning
        with the port of the last connected board, which is stored in the file `memory`. `haste` is
        the speed of `clock` relative to real time. A simulated board runs at the same speed.
        """
        self.simulated = simulated
        """The simulated board, whose pieces the program must move, or None for a real board."""
        self.error: link.LinkError | None = None
        """The link error that prevents a connection to a board, or None."""
        self._clock = clock
        self._queue: SimpleQueue[tuple[float, link.Event]] = SimpleQueue()
        self._inputs = BoardInputs()
        self._watcher: Watcher | None = None
        self._wake_up = WakeUp()
        """Set after every event except an unchanged image of the board."""
        self._latest = Image()
        self._lit: SquareSet | None = None
        """The lamp states last sent to the board, or None if none have been sent."""
        self._measured_at = -math.inf
        """Time of the last field measurement."""
        self._searching_since: float | None = None
        """Time at which the search for a piece began, or None if there is no search."""
        self.simulated_port = SimulatedPort(simulated) if simulated else None
        """The port of the simulated board, or None for a real board."""
        if self.simulated_port:
            self.simulated_port.run(haste)
            port = str(self.simulated_port.path)
        self._port = port
        self._memory = memory if port is None else None
        self._find = find
        self._link = self._start_link()

    def _start_link(self) -> link.BoardLink:
        """Start a link to the port. A link to a simulated board in this process has no timeouts.

        A busy computer may delay the simulated board's thread, so silence is not a fault. If the
        user unplugs the simulated cable on the screen, the link still reports it.
        """
        if self.simulated:
            board_link = link.BoardLink(
                self._enqueue, self._port, hello_seconds=math.inf, silent_seconds=math.inf
            )
        else:
            board_link = link.BoardLink(
                self._enqueue, self._port, search=link.PortSearch(self._last_port(), self._find)
            )
        board_link.start()
        return board_link

    def close(self) -> None:
        """Switch off the board's lamps, and disconnect."""
        self.set_lamps(0)
        self._link.stop()
        if self.simulated_port:
            self.simulated_port.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def poll(self) -> list[inputs.Input]:
        """Return all inputs since the last call, oldest first, including every frame."""
        self._wake_up.clear()
        found: list[inputs.Input] = []
        for at, event in self._events():
            found.extend(self._translate(at, event))
            if self._watcher:
                self._watcher(at, event)
        return found

    def wait(self, seconds: float) -> None:
        """Wait up to `seconds` for a change in the board's image or for any other event.

        If an event has occurred since the last `poll`, return immediately.
        """
        self._wake_up.wait(seconds)

    @property
    def statistics(self) -> link.Statistics:
        """The link's cumulative counters."""
        return self._link.statistics

    def watch(self, watcher: Watcher | None) -> None:
        """Set the callback for the link's events, or remove it with None.

        The callback is called from the polling thread. If a board is already connected, the
        callback receives its identification message first.
        """
        self._watcher = watcher
        if watcher and self._inputs.connected:
            watcher(self._clock(), self._inputs.connected)

    def send(self, command: wire.HostCommand) -> bool:
        """Send a command to the board without waiting. Return False if no board is connected."""
        return self._link.send(command)

    def release_port(self) -> None:
        """Release the board's port for another program. No events arrive until `reopen`."""
        self._link.stop()
        port = self._inputs.connected.port if self._inputs.connected else self._port
        self._enqueue(link.LinkError(link.LinkErrorKind.BUSY, port, "lent to another program"))

    def reopen(self) -> None:
        """Look for the board again, on the same port as before."""
        self._link = self._start_link()

    def set_lamps(self, squares: SquareSet) -> None:
        """Light the edge lamps of these squares and no others.

        This method may be called often: a command is sent only if the squares have changed, or if
        the board has restarted and thus switched the lamps off.
        """
        if squares != self._lit and self.send(wire.Lamps(squares)):
            self._lit = squares

    def set_field_polling(self, *, seeks: bool) -> None:
        """Request field measurements at intervals.

        If `seeks` is set, the measurements are used to search for a piece that no square detects.
        Call this method often while a game is in progress.
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
            self.send(wire.RequestField())

    @property
    def connected(self) -> link.Connected | None:
        """Identification message of the connected board, or None if no board is connected."""
        return self._inputs.connected

    def _last_port(self) -> str:
        try:
            return self._memory.read_text(encoding="utf-8").strip() if self._memory else ""
        except (OSError, ValueError):  # the file does not exist or is damaged
            return ""

    def _remember(self, port: str) -> None:
        name = link.stable_name(port)
        if self._memory is None or name == self._last_port():
            return
        try:
            write_atomically(self._memory, f"{name}\n")
        except OSError as error:  # the next start will try all ports in order
            _logger.warning("the port of the board cannot be remembered: %s", error)

    def _events(self) -> list[tuple[float, link.Event]]:
        """Return the events of the link since the last call.

        Of consecutive identical identification messages, only the last is returned. The table
        treats each message as a new board, so a board that keeps restarting would otherwise block
        the program.
        """
        events: list[tuple[float, link.Event]] = []
        while True:
            try:
                at, event = self._queue.get_nowait()
            except Empty:
                return events
            if events and isinstance(event, link.Connected) and events[-1][1] == event:
                events.pop()
            events.append((at, event))

    def _enqueue(self, event: link.Event) -> None:
        self._queue.put((self._clock(), event))
        match event:
            case link.MessageReceived(wire.State(image=image)) if image == self._latest:
                return
            case link.MessageReceived(wire.FieldReadings()):
                return
            case link.MessageReceived(wire.State(image=image)):
                self._latest = image
        self._wake_up.set()

    def _translate(self, at: float, event: link.Event) -> list[inputs.Input]:
        if isinstance(event, link.Connected):
            self.error = self._lit = None
            self._remember(event.port)
        elif isinstance(event, link.LinkError):
            self.error = event
        return self._inputs.take(at, event)
