"""Test the journal's operations on a real SQLite file."""

import sqlite3
from collections import deque
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.game_options import GameOptions
from companion.session.session import Session
from companion.storage.errors import JournalError
from companion.storage.journal import Journal, SavedGame
from engine.board.geometry import Side, square, squares_in
from engine.board.ranks import Rank
from engine.game import actions
from engine.game.clocks import NO_CLOCK, TIME_CONTROLS, ClockState, Limit, TimeControl
from engine.game.rulings import GameOver, Reason
from engine.rules.editions import DEFAULT, EDITIONS, Edition, MovedBombPenalty
from tests.companion.core.table_driver import TableDriver, infiltrator
from tests.companion.storage.journals import CLOCK, OPENING, Open, spoil
from tests.engine.tables import state


def test_appended_actions_survive_a_restart(open_journal: Open) -> None:
    journal = open_journal()
    game = journal.begin(EDITIONS["isf"], 7, NO_CLOCK)
    for action in OPENING:
        journal.append(game, 1.5, [action], None, CLOCK)
    # The journal stays open, as after a power cut.
    kept = open_journal().unfinished()
    assert kept
    assert (kept.id, kept.beginning.edition, kept.beginning.seed) == (game, EDITIONS["isf"], 7)
    assert list(kept.beginning.actions) == OPENING
    journal.close()


def test_finished_game_is_not_resumed(open_journal: Open) -> None:
    journal = open_journal()
    game = journal.begin(DEFAULT, 1, NO_CLOCK)
    journal.append(game, 0, OPENING[:2], None, CLOCK)
    over = GameOver(Side.BLUE, Reason.RESIGNATION)
    journal.append(game, 1, [actions.Resign(Side.RED)], over, CLOCK)
    assert journal.unfinished() is None


def test_game_with_a_taken_back_end_is_resumed(open_journal: Open) -> None:
    journal = open_journal()
    game = journal.begin(DEFAULT, 1, NO_CLOCK)
    journal.append(game, 0, OPENING[:2], None, CLOCK)
    over = GameOver(Side.BLUE, Reason.RESIGNATION)
    journal.append(game, 1, [actions.Resign(Side.RED)], over, CLOCK)
    journal.append(game, 2, [actions.TakeBack()], None, CLOCK)
    kept = journal.unfinished()
    assert kept
    assert list(kept.beginning.actions) == [
        *OPENING[:2],
        actions.Resign(Side.RED),
        actions.TakeBack(),
    ]


def test_only_the_latest_game_is_resumed(open_journal: Open) -> None:
    journal = open_journal()
    journal.begin(DEFAULT, 1, NO_CLOCK)
    latest = journal.begin(DEFAULT, 2, NO_CLOCK)
    kept = journal.unfinished()
    assert kept
    assert kept.id == latest


def test_games_of_other_origins_are_kept(open_journal: Open) -> None:
    open_journal("simulated").begin(DEFAULT, 1, NO_CLOCK)
    assert open_journal("board").unfinished() is None


def test_actions_of_one_input_are_saved_together(open_journal: Open) -> None:
    journal = open_journal()
    game = journal.begin(DEFAULT, 1, NO_CLOCK)
    journal.file.connection.execute(
        "CREATE TRIGGER full BEFORE INSERT ON action WHEN new.number = 3"
        " BEGIN SELECT RAISE(ABORT, 'disk is full'); END"
    )
    with pytest.raises(JournalError, match="disk is full"):
        journal.append(game, 0, OPENING, None, CLOCK)
    kept = journal.unfinished()
    assert kept
    assert kept.beginning.actions == (), "either all actions of an input are saved or none"


def test_journal_is_private(open_journal: Open, path: Path) -> None:
    open_journal()
    assert path.stat().st_mode & 0o077 == 0


def test_commits_are_synced(open_journal: Open, path: Path) -> None:
    journal = open_journal()
    (level,) = journal.file.connection.execute("PRAGMA synchronous").fetchone()
    assert level == 2, "the level must be FULL"


