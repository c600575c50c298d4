"""Runs complete games on a board in simulated time, with real frames and the real link.

Only hand actions advance the time, and the table uses the timestamps of the frames. A run is
therefore deterministic, although its bytes pass through a pseudo-terminal and threads.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from pathlib import Path
from queue import SimpleQueue
from typing import Final, Protocol, Self, TypeAlias

from companion.core.inputs import BoardFound, BoardLost, BoardSeen
from companion.session.session import Session
from engine.game.actions import Action
from engine.records.serialization import ACTIONS, write_action
from firmware_bridge.link import BoardLink, Connected, LinkError, MessageReceived, Statistics
from firmware_bridge.link import Event as LinkEvent
from firmware_bridge.sensing.change_detector import ChangeTimes
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.hands import Hands
from firmware_bridge.wire import STATE_INTERVAL_MS, BoardKind, Hello, ResetCause, State

# Disruptions.


class Disruption(Enum):
    """A reset, a hang, or a loss of power or connection that a game must survive."""

    RESET = "reset"
    HANG = "hang"
    BROWN_OUT = "brown-out"
    PLUG_PULLED = "plug pulled"
    PLUGGED_IN = "plugged in"


RESTARTS: Final[Mapping[Disruption, ResetCause]] = {
    Disruption.RESET: ResetCause.EXTERNAL,
    Disruption.HANG: ResetCause.WATCHDOG,
    Disruption.BROWN_OUT: ResetCause.BROWN_OUT,
}
"""Disruptions that make the board restart at once. Each is mapped to the reset cause that the board
then reports."""

Disruptions: TypeAlias = Iterator[tuple[int, Disruption]]
"""Disruptions in chronological order, each with its time in simulated milliseconds."""

QUIET_MS: Final = (3_000, 20_000)
"""Shortest and longest time between two disruptions. Even at the longest interval, a game is
disrupted many times."""
AWAY_MS: Final = (20, 3_000)
"""Shortest and longest time for which the board stays unplugged."""


def steady(_seed: int) -> Disruptions:
    """Return no disruptions: the connection is steady."""
    return iter(())


def loose(seed: int) -> Disruptions:
    """Yield the random restarts and disconnections of a loose plug, determined by `seed`."""
    dice = random.Random(seed)
    kinds = [*RESTARTS, Disruption.PLUG_PULLED]
    now_ms = 0
    while True:
        now_ms += dice.randint(*QUIET_MS)
        disruption = dice.choice(kinds)
        yield now_ms, disruption
        if disruption is Disruption.PLUG_PULLED:
            now_ms += dice.randint(*AWAY_MS)
            yield now_ms, Disruption.PLUGGED_IN


PLUGS: Final[Mapping[str, Callable[[int], Disruptions]]] = {"steady": steady, "loose": loose}
"""Types of connection, keyed by name."""


LINK_PATIENCE: Final = 20.0
"""Time to wait for bytes in transit before aborting the run, in seconds of real time."""
RETRY_SECONDS: Final = 0.02
"""Interval between attempts to find an unplugged board, in seconds of real time."""


class Port(Protocol):
    """Port that the board is plugged into: a `SimulatedPort` or the emulated board's port."""

    @property
    def path(self) -> Path:
        """Path for opening the port."""

    def advance(self, milliseconds: int) -> int:
        """Advance the simulated time.

        Return the number of STATE frames that the board sent during that time.
        """

    def restart(self, cause: ResetCause) -> None:
        """Reset the board."""

    def unplug(self) -> None:
        """Pull the plug."""

    def replug(self) -> None:
        """Plug the board in again."""

    def close(self) -> None:
        """Unplug the board permanently."""


class BoardRig:
    """A board whose time advances only on demand, and a session that reads the board."""

    def __init__(
        self,
        session: Session,
        board: SimulatedBoard,
        port: Port,
        disruptions: Disruptions | None = None,
    ) -> None:
        """Wait until the session is connected to the board at `port`.

        `board` holds the pieces of that board. The hands keep moving during the `disruptions`.
        """
        self.session = session
        self.board = board
        self.hands = Hands(self.board, self.pass_time)
        self.now = 0.0
        """Elapsed time in seconds, according to the board's frames."""
        self.is_plugged_in = True
        self.greetings: list[Hello] = []
        """The HELLO messages received, one for each connection and each restart of the board."""
        self._port = port
        self._disruptions = disruptions or iter(())
        self._next_disruption = next(self._disruptions, None)
        self._passed_ms = self._board_ms = 0
        self._moments = ChangeTimes()
        self._events: SimpleQueue[LinkEvent] = SimpleQueue()
        self._link = BoardLink(
            self._events.put,
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
        return self._link.statistics

    def pass_time(self, milliseconds: int) -> None:
        """Advance the time. Every frame sent during that time reaches the table over the wire."""
        end = self._passed_ms + milliseconds
        while self._next_disruption and self._next_disruption[0] <= end:
            at_ms, disruption = self._next_disruption
            self._next_disruption = next(self._disruptions, None)
            self._pass_until(at_ms)
            self._apply(disruption)
        self._pass_until(end)

    def wait_for(self, wanted: Callable[[], bool], limit_ms: int) -> bool:
        """Advance the time frame by frame until a condition holds.

        Return False if the condition does not hold within `limit_ms`.
        """
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
                case MessageReceived(State(at_ms=at_ms) as state):
                    # Use the board's clock to tell whether it has restarted. A HELLO does not prove
                    # a restart: two may arrive if the link had to repeat its request.
                    if at_ms <= self._board_ms:
                        self._find()
                    self.now += (at_ms - self._board_ms) / 1000
                    self._board_ms = at_ms
                    moments = self._moments.of(self.now, state)
                    self.session.handle(BoardSeen(self.now, state.image, moments, state.faint))
                    awaited -= 1

    def _apply(self, disruption: Disruption) -> None:
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
        self._moments.reset()
        self.greetings.append(self._hello)
        sees_colours = self._hello.kind is BoardKind.COLOURS
        self.session.handle(BoardFound(self.now, sees_colours=sees_colours))

    def _wait_for_its_loss(self) -> None:
        while not isinstance(self._events.get(timeout=LINK_PATIENCE), LinkError):
            pass
        self.is_plugged_in = False
        self.session.handle(BoardLost(self.now))

    def _next_event(self) -> LinkEvent:
        event = self._events.get(timeout=LINK_PATIENCE)
        if isinstance(event, LinkError):
            raise RuntimeError(f"the simulated board cannot be read: {event}")
        return event


# Coverage of the engine's actions by games.


def count_actions(actions: Iterable[Action]) -> dict[str, int]:
    """Count actions by keyword, in the order in which the notation lists the keywords."""
    counted = Counter(write_action(action)["do"] for action in actions)
    return {word: counted[word] for word in ACTIONS if counted[word]}


def add_up(games: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total = Counter[str]()
    for counts in games:
        total.update(counts)
    return {word: total[word] for word in ACTIONS if total[word]}


def find_missing(counts: Mapping[str, int]) -> list[str]:
    return [word for word in ACTIONS if not counts.get(word)]


def coverage_text(games: int, counts: Mapping[str, int]) -> str:
    """Report how often each action occurred in `games` games, and which actions never did."""
    occurred = ", ".join(f"{word} {times}" for word, times in counts.items())
    missing = ", ".join(find_missing(counts))
    never = f"never: {missing}" if missing else "every action occurred"
    return f"{games} games: {occurred}; {never}"
