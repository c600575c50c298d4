"""Only one process at a time can play the games in a file."""

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.core.inputs import Pause
from companion.session.session import Session
from companion.storage.errors import JournalError, StorageError, StorageErrorKind
from companion.storage.journal import Journal
from companion.storage.journal_provider import JournalProvider
from engine.board.geometry import Side
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.game.actions import Declare, Resign
from engine.game.clocks import NO_CLOCK
from engine.game.rulings import GameOver, Reason
from engine.rules.editions import DEFAULT
from tests.companion.storage.journals import CLOCK, OPENING, Open

PLAYS = """\
import sys
from pathlib import Path
from companion.storage.journal import Journal
journal = Journal(Path(sys.argv[1]))
journal.play()
print("plays", flush=True)
sys.stdin.read()
"""


def refused(error: StorageError) -> bool:
    return error.kind is StorageErrorKind.LOCKED and "another Boomboard is playing" in str(error)


@pytest.fixture
def game(open_journal: Open) -> int:
    with closing(open_journal()) as journal:
        number = journal.begin(DEFAULT, 1, NO_CLOCK)
        journal.append(number, 1.0, OPENING, None, CLOCK)
    return number


def test_lock_blocks_other_processes(open_journal: Open, game: int) -> None:
    one, other = open_journal(), open_journal()
    kept = one.unfinished()
    assert kept
    Session.resume(one, kept)
    tries = (
        lambda: other.begin(DEFAULT, 1, NO_CLOCK),
        lambda: other.append(game, 2.0, OPENING[1:2], None, CLOCK),
        lambda: other.delete(game),
        lambda: Session.resume(other, kept),
    )
    for each in tries:
        with pytest.raises(StorageError) as raised:
            each()
        assert refused(raised.value)
    assert [summary.number for summary in other.games()] == [game], "a locked journal can be read"
    other.transcript(game)
    one.close()
    Session.resume(other, kept)


def test_resume_reads_the_latest_actions(open_journal: Open, game: int) -> None:
    one, other = open_journal(), open_journal()
    kept = other.unfinished()
    assert kept
    assert one.unfinished()
    more = [Declare(Secret(Side.BLUE, Rank.MINER))]
    one.append(game, 2.0, more, None, CLOCK)
    one.close()
    session = Session.resume(other, kept)
    assert list(session.table.referee.actions) == [*OPENING, *more]
    other.append(game, 3.0, [Resign(Side.RED)], None, CLOCK)


@pytest.mark.parametrize("read", [Journal.transcript, Journal.notes, Journal.clocks])
def test_reader_sees_a_consistent_game(
    open_journal: Open, game: int, read: Callable[[Journal, int], object]
) -> None:
    one, other = open_journal(), open_journal()
    one.play()
    before = read(other, game)
    plays = [[Declare(Secret(Side.BLUE, Rank.MINER))]]

    def play_on(statement: str) -> None:
        # Play another action between the reading of the game's row and the reading of its content.
        if plays and statement.startswith("SELECT") and "WHERE game" in statement:
            one.append(game, 2.0, plays.pop(), None, CLOCK, notes=[Pause()])

    other.file.connection.set_trace_callback(play_on)
    assert read(other, game) == before
    assert not plays, "the game was continued during the read"


def test_game_ended_by_another_process_is_not_resumed(open_journal: Open, game: int) -> None:
    one, other = open_journal(), open_journal()
    kept = other.unfinished()
    assert kept
    assert one.unfinished()
    over = GameOver(Side.BLUE, Reason.RESIGNATION)
    one.append(game, 2.0, [Resign(Side.RED)], over, CLOCK)
    one.close()
    with pytest.raises(StorageError, match="another Boomboard has continued game 1"):
        Session.resume(other, kept)


def test_games_of_other_boards_share_the_file(open_journal: Open, game: int) -> None:
    open_journal().play()
    with pytest.raises(StorageError):
        open_journal("simulated").begin(DEFAULT, 1, NO_CLOCK)


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_ended_game_releases_the_lock(path: Path, game: int, end: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PLAYS, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as program:
        assert program.stdout
        assert program.stdout.readline() == b"plays\n"
        with closing(Journal(path)) as journal:
            with pytest.raises(JournalError):
                journal.play()
            program.send_signal(end)
            program.wait()
            journal.append(game, 2.0, OPENING[1:2], None, CLOCK)


def test_rows_of_a_foreign_writer_are_refused(path: Path, open_journal: Open, game: int) -> None:
    """The row was written by hand, or by a process that did not hold the lock."""
    journal = open_journal()
    assert journal.unfinished()
    with closing(sqlite3.connect(path)) as stranger, stranger:
        stranger.execute(
            "INSERT INTO action SELECT game, number + 1, at, action, clock, checksum FROM action"
            " ORDER BY number DESC LIMIT 1"
        )
    with pytest.raises(StorageError, match=f"another process has written to game {game}"):
        journal.append(game, 2.0, OPENING[1:2], None, CLOCK)
    rows = journal.file.connection.execute("SELECT count(*) FROM action").fetchone()
    assert rows == (len(OPENING) + 1,)


def test_closing_keeps_the_log_of_open_readers(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    ends = (
        "import sys; from pathlib import Path;"
        "from companion.storage.journal_provider import JournalProvider;"
        "journals = JournalProvider(Path(sys.argv[1])); journals.journal(); journals.close()"
    )
    with closing(JournalProvider(path)) as journals:
        journals.journal()
        subprocess.run([sys.executable, "-c", ends, str(path)], check=True)
        assert path.with_name("games.sqlite-wal").exists()
