"""Unsaved actions are announced once they are saved, or once a player gives up saving them."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from companion.core.events import Event
from companion.session.session import Session
from companion.storage.errors import StorageError, StorageErrorKind, error_kind
from companion.storage.journal import Journal
from companion.storage.journal_provider import JournalProvider
from engine.game.actions import Action
from engine.game.clocks import NO_CLOCK
from engine.game.rulings import Moved
from engine.rules.editions import DEFAULT
from tests.companion.core.table_driver import TableDriver
from tests.companion.storage.disk_faults import fill, forbidden, locked, make_room, read_only
from tests.companion.storage.journals import CLOCK, OPENING


@contextmanager
def full(journal: Journal) -> Iterator[None]:
    fill(journal)
    yield
    make_room(journal)


@contextmanager
def taken(journal: Journal) -> Iterator[None]:
    with locked(journal.path):
        yield


Fault = Callable[[Journal], AbstractContextManager[None]]
FAULTS: list[tuple[Fault, StorageErrorKind]] = [
    (full, StorageErrorKind.FULL),
    (taken, StorageErrorKind.LOCKED),
]


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.storage.journal_file.LOCKED_SECONDS", 0.0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with closing(Journal(path)) as opened:
        yield opened


class Played:
    def __init__(self, journal: Journal) -> None:
        self.announced: list[Event] = []
        self.driver = TableDriver.begun()
        self.session = Session.begin(journal, DEFAULT, self.driver.seed)
        self.session.listen(self.announced.append)
        self._heard = 0

    def hear(self) -> None:
        while self._heard < len(self.driver.inputs):
            self._heard += 1
            self.session.handle(self.driver.inputs[self._heard - 1])

    def moves(self) -> list[Moved]:
        return [event for event in self.announced if isinstance(event, Moved)]


def kept(path: Path) -> tuple[Action, ...]:
    with closing(Journal(path)) as journal:
        found = journal.unfinished()
    return found.beginning.actions if found else ()


@pytest.mark.parametrize(("fault", "kind"), FAULTS)
def test_waiting_events_are_announced_in_order(
    journal: Journal, path: Path, fault: Fault, kind: StorageErrorKind
) -> None:
    played = Played(journal)
    played.hear()
    saved = len(played.session.table.referee.actions)
    with fault(journal):
        played.driver.move("e4", "e5")
        with pytest.raises(StorageError) as raised:
            played.hear()
        assert raised.value.kind is kind
        announced = list(played.announced)
        played.driver.move("e7", "e6")
        played.hear()  # the game on the board goes on
        assert len(played.session.table.referee.actions) == saved + 2
        with pytest.raises(StorageError):
            played.session.retry_save()
        assert played.announced == announced
        assert played.moves() == []
        assert played.session.error
    on_disk: list[int] = []
    played.session.listen(lambda _: on_disk.append(len(kept(path))))
    played.session.retry_save()
    assert [event.source for event in played.moves()] == [34, 64]
    assert on_disk
    assert set(on_disk) == {saved + 2}, "all actions are saved before the first is announced"
    assert kept(path) == tuple(played.session.table.referee.actions)
    assert played.session.error is None
    played.driver.move("a4", "a5")
    played.hear()
    assert kept(path) == tuple(played.session.table.referee.actions), (
        "later actions are saved as well"
    )


def test_continuing_unsaved_stops_saving(journal: Journal, path: Path) -> None:
    played = Played(journal)
    played.hear()
    saved = kept(path)
    fill(journal)
    played.driver.move("e4", "e5")
    with pytest.raises(StorageError):
        played.hear()
    played.session.continue_unsaved()
    assert len(played.moves()) == 1
    assert not played.session.is_persistent
    make_room(journal)
    played.driver.move("e7", "e6")
    played.hear()
    assert len(played.moves()) == 2
    assert kept(path) == saved


def test_unsaved_game_does_not_replace_the_previous(journal: Journal, path: Path) -> None:
    journal.append(journal.begin(DEFAULT, 1, NO_CLOCK), 0, OPENING[:2], None, CLOCK)
    fill(journal)
    played = Played(journal)
    with pytest.raises(StorageError):
        played.hear()
    assert played.session.number is None
    assert kept(path) == tuple(OPENING[:2])
    make_room(journal)
    played.session.retry_save()
    assert kept(path) == tuple(played.session.table.referee.actions) != ()


def test_game_without_a_journal() -> None:
    driver = TableDriver.begun()
    driver.move("e4", "e5")
    session = Session.begin(None, DEFAULT, driver.seed)
    announced: list[Event] = []
    session.listen(announced.append)
    for given in driver.inputs:
        session.handle(given)
    assert any(isinstance(event, Moved) for event in announced)
    assert (session.is_persistent, session.number, session.error) == (False, None, None)


class TestJournalProvider:
    def test_unwritable_folder(self, tmp_path: Path, path: Path) -> None:
        with closing(JournalProvider(path)) as journals:
            with forbidden(tmp_path):
                assert error_of(journals) is StorageErrorKind.FORBIDDEN
            assert journals.journal().games() == []

    def test_read_only_games_file(self, tmp_path: Path, path: Path) -> None:
        Journal(path).close()
        with closing(JournalProvider(path)) as journals, forbidden(tmp_path):
            assert error_of(journals) is StorageErrorKind.FORBIDDEN

    def test_read_only_file_is_detected_at_start(self) -> None:
        """The error is found before setup. Saved games can still be read."""
        with TemporaryDirectory() as folder:  # other users cannot enter pytest's folders
            path = Path(folder) / "games.sqlite"
            with closing(Journal(path)) as journal:
                journal.append(journal.begin(DEFAULT, 1, NO_CLOCK), 0, OPENING[:2], None, CLOCK)
            with read_only(path), closing(JournalProvider(path)) as journals:
                assert journals.journal().unfinished()
                assert journals.error
                assert journals.error.kind is StorageErrorKind.READ_ONLY
                assert not journals.keeps

    def test_full_disk_at_opening(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """SQLite reports a full disk as an I/O error."""
        journal = Journal(path)
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR
        for room, kind in ((0, StorageErrorKind.FAILING), (2**70, StorageErrorKind.FULL)):
            monkeypatch.setattr("companion.storage.journal_file.INDEX_BYTES", room)
            with pytest.raises(StorageError) as raised, journal.file.translating_errors():
                raise error
            assert raised.value.kind is kind
        journal.close()

    def test_folder_is_a_file(self, path: Path) -> None:
        path.write_text("")
        assert error_of(JournalProvider(path / "games.sqlite")) is StorageErrorKind.FORBIDDEN

    def test_file_is_a_folder(self, path: Path) -> None:
        path.mkdir()
        assert error_of(JournalProvider(path)) is StorageErrorKind.UNOPENED

    def test_file_locked_by_another_process(self, journal: Journal, path: Path) -> None:
        with closing(JournalProvider(path)) as journals:
            with locked(path):
                assert error_of(journals) is StorageErrorKind.LOCKED
            assert journals.journal() is journals.journal()


def error_of(journals: JournalProvider) -> StorageErrorKind:
    with pytest.raises(StorageError) as raised:
        journals.journal()
    return raised.value.kind


def test_extended_sqlite_codes() -> None:
    error = sqlite3.OperationalError("attempt to write a readonly database")
    error.sqlite_errorcode = sqlite3.SQLITE_READONLY_DIRECTORY
    assert error_kind(error) is StorageErrorKind.FORBIDDEN
