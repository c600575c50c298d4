"""The SQLite file that contains the games, and its schema. Only the owner can read the file.

A file is identified before anything is written to it. A file with another schema version is refused
and left unchanged. There is no migration yet, because every file has version 1.

Each write is one transaction with full synchronization (fsync). Afterwards, all data is moved from
SQLite's write-ahead log to the file itself, because a flipped byte in the log would silently
discard everything after that byte. Errors are raised as StorageError, which never quotes the
contents of a row.
"""

import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from companion.storage.errors import StorageError, StorageErrorKind, error_kind
from companion.storage.game_rows import row_checksum, verify_row

VERSION: Final = 1
"""Schema version, saved as the ``user_version`` of the file."""
APPLICATION: Final = 0x426F6F6D
"""“Boom” in ASCII, saved as the ``application_id`` of the file."""

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
"""In the table ``game``, the columns ``actions`` and ``notes`` contain the latest checksums of the
game's actions and notes. ``clock`` is NULL before the first action; ``outcome`` and ``winner`` are
NULL before the end. The ledger has one row. It contains the number of games, and the number that
the next game will get, because the numbers of deleted games are not reused."""


def check_schema(connection: sqlite3.Connection, path: Path) -> None:
    """Raise StorageError if a file is damaged, too new, or written by another application.

    Nothing is written to the file.
    """
    version, application, tables = _read(connection)
    kind, why = _recognize(version, application, tables)
    if kind:
        raise StorageError(path, kind, why)


