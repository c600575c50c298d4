"""Results of the tables' games are entered into the tournament as soon as they are reported.

A result that was set by hand stays. Only a game that was started after the round was paired counts
for the round; other games at the table before the next round change nothing.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from companion.hall.feed.event_reader import read_event
from companion.hall.feed.item import Item
from companion.hall.server.tables import Tables
from companion.hall.tournament.event import Noted, Paired, Resulted
from companion.hall.tournament.marks import Result, result_of
from companion.hall.tournament.tournament import Tournament
from companion.hall.tournament.tournament_file import Kept, add, read
from engine.game.rulings import GameOver

log = logging.getLogger(__name__)


class Results:
    """Enters results into a tournament file, which may be created later."""

    def __init__(
        self,
        path: Path,
        tables: Tables,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC).astimezone(),
    ) -> None:
        """Follow these tables: `table-7` plays at table 7 of the tournament."""
        self._path, self._tables, self._clock = path, tables, clock
        self._ended: dict[str, str] = {}
        """By table, the key of the game whose end was processed."""
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
            event = Resulted(rounds, int(number), result_of(over), over.reason.value)
            before = None
        else:  # both sides have undone the end
            event = Resulted(rounds, int(number), None)
            before = _set_by(kept, name, event)
            if before is None:
                return

        def decide(tournament: Tournament) -> Sequence[Noted]:
            is_as_before = tournament.rounds[rounds - 1].game_at(event.table).result is before
            return [Noted(at, name, event)] if is_as_before else []

        add(self._path, decide)


def _outcome(item: Item) -> GameOver:
    over = read_event(item.outcome or {})
    if not isinstance(over, GameOver):
        raise ValueError("its outcome is none")
    return over


def _paired_at(kept: Kept) -> datetime | None:
    """Return the time at which the latest round was paired, None before the first."""
    if not kept.tournament.rounds:
        return None
    paired = [noted.at for noted in kept.events if isinstance(noted.event, Paired)]
    return datetime.fromisoformat(paired[-1]).astimezone()


def _begun_at(game: str) -> datetime:
    """Return the time at which a game was started, which is part of its key."""
    return datetime.fromisoformat(game.partition("/")[0]).replace(tzinfo=UTC)


def _set_by(kept: Kept, name: str, event: Resulted) -> Result | None:
    """Return the result of the event's game if this table set it last, else None."""
    place = event.round, event.table
    told = [
        noted
        for noted in kept.events
        if isinstance(noted.event, Resulted) and (noted.event.round, noted.event.table) == place
    ]
    latest = told[-1] if told else None
    if latest is None or latest.by != name or not isinstance(latest.event, Resulted):
        return None
    return latest.event.result
