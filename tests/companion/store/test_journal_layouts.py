"""Files of older layouts are carried over, and their games go on."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from companion.store.journal import VERSION, KeptGame
from companion.store.session import Session
from companion.table.beginning import Beginning
from engine.games.notation import read_clock, write_action, write_clock
from engine.play.actions import (
    Action,
    Amend,
    Correct,
    Declare,
    Resign,
    WrongRank,
)
from engine.play.clocks import NO_CLOCK
from engine.play.rulings import GameOver, Reason
from engine.ranks import Rank
from engine.rulebook.editions import DEFAULT, EDITIONS, Edition, MovedBomb
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import square
from tests.companion.store.journals import CLOCK, OPENING, Open

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
        assert kept.beginning.actions == (action,)

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
        assert kept.beginning.edition == played


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
        assert kept == KeptGame(2, Beginning(EDITIONS["isf"], 7, actions=tuple(OPENING)))

    def test_they_go_on_and_new_ones_are_begun(self, path: Path, open_journal: Open) -> None:
        with closing(open_journal()) as first:
            first.append(2, 9, [Resign(Side.RED)], GameOver(Side.BLUE, Reason.RESIGNATION), CLOCK)
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
        assert kept.beginning.edition == EDITIONS["isf"]


def test_a_clock_of_before_anybody_could_be_charged_is_read() -> None:
    plain = write_clock(CLOCK)
    del plain["waiting"]
    assert read_clock(plain) == CLOCK
