"""Unusable files are renamed and reported, and remain private."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.speech.i18n import Language
from companion.speech.small_texts import quarantine_text
from companion.storage.errors import StorageError, StorageErrorKind
from companion.storage.journal import Journal
from companion.storage.journal_provider import JournalProvider, quarantine
from engine.game.clocks import NO_CLOCK
from engine.rules.editions import DEFAULT
from tests.companion.storage.disk_faults import LETTER
from tests.companion.storage.journals import CLOCK, OPENING


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


def kept(path: Path, *statements: str) -> None:
    with closing(Journal(path)) as journal:
        journal.append(journal.begin(DEFAULT, 1, NO_CLOCK), 0, OPENING[:2], None, CLOCK)
    strange(path, *statements)


def strange(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


FILES: list[tuple[Callable[[Path], object], StorageErrorKind, str]] = [
    (lambda path: path.write_bytes(LETTER), StorageErrorKind.DAMAGED, "damaged"),
    (lambda path: kept(path, "PRAGMA user_version = 99"), StorageErrorKind.NEWER, "newer"),
    (lambda path: kept(path, "PRAGMA user_version = -1"), StorageErrorKind.DAMAGED, "damaged"),
    (lambda path: kept(path, "PRAGMA user_version = 0"), StorageErrorKind.DAMAGED, "damaged"),
    (lambda path: kept(path, "PRAGMA application_id = 7"), StorageErrorKind.DAMAGED, "damaged"),
    (lambda path: kept(path, "DELETE FROM game"), StorageErrorKind.DAMAGED, "damaged"),
    (lambda path: kept(path, "DELETE FROM ledger"), StorageErrorKind.DAMAGED, "damaged"),
    (lambda path: kept(path, "DROP TABLE note"), StorageErrorKind.DAMAGED, "damaged"),
    (lambda path: strange(path, "CREATE TABLE mine (x)"), StorageErrorKind.FOREIGN, "foreign"),
    (
        lambda path: strange(path, "CREATE TABLE game (x)", "PRAGMA user_version = 3"),
        StorageErrorKind.FOREIGN,
        "foreign",
    ),
]


@pytest.mark.parametrize(("make", "kind", "word"), FILES)
def test_unusable_file_is_quarantined(
    path: Path, make: Callable[[Path], object], kind: StorageErrorKind, word: str
) -> None:
    make(path)
    before = path.read_bytes()
    with closing(JournalProvider(path)) as journals:
        assert journals.journal().games() == []
        assert journals.keeps
        assert journals.quarantined
        assert journals.quarantined.kind is kind
    [aside] = path.parent.glob(f"games-{word}-????-??-??.sqlite")
    assert journals.quarantined.path == aside
    assert aside.read_bytes() == before, "the quarantined file is unchanged"
    assert str(aside) in quarantine_text(journals.quarantined, Language("en"))


def test_second_quarantined_file_gets_a_new_name(path: Path) -> None:
    for text in (LETTER, LETTER[:100]):
        path.write_bytes(text)
        with closing(JournalProvider(path)) as journals:
            journals.journal()
    found = sorted(path.parent.glob("games-damaged-*.sqlite"), key=lambda each: len(each.name))
    assert [each.read_bytes() for each in found] == [LETTER, LETTER[:100]]


def test_log_is_quarantined_with_its_file(path: Path) -> None:
    """If the log stayed behind, SQLite would read it as the log of the new file."""
    path.write_bytes(LETTER)
    Path(f"{path}-wal").write_bytes(b"a log")
    aside = quarantine(StorageError(path, StorageErrorKind.DAMAGED, "by hand"))
    assert Path(f"{aside.path}-wal").read_bytes() == b"a log"
    assert not Path(f"{path}-wal").exists()


def test_file_in_use_is_not_quarantined(path: Path) -> None:
    with closing(Journal(path)) as playing:
        playing.play()
        strange(path, "PRAGMA user_version = 99")
        with closing(JournalProvider(path)) as journals, pytest.raises(StorageError) as raised:
            journals.journal()
    assert raised.value.kind is StorageErrorKind.LOCKED
    assert path.exists()


def test_reader_quarantines_nothing(path: Path) -> None:
    path.write_bytes(LETTER)
    with pytest.raises(StorageError, match="move the file elsewhere, or name another folder"):
        Journal(path)
    assert path.read_bytes() == LETTER


def test_quarantined_files_are_private(path: Path) -> None:
    """This also applies to files that other users could read, and to newly created folders."""
    inner = path.parent / "made" / "games.sqlite"
    Journal(inner).close()
    assert inner.parent.stat().st_mode & 0o077 == 0
    inner.chmod(0o644)
    with closing(Journal(inner)) as journal:
        journal.begin(DEFAULT, 1, NO_CLOCK)
        assert [each.stat().st_mode & 0o077 for each in inner.parent.iterdir()] == [0, 0, 0, 0]


def test_errors_hide_the_content_of_damaged_rows(path: Path) -> None:
    """SQLite's own message would contain the row, which may include a rank."""
    with closing(Journal(path)) as journal:
        game = journal.begin(DEFAULT, 1, NO_CLOCK)
        journal.append(game, 0, OPENING, None, CLOCK)
        journal.file.connection.execute(
            "UPDATE action SET action = CAST(CAST(action AS BLOB) || x'ff' AS TEXT)"
            " WHERE number = 5"
        )
        for read in (journal.unfinished, lambda: journal.transcript(game)):
            with pytest.raises(Exception, match="action 5 of game 1 is damaged") as raised:
                read()
            chain: BaseException | None = raised.value
            while chain:
                assert "captain" not in str(chain)
                chain = chain.__cause__
