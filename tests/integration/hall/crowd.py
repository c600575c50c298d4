"""Many tables in a single process, which send their journals to the hall.

The tables repeat the actions of games that were played in advance, so choosing the actions takes
almost no time.
"""

import heapq
import random
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Final

from companion.hall.protocol.messages import game_key
from companion.hall.publisher.hall_file import HallFile
from companion.hall.publisher.uplink import LOOK_SECONDS, HallUplink
from companion.storage.journal import Journal
from companion.storage.journal_tail import JournalTail
from engine.game.actions import Action
from engine.game.clocks import NO_CLOCK, ClockState
from engine.game.referee import Referee
from engine.rules.editions import DEFAULT
from tests.companion.hall.saved_tables import SavedTable

ORIGIN: Final = "board"
_PLIES: Final = 150
_SCRIPTS: Final = 4


def write_scripts() -> list[list[Action]]:
    """Return the actions of a few random games."""
    scripts = []
    for seed in range(_SCRIPTS):
        with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
            table = SavedTable(Path(folder, "games.sqlite"), seed)
            game = table.number
            while table.number == game and table.referee.plies < _PLIES:
                actions = list(table.referee.actions)
                table.play(1)
            scripts.append(actions)
            table.journal.close()
    return scripts


class CrowdLine(HallUplink):
    """`HallUplink` without a thread. Hundreds of threads would spend most of their time on context
    switches."""

    looked_at = 0.0

    def __init__(self, hall: HallFile, games: Path, origin: str) -> None:
        super().__init__(hall, games, origin)
        self.confirmed: list[tuple[float, str, int]] = []
        """For each confirmation: its time, the game, and how many of the game's items the hall
        has."""

    def start(self) -> None:
        self._connection.start()

    def is_due(self, now: float) -> bool:
        """Whether messages have arrived, or the last poll was more than half a second ago."""
        return not self._heard.empty() or now - self.looked_at > 0.5

    def look(self) -> None:
        """Run one step of the uplink's loop. Normally, the uplink's thread runs twenty steps per
        second."""
        self.looked_at = time.monotonic()
        with suppress(sqlite3.OperationalError):
            self._work()
        for key, game in self._outbox._games.items() if self._outbox else ():
            known = self.confirmed[-1][1:] if self.confirmed else ("", 0)
            if game.received and known < (key, game.received):
                self.confirmed.append((time.monotonic(), key, game.received))

    def leave(self) -> None:
        self._connection.stop()


@dataclass
class TableItems:
    kept_at: dict[tuple[str, int], float]
    """Time at which each item reached the disk, keyed by game and sequence number."""
    confirmed: list[tuple[float, str, int]]
    """For each confirmation: its time, the game, and how many of the game's items the hall has."""


@dataclass
class CrowdTable:
    """Simulated table with a journal and a connection to the hall."""

    hall: HallFile
    path: Path
    script: Sequence[Action]
    seed: int
    kept_at: dict[tuple[str, int], float] = field(default_factory=dict)
    """Time at which each item reached the disk, keyed by game and sequence number."""

    def __post_init__(self) -> None:
        self._journal = Journal(self.path, ORIGIN)
        self._follower = JournalTail(self.path, ORIGIN)
        self._begin()
        self.line = CrowdLine(self.hall, self.path, ORIGIN)

    def _begin(self) -> None:
        self._game = self._journal.begin(DEFAULT, self.seed, NO_CLOCK)
        self._referee = Referee.waiting(DEFAULT)
        self._done = 0
        (begun,) = self._follower.games(self._game)
        self._key = game_key(begun.at, begun.game)

    def rule(self) -> None:
        """Append the next action in the script. After the last action, begin a new game."""
        if self._done == len(self.script):
            self._begin()
        action = self.script[self._done]
        self._done += 1
        self._journal.append(self._game, float(self._done), [action], None, ClockState())
        self.kept_at[self._key, self._done + 1] = time.monotonic()


def play(
    files: Sequence[HallFile],
    folder: Path,
    seconds_between: float,
    stopping: Event,
    leaving: Event,
    results: "Queue[dict[str, TableItems]]",
) -> None:
    """Play until `stopping` is set. Then put into `results` when each table's items were stored and
    confirmed, and wait until `leaving` is set."""
    scripts = write_scripts()
    tables = []
    for number, file in enumerate(files):
        path = folder / file.table / "games.sqlite"
        tables.append(CrowdTable(file, path, scripts[number % len(scripts)], number))
    for table in tables:
        table.line.start()
    dice = random.Random(1)
    now = time.monotonic()
    rulings = [(now + dice.random() * seconds_between, number) for number in range(len(tables))]
    heapq.heapify(rulings)
    looks: list[tuple[float, int]] = []
    is_reported = False
    while not leaving.wait(0.01):
        now = time.monotonic()
        while rulings[0][0] <= now and not stopping.is_set():
            at, number = rulings[0]
            tables[number].rule()
            heapq.heapreplace(rulings, (at + seconds_between * dice.uniform(0.5, 1.5), number))
            heapq.heappush(looks, (time.monotonic() + dice.random() * LOOK_SECONDS, number))
        while looks and looks[0][0] <= now:
            tables[heapq.heappop(looks)[1]].line.look()
        for table in tables:
            if table.line.is_due(now):
                table.line.look()
        if stopping.is_set() and not is_reported:
            is_reported = True
            results.put(
                {
                    table.hall.table: TableItems(table.kept_at, table.line.confirmed)
                    for table in tables
                }
            )
    for table in tables:
        table.line.leave()
