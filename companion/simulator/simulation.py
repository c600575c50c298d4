"""Whole games at a board of which the time is simulated, through real frames and the real link.

Time goes by only when hands take it, and the table gets the moment that each frame carries. So a
run is the same every time, though its bytes travel through a pseudo-terminal and threads.
"""

from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from typing import Final, Protocol, Self

from companion.simulator.disruptions import RESTARTS, Disruption, Disruptions
from companion.store.session import Session
from companion.table.inputs import BoardFound, BoardLost, BoardSeen
from firmware_bridge.link import Connected, Link, Received, Statistics, Trouble
from firmware_bridge.link import Event as LinkEvent
from firmware_bridge.sensing.moments import Moments
from firmware_bridge.virtual.board import VirtualBoard
from firmware_bridge.virtual.hands import Hands
from firmware_bridge.wire import STATE_INTERVAL_MS, BoardKind, Hello, ResetCause, State

LINK_PATIENCE: Final = 20.0
"""Real seconds to wait for bytes that are on their way, before the run is given up."""
RETRY_SECONDS: Final = 0.02
"""Real seconds from one look for a board that was unplugged to the next."""


class Port(Protocol):
    """Where the board is plugged in: `VirtualPort`, or the emulated board's."""

    @property
    def path(self) -> Path:
        """What to open."""

    def advance(self, milliseconds: int) -> int:
        """Let simulated time go by. Returns how many STATE the board has sent meanwhile."""

    def restart(self, cause: ResetCause) -> None:
        """Let the board reset."""

    def unplug(self) -> None:
        """Pull the plug."""

    def replug(self) -> None:
        """Plug the board in again."""

    def close(self) -> None:
        """Unplug the board for good."""


class SimulatedBoard:
    """A board whose time stands still until somebody lets it pass, with a session that reads it."""

    def __init__(
        self,
        session: Session,
        board: VirtualBoard,
        port: Port,
        disruptions: Disruptions | None = None,
    ) -> None:
        """Wait until the session has heard of the board at `port`, on which `board` stands.

        Hands go on with what they do while `disruptions` come over the board.
        """
        self.session = session
        self.board = board
        self.hands = Hands(self.board, self.pass_time)
        self.now = 0.0
        """Seconds that have gone by, as far as the board's frames tell."""
        self.is_plugged_in = True
        self.greetings: list[Hello] = []
        """How the board has introduced itself: when it was found, and whenever it started anew."""
        self._port = port
        self._disruptions = disruptions or iter(())
        self._next_disruption = next(self._disruptions, None)
        self._passed_ms = self._board_ms = 0
        self._moments = Moments()
        self._told: SimpleQueue[LinkEvent] = SimpleQueue()
        self._link = Link(
            self._told.put,
            str(port.path),
            silent_seconds=LINK_PATIENCE,
            retry_seconds=RETRY_SECONDS,
        )
        self._link.start()
        self._wait_for_board()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._link.stop()
        self._port.close()

    @property
    def statistics(self) -> Statistics:
        """How well the link hears the board."""
        return self._link.statistics

    def pass_time(self, milliseconds: int) -> None:
        """Let time go by: every frame of it travels over the wire and reaches the table."""
        end = self._passed_ms + milliseconds
        while self._next_disruption and self._next_disruption[0] <= end:
            at_ms, disruption = self._next_disruption
            self._next_disruption = next(self._disruptions, None)
            self._pass_until(at_ms)
            self._suffer(disruption)
        self._pass_until(end)

    def wait_for(self, wanted: Callable[[], bool], limit_ms: int) -> bool:
        """Let time go by frame by frame until something holds; False if it never does."""
        waited = 0
        while not wanted() and waited < limit_ms:
            self.pass_time(STATE_INTERVAL_MS)
            waited += STATE_INTERVAL_MS
        return wanted()

    def _pass_until(self, moment_ms: int) -> None:
        milliseconds, self._passed_ms = moment_ms - self._passed_ms, moment_ms
        awaited = self._port.advance(milliseconds)
        if not self.is_plugged_in:
            self.now += milliseconds / 1000
        while awaited:
            match self._next_event():
                case Connected(hello=hello):
                    self._hello = hello
                case Received(State(at_ms=at_ms) as state):
                    # Its clock tells that the board has started anew. HELLO may come twice, if the
                    # link had to ask twice, or be held to be an answer.
                    if at_ms <= self._board_ms:
                        self._find()
                    self.now += (at_ms - self._board_ms) / 1000
                    self._board_ms = at_ms
                    moments = self._moments.of(self.now, state)
                    self.session.handle(BoardSeen(self.now, state.image, moments, state.faint))
                    awaited -= 1

    def _suffer(self, disruption: Disruption) -> None:
        match disruption:
            case Disruption.PLUG_PULLED:
                self._port.unplug()
                self._wait_for_its_loss()
            case Disruption.PLUGGED_IN:
                self._port.replug()
                self._wait_for_board()
            case _:
                self._port.restart(RESTARTS[disruption])

    def _wait_for_board(self) -> None:
        while not isinstance(event := self._next_event(), Connected):
            pass
        self.is_plugged_in = True
        self._hello = event.hello
        self._find()

    def _find(self) -> None:
        self._board_ms = 0
        self._moments.begin_anew()
        self.greetings.append(self._hello)
        sees_colours = self._hello.kind is BoardKind.COLOURS
        self.session.handle(BoardFound(self.now, sees_colours=sees_colours))

    def _wait_for_its_loss(self) -> None:
        while not isinstance(self._told.get(timeout=LINK_PATIENCE), Trouble):
            pass
        self.is_plugged_in = False
        self.session.handle(BoardLost(self.now))

    def _next_event(self) -> LinkEvent:
        event = self._told.get(timeout=LINK_PATIENCE)
        if isinstance(event, Trouble):
            raise RuntimeError(f"the simulated board cannot be read: {event}")
        return event
