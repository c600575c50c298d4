"""The journal: a real SQLite file, and what happens to it."""

import json
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.store.journal import VERSION, Journal, JournalError, KeptGame
from companion.store.session import Session
from engine.games.notation import read_clock, write_action, write_clock
from engine.play.actions import (
    Action,
    Amend,
    AnswerGuess,
    Attack,
    Correct,
    Declare,
    Infiltrate,
    Insist,
    Move,
    Override,
    PlaceArmies,
    Resign,
    SettleDispute,
    TakeBack,
    WrongRank,
)
from engine.play.clocks import NO_CLOCK, TIME_CONTROLS, ClockState, Limit, TimeControl
from engine.play.rulings import GameOver, Reason
from engine.ranks import Rank
from engine.rulebook.editions import DEFAULT, EDITIONS, Edition, MovedBomb
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import square, squares_in
from tests.companion.table.evening import Evening, infiltrator
from tests.engine.tables import state

OPENING: list[Action] = [
    PlaceArmies(Side.RED.home, Side.BLUE.home),
    Move(square("e4"), square("e5")),
    Move(square("e7"), square("e6")),
    Attack(square("e5"), square("e6")),
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


def test_a_game_whose_end_was_taken_back_is_taken_up(open_journal: Open) -> None:
    journal = open_journal()
    game = journal.begin(DEFAULT, 1, NO_CLOCK)
    journal.append(game, 0, OPENING[:2], None, CLOCK)
    over = GameOver(Side.BLUE, Reason.RESIGNATION)
    journal.append(game, 1, [Resign(Side.RED)], over, CLOCK)
    journal.append(game, 2, [TakeBack()], None, CLOCK)
    kept = journal.unfinished()
    assert kept
    assert list(kept.actions) == [*OPENING[:2], Resign(Side.RED), TakeBack()]


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
            'UPDATE game SET edition = \'{"id": "house-rules"}\'',
            'UPDATE game SET edition = \'{"id": "isf", "army": "navy"}\'',
            "UPDATE game SET edition = '\"isf\"'",
            'UPDATE game SET time_control = \'{"each": "long"}\'',
            "UPDATE game SET time_control = '[]'",
            "UPDATE game SET memory = '[]'",
            "UPDATE game SET memory = '{\"unread\": 1}'",
            'UPDATE game SET memory = \'{"ranks": "all"}\'',
            'UPDATE game SET memory = \'{"doubted": "j5"}\'',
            "UPDATE action SET clock = '{}'",
            "UPDATE action SET clock = '7'",
            "UPDATE action SET action = '[]'",
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
        with pytest.raises(JournalError, match=r"cannot be read or saved .*--data\.$"):
            journal.unfinished()

    @pytest.mark.parametrize(
        "spoil",
        [
            "DELETE FROM action WHERE number = 4",
            "DELETE FROM action WHERE number = 1",
            'UPDATE action SET action = \'{"do": "move", "source": "e4", "target": "f5"}\''
            " WHERE number = 2",
        ],
    )
    def test_actions_that_make_no_game(self, open_journal: Open, spoil: str) -> None:
        journal = open_journal()
        journal.append(journal.begin(DEFAULT, 1, NO_CLOCK), 0, OPENING, None, CLOCK)
        journal._connection.execute(spoil)
        kept = journal.unfinished()
        assert kept
        with pytest.raises(JournalError, match=r"cannot be read or saved .*--data\.$"):
            Session.resume(journal, kept)


LAYOUT_1 = """
CREATE TABLE game (
    id INTEGER PRIMARY KEY,
    begun TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
    origin TEXT NOT NULL,
    edition TEXT NOT NULL,
    seed INTEGER NOT NULL,
    outcome TEXT
) STRICT;
CREATE TABLE action (
    game INTEGER NOT NULL REFERENCES game,
    number INTEGER NOT NULL,
    at REAL NOT NULL,
    action TEXT NOT NULL,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;
INSERT INTO game VALUES (1, '2026-01-01', 'board', 'original-1992', 3, 'resignation');
INSERT INTO game VALUES (2, '2026-01-02', 'board', 'isf', 7, NULL);
PRAGMA user_version = 1;
"""


LAYOUT_2 = (
    LAYOUT_1
    + """
ALTER TABLE game ADD COLUMN time_control TEXT NOT NULL DEFAULT '{"id": "none"}';
ALTER TABLE action ADD COLUMN clock TEXT;
UPDATE game SET edition = json_object('id', edition);
PRAGMA user_version = 2;
"""
)


LAYOUT_3 = (
    LAYOUT_2
    + """
ALTER TABLE game ADD COLUMN memory TEXT NOT NULL DEFAULT '{}';
PRAGMA user_version = 3;
"""
)


@pytest.mark.parametrize("layout", [LAYOUT_1, LAYOUT_2, LAYOUT_3])
def test_of_an_older_file_nobody_reads_a_combat_again(
    path: Path, open_journal: Open, layout: str
) -> None:
    """Nothing in it says whether the ranks had been closed, so they stay closed."""
    path.parent.mkdir()
    fought = [*OPENING, Declare(Secret(Side.BLUE, Rank.MINER))]
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(layout)
        lines = [(n, json.dumps(write_action(action))) for n, action in enumerate(fought, 1)]
        connection.executemany(
            "INSERT INTO action (game, number, at, action) VALUES (2, ?, 1.5, ?)", lines
        )
        connection.commit()
    journal = open_journal()
    kept = journal.unfinished()
    assert kept
    table = Session.resume(journal, kept).table
    assert table.referee.position.last_combat
    assert table.unread is None
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)


