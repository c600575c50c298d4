"""Test the schema version of the games file. Other versions must be refused."""

import functools
import os
import signal
import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from companion.storage.errors import StorageError, StorageErrorKind
from companion.storage.journal import Journal
from tests.companion.storage.journals import Open


def set_version(path: Path, version: int) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")


def test_new_file_has_version_1(path: Path, open_journal: Open) -> None:
    open_journal().close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)


@pytest.mark.parametrize(
    ("version", "kind"),
    [
        (-1, StorageErrorKind.DAMAGED),
        (0, StorageErrorKind.DAMAGED),
        (2, StorageErrorKind.NEWER),
        (8, StorageErrorKind.NEWER),
    ],
)
def test_another_version_is_refused(
    path: Path, open_journal: Open, version: int, kind: StorageErrorKind
) -> None:
    open_journal().close()
    set_version(path, version)
    before = path.read_bytes()
    with pytest.raises(StorageError) as raised:
        open_journal()
    message = str(raised.value)
    assert f"The games in {path} cannot be read" in message
    assert f"expected schema version 1, found {version}" in message
    assert "move the file elsewhere, or name another folder with --data." in message
    assert raised.value.kind is kind
    assert path.read_bytes() == before


def test_creation_is_atomic(memory: Path) -> None:
    """If the process is killed at any statement, the next process must be able to open the file."""
    path = memory / "games.sqlite"
    for at in count(1):
        for each in memory.iterdir():
            each.unlink()
        is_killed = killed_at(path, at)
        with closing(Journal(path)) as journal:
            journal.file.check()
            assert journal.games() == []
        if not is_killed:
            break
    assert at > 10


def killed_at(path: Path, at: int) -> bool:
    """Open a journal in a process that is killed at the SQL statement with number `at`.

    Return whether the process was killed.
    """
    child = os.fork()
    if child == 0:
        statements = iter(range(1, at))

        def kill(_statement: str) -> None:
            if next(statements, None) is None:
                os.kill(os.getpid(), signal.SIGKILL)

        class Traced(sqlite3.Connection):
            def __init__(self, *arguments: Any, **named: Any) -> None:
                super().__init__(*arguments, **named)
                self.set_trace_callback(kill)

        connect = functools.partial(sqlite3.connect, factory=Traced)
        with patch("sqlite3.connect", connect):
            Journal(path).close()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)
