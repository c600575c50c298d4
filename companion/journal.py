"""The memory of the table: every accepted action, on disk before it is announced.

One SQLite file keeps all games. What is accepted together is one transaction with full
synchronization, so a pulled plug loses at most what nobody has been told. The file holds declared
ranks, so nobody but its owner may read it.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.actions import Action
from engine.editions import EDITIONS, Edition
from engine.notation import read_action, write_action
from engine.rulings import GameOver

VERSION: Final = 1
"""The layout of the file, kept in its ``user_version``."""

_LAYOUT: Final = f"""
CREATE TABLE game (
    id INTEGER PRIMARY KEY,
    begun TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
    origin TEXT NOT NULL,
    edition TEXT NOT NULL,
    seed INTEGER NOT NULL,
    outcome TEXT
) STRICT;
CREATE TABLE action (
    game INTEGER NOT NULL REFERENCES game,
    number INTEGER NOT NULL,
    at REAL NOT NULL,
    action TEXT NOT NULL,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;
PRAGMA user_version = {VERSION};
"""


class JournalError(Exception):
    """The file of the games cannot be used; the message is one plain sentence with a way out."""


@dataclass(frozen=True)
class KeptGame:
    """A game as the journal keeps it."""

    id: int
    edition: Edition
    seed: int
    actions: tuple[Action, ...]


class Journal:
    """The games of one file; `origin` says which of them this run plays.

    A game of one origin is never taken up by a run of another: the pieces stand somewhere else.
    """

    def __init__(self, path: Path, origin: str = "board") -> None:
        """Open the file, or make it; JournalError if that is impossible."""
        self.path = path
        self.origin = origin
        with self._told_plainly():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)
            self._connection = sqlite3.connect(path, isolation_level=None)
            try:
                self._prepare()
            except BaseException:
                self._connection.close()
                raise

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def begin(self, edition: Edition, seed: int) -> int:
        """Note a new game and return its number."""
        with self._transaction() as connection:
            row = connection.execute(
                "INSERT INTO game (origin, edition, seed) VALUES (?, ?, ?)",
                (self.origin, edition.id, seed),
            )
            assert row.lastrowid
            return row.lastrowid

    def append(
        self, game: int, at: float, actions: Sequence[Action], outcome: GameOver | None
    ) -> None:
        """Put accepted actions on disk. When this returns, a pulled plug cannot take them away.

        `at` is the moment on the table's clock, in seconds.
        """
        with self._transaction() as connection:
            for action in actions:
                connection.execute(
                    "INSERT INTO action SELECT ?1, 1 + count(*), ?2, ?3"
                    " FROM action WHERE game = ?1",
                    (game, at, json.dumps(write_action(action))),
                )
            if outcome:
                connection.execute(
                    "UPDATE game SET outcome = ? WHERE id = ?", (outcome.reason.value, game)
                )

    def unfinished(self) -> KeptGame | None:
        """Return the latest game of this origin if it is not over."""
        with self._told_plainly(), closing(self._connection.cursor()) as cursor:
            row = cursor.execute(
                "SELECT id, edition, seed, outcome FROM game WHERE origin = ? ORDER BY id DESC",
                (self.origin,),
            ).fetchone()
            if row is None or row[3] is not None:
                return None
            game, edition, seed, _ = row
            if edition not in EDITIONS:
                raise JournalError(
                    self._sentence(f"it has a game of the unknown edition {edition!r}")
                )
            lines = cursor.execute(
                "SELECT action FROM action WHERE game = ? ORDER BY number", (game,)
            ).fetchall()
            actions = tuple(read_action(json.loads(line)) for (line,) in lines)
            return KeptGame(game, EDITIONS[edition], seed, actions)

    def _prepare(self) -> None:
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute("PRAGMA foreign_keys = ON")
        with self._transaction() as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version == 0:
                for statement in _LAYOUT.split(";"):
                    connection.execute(statement)
            elif version != VERSION:
                raise JournalError(self._sentence(f"a newer Boomboard has written it ({version})"))

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._told_plainly(), self._connection:
            # Taken at once, so that two programs cannot both begin and then block each other.
            self._connection.execute("BEGIN IMMEDIATE")
            yield self._connection

    @contextmanager
    def _told_plainly(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError, ValueError) as error:
            raise JournalError(self._sentence(str(error))) from error

    def _sentence(self, why: str) -> str:
        return (
            f"The games in {self.path} cannot be read or saved ({why}); free some space, mend the "
            "file's permissions, or name another folder with --data."
        )