class TestAFileOfTheThirdLayout:
    """It had other words for some actions, and for a rulebook."""

    @pytest.fixture
    def lines(self) -> list[str]:
        return ['{"do": "resign", "side": "red"}']

    @pytest.fixture
    def edition(self) -> str:
        return '{"id": "isf"}'

    @pytest.fixture
    def kept(self, path: Path, open_journal: Open, lines: list[str], edition: str) -> KeptGame:
        path.parent.mkdir()
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(LAYOUT_3)
            connection.executemany(
                "INSERT INTO action (game, number, at, action) VALUES (2, ?, 1.5, ?)",
                enumerate(lines, 1),
            )
            connection.execute("INSERT INTO action VALUES (1, 1, 0, 'damaged', NULL)")
            connection.execute("UPDATE game SET edition = ? WHERE id = 2", (edition,))
            connection.commit()
        kept = open_journal().unfinished()
        assert kept
        return kept

    @pytest.mark.parametrize(
        ("lines", "action"),
        [
            (
                ['{"do": "strike-on", "source": "e6", "target": "e7"}'],
                Amend(square("e6"), square("e7")),
            ),
            (
                ['{"do": "slide-on", "source": "e5", "target": "e6"}'],
                Amend(square("e5"), square("e6")),
            ),
            (
                ['{"do": "correct-rank", "piece": "e4", "rank": "spy"}'],
                Correct(WrongRank(square("e4"), Rank.SPY)),
            ),
        ],
    )
    def test_an_action(self, kept: KeptGame, action: Action) -> None:
        assert kept.actions == (action,)

    @pytest.mark.parametrize(
        ("edition", "played"),
        [
            ('{"id": "nordic-2009", "army": "duel"}', EDITIONS["nordic-2015"].with_army("duel")),
            (
                '{"id": "travel-2017"}',
                replace(EDITIONS["travel-2017"], moved_bomb=MovedBomb.LOSES),
            ),
        ],
    )
    def test_a_rulebook(self, kept: KeptGame, played: Edition) -> None:
        assert kept.edition == played


class TestAFileOfTheFirstLayout:
    @pytest.fixture
    def path(self, path: Path) -> Path:
        path.parent.mkdir()
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(LAYOUT_1)
            lines = [(n, json.dumps(write_action(action))) for n, action in enumerate(OPENING, 1)]
            connection.executemany("INSERT INTO action VALUES (2, ?, 1.5, ?)", lines)
            connection.commit()
        return path

    def test_its_games_are_taken_up_without_a_clock(self, path: Path, open_journal: Open) -> None:
        kept = open_journal().unfinished()
        assert kept == KeptGame(2, EDITIONS["isf"], 7, tuple(OPENING), NO_CLOCK, ClockState())

    def test_they_go_on_and_new_ones_are_begun(self, path: Path, open_journal: Open) -> None:
        open_journal().append(
            2, 9, [Resign(Side.RED)], GameOver(Side.BLUE, Reason.RESIGNATION), CLOCK
        )
        journal = open_journal()
        assert journal.unfinished() is None, "it is over now"
        assert journal.begin(DEFAULT, 1, NO_CLOCK) == 3
        rows = journal._connection.execute("SELECT count(*) FROM action").fetchone()
        assert rows == (len(OPENING) + 1,)

    def test_it_is_carried_over_once(self, path: Path, open_journal: Open) -> None:
        open_journal().close()
        journal = open_journal()
        (version,) = journal._connection.execute("PRAGMA user_version").fetchone()
        assert version == VERSION
        kept = journal.unfinished()
        assert kept
        assert kept.edition == EDITIONS["isf"]


