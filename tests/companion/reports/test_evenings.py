"""The book of evenings groups games by evening, shows their records, and can delete them."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.opponent.levels import Level
from companion.reports.reviews import EveningBook, find_evenings, longest_march, most_feared
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language
from companion.storage.game_rows import GameSummary, PlayerNames
from companion.storage.journal import Journal
from engine.board.geometry import name
from engine.board.ranks import Rank
from engine.game.actions import Resign
from engine.game.clocks import NO_CLOCK, ClockState
from tests.companion.ui.tour_of_stories import recorded_game, save_game
from tests.engine.tables import RED
from tests.engine.transcripts import FIGHT, game_of


@pytest.fixture(autouse=True)
def _utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Use UTC, so that the computer's time zone does not affect which games form an evening."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(Journal(tmp_path / "games.sqlite")) as opened:
        yield opened


def book(journal: Journal) -> EveningBook:
    return EveningBook(lambda: journal, Announcer(Language("en")))


def test_game_after_midnight_belongs_to_the_evening() -> None:
    begun = ("2026-11-20T19:05:00Z", "2026-11-21T04:59:00Z", "2026-11-21T05:01:00Z")
    games = [GameSummary(number, each, is_over=True) for number, each in enumerate(begun, 1)]
    evenings = [(str(each.day), each.numbers) for each in find_evenings(games)]
    assert evenings == [("2026-11-21", (3,)), ("2026-11-20", (1, 2))]


def test_unfinished_and_damaged_games_are_left_out() -> None:
    begun = "2026-11-20T19:05:00Z"
    games = [GameSummary(1, begun, is_over=False), GameSummary(2, begun, True, is_damaged=True)]
    assert find_evenings(games) == []


def test_longest_scout_move() -> None:
    march = longest_march(recorded_game())
    assert march is not None
    assert (name(march.source), name(march.target), march.squares) == ("i2", "i8", 6)
    assert longest_march(game_of("b4-b5, b7-b6", Resign(RED))) is None


def test_most_feared_piece() -> None:
    feared = most_feared(recorded_game())
    assert feared is not None
    assert (feared.side, feared.rank, feared.captures) == (RED, Rank.SERGEANT, 3)
    assert most_feared(game_of(FIGHT, Resign(RED))) is None, "one capture is not enough"


def test_scout_attack_counts_from_its_source() -> None:
    game = game_of("a4-a5, b7-b6, a5-a6, a6 goes on to a7, Blue says miner", Resign(RED))
    march = longest_march(game)
    assert march is not None
    assert (name(march.source), name(march.target)) == ("a5", "a7")


def test_text_of_an_evening(journal: Journal) -> None:
    for begun in ("2026-11-20 19:05:00", "2026-11-20 21:00:00"):
        save_game(journal, recorded_game(), begun)
    assert book(journal).text().splitlines() == [
        "Friday, November 20, 2026",
        "Ada – Bert: Blue wins: the arbiter has decided.",
        "Ada – Bert: Blue wins: the arbiter has decided.",
        "Games won: Ada 0, Bert 2.",
        "Longest march of a scout: 6 squares, from i2 to i8 (Ada).",
        "Most feared piece: a sergeant (Ada). Captured pieces: 3.",
    ]


def test_computer_is_named(journal: Journal) -> None:
    people = PlayerNames("", "Pip", alone=RED, level=Level.RECRUIT)
    game = game_of(FIGHT, Resign(RED))
    number = journal.begin(game.edition, 1, NO_CLOCK, people)
    actions = [entry.action for entry in game.entries]
    journal.append(number, 0, actions, game.outcome, ClockState())
    (evening,) = book(journal).evenings()
    assert book(journal).paragraphs(evening)[0].startswith("Red – Pip: ")


def test_deleting_the_book_keeps_the_unfinished_game(journal: Journal) -> None:
    save_game(journal, recorded_game(), "2026-11-20 19:05:00")
    playing = journal.begin(game_of("").edition, 1, NO_CLOCK)
    journal.append(playing, 0, [game_of("").entries[0].action], None, ClockState())
    book(journal).delete()
    assert [game.number for game in journal.games()] == [playing]
    assert book(journal).text() == ""