class TestErrors:
    def test_foreign_file(self, open_journal: Open, path: Path) -> None:
        path.parent.mkdir()
        path.write_bytes(b"this is a letter, not a database" * 100)
        with pytest.raises(JournalError, match="cannot be read or saved"):
            open_journal()
        assert path.read_bytes().startswith(b"this is a letter"), "the file is unchanged"

    def test_file_of_a_newer_version(self, open_journal: Open, path: Path) -> None:
        open_journal().close()
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA user_version = 99")
        connection.close()
        with pytest.raises(JournalError, match="expected schema version 1, found 99"):
            open_journal()

    def test_folder_is_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "kept").write_text("")
        with pytest.raises(JournalError, match="--data"):
            Journal(tmp_path / "kept" / "games.sqlite")

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE game SET edition = 'house-rules'",
            'UPDATE game SET edition = \'{"id": "house-rules"}\'',
            'UPDATE game SET edition = \'{"id": "isf", "army": "navy"}\'',
            "UPDATE game SET edition = '\"isf\"'",
            'UPDATE game SET time_control = \'{"each": "long"}\'',
            "UPDATE game SET time_control = '[]'",
            "UPDATE game SET memory = '[]'",
            "UPDATE game SET memory = '{\"unread\": 1}'",
            'UPDATE game SET memory = \'{"ranks": "all"}\'',
            'UPDATE game SET memory = \'{"doubted": "j5"}\'',
            "UPDATE game SET clock = '{}'",
            "UPDATE game SET clock = '7'",
            "UPDATE action SET action = '[]'",
            'UPDATE action SET action = \'{"do": "castle"}\'',
            "UPDATE action SET action = 'scribble'",
        ],
    )
    def test_unreadable_game(self, open_journal: Open, path: Path, statement: str) -> None:
        journal = open_journal()
        journal.append(journal.begin(DEFAULT, 1, NO_CLOCK), 0, OPENING, None, CLOCK)
        spoil(journal, statement)
        with pytest.raises(JournalError, match=r"cannot be read or saved .*--data\.$"):
            journal.unfinished()

    @pytest.mark.parametrize(
        "statement",
        [
            "DELETE FROM action WHERE number = 4",
            "DELETE FROM action WHERE number = 1",
            'UPDATE action SET action = \'{"do": "move", "source": "e4", "target": "f5"}\''
            " WHERE number = 2",
        ],
    )
    def test_invalid_actions(self, open_journal: Open, statement: str) -> None:
        journal = open_journal()
        journal.append(journal.begin(DEFAULT, 1, NO_CLOCK), 0, OPENING, None, CLOCK)
        spoil(journal, statement)
        with pytest.raises(JournalError, match=r"cannot be read or saved .*--data\.$"):
            _resume(journal)


def _resume(journal: Journal) -> Session:
    kept = journal.unfinished()
    assert kept
    return Session.resume(journal, kept)


RULES = (
    EDITIONS["isf"].with_army("barrage").with_limit(5),
    EDITIONS["isf"].with_army("duel").with_limit(3),
    EDITIONS["travel-2017"].with_moved_bomb(MovedBombPenalty.LOSES),
    EDITIONS["nordic-2015"],
)


class TestSavedChoices:
    @settings(max_examples=25)
    @given(
        rules=st.sampled_from(RULES),
        choices=st.tuples(st.booleans(), st.booleans(), st.booleans()),
        times=st.lists(st.none() | st.floats(1, 10**5), min_size=3, max_size=3),
        delay=st.floats(0, 60),
        used=st.lists(st.floats(0, 10**5), min_size=4, max_size=4),
        running=st.none() | st.sampled_from([limit for limit in Limit if limit is not Limit.WHOLE]),
        turn=st.floats(0, 10**4),
        waiting=st.none() | st.floats(0, 10**4),
    )
    def test_damaged_file_is_kept(
        self,
        rules: Edition,
        choices: tuple[bool, bool, bool],
        times: list[float | None],
        delay: float,
        used: list[float],
        running: Limit | None,
        turn: float,
        waiting: float | None,
    ) -> None:
        silent, advantage, touch = choices
        edition = replace(
            rules, silent_defence=silent, aggressor_advantage=advantage, touch_move=touch
        )
        each, whole, setup = times
        control = TimeControl("house", each, delay, whole, setup)
        clock = ClockState(dict(zip(Limit, used, strict=True)), running, turn, waiting)
        with TemporaryDirectory() as folder, closing(Journal(Path(folder) / "games")) as journal:
            game = journal.begin(edition, 7, control)
            assert journal.unfinished() == SavedGame(game, GameOptions(edition, 7, control))
            journal.append(game, 0, OPENING[:1], None, ClockState())
            journal.append(game, 1, OPENING[1:2], None, clock)
            kept = journal.unfinished()
        assert kept == SavedGame(game, GameOptions(edition, 7, control, tuple(OPENING[:2]), clock))


