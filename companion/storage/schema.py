"""Database schema of the games file.

A file is recognized before anything is written into it. A file with another schema version is
refused and left unchanged. There is no migration yet: every file has version 1.
"""

import sqlite3
from pathlib import Path
from typing import Final

from companion.storage.errors import StorageError, StorageErrorKind
from companion.storage.game_rows import row_checksum, verify_row

VERSION: Final = 1
"""The schema version of the file, saved in its ``user_version``."""
APPLICATION: Final = 0x426F6F6D
"""“Boom”, saved as the file's ``application_id``."""

_TABLES: Final = {
    "game": """CREATE TABLE game (
    id INTEGER PRIMARY KEY,
    begun TEXT NOT NULL,
    origin TEXT NOT NULL,
    edition TEXT NOT NULL,
    seed INTEGER NOT NULL,
    time_control TEXT NOT NULL,
    players TEXT NOT NULL,
    memory TEXT NOT NULL,
    clock TEXT,
    outcome TEXT,
    winner TEXT,
    plies INTEGER NOT NULL,
    actions TEXT NOT NULL,
    notes TEXT NOT NULL,
    checksum TEXT NOT NULL
) STRICT""",
    "action": """CREATE TABLE action (
    game INTEGER NOT NULL REFERENCES game,
    number INTEGER NOT NULL,
    at REAL NOT NULL,
    action TEXT NOT NULL,
    clock TEXT NOT NULL,
    checksum TEXT NOT NULL,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID""",
    "note": """CREATE TABLE note (
    game INTEGER NOT NULL REFERENCES game,
    number INTEGER NOT NULL,
    after INTEGER NOT NULL,
    at REAL NOT NULL,
    note TEXT NOT NULL,
    clock TEXT NOT NULL,
    checksum TEXT NOT NULL,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID""",
    "ledger": """CREATE TABLE ledger (
    id INTEGER PRIMARY KEY,
    next INTEGER NOT NULL,
    games INTEGER NOT NULL,
    checksum TEXT NOT NULL
) STRICT""",
}
"""In the table ``game``, ``actions`` and ``notes`` are the latest checksums of the game's actions
and notes. ``clock`` is NULL before the first action, ``outcome`` and ``winner`` before the end. The
ledger is one row: the number of the next game, as numbers are never reused, and the count of
games."""


def check_schema(connection: sqlite3.Connection, path: Path) -> None:
    """Raise a StorageError for a file that is damaged, newer, or of another program.

    Nothing is written into the file.
    """
    version, application, tables = _read(connection)
    kind, why = _recognize(version, application, tables)
    if kind:
        raise StorageError(path, kind, why)


def create_schema(connection: sqlite3.Connection) -> None:
    """Create the tables of a new file in the open transaction; keep existing tables."""
    version, _, _ = _read(connection)
    if version == VERSION:
        return
    for statement in _TABLES.values():
        connection.execute(statement)
    connection.execute("INSERT INTO ledger VALUES (1, 1, 0, '')")
    update_ledger_checksum(connection)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _read(connection: sqlite3.Connection) -> tuple[int, int, dict[str, str]]:
    """Return the version, the application id, and the tables with their SQL definitions."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    tables = dict(connection.execute("SELECT name, sql FROM sqlite_master").fetchall())
    return version, application, tables


def _recognize(
    version: int, application: int, tables: dict[str, str]
) -> tuple[StorageErrorKind | None, str]:
    """Return the kind of error in a file and its description, if there is any."""
    if (version, application, tables) in ((VERSION, APPLICATION, _TABLES), (0, 0, {})):
        return None, ""
    versions = f"expected schema version {VERSION}, found {version}"
    is_ours = application == APPLICATION or tables == _TABLES
    if version > VERSION and (is_ours or {"game", "action"} <= tables.keys()):
        return StorageErrorKind.NEWER, versions
    if is_ours:
        why = versions if version != VERSION else "its tables are not those of the schema"
        return StorageErrorKind.DAMAGED, why
    return StorageErrorKind.FOREIGN, "another program has written it"


# -- checksums

GAME_COLUMNS: Final = (
    "id, begun, origin, edition, seed, time_control, players, memory, clock, outcome, winner,"
    " plies, actions, notes"
)
ACTION_COLUMNS: Final = "number, at, action, clock"
NOTE_COLUMNS: Final = "number, after, at, note, clock"


def update_game_checksum(connection: sqlite3.Connection, game: int) -> None:
    row = connection.execute(f"SELECT {GAME_COLUMNS} FROM game WHERE id = ?", (game,)).fetchone()  # noqa: S608
    connection.execute("UPDATE game SET checksum = ? WHERE id = ?", (row_checksum(*row), game))


def update_ledger_checksum(connection: sqlite3.Connection) -> None:
    (row,) = connection.execute("SELECT id, next, games FROM ledger")
    connection.execute("UPDATE ledger SET checksum = ?", (row_checksum(*row),))


def check_ledger(connection: sqlite3.Connection) -> None:
    """Check that no game is missing; ChecksumError if a game is missing."""
    (row,) = connection.execute("SELECT id, next, games, checksum FROM ledger")
    verify_row("the ledger", row)
    (games,) = connection.execute("SELECT count(*) FROM game").fetchone()
    if games != row[2]:
        raise ValueError(f"expected {row[2]} games, found {games}")
