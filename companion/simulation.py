"""Whole games at a simulated board, in simulated time, through the real frames and the real link.

Time is the board's own: it goes by only when hands take it, and the table gets the moment that each
frame carries. So a run is the same every time, though its bytes travel through a pseudo-terminal
and threads.
"""

from collections.abc import Callable
from queue import SimpleQueue
from types import TracebackType
from typing import Final, Self

from companion.inputs import BoardFound, BoardSeen
from companion.session import Session
from firmware_bridge.link import Connected, Link, Received, Trouble
from firmware_bridge.link import Event as LinkEvent
from firmware_bridge.virtual.board import VirtualBoard
from firmware_bridge.virtual.hands import Hands
from firmware_bridge.virtual.lines import Line, clean
from firmware_bridge.virtual.port import VirtualPort
from firmware_bridge.wire import STATE_INTERVAL_MS, BoardKind, State

LINK_PATIENCE: Final = 20.0
"""Real seconds to wait for bytes that are on their way, before the run is given up."""


class SimulatedBoard:
    """A board whose time stands still until somebody lets it pass, with a session that reads it."""

    def __init__(
        self, session: Session, kind: BoardKind = BoardKind.COLOURS, line: Line = clean
    ) -> None:
        """Plug the board in and wait until the session has heard of it."""
        self.session = session
        self.board = VirtualBoard(kind)
        self.hands = Hands(self.board, self.pass_time)
        self.now = 0.0
        """Seconds on the board's clock."""
        self._port = VirtualPort(self.board, line=line)
        self._told: SimpleQueue[LinkEvent] = SimpleQueue()
        self._link = Link(self._told.put, str(self._port.path), silent_seconds=LINK_PATIENCE)
        self._link.start()
        while not isinstance(self._next_event(), Connected):
            pass
        session.handle(BoardFound(self.now, sees_colours=kind is BoardKind.COLOURS))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._link.stop()
        self._port.close()

    def pass_time(self, milliseconds: int) -> None:
        """Let time go by: every frame of it travels over the wire and reaches the table."""
        latest = self._port.advance(milliseconds)
        while round(self.now * 1000) < latest:
            match self._next_event():
                case Received(State(at_ms=at_ms, image=image)):
                    self.now = at_ms / 1000
                    self.session.handle(BoardSeen(self.now, image))

    def wait_for(self, wanted: Callable[[], bool], limit_ms: int) -> bool:
        """Let time go by frame by frame until something holds; False if it never does."""
        waited = 0
        while not wanted() and waited < limit_ms:
            self.pass_time(STATE_INTERVAL_MS)
            waited += STATE_INTERVAL_MS
        return wanted()

    def _next_event(self) -> LinkEvent:
        event = self._told.get(timeout=LINK_PATIENCE)
        if isinstance(event, Trouble):
            raise RuntimeError(f"the simulated board cannot be read: {event}")
        return event
