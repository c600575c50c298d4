"""The journal: a real SQLite file, and what happens to it."""

import sqlite3
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from companion.journal import Journal, JournalError
from companion.session import Session
from companion.table import NO_CLOCK
from engine.actions import Action, Declare, Move, OpenAttack, PlaceArmies, Resign
from engine.clocks import ClockState
from engine.editions import DEFAULT, EDITIONS
from engine.ranks import Rank
from engine.rulings import GameOver, Reason
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import square, squares_in
from tests.companion.evening import Evening

OPENING: list[Action] = [
    PlaceArmies(Side.RED.home, Side.BLUE.home),
    Move(square("e4"), square("e5")),
    Move(square("e7"), square("e6")),
    OpenAttack(square("e5"), square("e6")),
    Declare(Secret(Side.RED, Rank.CAPTAIN)),
]


CLOCK = ClockState()
Open = Callable[..., Journal]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "games.sqlite"


@pytest.fixture
def open_journal(path: Path) -> Iterator[Open]:
    """Open the same file as often as a test likes, each time as a program of its own would."""
    with ExitStack() as opened:
        yield lambda origin="board": opened.enter_context(closing(Journal(path, origin)))


def test_what_was_appended_is_there_after_a_restart(open_journal: Open) -> None:
    journal = open_journal()
    game = journal.begin(EDITIONS["isf"], 7, NO_CLOCK)
    for action in OPENING:
        journal.append(game, 1.5, [action], None, CLOCK)
    # No close: as if the plug had been pulled.
    kept = open_journal().unfinished()
    assert kept
    assert (kept.id, kept.edition, kept.seed) == (game, EDITIONS["isf"], 7)
    assert list(kept.actions) == OPENING
    journal.close()


def test_a_game_that_is_over_is_not_taken_up(open_journal: Open) -> None:
    journal = open_journal()
    game = journal.begin(DEFAULT, 1, NO_CLOCK)
    journal.append(game, 0, OPENING[:2], None, CLOCK)
    over = GameOver(Side.BLUE, Reason.RESIGNATION)
    journal.append(game, 1, [Resign(Side.RED)], over, CLOCK)
    assert journal.unfinished() is None


def test_only_the_latest_game_is_taken_up(open_journal: Open) -> None:
    journal = open_journal()
    journal.begin(DEFAULT, 1, NO_CLOCK)
    latest = journal.begin(DEFAULT, 2, NO_CLOCK)
    kept = journal.unfinished()
    assert kept
    assert kept.id == latest


def test_games_of_another_origin_are_left_alone(open_journal: Open) -> None:
    open_journal("simulated").begin(DEFAULT, 1, NO_CLOCK)
    assert open_journal("board").unfinished() is None


def test_what_is_accepted_together_is_saved_together(open_journal: Open) -> None:
    journal = open_journal()
    game = journal.begin(DEFAULT, 1, NO_CLOCK)
    journal._connection.execute(
        "CREATE TRIGGER full BEFORE INSERT ON action WHEN new.number = 3"
        " BEGIN SELECT RAISE(ABORT, 'disk is full'); END"
    )
    with pytest.raises(JournalError, match="disk is full"):
        journal.append(game, 0, OPENING, None, CLOCK)
    kept = journal.unfinished()
    assert kept
    assert kept.actions == (), "all or nothing"


def test_nobody_else_may_read_the_declared_ranks(open_journal: Open, path: Path) -> None:
    open_journal()
    assert path.stat().st_mode & 0o077 == 0


def test_every_commit_reaches_the_disk(open_journal: Open, path: Path) -> None:
    journal = open_journal()
    (level,) = journal._connection.execute("PRAGMA synchronous").fetchone()
    assert level == 2, "FULL"


class TestTrouble:
    def test_a_file_that_is_none_of_ours(self, open_journal: Open, path: Path) -> None:
        path.parent.mkdir()
        path.write_bytes(b"this is a letter, not a database" * 100)
        with pytest.raises(JournalError, match="cannot be read or saved"):
            open_journal()
        assert path.read_bytes().startswith(b"this is a letter"), "it is left as it was"

    def test_a_file_of_a_newer_program(self, open_journal: Open, path: Path) -> None:
        open_journal().close()
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA user_version = 99")
        connection.close()
        with pytest.raises(JournalError, match="newer Boomboard"):
            open_journal()

    def test_a_folder_that_is_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "kept").write_text("")
        with pytest.raises(JournalError, match="--data"):
            Journal(tmp_path / "kept" / "games.sqlite")

    @pytest.mark.parametrize(
        "spoil",
        [
            "UPDATE game SET edition = 'house-rules'",
            'UPDATE action SET action = \'{"do": "castle"}\'',
            "UPDATE action SET action = 'scribble'",
        ],
    )
    def test_a_game_that_cannot_be_understood(
        self, open_journal: Open, path: Path, spoil: str
    ) -> None:
        journal = open_journal()
        journal.append(journal.begin(DEFAULT, 1, NO_CLOCK), 0, OPENING, None, CLOCK)
        journal._connection.execute(spoil)
        with pytest.raises(JournalError):
            journal.unfinished()


class TestBeforeItIsAnnounced:
    def test_every_action_is_on_disk_when_its_announcement_is_made(
        self, open_journal: Open, path: Path
    ) -> None:
        """A second connection, as after a pulled plug, already sees what the listener hears of."""
        session = Session.begin(open_journal(), DEFAULT, seed=1)
        seen: list[int] = []
        session.listen(lambda _: seen.append(_kept_actions(path)))
        for given in _played().inputs:
            before = len(seen)
            session.handle(given)
            actions = len(session.table.referee.actions)
            assert seen[before:] == [actions] * (len(seen) - before)
        assert _kept_actions(path) == len(session.table.referee.actions) > 2

    def test_what_cannot_be_saved_is_not_announced(self, open_journal: Open) -> None:
        journal = open_journal()
        session = Session.begin(journal, DEFAULT, seed=1)
        told: list[object] = []
        session.listen(told.append)
        inputs = iter(_played().inputs)
        while not session.table.referee.actions:
            session.handle(next(inputs))
        journal.close()
        told.clear()
        with pytest.raises(JournalError):
            deque(map(session.handle, inputs))
        assert not any(type(event).__name__ == "Moved" for event in told)
        kept = open_journal().unfinished()
        assert kept
        assert len(kept.actions) == 1


def _played() -> Evening:
    evening = Evening.begun()
    evening.move("e4", "e5")
    evening.move("e7", "e6")
    return evening


def _kept_actions(path: Path) -> int:
    with closing(Journal(path)) as journal:
        kept = journal.unfinished()
    return len(kept.actions) if kept else 0


def test_resuming_gives_the_same_table(open_journal: Open) -> None:
    journal = open_journal()
    session = Session.begin(journal, DEFAULT, seed=1)
    for given in _played().inputs:
        session.handle(given)
    kept = open_journal().unfinished()
    assert kept
    again = Session.resume(journal, kept)
    assert again.table.expected == session.table.expected
    assert again.table.referee.actions == session.table.referee.actions
    assert len(list(squares_in(again.table.expected.occupied))) == 80
