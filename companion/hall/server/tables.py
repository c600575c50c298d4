"""Current state of every table, for the pages; listeners are called on each change."""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import Final

from companion.hall.protocol.feed import read_event
from companion.hall.protocol.feed_item import Item, Stands
from companion.hall.tournament.events import GameResult, Paired, RecordedEvent, ResultSet, result_of
from companion.hall.tournament.tournament import Tournament
from companion.hall.tournament.tournament_file import SavedTournament, add, read
from companion.storage.game_rows import NOBODY, PlayerNames
from engine.game.rulings import GameOver

HURRY_SECONDS: Final = 60.0
"""Remaining clock time below which an arbiter should be near the table, in seconds."""


class Urgency(Enum):
    """Reasons for an arbiter to look at a table, the most urgent first."""

    CALLED = "called"
    """A player calls an arbiter, mostly while the clocks run; during a dispute they are stopped."""
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


@dataclass(frozen=True)
class TableNow:
    """Current state of a table."""

    name: str
    is_here: bool = False
    game: str = ""
    """The key of the table's latest game; empty before the first game."""
    players: PlayerNames = NOBODY
    has_handicap: bool = False
    """Whether the latest game is played with a handicap, so that no tournament counts it."""
    item: Item | None = None
    """The latest item of the latest game."""
    came_at: float = 0.0
    """Arrival time of the item, by the monotonic clock."""

    def left(self, limit: str, now: float) -> float | None:
        """Return the seconds left on a clock, or None if the clock is not in use."""
        if self.item is None or limit not in self.item.left:
            return None
        passed = max(0.0, now - self.came_at) if limit in self.item.running else 0.0
        return self.item.left[limit] - passed

    def urgency(self, now: float) -> Urgency:
        """Return the most urgent reason for an arbiter to look at the table."""
        if self.item is None:
            return Urgency.WAITS
        if self.item.call:
            return Urgency.CALLED
        if self.item.is_over:
            return Urgency.OVER
        stands = _OF_STANDS.get(self.item.stands)
        if stands in (Urgency.DISPUTE, Urgency.VIOLATION):
            return stands
        if not self.is_here:
            return Urgency.GONE
        if stands:
            return stands
        left = (self.left(limit, now) for limit in self.item.running)
        if any(seconds is not None and seconds < HURRY_SECONDS for seconds in left):
            return Urgency.HURRY
        return Urgency.PAUSED if self.item.is_paused else Urgency.PLAYS


