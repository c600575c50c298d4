"""The memory of the table: every accepted action and every note, on disk before it is announced.

One SQLite file keeps all games. What is accepted together is one transaction with full
synchronization, so a pulled plug loses at most what nobody has been told. The file holds declared
ranks, so nobody but its owner may read it.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from companion.store.notes import Note, Noted, read_note, write_note
from companion.store.one_player import OnePlayer
from companion.store.players import NOBODY, Players
from companion.store.storage_trouble import StorageTrouble, storage_trouble
from companion.table.beginning import Beginning
from companion.table.saved_state import BLANK, SavedState, read_saved_state, write_saved_state
from engine.games.notation import (
    read_action,
    read_clock,
    read_control,
    read_edition,
    write_action,
    write_clock,
    write_control,
    write_edition,
)
from engine.games.transcript import Transcript, transcribe
from engine.play.actions import Action
from engine.play.clocks import ClockState, TimeControl
from engine.play.rulings import GameOver
from engine.rulebook.editions import Edition

VERSION: Final = 7
"""The layout of the file, kept in its ``user_version``."""

_NOTES: Final = """
CREATE TABLE note (
    game INTEGER NOT NULL REFERENCES game,
    number INTEGER NOT NULL,
    after INTEGER NOT NULL,
    at REAL NOT NULL,
    note TEXT NOT NULL,
    clock TEXT NOT NULL,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;
"""
_LAYOUT: Final = f"""
CREATE TABLE game (
    id INTEGER PRIMARY KEY,
    begun TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
    origin TEXT NOT NULL,
    edition TEXT NOT NULL,
    seed INTEGER NOT NULL,
    outcome TEXT,
    time_control TEXT NOT NULL DEFAULT '{{"id": "none"}}',
    memory TEXT NOT NULL DEFAULT '{{}}',
    players TEXT NOT NULL DEFAULT '{{}}',
    clock TEXT
) STRICT;
CREATE TABLE action (
    game INTEGER NOT NULL REFERENCES game,
    number INTEGER NOT NULL,
    at REAL NOT NULL,
    action TEXT NOT NULL,
    clock TEXT,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;
{_NOTES}
"""
_FROM_1: Final = """
ALTER TABLE game ADD COLUMN time_control TEXT NOT NULL DEFAULT '{"id": "none"}';
ALTER TABLE action ADD COLUMN clock TEXT;
UPDATE game SET edition = json_object('id', edition);
"""
"""The first layout knew an edition by its id alone, and no clocks."""
_FROM_2: Final = """
ALTER TABLE game ADD COLUMN memory TEXT NOT NULL DEFAULT '{}';
"""
"""The second layout knew nothing besides the actions and the clocks."""
_SAID: Final = "CASE WHEN json_valid(action) THEN json_extract(action, '$.do') END"
_FROM_3: Final = f"""
UPDATE action SET action = json_set(action, '$.do', 'amend')
    WHERE {_SAID} IN ('strike-on', 'slide-on');
UPDATE action SET action = json_set(action, '$.do', 'correct', '$.mistake', 'wrong-rank')
    WHERE {_SAID} = 'correct-rank';
UPDATE game SET edition = json_set(edition, '$.id', 'nordic-2015')
    WHERE json_extract(edition, '$.id') = 'nordic-2009';
UPDATE game SET edition = json_set(edition, '$.moved_bomb', 'loses')
    WHERE json_extract(edition, '$.id') = 'travel-2017';
"""  # noqa: S608 (no word of it comes from outside)
"""The third layout had other words for some actions and one rulebook, and left no choice of what a
moved bomb costs. A damaged action stays as it is, for its game alone to be unreadable."""
_FROM_4: Final = """
ALTER TABLE game ADD COLUMN players TEXT NOT NULL DEFAULT '{}';
"""
"""The fourth layout did not know who plays."""
_FROM_5: Final = _NOTES
"""The fifth layout kept nothing but the actions."""
_FROM_6: Final = """
ALTER TABLE game ADD COLUMN clock TEXT;
"""
"""The sixth layout kept the clock only with what somebody did."""
_CHANGES: Final = {
    0: _LAYOUT,
    1: _FROM_1 + _FROM_2 + _FROM_3 + _FROM_4 + _FROM_5 + _FROM_6,
    2: _FROM_2 + _FROM_3 + _FROM_4 + _FROM_5 + _FROM_6,
    3: _FROM_3 + _FROM_4 + _FROM_5 + _FROM_6,
    4: _FROM_4 + _FROM_5 + _FROM_6,
    5: _FROM_5 + _FROM_6,
    6: _FROM_6,
}
"""What has to be done to a file of another version; a new one has version 0."""


LOCKED_SECONDS: Final = 1.0
"""For so long another program may have the file. Meanwhile a screen stands still."""


class JournalError(Exception):
    """A game cannot be kept or had; the message is one plain sentence with a way out."""


class StorageError(JournalError):
    """The file of the games cannot be read or saved."""

    def __init__(self, path: Path, trouble: StorageTrouble, detail: str) -> None:
        """Say of a file what is wrong with it; the detail is what the system says."""
        way = (
            "close the other program"
            if trouble is StorageTrouble.LOCKED
            else "free some space, mend the file's permissions"
        )
        super().__init__(
            f"The games in {path} cannot be read or saved ({detail}); {way}, or name another "
            "folder with --data."
        )
        self.path, self.trouble, self.detail = path, trouble, detail


@dataclass(frozen=True)
class KeptGame:
    """A game as the journal keeps it."""

    id: int
    beginning: Beginning
    players: Players = NOBODY


@dataclass(frozen=True)
class Summary:
    """What there is to say of a kept game without reading it."""

    number: int
    begun: str
    """When, in UTC, as ISO 8601."""
    is_latest: bool
    """No later game was begun with the same pieces: if it is not over, it can still go on."""
    is_over: bool


class Journal:
    """The games of one file; `origin` says which of them this run plays.

    A game of one origin is never taken up by a run of another: the pieces stand somewhere else.
    """

    def __init__(self, path: Path, origin: str = "board") -> None:
        """Open the file, or make it; StorageError if that is impossible."""
        self.path = path
        self.origin = origin
        self._one_player = OnePlayer(path)
        self._lengths: dict[int, int] = {}
        """How many actions of a game are kept, of each that this program plays."""
        with self._told_plainly():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)
            self._connection = sqlite3.connect(path, isolation_level=None, timeout=LOCKED_SECONDS)
            try:
                self._prepare()
            except BaseException:
                self._connection.close()
                raise

    def close(self) -> None:
        """Close the file, and let another program play."""
        self._connection.close()
        self._one_player.leave()

    def play(self) -> None:
        """See to it that this program alone plays from here on; StorageError if another does."""
        try:
            with self._told_plainly():
                self._one_player.take()
        except StorageError as error:
            if isinstance(error.__cause__, BlockingIOError):
                why = "another Boomboard plays here"
                raise StorageError(self.path, StorageTrouble.LOCKED, why) from error
            raise

    def cannot_follow(self, why: str) -> StorageError:
        """Return the error that says why what is kept makes no game."""
        return StorageError(self.path, StorageTrouble.DAMAGED, why)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Put everything that is saved meanwhile on disk together, or nothing of it."""
        lengths = dict(self._lengths)
        try:
            with self._told_plainly(), self._connection:
                # Taken at once, so that two programs cannot both begin and then block each other.
                self._connection.execute("BEGIN IMMEDIATE")
                yield
        except BaseException:
            self._lengths = lengths
            raise

    def begin(
        self, edition: Edition, seed: int, control: TimeControl, players: Players = NOBODY
    ) -> int:
        """Note a new game and return its number; StorageError if another program plays."""
        self.play()
        played, timed = json.dumps(write_edition(edition)), json.dumps(write_control(control))
        with self._transaction() as connection:
            row = connection.execute(
                "INSERT INTO game (origin, edition, seed, time_control, players)"
                " VALUES (?, ?, ?, ?, ?)",
                (self.origin, played, seed, timed, json.dumps(players.written())),
            )
            assert row.lastrowid
            self._lengths[row.lastrowid] = 0
            return row.lastrowid

    def append(
        self,
        game: int,
        at: float,
        actions: Sequence[Action],
        outcome: GameOver | None,
        clock: ClockState,
        saved: SavedState = BLANK,
        notes: Sequence[Note] = (),
    ) -> None:
        """Put accepted actions on disk. When this returns, a pulled plug cannot take them away.

        `at` is the moment on the table's clock, in seconds; `clock` is what the players' clocks
        show after the actions. `saved` and `clock` are kept even if there are no actions. The
        `notes` of that moment stand before its actions. StorageError if another program plays, or
        has written to this game.
        """
        self.play()
        shown = json.dumps(write_clock(clock))
        with self._transaction() as connection:
            self._expect_nothing_new(game)
            for note in notes:
                connection.execute(
                    "INSERT INTO note SELECT ?1, 1 + (SELECT count(*) FROM note WHERE game = ?1),"
                    " (SELECT count(*) FROM action WHERE game = ?1), ?2, ?3, ?4",
                    (game, at, json.dumps(write_note(note)), shown),
                )
            for action in actions:
                connection.execute(
                    "INSERT INTO action SELECT ?1, 1 + count(*), ?2, ?3, ?4"
                    " FROM action WHERE game = ?1",
                    (game, at, json.dumps(write_action(action)), shown),
                )
            # None again if the end was taken back.
            connection.execute(
                "UPDATE game SET outcome = ?, memory = ?, clock = ? WHERE id = ?",
                (
                    outcome and outcome.reason.value,
                    json.dumps(write_saved_state(saved)),
                    shown,
                    game,
                ),
            )
            self._lengths[game] += len(actions)

    def unfinished(self) -> KeptGame | None:
        """Return the latest game of this origin if it is not over."""
        with self._told_plainly(), closing(self._connection.cursor()) as cursor:
            row = cursor.execute(
                "SELECT id, edition, seed, outcome, time_control, memory, players, clock"
                " FROM game WHERE origin = ? ORDER BY id DESC",
                (self.origin,),
            ).fetchone()
            if row is None or row[3] is not None:
                return None
            game, edition, seed, _, control, saved, players, shown = row
            lines = cursor.execute(
                "SELECT action, clock FROM action WHERE game = ? ORDER BY number", (game,)
            ).fetchall()
            if shown is None and lines:  # of an older layout
                later = cursor.execute(
                    "SELECT clock FROM note WHERE game = ? AND after = ? ORDER BY number DESC",
                    (game, len(lines)),
                ).fetchone()
                shown = later[0] if later else lines[-1][1]
            beginning = Beginning(
                read_edition(_read(edition)),
                seed,
                read_control(_read(control)),
                tuple(read_action(_read(line)) for line, _ in lines),
                read_clock(_read(shown)) if shown else None,
                read_saved_state(_read(saved)),
            )
            self._lengths[game] = len(lines)
            return KeptGame(game, beginning, Players.read(_read(players)))

    def games(self) -> list[Summary]:
        """Return all games of whatever origin, the earliest first; damaged ones, too."""
        with self._told_plainly():
            rows = self._connection.execute(
                "SELECT id, coalesce(strftime('%Y-%m-%dT%H:%M:%SZ', begun), ''),"
                " id = max(id) OVER (PARTITION BY origin), outcome IS NOT NULL"
                " FROM game ORDER BY id"
            ).fetchall()
        return [
            Summary(number, begun, bool(is_latest), bool(is_over))
            for number, begun, is_latest, is_over in rows
        ]

    def transcript(self, number: int) -> Transcript:
        """Return a kept game; JournalError if there is none of this number, or it is damaged.

        Declared ranks are in it: it is for after the game.
        """
        begun = self._summary(number).begun
        with self._told_plainly():
            edition, control, named = self._connection.execute(
                "SELECT edition, time_control, players FROM game WHERE id = ?", (number,)
            ).fetchone()
            lines = self._connection.execute(
                "SELECT at, action FROM action WHERE game = ? ORDER BY number", (number,)
            ).fetchall()
        try:
            timed = [(at, read_action(_read(line))) for at, line in lines]
            played, clock = read_edition(_read(edition)), read_control(_read(control))
            players = Players.read(_read(named)).both
            return transcribe(played, timed, clock, begun, players=players)
        except ValueError as error:
            raise JournalError(
                f"Game {number} in {self.path} is damaged ({error}); the others are not, and "
                f"“boomboard games delete {number}” throws it away."
            ) from error

    def notes(self, number: int) -> list[Noted]:
        """Return the notes of a kept game in their order; a damaged one is left out."""
        with self._told_plainly():
            rows = self._connection.execute(
                "SELECT after, at, note, clock FROM note WHERE game = ? ORDER BY number", (number,)
            ).fetchall()
        noted = []
        for after, at, note, clock in rows:
            with suppress(ValueError):
                noted.append(Noted(after, at, read_note(_read(note)), read_clock(_read(clock))))
        return noted

    def clocks(self, number: int) -> list[ClockState | None]:
        """Return what the clocks showed after each action of a kept game, as far as it is kept."""
        with self._told_plainly():
            rows = self._connection.execute(
                "SELECT clock FROM action WHERE game = ? ORDER BY number", (number,)
            ).fetchall()
            return [read_clock(_read(clock)) if clock else None for (clock,) in rows]

    def delete(self, number: int) -> None:
        """Throw a kept game away; JournalError if there is none of this number.

        StorageError if another program plays: it could be its game.
        """
        self.play()
        self._summary(number)
        with self._transaction() as connection:
            connection.execute("DELETE FROM note WHERE game = ?", (number,))
            connection.execute("DELETE FROM action WHERE game = ?", (number,))
            connection.execute("DELETE FROM game WHERE id = ?", (number,))

    def _expect_nothing_new(self, game: int) -> None:
        """Refuse to go on where somebody else has written."""
        (count,) = self._connection.execute(
            "SELECT count(*) FROM action WHERE game = ?", (game,)
        ).fetchone()
        if self._lengths.setdefault(game, count) != count:
            raise ValueError(f"another program has written to game {game}")

    def _summary(self, number: int) -> Summary:
        for summary in self.games():
            if summary.number == number:
                return summary
        raise JournalError(
            f"There is no game {number} in {self.path}; “boomboard games list” shows what there is."
        )

    def _prepare(self) -> None:
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute("PRAGMA foreign_keys = ON")
        with self._transaction() as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version > VERSION:
                why = f"a newer Boomboard has written it ({version})"
                raise StorageError(self.path, StorageTrouble.OTHER, why)
            if version < VERSION:
                for statement in _CHANGES[version].split(";"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {VERSION}")

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """A part of what is saved together, or all of it."""
        with self._told_plainly():
            is_part = self._connection.in_transaction
        with nullcontext() if is_part else self.together():
            yield self._connection

    @contextmanager
    def _told_plainly(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError, ValueError) as error:
            raise StorageError(self.path, storage_trouble(error), str(error)) from error


def _read(text: str) -> dict[str, Any]:
    """Return the plain data of a column; ValueError if it is something else."""
    plain = json.loads(text)
    if not isinstance(plain, dict):
        raise ValueError(f"{text!r} is no set of names and values")
    return plain