class TestBeforeItIsAnnounced:
    def test_actions_are_saved_before_they_are_announced(
        self, open_journal: Open, path: Path
    ) -> None:
        """A second connection already sees the action that is being announced."""
        session = Session.begin(open_journal(), DEFAULT, seed=1)
        seen: list[int] = []
        session.listen(lambda _: seen.append(_saved_actions(path)))
        for each in _played().inputs:
            before = len(seen)
            session.handle(each)
            count = len(session.table.referee.actions)
            assert seen[before:] == [count] * (len(seen) - before)
        assert _saved_actions(path) == len(session.table.referee.actions) > 2

    def test_unsaved_actions_are_not_announced(self, open_journal: Open) -> None:
        journal = open_journal()
        session = Session.begin(journal, DEFAULT, seed=1)
        emitted: list[object] = []
        session.listen(emitted.append)
        inputs = iter(_played().inputs)
        while not session.table.referee.actions:
            session.handle(next(inputs))
        journal.close()
        emitted.clear()
        with pytest.raises(JournalError):
            deque(map(session.handle, inputs))
        assert not any(type(event).__name__ == "Moved" for event in emitted)
        kept = open_journal().unfinished()
        assert kept
        assert len(kept.beginning.actions) == 1


def _played() -> TableDriver:
    driver = TableDriver.begun()
    driver.move("e4", "e5")
    driver.move("e7", "e6")
    return driver


def _saved_actions(path: Path) -> int:
    with closing(Journal(path)) as journal:
        kept = journal.unfinished()
    return len(kept.beginning.actions) if kept else 0


def test_resuming_gives_the_same_table(open_journal: Open) -> None:
    journal = open_journal()
    session = Session.begin(journal, DEFAULT, seed=1)
    for each in _played().inputs:
        session.handle(each)
    kept = open_journal().unfinished()
    assert kept
    again = Session.resume(journal, kept)
    assert again.table.expected == session.table.expected
    assert again.table.referee.actions == session.table.referee.actions
    assert len(list(squares_in(again.table.expected.occupied))) == 80


def test_resuming_after_any_action_gives_the_same_game(open_journal: Open) -> None:
    driver = _eventful()
    journal, reader = open_journal(), open_journal()
    session = Session.begin(journal, driver.table.referee.edition, 1, driver.control)
    taken_up = 0
    for each in driver.inputs:
        session.handle(each)
        if len(session.table.referee.actions) > taken_up:
            taken_up = len(session.table.referee.actions)
            journal._one_player.leave()  # as after a power cut
            kept = reader.unfinished()
            assert kept
            again = Session.resume(reader, kept).table
            reader._one_player.leave()
            assert state(again.referee) == state(session.table.referee)
            assert again.conversation.question == session.table.conversation.question
            assert again.clock.state(0) == session.table.clock.state(each.at)
    kinds = {type(action) for action in session.table.referee.actions}
    assert {
        actions.Infiltrate,
        actions.AnswerGuess,
        actions.TakeBack,
        actions.Override,
        actions.UpholdDeclaration,
        actions.SettleDispute,
    } <= kinds
    assert actions.AdoptBoard in kinds


def _eventful() -> TableDriver:
    """Return a session with nearly every type of saved event."""
    driver = infiltrator(control=TIME_CONTROLS["bronstein"])
    driver.infiltrate("e7", "e8", Rank.COLONEL)
    driver.command(actions.AnswerGuess(right=False))
    driver.wait()
    driver.move("a7", "b6")
    driver.allow_move()
    driver.wait()
    driver.take_back()
    driver.move("b6", "a7")
    driver.command(actions.Attack(square("f5"), square("f4")))
    driver.declare(Side.BLUE, Rank.BOMB)
    driver.insist(Side.BLUE, Rank.BOMB)
    driver.command(actions.SettleDispute(accepted=False))
    driver.declare(Side.BLUE, Rank.MINER)
    driver.declare(Side.RED, Rank.MINER)
    driver.lift("f4")
    driver.lift("f5")
    driver.wait(12)
    driver.move("a8", "b6", settle=5)
    driver.agree(Side.RED)
    return driver
