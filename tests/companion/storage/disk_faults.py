"""Cause real errors in an SQLite file, then undo them."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path

from companion.storage.journal import Journal

LETTER = b"this is a letter, not a database" * 100
NOBODY = 65534
LAST = 2**40


def fill(journal: Journal) -> None:
    """Fill the file until no row fits, as on a full disk."""
    connection = journal.file.connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")
    connection.execute("PRAGMA synchronous = OFF")
    more = "SELECT 1 + coalesce(max(number), 0) FROM action WHERE game = ?"
    (first,) = connection.execute(more, (LAST,)).fetchone()
    with suppress(sqlite3.OperationalError):
        for number in count(first):
            row = LAST, number, 0.0, "", "", ""
            connection.execute("INSERT INTO action VALUES (?, ?, ?, ?, ?, ?)", row)
    connection.execute("PRAGMA synchronous = FULL")


def make_room(journal: Journal) -> None:
    journal.file.connection.execute("PRAGMA max_page_count = 1000000")
    journal.file.connection.execute("DELETE FROM action WHERE game = ?", (LAST,))


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Lock the file exclusively, as another process might."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield


@contextmanager
def forbidden(folder: Path) -> Iterator[None]:
    """Forbid writing in a folder, even by root."""
    mode, user = folder.stat().st_mode, os.geteuid()
    folder.chmod(0o500)
    if user == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if user == 0:
            os.seteuid(user)
        folder.chmod(mode)


@contextmanager
def read_only(path: Path) -> Iterator[None]:
    """Make a file read-only, even to root."""
    folder, user = path.parent, os.geteuid()
    path.chmod(0o400)
    if user == 0:
        for each in (folder, *folder.iterdir()):
            os.chown(each, NOBODY, -1)
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if user == 0:
            os.seteuid(user)
            for each in (folder, *folder.iterdir()):
                os.chown(each, user, -1)
        path.chmod(0o600)
