"""What is known of every table just now, for pages that are looked at: told when it changes."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from companion.hall.feed.item import Item, Stands
from companion.store.players import NOBODY, Players

HURRY_SECONDS: Final = 60.0
"""With less on a clock that runs an arbiter should be near."""


class Urgency(Enum):
    """Why an arbiter should look at a table, the most urgent first."""

    CALLED = "called"
    """Somebody asks for an arbiter, mostly while the clocks run; in a dispute they stand."""
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
    """A table at this moment."""

    name: str
    is_here: bool = False
    game: str = ""
    """The key of its latest game, empty if there is none yet."""
    players: Players = NOBODY
    item: Item | None = None
    """The latest of that game."""
    came_at: float = 0.0
    """When the item came, by the monotonic clock."""

    def left(self, limit: str, now: float) -> float | None:
        """The seconds that are left on a clock, None if there is no such clock."""
        if self.item is None or limit not in self.item.left:
            return None
        passed = max(0.0, now - self.came_at) if limit in self.item.running else 0.0
        return self.item.left[limit] - passed

    def urgency(self, now: float) -> Urgency:
        """Why an arbiter should look at it."""
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
        return Urgency.PAUSED if self.item.stands is Stands.PAUSED else Urgency.PLAYS


class Tables:
    """All tables of the hall. Every thread may ask, change and listen."""

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
        """Return a table, None if nobody has heard of it."""
        with self._lock:
            return self._tables.get(name)

    def listen(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """Tell the name of every table that changes; return what ends that."""
        with self._lock:
            self._listeners.append(listener)

        def leave() -> None:
            with self._lock:
                self._listeners.remove(listener)

        return leave

    def set_presence(self, name: str, *, is_here: bool) -> None:
        """Note whether a table is there."""
        self._change(name, lambda table: replace(table, is_here=is_here))

    def show(self, name: str, game: str, item: Item) -> None:
        """Note the latest item of a table, unless a later one is known already."""

        def change(table: TableNow) -> TableNow:
            is_older = game < table.game or (
                game == table.game and table.item is not None and item.number < table.item.number
            )
            if is_older:
                return table
            names = NOBODY if game != table.game else table.players
            if item.began:
                names = Players.read(item.began["players"])
            return replace(table, game=game, item=item, came_at=time.monotonic(), players=names)

        self._change(name, change)

    def touch(self, name: str) -> None:
        """Say that something else about a table is new."""
        self._change(name, lambda table: table)

    def _change(self, name: str, change: Callable[[TableNow], TableNow]) -> None:
        with self._lock:
            self._tables[name] = change(self._tables.get(name, TableNow(name)))
            listeners = list(self._listeners)
        for listener in listeners:
            listener(name)


def _natural(name: str) -> tuple[str, int, str]:
    """Sort table-10 behind table-9."""
    word, hyphen, number = name.rpartition("-")
    return (word, int(number), name) if hyphen and number.isdecimal() else (name, 0, name)