def create_schema(connection: sqlite3.Connection) -> None:
    """Create the tables of a new file within the open transaction. Existing tables are kept."""
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
    """Return the schema version, the application ID, and each table's SQL definition by name."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    tables = dict(connection.execute("SELECT name, sql FROM sqlite_master").fetchall())
    return version, application, tables


def _recognize(
    version: int, application: int, tables: dict[str, str]
) -> tuple[StorageErrorKind | None, str]:
    """Return the kind and the description of an error, or None and "" if there is no error."""
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
    """Raise ValueError if a game is missing, or if the ledger itself is damaged."""
    (row,) = connection.execute("SELECT id, next, games, checksum FROM ledger")
    verify_row("the ledger", row)
    (games,) = connection.execute("SELECT count(*) FROM game").fetchone()
    if games != row[2]:
        raise ValueError(f"expected {row[2]} games, found {games}")


Connect: TypeAlias = Callable[..., sqlite3.Connection]
"""Function that opens a database in the same way as `sqlite3.connect`."""

WRITE_VERSION: Final = 18
NEWEST_VERSION: Final = 2
"""Offset of the write version in the header of an SQLite file, and the newest known write version.
SQLite opens a file with a newer version read-only (sqlite.org/fileformat2.html, 1.3.3)."""
LOCKED_SECONDS: Final = 1.0
"""Time in seconds to wait for another process that has locked the file. It is short because the
screen freezes during the wait."""
SEARCHED_BYTES: Final = 64 * 2**20
"""At startup, SQLite checks a file completely if its size is at most this number of bytes. This is
enough for a few thousand games. In a larger file, the checksums reveal damage when the data is
read."""
INDEX_BYTES: Final = 64 * 2**10
"""If fewer bytes than this are free, the disk counts as full. This is twice the size that SQLite
needs for the index of its write-ahead log."""


class JournalFile:
    """An SQLite file with the durability guarantees of the journal."""

    def __init__(self, path: Path, connect: Connect | None = None, *, creates: bool = True) -> None:
        """Open or create the file. Raise StorageError on failure.

        `connect` replaces `sqlite3.connect`. Simulations pass a function that opens a database with
        simulated disk failures. Without `creates`, a missing file is read as if it were empty.
        """
        self.path = path
        with self.translating_errors():
            opened: Path | str = ":memory:"
            if creates or path.exists():
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                path.touch(mode=0o600)
                _take_from_others(path)
                opened = path
            opening = connect or sqlite3.connect
            self.connection = opening(opened, isolation_level=None, timeout=LOCKED_SECONDS)
            # Undecodable text is detected by the checksum, because SQLite's own error would quote
            # the row.
            self.connection.text_factory = partial(str, encoding="utf-8", errors="replace")
            try:
                self._prepare()
            except BaseException:
                self.connection.close()
                raise

    def close(self) -> None:
        self.connection.close()

    def check(self) -> None:
        """Check the integrity of the file without writing. Raise StorageError if it is damaged.

        Only the number of games is checked, not the games themselves. A damaged game raises an
        error when it is read.
        """
        with self.translating_errors(), self.snapshot():
            if self.path.stat().st_size <= SEARCHED_BYTES:
                # The file is never opened directly, because closing the file would release all of
                # this process's locks on it. Another process that exits would then remove SQLite's
                # log while we are using it (sqlite.org/howtocorrupt.html, 2.2).
                if self.connection.serialize()[WRITE_VERSION] > NEWEST_VERSION:
                    raise ValueError("its header forbids writing")
                (found,) = self.connection.execute("PRAGMA quick_check(1)").fetchone()
                if found != "ok":
                    raise ValueError("its pages are inconsistent")
            check_ledger(self.connection)

    def probe(self) -> None:
        """Raise StorageError if the file cannot be written."""
        if not os.access(self.path, os.W_OK, effective_ids=True):
            raise StorageError(self.path, StorageErrorKind.READ_ONLY, "it is read-only")
        with self.together():
            # Rewriting an unchanged value takes as much space as saving a move.
            self.connection.execute(f"PRAGMA user_version = {VERSION}")

    @contextmanager
    def together(self) -> Iterator[None]:
        """Save everything within this context in one transaction, or save nothing."""
        with self.translating_errors(), self.connection:
            # Lock the file immediately. Otherwise, two processes could both begin and block each
            # other.
            self.connection.execute("BEGIN IMMEDIATE")
            yield
        # The data is already on disk in the log. If moving it to the file fails, the next write
        # tries again.
        with suppress(sqlite3.Error):
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read everything within this context from one snapshot of the file.

        A mixture of rows from before and after a change would look like damage.
        """
        if self.connection.in_transaction:
            yield
            return
        with self.translating_errors():
            self.connection.execute("BEGIN")
        try:
            yield
        finally:
            with suppress(sqlite3.Error):
                self.connection.execute("ROLLBACK")

    @contextmanager
    def translating_errors(
        self, damaged: StorageErrorKind = StorageErrorKind.DAMAGED
    ) -> Iterator[None]:
        """Convert errors to StorageError. Unreadable data is reported with kind `damaged`."""
        try:
            yield
        except (sqlite3.Error, OSError, ValueError) as error:
            kind = error_kind(error)
            if isinstance(error, ValueError):
                kind = damaged
            if kind is StorageErrorKind.FAILING and _is_full(self.path.parent):
                # SQLite reports a disk error if there is no space for its index.
                kind = StorageErrorKind.FULL
            if kind is StorageErrorKind.UNOPENED and not _is_open_to_us(self.path.parent):
                # SQLite reports only this general error if it lacks permission to create files in
                # the folder.
                kind = StorageErrorKind.FORBIDDEN
            raise StorageError(self.path, kind, str(error)) from error

    def _prepare(self) -> None:
        with self.snapshot():
            check_schema(self.connection, self.path)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = FULL")
        self.connection.execute("PRAGMA foreign_keys = OFF")
        with self.together():
            create_schema(self.connection)


def _is_full(folder: Path) -> bool:
    """Whether there is no space for the files that SQLite creates beside its database."""
    try:
        disk = os.statvfs(folder)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < INDEX_BYTES


def _is_open_to_us(folder: Path) -> bool:
    return os.access(folder, os.W_OK | os.X_OK, effective_ids=True)


def _take_from_others(path: Path) -> None:
    """Make a file accessible only to its owner. If it was copied, others may be able to read it."""
    mode = path.stat().st_mode
    if mode & 0o077:
        path.chmod(mode & 0o700)


# Only one process at a time may play the games in a file. If two processes resumed the same game,
# their combined actions would not be a valid game. The playing process holds a lock, which the
# system releases when the process exits, even after a crash. A process that only reads does not
# need the lock.


class JournalLock:
    """Lock for playing the games in a file. It is held on a separate file beside the games file."""

    def __init__(self, games: Path) -> None:
        self._path = games.with_name(f"{games.name}.lock")
        self._file: int | None = None

    def take(self) -> None:
        """Take the lock.

        Raise BlockingIOError if another process holds it, and any other OSError on failure.
        """
        if self._file is not None:
            return
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            raise
        self._file = file

    def leave(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    __del__ = leave


@contextmanager
def playing(games: Path) -> Iterator[None]:
    """Hold the lock within this context. Raise BlockingIOError if another process holds it."""
    player = JournalLock(games)
    player.take()
    try:
        yield
    finally:
        player.leave()
