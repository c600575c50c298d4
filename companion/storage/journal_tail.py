"""Reads a journal while another connection writes to it.

A separate thread uses this module to send a game to a hall, so that play does not wait for the
network. Each call reads only the new rows and verifies their checksums.
"""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import merge
from pathlib import Path
from typing import Final, TypeAlias

from companion.storage import game_rows
from companion.storage.journal_file import ACTION_COLUMNS, GAME_COLUMNS, NOTE_COLUMNS, VERSION
from engine.game.actions import Action
from engine.game.clocks import ClockState, TimeControl
from engine.records.serialization import read_action, read_clock
from engine.rules.editions import Edition

_GAMES: Final = (
    f"SELECT {GAME_COLUMNS}, checksum FROM game WHERE id >= ? AND origin = ? ORDER BY id"  # noqa: S608
)
_ACTIONS: Final = (
    f"SELECT {ACTION_COLUMNS}, checksum FROM action WHERE game = ? AND number > ? ORDER BY number"  # noqa: S608
)
_NOTES: Final = (
    f"SELECT {NOTE_COLUMNS}, checksum FROM note WHERE game = ? AND number > ? ORDER BY number"  # noqa: S608
)


@dataclass(frozen=True)
class GameStarted:
    """The beginning of a saved game."""

    game: int
    """Number of the game in the journal."""
    at: str
    """Start time in UTC."""
    edition: Edition
    control: TimeControl
    players: game_rows.PlayerNames


@dataclass(frozen=True)
class ActionRow:
    """An accepted action, which may contain a declared rank."""

    at: float
    action: Action
    clock: ClockState


@dataclass(frozen=True)
class NoteRow:
    """A note that was saved with the game."""

    at: float
    note: game_rows.Note
    clock: ClockState


Row: TypeAlias = ActionRow | NoteRow


class JournalTail:
    """Reads the games of one `origin` from a file while they are being written.

    The constructor and the methods raise sqlite3.Error if the file cannot be read.
    """

    def __init__(self, path: Path, origin: str) -> None:
        self._path, self._origin = path, origin
        self._file = path.stat().st_ino
        # The connection must be writable, because SQLite may have to create or update the index of
        # its log even for reading. No timeout is needed, because the caller retries later anyway.
        self._connection = sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, timeout=0)
        self._connection.execute("PRAGMA query_only = ON")
        self._version: int | None = None

    def close(self) -> None:
        self._connection.close()

    @property
    def is_current(self) -> bool:
        """Whether the path still refers to this file. False if the file was quarantined."""
        return self._path.stat().st_ino == self._file

    def has_grown(self) -> bool:
        """Whether anything has been written since the last call. True on the first call."""
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        before, self._version = self._version, version
        return bool(version != before)

    def next_number(self) -> int:
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        if version != VERSION:
            raise sqlite3.DatabaseError(f"expected schema version {VERSION}, found {version}")
        ((number,),) = self._connection.execute("SELECT next FROM ledger").fetchall()
        return int(number)

    def unfinished(self) -> int | None:
        """Return the number of the latest game, or None if it is over or missing."""
        row = self._connection.execute(
            "SELECT id, outcome FROM game WHERE origin = ? ORDER BY id DESC LIMIT 1",
            (self._origin,),
        ).fetchone()
        return int(row[0]) if row and row[1] is None else None

    def games(self, first: int) -> list[GameStarted]:
        """Return the games numbered `first` or higher, except damaged ones."""
        found = []
        for row in map(
            game_rows.GameRow._make, self._connection.execute(_GAMES, (first, self._origin))
        ):
            try:
                row.check()
                begun = GameStarted(row.id, row.begun, row.edition_played, row.control, row.people)
            except ValueError:
                continue
            found.append(begun)
        return found

    def rows(self, game: int) -> "GameRows":
        """Return a reader for a game's rows, including those still to be written."""
        return GameRows(self._connection, game)


class GameRows:
    """Reads each row of one game once, in the order in which the rows were written."""

    def __init__(self, connection: sqlite3.Connection, game: int) -> None:
        self._connection = connection
        self._game = game
        self._actions, self._notes = 0, 0
        self._action_checksum = self._note_checksum = game_rows.FIRST_PREDECESSOR

    def new(self) -> list[Row]:
        """Return the rows added since the last call. Raise ChecksumError if one is damaged."""
        # A transaction makes sure that rows written together are also read together.
        with self._connection:
            self._connection.execute("BEGIN")
            actions = self._connection.execute(_ACTIONS, (self._game, self._actions)).fetchall()
            notes = self._connection.execute(_NOTES, (self._game, self._notes)).fetchall()
        # A note precedes the actions that were accepted after it.
        placed = merge(self._done(actions), self._read_notes(notes), key=lambda each: each[0])
        return [row for _, row in placed]

    def _done(self, found: list[tuple[int, float, str, str, str]]) -> Iterator[tuple[float, Row]]:
        for number, at, action, clock, kept in found:
            self._action_checksum = self._check(
                self._action_checksum, (number, at, action, clock), kept
            )
            self._actions = number
            yield (
                number,
                ActionRow(
                    at, read_action(game_rows.plain(action)), read_clock(game_rows.plain(clock))
                ),
            )

    def _read_notes(
        self, found: list[tuple[int, int, float, str, str, str]]
    ) -> Iterator[tuple[float, Row]]:
        for number, after, at, note, clock, kept in found:
            columns = number, after, at, note, clock
            self._note_checksum = self._check(self._note_checksum, columns, kept)
            self._notes = number
            yield (
                after + 0.5,
                NoteRow(
                    at,
                    game_rows.read_note(game_rows.plain(note)),
                    read_clock(game_rows.plain(clock)),
                ),
            )

    def _check(self, before: str, columns: tuple[object, ...], kept: str) -> str:
        if game_rows.row_checksum(before, self._game, *columns) != kept:
            raise game_rows.ChecksumError(f"a row of game {self._game} is damaged or missing")
        return kept
