"""Files with older schemas are migrated, and their games continue."""

import functools
import json
import os
import signal
import sqlite3
from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from companion.store.journal import Journal, KeptGame
from companion.store.layouts import VERSION
from companion.store.session import Session
from companion.store.storage_trouble import JournalError, StorageError
from companion.table.beginning import Beginning
from companion.table.sayings import Pause
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
    """The file does not record whether the ranks had been hidden, so they stay hidden."""
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
    """It used other names for some actions, and for a rulebook."""

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
        rows = journal.file.connection.execute("SELECT count(*) FROM action").fetchone()
        assert rows == (len(OPENING) + 1,)

    def test_it_is_carried_over_once(self, path: Path, open_journal: Open) -> None:
        open_journal().close()
        journal = open_journal()
        (version,) = journal.file.connection.execute("PRAGMA user_version").fetchone()
        assert version == VERSION
        kept = journal.unfinished()
        assert kept
        assert kept.beginning.edition == EDITIONS["isf"]


def test_a_clock_of_before_anybody_could_be_charged_is_read() -> None:
    plain = write_clock(CLOCK)
    del plain["waiting"]
    assert read_clock(plain) == CLOCK


LAYOUT_7 = (
    LAYOUT_3
    + """
ALTER TABLE game ADD COLUMN players TEXT NOT NULL DEFAULT '{}';
CREATE TABLE note (
    game INTEGER NOT NULL REFERENCES game,
    number INTEGER NOT NULL,
    after INTEGER NOT NULL,
    at REAL NOT NULL,
    note TEXT NOT NULL,
    clock TEXT NOT NULL,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;
ALTER TABLE game ADD COLUMN clock TEXT;
PRAGMA user_version = 7;
"""
)
"""The last schema without checksums."""


class TestAFileWithoutSeals:
    @pytest.fixture
    def path(self, path: Path) -> Path:
        path.parent.mkdir()
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(LAYOUT_7)
            shown = json.dumps(write_clock(replace(CLOCK, turn=7.0)))
            lines = [(n, json.dumps(write_action(action))) for n, action in enumerate(OPENING, 1)]
            connection.executemany("INSERT INTO action VALUES (2, ?, 1.5, ?, NULL)", lines)
            note = json.dumps({"event": "pause"})
            connection.execute("INSERT INTO note VALUES (2, 1, 5, 1.5, ?, ?)", (note, shown))
            connection.execute("UPDATE game SET clock = ? WHERE id = 2", (shown,))
            connection.commit()
        return path

    def test_all_of_it_is_sealed_and_goes_on(self, path: Path, open_journal: Open) -> None:
        journal = open_journal()
        journal.file.check()
        kept = journal.unfinished()
        assert kept
        clock = replace(CLOCK, turn=7.0)
        expected = Beginning(EDITIONS["isf"], 7, actions=tuple(OPENING), clock=clock)
        assert kept == KeptGame(2, expected)
        assert [noted.note for noted in journal.notes(2)] == [Pause()]
        assert [game.begun for game in journal.games()] == [
            "2026-01-01T00:00:00Z",
            "2026-01-02T00:00:00Z",
        ]
        assert journal.begin(DEFAULT, 1, NO_CLOCK) == 3
        journal.file.connection.execute("UPDATE action SET at = 9 WHERE game = 2 AND number = 3")
        with pytest.raises(JournalError, match="action 3 of game 2 is damaged"):
            journal.transcript(2)

    def test_a_copy_stays_for_the_program_before(self, path: Path, open_journal: Open) -> None:
        """Renamed to the old name, it is identical to the original: a downgrade works."""
        with closing(sqlite3.connect(path)) as connection:
            before = "".join(connection.iterdump())
        open_journal().close()
        copy = path.with_name("games-layout-7.sqlite")
        assert copy.stat().st_mode & 0o077 == 0
        with closing(sqlite3.connect(copy)) as connection:
            assert "".join(connection.iterdump()) == before
            assert connection.execute("PRAGMA user_version").fetchone() == (7,)

    def test_where_no_copy_can_be_made_it_stays_as_it_is(
        self, path: Path, open_journal: Open
    ) -> None:
        path.with_name("games-layout-7.sqlite.new").mkdir()
        with pytest.raises(StorageError):
            open_journal()
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (7,)


def test_killed_while_it_is_carried_over_it_is_carried_over_next_time(memory: Path) -> None:
    """Before each statement: its schema is the old or the new one, and all games are there."""
    path = memory / "games.sqlite"
    for at in count(1, 2):
        for each in memory.iterdir():
            each.unlink()
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(LAYOUT_7)
        is_killed = killed_at(path, at)
        with closing(Journal(path)) as journal:
            journal.file.check()
            assert [game.number for game in journal.games()] == [1, 2]
        if not is_killed:
            break
    assert at > 20


def killed_at(path: Path, at: int) -> bool:
    """Open a journal in a process killed before this statement; return whether it was killed."""
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
