"""The file of the games: opened for its owner alone, written whole or not at all.

What is written together is one transaction with full synchronization. After it all stands in
the file itself: a byte that turns in SQLite's log would take all that follows it away, and nobody
would know. Whatever goes wrong is told as a `StorageError`, in no word of a row.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from companion.store.layouts import VERSION, check_layout, check_ledger, prepare
from companion.store.storage_trouble import StorageError, StorageTrouble, storage_trouble

Connect: TypeAlias = Callable[..., sqlite3.Connection]
"""Opens a database, as `sqlite3.connect` does."""

WRITE_VERSION: Final = 18
NEWEST_VERSION: Final = 2
"""Where a file of SQLite's has a version that it may be written with, and the newest; what has a
newer one is only read (sqlite.org/fileformat2.html, 1.3.3)."""
LOCKED_SECONDS: Final = 1.0
"""For so long another program may have the file. Meanwhile a screen stands still."""
SEARCHED_BYTES: Final = 64 * 2**20
"""Up to this size, some thousands of games, SQLite looks through the whole file at the start. What
is damaged in a larger one is found when it is read, by its seal."""
INDEX_BYTES: Final = 64 * 2**10
"""Room for SQLite's index of its log, twice over."""


class JournalFile:
    """A SQLite file, with the promises of the journal about what is on disk."""

    def __init__(self, path: Path, connect: Connect | None = None) -> None:
        """Open the file, or make it; StorageError if that is impossible.

        `connect` opens a database instead of SQLite; a simulation has one that fails as disks do.
        """
        self.path = path
        with self.told_plainly():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(mode=0o600)
            _take_from_others(path)
            opening = connect or sqlite3.connect
            self.connection = opening(path, isolation_level=None, timeout=LOCKED_SECONDS)
            # What no letters can be read from is found by its seal; SQLite would print the row.
            self.connection.text_factory = partial(str, encoding="utf-8", errors="replace")
            try:
                self._prepare()
            except BaseException:
                self.connection.close()
                raise

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def check(self) -> None:
        """See whether the file is whole; StorageError if not. Nothing is written.

        Of the games themselves only their number is checked: a damaged one says so when it is read.
        """
        with self.told_plainly(), self.at_one_moment():
            if self.path.stat().st_size <= SEARCHED_BYTES:
                # Never by a file of our own: whoever closes one gives up all locks of this program
                # on it, and another program that ends then takes SQLite's log away beneath us
                # (sqlite.org/howtocorrupt.html, 2.2).
                if self.connection.serialize()[WRITE_VERSION] > NEWEST_VERSION:
                    raise ValueError("it says that nobody may write to it")
                (found,) = self.connection.execute("PRAGMA quick_check(1)").fetchone()
                if found != "ok":
                    raise ValueError("its pages do not fit together")
            check_ledger(self.connection)

    def probe(self) -> None:
        """See whether something can be saved; StorageError if not."""
        if not os.access(self.path, os.W_OK, effective_ids=True):
            raise StorageError(self.path, StorageTrouble.READ_ONLY, "it may only be read")
        with self.together():
            # The same again: it takes as much room as a move.
            self.connection.execute(f"PRAGMA user_version = {VERSION}")

    @contextmanager
    def together(self) -> Iterator[None]:
        """Put everything that is saved meanwhile on disk together, or nothing of it."""
        with self.told_plainly(), self.connection:
            # Taken at once, so that two programs cannot both begin and then block each other.
            self.connection.execute("BEGIN IMMEDIATE")
            yield
        # It is on disk. If this fails, it is read from the log, and goes into the file next time.
        with suppress(sqlite3.Error):
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Let all that is read be of one moment: read bit by bit, what another writes is damage."""
        if self.connection.in_transaction:
            yield
            return
        with self.told_plainly():
            self.connection.execute("BEGIN")
        try:
            yield
        finally:
            with suppress(sqlite3.Error):
                self.connection.execute("ROLLBACK")

    @contextmanager
    def told_plainly(self, damaged: StorageTrouble = StorageTrouble.DAMAGED) -> Iterator[None]:
        """Let what goes wrong be a StorageError; what cannot be read is `damaged`."""
        try:
            yield
        except (sqlite3.Error, OSError, ValueError) as error:
            trouble = storage_trouble(error)
            if isinstance(error, ValueError):
                trouble = damaged
            if trouble is StorageTrouble.FAILING and _is_full(self.path.parent):
                # Where there is no room for its index SQLite speaks of an error of the disk.
                trouble = StorageTrouble.FULL
            if trouble is StorageTrouble.UNOPENED and not _is_open_to_us(self.path.parent):
                # It says no more of a file in a folder in which it may make none.
                trouble = StorageTrouble.FORBIDDEN
            raise StorageError(self.path, trouble, str(error)) from error

    def _prepare(self) -> None:
        with self.at_one_moment():
            check_layout(self.connection, self.path)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = FULL")
        self.connection.execute("PRAGMA foreign_keys = OFF")
        # A table that is renamed keeps its name where other tables speak of it.
        self.connection.execute("PRAGMA legacy_alter_table = ON")
        with self.together():
            prepare(self.connection, self.path)


def _is_full(folder: Path) -> bool:
    """Whether there is no room for what SQLite makes beside a file that it opens."""
    try:
        disk = os.statvfs(folder)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < INDEX_BYTES


def _is_open_to_us(folder: Path) -> bool:
    """Whether files can be made there."""
    return os.access(folder, os.W_OK | os.X_OK, effective_ids=True)


def _take_from_others(path: Path) -> None:
    """Let nobody but its owner read a file that an older program has left open to others."""
    mode = path.stat().st_mode
    if mode & 0o077:
        path.chmod(mode & 0o700)
