"""Read finished games from the journal."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from companion.storage.errors import JournalError
from companion.storage.journal import Journal
from engine.board.geometry import square
from engine.board.ranks import Rank
from engine.game.actions import Action, Resign
from engine.game.clocks import NO_CLOCK, TIME_CONTROLS, ClockState
from engine.game.referee import Referee
from engine.game.rulings import GameOver, Reason
from engine.records.record_files import read_transcript, write_transcript
from engine.records.transcript import Transcript
from tests.companion.storage.journals import spoil
from tests.engine.tables import BLUE, RED
from tests.engine.transcripts import DUEL, FIGHT, ISF_DUEL, all_actions


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with closing(Journal(path)) as opened:
        yield opened


def keep(journal: Journal, *played: Action, every: float = 2.5) -> int:
    game = journal.begin(ISF_DUEL, 1, TIME_CONTROLS["total"])
    for number, action in enumerate(played):
        referee = Referee.replay(ISF_DUEL, played[: number + 1])
        journal.append(
            *(game, every * number, [action], referee.outcome, ClockState()), plies=referee.plies
        )
    return game


WHOLE = all_actions(DUEL, FIGHT, Resign(RED))


def test_whole_game(journal: Journal) -> None:
    kept = journal.transcript(keep(journal, *WHOLE))

    assert [entry.action for entry in kept.entries] == WHOLE
    assert [entry.at for entry in kept.entries] == [2.5 * n for n in range(len(WHOLE))]
    assert (kept.edition, kept.control) == (ISF_DUEL, TIME_CONTROLS["total"])
    assert kept.outcome == GameOver(BLUE, Reason.RESIGNATION)
    assert kept.ranks == {square("b4"): Rank.SPY, square("b7"): Rank.MARSHAL}
    assert read_transcript(write_transcript(kept).encode()) == kept


def test_chosen_options_are_saved(journal: Journal) -> None:
    chosen = replace(ISF_DUEL, silent_defence=True, two_squares_limit=5)

    assert journal.transcript(journal.begin(chosen, 1, NO_CLOCK)) == replace(
        Transcript(chosen, ()), begun=journal.games()[0].begun
    )


def test_start_time_is_wall_clock_time(journal: Journal) -> None:
    keep(journal, *WHOLE)
    spoil(journal, "UPDATE game SET begun = '2026-11-21 10:11:08'")

    (game,) = journal.games()
    assert game.begun == journal.transcript(game.number).begun == "2026-11-21T10:11:08Z"


def test_resumable_games_by_origin(path: Path) -> None:
    for origin in ("board", "simulated", "board"):
        with closing(Journal(path, origin)) as journal:
            keep(journal, *WHOLE[:2])
    with closing(Journal(path, "board")) as journal:
        games, unfinished = journal.games(), journal.unfinished_games()
        earlier, elsewhere = journal.unfinished(1), journal.unfinished(2)

    assert [game.number for game in games] == [1, 2, 3]
    assert [game.number for game in unfinished] == [1, 3]
    assert earlier
    assert earlier.id == 1
    assert elsewhere is None


def test_finished_or_deleted_game_is_not_resumed(path: Path) -> None:
    with closing(Journal(path)) as journal:
        over = keep(journal, *WHOLE)
        assert journal.unfinished(over) is None
        assert journal.unfinished_games() == []
        with pytest.raises(JournalError):
            journal.unfinished(over + 1)


def test_empty_list_of_games(journal: Journal) -> None:
    assert journal.games() == []


def test_deleting_one_game_keeps_the_others(journal: Journal) -> None:
    first, second = keep(journal, *WHOLE), keep(journal, *WHOLE[:3])

    journal.delete(first)

    assert [game.number for game in journal.games()] == [second]
    assert len(journal.transcript(second).entries) == 3
    (left,) = journal.file.connection.execute("SELECT count(*) FROM action").fetchone()
    assert left == 3


def test_game_numbers_are_never_reused(journal: Journal) -> None:
    keep(journal, *WHOLE)
    journal.delete(keep(journal, *WHOLE))

    assert keep(journal, *WHOLE) == 3


def test_unknown_game_number(journal: Journal) -> None:
    for use in (journal.transcript, journal.delete):
        with pytest.raises(
            JournalError, match=r"There is no game 7 in .*; “boomboard games list” lists"
        ):
            use(7)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE game SET edition = 'house rules' WHERE id = 2",
        "UPDATE game SET time_control = '{\"each\": -1}' WHERE id = 2",
        'UPDATE action SET action = \'{"do": "castle"}\' WHERE game = 2 AND number = 3',
        "UPDATE action SET action = '[]' WHERE game = 2 AND number = 3",
        "DELETE FROM action WHERE game = 2 AND number = 2",
    ],
)
def test_damaged_game_is_listed_beside_others(journal: Journal, statement: str) -> None:
    for _ in range(3):
        keep(journal, *WHOLE)
    spoil(journal, statement)

    assert [game.number for game in journal.games()] == [1, 2, 3]
    assert all(journal.transcript(number).outcome for number in (1, 3))
    with pytest.raises(JournalError, match=r"Game 2 in .* is damaged .* games delete 2"):
        journal.transcript(2)
    journal.delete(2)
    assert [game.number for game in journal.games()] == [1, 3]


def test_invalid_start_time_is_omitted(journal: Journal) -> None:
    keep(journal, *WHOLE)
    spoil(journal, "UPDATE game SET begun = 'yesterday'")

    assert journal.games()[0].begun == journal.transcript(1).begun == ""


def test_damaged_games_file(journal: Journal) -> None:
    keep(journal, *WHOLE)
    journal.file.connection.execute("DROP TABLE action")

    with pytest.raises(JournalError, match="cannot be read or saved"):
        journal.transcript(1)


def test_summary_of_a_game(journal: Journal) -> None:
    end = journal.transcript(keep(journal, *WHOLE)).outcome
    (summary,) = journal.games()
    assert (summary.plies, summary.outcome) == (3, end)
    assert summary.edition == ISF_DUEL
