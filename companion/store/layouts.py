"""Database schema of the file of games, and migrations from every older version.

A file is recognized before anything is written into it. A file with an older schema is first
copied, under a name with its schema version, which identifies the programs that read it; then it is
migrated in one transaction.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from companion.store.seals import BEGINNING, check_row, seal
from companion.store.storage_trouble import StorageError, StorageTrouble

VERSION: Final = 8
"""The schema version of the file, saved in its ``user_version``."""
APPLICATION: Final = 0x426F6F6D
"""“Boom”, saved in the ``application_id`` since version 8."""

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
    plies INTEGER,
    actions TEXT NOT NULL,
    notes TEXT NOT NULL,
    seal TEXT NOT NULL
) STRICT""",
    "action": """CREATE TABLE action (
    game INTEGER NOT NULL REFERENCES game,
    number INTEGER NOT NULL,
    at REAL NOT NULL,
    action TEXT NOT NULL,
    clock TEXT,
    seal TEXT NOT NULL,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID""",
    "note": """CREATE TABLE note (
    game INTEGER NOT NULL REFERENCES game,
    number INTEGER NOT NULL,
    after INTEGER NOT NULL,
    at REAL NOT NULL,
    note TEXT NOT NULL,
    clock TEXT NOT NULL,
    seal TEXT NOT NULL,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID""",
    "ledger": """CREATE TABLE ledger (
    id INTEGER PRIMARY KEY,
    next INTEGER NOT NULL,
    games INTEGER NOT NULL,
    seal TEXT NOT NULL
) STRICT""",
}
"""In a game, ``actions`` and ``notes`` are the latest seals of its actions and notes; ``winner``
and ``plies`` are for the list of games, and missing in games from older versions. The ledger is one
row: the number of the next game, as numbers are never reused, and the count of games."""

_NOTES: Final = """
CREATE TABLE note (
    game INTEGER NOT NULL REFERENCES game,
    number INTEGER NOT NULL,
    after INTEGER NOT NULL,
    at REAL NOT NULL,
    note TEXT NOT NULL,
    clock TEXT NOT NULL,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID
"""
_SAID: Final = "CASE WHEN json_valid(action) THEN json_extract(action, '$.do') END"
_STEPS: Final = {
    # Version 1 had only the id of an edition, and no clocks.
    1: """
ALTER TABLE game ADD COLUMN time_control TEXT NOT NULL DEFAULT '{"id": "none"}';
ALTER TABLE action ADD COLUMN clock TEXT;
UPDATE game SET edition = json_object('id', edition)
""",
    # Version 2 had nothing but the actions and the clocks.
    2: "ALTER TABLE game ADD COLUMN memory TEXT NOT NULL DEFAULT '{}'",
    # Version 3 had other names for some actions and one rulebook, without a choice of what a moved
    # bomb costs. A damaged action is left as it is, so that only its own game is unreadable.
    3: f"""
UPDATE action SET action = json_set(action, '$.do', 'amend')
    WHERE {_SAID} IN ('strike-on', 'slide-on');
UPDATE action SET action = json_set(action, '$.do', 'correct', '$.mistake', 'wrong-rank')
    WHERE {_SAID} = 'correct-rank';
UPDATE game SET edition = json_set(edition, '$.id', 'nordic-2015')
    WHERE json_extract(edition, '$.id') = 'nordic-2009';
UPDATE game SET edition = json_set(edition, '$.moved_bomb', 'loses')
    WHERE json_extract(edition, '$.id') = 'travel-2017'
""",  # noqa: S608 (no word of it comes from outside)
    # Version 4 had no player names.
    4: "ALTER TABLE game ADD COLUMN players TEXT NOT NULL DEFAULT '{}'",
    # Version 5 had only the actions.
    5: _NOTES,
    # Version 6 saved the clock only together with actions.
    6: "ALTER TABLE game ADD COLUMN clock TEXT",
}
"""The migrations to the next version of each version before the seventh."""
_ASIDE: Final = """
ALTER TABLE game RENAME TO old_game;
ALTER TABLE action RENAME TO old_action;
ALTER TABLE note RENAME TO old_note
"""
_GAME: Final = (
    "INSERT INTO game (id, begun, origin, edition, seed, time_control, players, memory, clock,"
    " outcome, winner, plies, actions, notes, seal)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, '', '', '')"
)
_OLD_GAMES: Final = (
    "SELECT id, begun, origin, edition, seed, time_control, players, memory, clock, outcome"
    " FROM old_game"
)


def check_layout(connection: sqlite3.Connection, path: Path) -> None:
    """Raise a StorageError for a file that is damaged, of a newer program, or not ours.

    Nothing is written into it.
    """
    version, application, there = _read(connection)
    trouble, why = _recognize(version, application, there)
    if trouble:
        raise StorageError(path, trouble, why)


def prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Create the schema of a new file, or migrate an older one, in the open transaction.

    OSError if the older one cannot be copied first.
    """
    version, _, there = _read(connection)
    if version == VERSION:
        return
    if there:
        copy_aside(path, path.with_name(f"{path.stem}-layout-{version}{path.suffix}"))
        for each in range(version, VERSION - 1):
            _execute(connection, _STEPS[each])
        _execute(connection, _ASIDE)
    for statement in _TABLES.values():
        connection.execute(statement)
    connection.execute("INSERT INTO ledger VALUES (1, 1, 0, '')")
    if there:
        _carry_over(connection)
    seal_all(connection)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _read(connection: sqlite3.Connection) -> tuple[int, int, dict[str, str]]:
    """Return the version, the application id, and the tables with their SQL definitions."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    there = dict(connection.execute("SELECT name, sql FROM sqlite_master").fetchall())
    return version, application, there


def _recognize(
    version: int, application: int, there: dict[str, str]
) -> tuple[StorageTrouble | None, str]:
    """Return the kind of trouble with a file and its description, if there is any."""
    if (version, application, there) == (VERSION, APPLICATION, _TABLES):
        return None, ""
    is_ours = application == APPLICATION or there == _TABLES
    has_games = {"game", "action"} <= there.keys()
    if version > VERSION and (is_ours or has_games):
        return StorageTrouble.NEWER, f"a newer Boomboard has written it, in layout {version}"
    if is_ours:
        return StorageTrouble.DAMAGED, "its layout is damaged"
    if version == 0 and not there and application == 0:
        return None, ""
    if 1 <= version < VERSION and has_games and application == 0 and "ledger" not in there:
        return None, ""
    return StorageTrouble.FOREIGN, "another program has written it"


def copy_aside(path: Path, copy: Path) -> None:
    """Copy a file of games, with its log; an older copy stays. Raises OSError or SQLite's.

    The copy is atomic: it is complete on disk, or it does not exist.
    """
    if copy.exists():
        return
    new = copy.with_name(f"{copy.name}.new")
    new.unlink(missing_ok=True)
    os.close(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(new)) as target:
        source.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")
    with new.open("rb") as file:
        os.fsync(file.fileno())
    new.replace(copy)


def _carry_over(connection: sqlite3.Connection) -> None:
    connection.executemany(_GAME, connection.execute(_OLD_GAMES).fetchall())
    connection.execute(
        "INSERT INTO action SELECT game, number, at, action, clock, '' FROM old_action"
    )
    connection.execute(
        "INSERT INTO note SELECT game, number, after, at, note, clock, '' FROM old_note"
    )
    for table in ("old_note", "old_action", "old_game"):
        connection.execute(f"DROP TABLE {table}")


def _execute(connection: sqlite3.Connection, statements: str) -> None:
    for statement in statements.split(";"):
        connection.execute(statement)


# -- seals

GAME_COLUMNS: Final = (
    "id, begun, origin, edition, seed, time_control, players, memory, clock, outcome, winner,"
    " plies, actions, notes"
)
ACTION_COLUMNS: Final = "number, at, action, clock"
NOTE_COLUMNS: Final = "number, after, at, note, clock"


def seal_all(connection: sqlite3.Connection) -> None:
    """Seal all rows in their present state."""
    for (game,) in connection.execute("SELECT id FROM game").fetchall():
        for table, columns in (("action", ACTION_COLUMNS), ("note", NOTE_COLUMNS)):
            head = _seal_chain(connection, table, columns, game)
            connection.execute(f"UPDATE game SET {table}s = ? WHERE id = ?", (head, game))  # noqa: S608
        seal_game(connection, game)
    connection.execute(
        "UPDATE ledger SET games = (SELECT count(*) FROM game),"
        " next = max(next, 1 + (SELECT coalesce(max(id), 0) FROM game))"
    )
    seal_ledger(connection)


def seal_game(connection: sqlite3.Connection, game: int) -> None:
    """Seal the row of a game."""
    row = connection.execute(f"SELECT {GAME_COLUMNS} FROM game WHERE id = ?", (game,)).fetchone()  # noqa: S608
    connection.execute("UPDATE game SET seal = ? WHERE id = ?", (seal(*row), game))


def seal_ledger(connection: sqlite3.Connection) -> None:
    """Seal the ledger."""
    (row,) = connection.execute("SELECT id, next, games FROM ledger")
    connection.execute("UPDATE ledger SET seal = ?", (seal(*row),))


def check_ledger(connection: sqlite3.Connection) -> None:
    """Check that no game is missing; BrokenSealError if one is."""
    (row,) = connection.execute("SELECT id, next, games, seal FROM ledger")
    check_row("the ledger", row)
    (games,) = connection.execute("SELECT count(*) FROM game").fetchone()
    if games != row[2]:
        raise ValueError(f"{row[2]} games were kept, and {games} are there")


def _seal_chain(connection: sqlite3.Connection, table: str, columns: str, game: int) -> str:
    before = BEGINNING
    for row in _rows(connection, table, columns, game):
        before = seal(before, game, *row)
        connection.execute(
            f"UPDATE {table} SET seal = ? WHERE game = ? AND number = ?",  # noqa: S608
            (before, game, row[0]),
        )
    return before


def _rows(
    connection: sqlite3.Connection, table: str, columns: str, game: int
) -> Iterator[tuple[int, ...]]:
    query = f"SELECT {columns} FROM {table} WHERE game = ? ORDER BY number"  # noqa: S608
    yield from connection.execute(query, (game,)).fetchall()
