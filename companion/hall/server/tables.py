"""Current state of every table for the pages, and results for the tournament.

`Tables` calls its listeners after each change. One of the listeners is `Results`, which enters the
results of finished games into the tournament.
"""

import logging
import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import Final

from companion.hall.protocol.feed import Item, Stands, read_event
from companion.hall.protocol.messages import LEASE_SECONDS
from companion.hall.server.store import FIRST, GameArrival
from companion.hall.tournament.events import GameResult, Paired, RecordedEvent, ResultSet, result_of
from companion.hall.tournament.tournament import TablePairing, Tournament
from companion.hall.tournament.tournament_file import SavedTournament, add, read
from companion.storage.game_rows import NO_NAMES, PlayerNames
from engine.board.geometry import Side
from engine.game.rulings import GameOver

HURRY_SECONDS: Final = 60.0
"""Remaining clock time, in seconds, below which an arbiter should be near the table."""


class Urgency(Enum):
    """Reasons for an arbiter to look at a table, most urgent first."""

    CALLED = "called"
    """A player has called an arbiter. Unlike in a dispute, the clocks may be running."""
    DISPUTE = "dispute"
    VIOLATION = "violation"
    GONE = "gone"
    DISTURBED = "disturbed"
    NO_BOARD = "no-board"
    HURRY = "hurry"
    PAUSED = "paused"
    PLAYS = "plays"
    OVER = "over"
    WAITS = "waits"


_OF_STANDS: Final = {
    Stands.DISPUTE: Urgency.DISPUTE,
    Stands.VIOLATION: Urgency.VIOLATION,
    Stands.DISTURBED: Urgency.DISTURBED,
    Stands.NO_BOARD: Urgency.NO_BOARD,
}
ORDER: Final = {urgency: number for number, urgency in enumerate(Urgency)}
_EVEN_OFFLINE: Final = (Urgency.CALLED, Urgency.DISPUTE, Urgency.VIOLATION, Urgency.OVER)
"""Reasons that take precedence over a lost connection to the table."""
URGENT: Final = tuple(Urgency)[: ORDER[Urgency.HURRY]]
"""Reasons that the hall shows together with the time at which they began."""
CLOCK_SECONDS: Final = 5.0
"""Smallest error of a table's clock that is reported, in seconds. Chosen by judgement, not
measurement."""


def reason_of(item: Item) -> Urgency:
    """Return the reason for an arbiter to look at a table, given the table's latest item."""
    if item.call:
        return Urgency.CALLED
    if item.is_over:
        return Urgency.OVER
    return _OF_STANDS.get(item.stands) or (Urgency.PAUSED if item.is_paused else Urgency.PLAYS)


@dataclass(frozen=True)
class Attended:
    """An arbiter's latest action at a table."""

    author: str
    at: float
    """Time of the action, in seconds since 1970."""


@dataclass(frozen=True)
class TableStatus:
    """Current state of a table."""

    name: str
    lease_until_monotonic: float = -math.inf
    """The table is considered online until this time on the monotonic clock."""
    heard_at: float = 0.0
    """Time of the latest report that the table is online or going offline, in seconds since
    1970."""
    clock_errors: tuple[float, ...] = ()
    """The latest two measurements of how far the table's clock is ahead of the hall's, in
    seconds."""
    game: str = ""
    """Key of the table's latest game, or empty before the first game."""
    players: PlayerNames = NO_NAMES
    has_handicap: bool = False
    """Whether the latest game is played with a handicap. Tournaments do not count such games."""
    item: Item | None = None
    """The latest item of the latest game."""
    arrival: GameArrival = FIRST
    received_at_monotonic: float = 0.0
    """Time at which the item arrived, on the monotonic clock."""
    since: float = 0.0
    """Time since which the table has needed an arbiter, for the reason in the item, in seconds
    since 1970."""
    attended: Attended | None = None
    """An arbiter's latest action in the latest game."""

    @property
    def clock_error(self) -> float:
        """Error of the table's clock in seconds, positive if the clock is fast.

        A delayed message makes the clock look slow, so the smaller of two measurements is used.
        Errors below `CLOCK_SECONDS` are treated as 0.
        """
        error = min(self.clock_errors, key=abs, default=0.0)
        return error if abs(error) >= CLOCK_SECONDS else 0.0

    def is_here(self, now: float) -> bool:
        """Whether the table is online at `now`, a time on the monotonic clock."""
        return now < self.lease_until_monotonic

    def left(self, limit: str, now: float) -> float | None:
        """Return the seconds left on a clock, or None if the clock is not in use."""
        if self.item is None or limit not in self.item.left:
            return None
        passed = max(0.0, now - self.received_at_monotonic) if limit in self.item.running else 0.0
        return self.item.left[limit] - passed

    def urgency(self, now: float) -> Urgency:
        """Return the most urgent reason for an arbiter to look at the table."""
        if self.item is None:
            return Urgency.WAITS
        reason = reason_of(self.item)
        if reason in _EVEN_OFFLINE:
            return reason
        if not self.is_here(now):
            return Urgency.GONE
        if reason is not Urgency.PLAYS and reason is not Urgency.PAUSED:
            return reason
        left = (self.left(limit, now) for limit in self.item.running)
        if any(seconds is not None and seconds < HURRY_SECONDS for seconds in left):
            return Urgency.HURRY
        return reason

    def urgent_since(self, now: float) -> float | None:
        """Return the time at which the table first needed an arbiter, in seconds since 1970.

        Return None if the table does not need an arbiter, or if the time is unknown.
        """
        urgency = self.urgency(now)
        if urgency is Urgency.GONE:
            return self.heard_at or None
        return self.since or None if urgency in URGENT else None

    def rank(self, now: float) -> tuple[int, float]:
        """Return a sort key that orders tables by urgency, then by waiting time."""
        return ORDER[self.urgency(now)], self.urgent_since(now) or 0.0