class TestWhatWasChosen:
    @settings(max_examples=25)
    @given(
        army=st.sampled_from(["original", "duel", "barrage"]),
        limit=st.sampled_from(EDITIONS["isf"].limits),
        choices=st.tuples(st.booleans(), st.booleans(), st.booleans()),
        moved_bomb=st.sampled_from(MovedBomb),
        times=st.lists(st.none() | st.floats(1, 10**5), min_size=3, max_size=3),
        delay=st.floats(0, 60),
        used=st.lists(st.floats(0, 10**5), min_size=4, max_size=4),
        running=st.none() | st.sampled_from([limit for limit in Limit if limit is not Limit.WHOLE]),
        turn=st.floats(0, 10**4),
        waiting=st.none() | st.floats(0, 10**4),
    )
    def test_is_kept(
        self,
        army: str,
        limit: int,
        choices: tuple[bool, bool, bool],
        moved_bomb: MovedBomb,
        times: list[float | None],
        delay: float,
        used: list[float],
        running: Limit | None,
        turn: float,
        waiting: float | None,
    ) -> None:
        silent, advantage, touch = choices
        edition = replace(
            EDITIONS["isf"].with_army(army),
            two_squares_limit=limit,
            silent_defence=silent,
            aggressor_advantage=advantage,
            touch_move=touch,
            moved_bomb=moved_bomb,
        )
        each, whole, setup = times
        control = TimeControl("house", each, delay, whole, setup)
        clock = ClockState(dict(zip(Limit, used, strict=True)), running, turn, waiting)
        with TemporaryDirectory() as folder, closing(Journal(Path(folder) / "games")) as journal:
            game = journal.begin(edition, 7, control)
            assert journal.unfinished() == KeptGame(game, edition, 7, (), control, ClockState())
            journal.append(game, 0, OPENING[:1], None, ClockState())
            journal.append(game, 1, OPENING[1:2], None, clock)
            kept = journal.unfinished()
        assert kept == KeptGame(game, edition, 7, tuple(OPENING[:2]), control, clock)


def test_a_clock_of_before_anybody_could_be_charged_is_read() -> None:
    plain = write_clock(CLOCK)
    del plain["waiting"]
    assert read_clock(plain) == CLOCK


class TestBeforeItIsAnnounced:
    def test_every_action_is_on_disk_when_its_announcement_is_made(
        self, open_journal: Open, path: Path
    ) -> None:
        """A second connection, as after a pulled plug, already sees what the listener hears of."""
        session = Session.begin(open_journal(), DEFAULT, seed=1)
        seen: list[int] = []
        session.listen(lambda _: seen.append(_kept_actions(path)))
        for each in _played().inputs:
            before = len(seen)
            session.handle(each)
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
    for each in _played().inputs:
        session.handle(each)
    kept = open_journal().unfinished()
    assert kept
    again = Session.resume(journal, kept)
    assert again.table.expected == session.table.expected
    assert again.table.referee.actions == session.table.referee.actions
    assert len(list(squares_in(again.table.expected.occupied))) == 80


def test_taken_up_after_any_action_it_is_the_same_game(open_journal: Open) -> None:
    evening = _eventful()
    journal, reader = open_journal(), open_journal()
    session = Session.begin(journal, evening.table.referee.edition, 1, evening.control)
    taken_up = 0
    for each in evening.inputs:
        session.handle(each)
        if len(session.table.referee.actions) > taken_up:
            taken_up = len(session.table.referee.actions)
            kept = reader.unfinished()
            assert kept
            again = Session.resume(reader, kept).table
            assert state(again.referee) == state(session.table.referee)
            assert again.conversation.question == session.table.conversation.question
            assert again.clock.state(0) == session.table.clock.state(each.at)
    kinds = {type(action) for action in session.table.referee.actions}
    assert {Infiltrate, AnswerGuess, TakeBack, Override, Insist, SettleDispute} <= kinds


def _eventful() -> Evening:
    """An evening on which nearly everything happens that is kept."""
    evening = infiltrator(control=TIME_CONTROLS["bronstein"])
    evening.infiltrate("e7", "e8", Rank.COLONEL)
    evening.say(AnswerGuess(right=False))
    evening.wait()
    evening.move("a7", "b6")
    evening.let_stand()
    evening.wait()
    evening.take_back()
    evening.move("b6", "a7")
    evening.say(Attack(square("f5"), square("f4")))
    evening.declare(Side.BLUE, Rank.BOMB)
    evening.insist(Side.BLUE, Rank.BOMB)
    evening.say(SettleDispute(accepted=False))
    evening.declare(Side.BLUE, Rank.MINER)
    evening.declare(Side.RED, Rank.MINER)
    return evening