class Tables:
    """All tables of the hall. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tables: dict[str, TableNow] = {}
        self._listeners: list[Callable[[str], None]] = []

    def all(self) -> list[TableNow]:
        """Return all tables, the most urgent first."""
        now = time.monotonic()
        with self._lock:
            tables = list(self._tables.values())
        return sorted(tables, key=lambda each: (ORDER[each.urgency(now)], _natural(each.name)))

    def get(self, name: str) -> TableNow | None:
        """Return a table, or None for an unknown table."""
        with self._lock:
            return self._tables.get(name)

    def listen(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """Call `listener` with the name of each changed table; return a function to stop that."""
        with self._lock:
            self._listeners.append(listener)

        def leave() -> None:
            with self._lock:
                self._listeners.remove(listener)

        return leave

    def set_presence(self, name: str, *, is_here: bool) -> None:
        """Record whether a table is online."""
        self._change(name, lambda table: replace(table, is_here=is_here))

    def show(self, name: str, game: str, item: Item) -> None:
        """Record the latest item of a table, unless a later item is already known."""

        def change(table: TableNow) -> TableNow:
            is_older = game < table.game or (
                game == table.game and table.item is not None and item.number < table.item.number
            )
            if is_older:
                return table
            known = table if game == table.game else TableNow(table.name, table.is_here)
            if began := item.began:
                has_handicap = "handicap" in began.edition
                known = replace(known, players=began.players, has_handicap=has_handicap)
            return replace(known, game=game, item=item, came_at=time.monotonic())

        self._change(name, change)

    def touch(self, name: str) -> None:
        """Report a change of a table that does not come from an item."""
        self._change(name, replace)

    def _change(self, name: str, change: Callable[[TableNow], TableNow]) -> None:
        with self._lock:
            self._tables[name] = change(self._tables.get(name, TableNow(name)))
            listeners = list(self._listeners)
        for listener in listeners:
            listener(name)


def _natural(name: str) -> tuple[str, int, str]:
    """Return a sort key that puts table-10 after table-9."""
    word, hyphen, number = name.rpartition("-")
    return (word, int(number), name) if hyphen and number.isdecimal() else (name, 0, name)


# Enters the results of the tables' games into the tournament as soon as they are reported.
# A result that was entered manually stays. A game counts for a round only if it was started after
# the round was paired. Further games at the table before the next round have no effect.

log = logging.getLogger(__name__)


class Results:
    """Enters results into a tournament file, which may be created later."""

    def __init__(
        self,
        path: Path,
        tables: Tables,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC).astimezone(),
    ) -> None:
        """Follow these tables; `table-7` plays at table 7 of the tournament."""
        self._path, self._tables, self._clock = path, tables, clock
        self._ended: dict[str, str] = {}
        """By table, the key of the last game whose end was processed."""
        tables.listen(self._take)

    def _take(self, name: str) -> None:
        table = self._tables.get(name)
        if table is None or table.item is None:
            return
        is_known = self._ended.get(name) == table.game
        if is_known == table.item.is_over:
            return
        if table.item.is_over:
            self._ended[name] = table.game
        elif self._ended.pop(name, None) is None:
            return
        try:
            if table.has_handicap:
                raise ValueError("a game with a handicap does not count")
            self._note(name, table.game, table.item)
        except ValueError as error:
            log.warning("what %s tells does not go into the tournament: %s", name, error)

    def _note(self, name: str, game: str, item: Item) -> None:
        number = name.rpartition("-")[2]
        kept = read(self._path) if self._path.exists() and number.isdecimal() else None
        paired = _paired_at(kept) if kept else None
        if kept is None or paired is None or _begun_at(game) < paired:
            return
        rounds, at = len(kept.tournament.rounds), self._clock().isoformat(timespec="seconds")
        if item.is_over:
            over = _outcome(item)
            event = ResultSet(rounds, int(number), result_of(over), over.reason.value)
            before = None
        else:  # both sides have undone the end
            event = ResultSet(rounds, int(number), None)
            before = _set_by(kept, name, event)
            if before is None:
                return

        def decide(tournament: Tournament) -> Sequence[RecordedEvent]:
            is_as_before = tournament.rounds[rounds - 1].game_at(event.table).result is before
            return [RecordedEvent(at, name, event)] if is_as_before else []

        add(self._path, decide)


def _outcome(item: Item) -> GameOver:
    over = read_event(item.outcome or {})
    if not isinstance(over, GameOver):
        raise ValueError("its outcome is missing")
    return over


def _paired_at(kept: SavedTournament) -> datetime | None:
    """Return the time at which the latest round was paired; None before the first round."""
    if not kept.tournament.rounds:
        return None
    paired = [noted.at for noted in kept.events if isinstance(noted.event, Paired)]
    return datetime.fromisoformat(paired[-1]).astimezone()


def _begun_at(game: str) -> datetime:
    """Return a game's start time, which is part of its key."""
    return datetime.fromisoformat(game.partition("/")[0]).replace(tzinfo=UTC)


def _set_by(kept: SavedTournament, name: str, event: ResultSet) -> GameResult | None:
    """Return the result of the event's game if `name` was the last to set it, otherwise None."""
    place = event.round, event.table
    told = [
        noted
        for noted in kept.events
        if isinstance(noted.event, ResultSet) and (noted.event.round, noted.event.table) == place
    ]
    latest = told[-1] if told else None
    if latest is None or latest.by != name or not isinstance(latest.event, ResultSet):
        return None
    return latest.event.result