class Tables:
    """The current state of all tables in the hall. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tables: dict[str, TableStatus] = {}
        self._listeners: list[Callable[[str], None]] = []
        self.complete_until = 0.0
        """A time on the monotonic clock. All items stored before this time are shown."""

    def all(self) -> list[TableStatus]:
        """Return all tables, most urgent first."""
        now = time.monotonic()
        with self._lock:
            tables = list(self._tables.values())
        return sorted(tables, key=lambda each: (each.rank(now), _natural(each.name)))

    def get(self, name: str) -> TableStatus | None:
        with self._lock:
            return self._tables.get(name)

    def listen(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """Call `listener` with the name of each changed table.

        Return a function that removes the listener.
        """
        with self._lock:
            self._listeners.append(listener)

        def leave() -> None:
            with self._lock:
                self._listeners.remove(listener)

        return leave

    def set_presence(self, name: str, *, is_here: bool, clock_ahead: float | None = None) -> None:
        """Record that a table is online until its lease ends, or that it is going offline.

        `clock_ahead` is how far the table's clock is ahead of the hall's, in seconds. Listeners are
        called only if the table goes online or offline, or if its clock error changes.
        """
        now = time.monotonic()

        def change(table: TableStatus) -> TableStatus:
            errors = table.clock_errors
            if clock_ahead is not None:
                errors = (*errors[-1:], clock_ahead)
            until = now + LEASE_SECONDS if is_here else -math.inf
            return replace(
                table, lease_until_monotonic=until, heard_at=time.time(), clock_errors=errors
            )

        def shown(table: TableStatus) -> tuple[bool, int]:
            return table.is_here(now), round(table.clock_error)

        self._change(name, change, shown)

    def show(
        self,
        name: str,
        game: str,
        item: Item,
        arrival: GameArrival = FIRST,
        since: float | None = None,
        age: float = 0.0,
    ) -> None:
        """Record the latest item of a table, unless a later item is already known.

        `age` is the time since a hall stored the item, in seconds. Its clocks have run since then.

        `since` is the time, in seconds since 1970, from which the table has needed an arbiter for
        the reason given in the item. The default is the current time.
        """

        def change(table: TableStatus) -> TableStatus:
            if table.item is not None and (arrival.order, item.number) < (
                table.arrival.order,
                table.item.number,
            ):
                return table
            known = table
            if game != table.game:
                known = replace(
                    table, players=NO_NAMES, has_handicap=False, item=None, attended=None
                )
            if began := item.began:
                has_handicap = "handicap" in began.edition
                known = replace(known, players=began.players, has_handicap=has_handicap)
            begun = time.time() if since is None else since
            if known.item and reason_of(known.item) is reason_of(item):
                begun = known.since
            return replace(
                known,
                game=game,
                item=item,
                arrival=arrival,
                received_at_monotonic=time.monotonic() - age,
                since=begun,
            )

        self._change(name, change)

    def attend(self, name: str, game: str, attended: Attended) -> None:
        """Record an arbiter's action at a table, if `game` is the table's latest game."""

        def change(table: TableStatus) -> TableStatus:
            return replace(table, attended=attended) if table.game == game else table

        self._change(name, change)

    def touch(self, name: str) -> None:
        """Notify the listeners that a table has changed for a reason other than a new item."""
        self._change(name, replace)

    def _change(
        self,
        name: str,
        change: Callable[[TableStatus], TableStatus],
        shown: Callable[[TableStatus], object] | None = None,
    ) -> None:
        """Change a table and call the listeners.

        If `shown` is given, the listeners are called only if its value changes.
        """
        with self._lock:
            before = self._tables.get(name, TableStatus(name))
            after = self._tables[name] = change(before)
            listeners = list(self._listeners)
        if shown is None or shown(before) != shown(after):
            for listener in listeners:
                listener(name)


def _natural(name: str) -> tuple[str, int, str]:
    """Return a sort key that puts table-10 after table-9."""
    word, hyphen, number = name.rpartition("-")
    return (word, int(number), name) if hyphen and number.isdecimal() else (name, 0, name)


# A game counts for the latest round if it reached the hall after the round was paired. It may be
# played at any table. A result that was entered by hand is kept. If a result was reset to "open" by
# hand, only games that reach the hall later count. Once a result is recorded, further games have no
# effect.

log = logging.getLogger(__name__)

_OTHER_SIDE: Final = {GameResult.RED: GameResult.BLUE, GameResult.BLUE: GameResult.RED}


class Results:
    """Enters results into a tournament file. The file may be created later."""

    def __init__(
        self,
        path: Path,
        tables: Tables,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC).astimezone(),
    ) -> None:
        """Listen for changes to `tables`; `clock` returns the time to record with an entry."""
        self._path, self._tables, self._clock = path, tables, clock
        self._seen: dict[str, tuple[str, bool]] = {}
        """For each table, the last game that was processed, and whether that game was over."""
        tables.listen(self._take)

    def _take(self, name: str) -> None:
        table = self._tables.get(name)
        if table is None or table.item is None:
            return
        state = table.game, table.item.is_over
        if self._seen.get(name) == state:
            return
        self._seen[name] = state
        try:
            self._note(table, table.item)
        except ValueError as error:
            log.warning("the result from %s is not entered into the tournament: %s", name, error)

    def _note(self, table: TableStatus, item: Item) -> None:
        kept = read(self._path) if self._path.exists() else None
        seats = _seats(kept.tournament, table.players) if kept else None
        if kept is None or seats is None:
            return
        pairing, is_swapped = seats
        rounds, at = len(kept.tournament.rounds), self._clock().isoformat(timespec="seconds")
        latest, since = _latest(kept, rounds, pairing.table, table.name)
        is_own = latest is not None and latest.by == table.name
        if item.is_over:
            if pairing.result or table.arrival.at < since:
                return
            if table.has_handicap:
                raise ValueError("a game with a handicap does not count")
            over = _outcome(item)
            result = result_of(over)
            result = _OTHER_SIDE.get(result, result) if is_swapped else result
            event = ResultSet(rounds, pairing.table, result, over.reason.value)
        else:
            if not (pairing.result and is_own and latest and table.arrival.at <= _time(latest)):
                return
            event = ResultSet(rounds, pairing.table, None)  # the end was taken back

        def decide(tournament: Tournament) -> Sequence[RecordedEvent]:
            now = tournament.rounds[rounds - 1].game_at(event.table).result
            return [RecordedEvent(at, table.name, event)] if now is pairing.result else []

        add(self._path, decide)


def _outcome(item: Item) -> GameOver:
    over = read_event(item.outcome or {})
    if not isinstance(over, GameOver):
        raise ValueError("its outcome is missing")
    return over


def _seats(tournament: Tournament, players: PlayerNames) -> tuple[TablePairing, bool] | None:
    """Return the pairing of these players in the latest round, and whether colours are swapped.

    Return None if the latest round does not pair these players.
    """
    seated = [players.of(side).strip().casefold() for side in Side]
    for pairing in tournament.rounds[-1].games if tournament.rounds else ():
        numbers = pairing.red, pairing.blue
        paired = [tournament.player(number).name.strip().casefold() for number in numbers]
        if seated in (paired, paired[::-1]):
            return pairing, seated != paired
    return None


def _latest(
    kept: SavedTournament, rounds: int, table: int, name: str
) -> tuple[RecordedEvent | None, float]:
    """Return the latest result entered for a table since the round was paired, and a time.

    Games that began at the table `name` before this time, in seconds since 1970, do not count. It
    is the time of the pairing or, if anyone other than the table has reopened the game since, the
    time at which it was last reopened.
    """
    latest, since = None, 0.0
    for noted in kept.events:
        match noted.event:
            case Paired():
                latest, since = None, _time(noted)
            case ResultSet(number, place, result) if (number, place) == (rounds, table):
                latest = noted
                if result is None and noted.by != name:
                    since = _time(noted)
    return latest, since


def _time(noted: RecordedEvent) -> float:
    return datetime.fromisoformat(noted.at).timestamp()
