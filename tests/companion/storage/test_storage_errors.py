"""Journal file errors and their messages.

All errors are real, except that a process limit simulates a failing disk.
"""

import logging
import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from companion.session.game_host import GameHost
from companion.speech.i18n import Language, codes
from companion.speech.small_texts import storage_error_text
from companion.storage.errors import StorageError, StorageErrorKind, error_kind
from companion.storage.journal import Journal
from companion.storage.journal_provider import JournalProvider
from engine.game.clocks import NO_CLOCK
from engine.rules.editions import DEFAULT
from tests.companion.storage.disk_faults import LETTER, fill, forbidden, locked, read_only
from tests.companion.storage.journals import CLOCK, OPENING
from tests.companion.ui.running_app import Script

PAGE: Final = 4096
"""Page size of SQLite, and usually of the operating system, in bytes."""


def keep(path: Path) -> None:
    with closing(Journal(path)) as journal:
        move(journal)


def move(journal: Journal) -> None:
    journal.append(journal.begin(DEFAULT, 1, NO_CLOCK), 0, OPENING[:2], None, CLOCK)


def look(path: Path) -> None:
    """Open the games as at startup, but without quarantine."""
    with closing(Journal(path)) as journal:
        journal.file.check()
        journal.file.probe()
        journal.unfinished()


def full(path: Path) -> None:
    with closing(Journal(path)) as journal:
        fill(journal)
        move(journal)


def taken(path: Path) -> None:
    keep(path)
    with locked(path):
        look(path)


def damaged(path: Path) -> None:
    keep(path)
    with path.open("r+b") as file:
        file.seek(PAGE)
        file.write(b"\xff" * PAGE)
    look(path)


def no_database(path: Path) -> None:
    path.write_bytes(LETTER)
    look(path)


def damaged_game(path: Path) -> None:
    keep(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("UPDATE action SET action = 'a letter'")
    look(path)


def newer(path: Path) -> None:
    keep(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA user_version = 99")
    look(path)


def foreign(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("CREATE TABLE mine (x)")
    look(path)


def shut_in(path: Path) -> None:
    with forbidden(path.parent):
        look(path)


def closed_to_writing(path: Path) -> None:
    keep(path)
    with read_only(path):
        look(path)


def folder(path: Path) -> None:
    path.mkdir()
    look(path)


def failing(path: Path) -> None:
    with closing(Journal(path)) as journal, no_larger_than(path.stat().st_size + PAGE):
        while True:
            move(journal)


@contextmanager
def no_larger_than(size: int) -> Iterator[None]:
    """Make all writes beyond the given file offset fail."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def interrupted(path: Path) -> None:
    with closing(Journal(path)) as journal:
        journal.file.connection.set_progress_handler(lambda: 1, 1)
        journal.file.probe()


KINDS: Final[list[tuple[Callable[[Path], None], StorageErrorKind]]] = [
    (full, StorageErrorKind.FULL),
    (taken, StorageErrorKind.LOCKED),
    (damaged, StorageErrorKind.DAMAGED),
    (no_database, StorageErrorKind.DAMAGED),
    (damaged_game, StorageErrorKind.GAME),
    (newer, StorageErrorKind.NEWER),
    (foreign, StorageErrorKind.FOREIGN),
    (shut_in, StorageErrorKind.FORBIDDEN),
    (closed_to_writing, StorageErrorKind.READ_ONLY),
    (folder, StorageErrorKind.UNOPENED),
    (failing, StorageErrorKind.FAILING),
    (interrupted, StorageErrorKind.OTHER),
]


@pytest.fixture(scope="module")
def languages() -> list[Language]:
    return [Language(code) for code in codes()]


@pytest.fixture
def path(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr("companion.storage.journal_file.LOCKED_SECONDS", 0.0)
    with TemporaryDirectory() as name:  # other users cannot enter pytest's folders
        yield Path(name) / "games.sqlite"


@pytest.mark.parametrize(("make", "kind"), KINDS)
def test_storage_errors_are_translated(
    path: Path,
    languages: list[Language],
    make: Callable[[Path], None],
    kind: StorageErrorKind,
) -> None:
    with pytest.raises(StorageError) as raised:
        make(path)
    error = raised.value
    assert error.kind is kind
    assert error.detail
    assert error.detail in str(error), "the message includes the detail"
    texts = {storage_error_text(error, language) for language in languages}
    assert len(texts) == len(languages) == 10
    assert not [words for words in texts if error.detail in words or str(error.__cause__) in words]


def test_storage_errors_are_complete() -> None:
    assert {kind for _make, kind in KINDS} == set(StorageErrorKind)


def test_storage_error_texts_are_unique(path: Path, languages: list[Language]) -> None:
    errors = [StorageError(path, kind, "in its own words") for kind in StorageErrorKind]
    texts = {storage_error_text(error, language) for error in errors for language in languages}
    assert len(texts) == len(errors) * len(languages)


def test_sqlite_error_codes_are_classified() -> None:
    """Every SQLite error code maps to an error kind. If there is no code, the kind is OTHER."""
    for code in (*range(1, 29), sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_CORRUPT_INDEX):
        error = sqlite3.OperationalError("as it says")
        error.sqlite_errorcode = code
        assert error_kind(error) in StorageErrorKind
    assert error_kind(sqlite3.InterfaceError("of ours")) is StorageErrorKind.OTHER


def test_system_error_is_logged(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path.mkdir()
    with caplog.at_level(logging.ERROR):
        host = GameHost(JournalProvider(path), Script(), lambda: 0.0, lambda: 1)
    assert host.problem
    assert host.problem.kind is StorageErrorKind.UNOPENED
    [line] = caplog.messages
    assert "unable to open database file" in line
    assert f"{path}" in line
