"""Compare the pages of a finished game with positions computed one by one."""

import pytest
from hypothesis import given

from companion.reports.replay import replay, snapshot
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language
from companion.storage.records import as_transcript, read_record, sample_game
from engine.game.actions import Resign
from engine.records.transcript import Transcript
from engine.rules.editions import DEFAULT
from tests.campaigns import Campaign
from tests.engine.examples import exactly
from tests.engine.tables import RED
from tests.engine.transcripts import FIGHT, game_of, games

PAGES = Campaign("random-games", part=8, whole=20)
ENGLISH = Announcer(Language("en"))


def texts(transcript: Transcript) -> list[str]:
    return [page.text for page in replay(transcript, ENGLISH)]


@given(games())
@PAGES
@exactly(PAGES.size)
def test_pages_show_the_position(game: Transcript) -> None:
    pages = replay(game, ENGLISH)
    assert [page.seen for page in pages] == [
        snapshot(game, ply) for ply in range(game.referee().plies + 1)
    ]


def test_one_page_per_ply() -> None:
    with sample_game() as path:
        game = as_transcript(read_record(path), DEFAULT)
    pages = replay(game, ENGLISH)
    assert len(pages) == 1 + 206
    assert pages[1].text == "Red: e4 to e5."
    assert pages[-1].text.endswith("(organiser's rule: the end of the game)")
    assert all(page.text for page in pages)


def test_announcements_on_pages() -> None:
    assert texts(game_of(FIGHT, Resign(RED))) == [
        "Both armies are ready. Red begins.",
        "Red: b4 to b5.",
        "Blue: b7 to b6.",
        "b5 attacks b6. Red: spy. Blue: marshal. Red wins the combat. "
        "Blue wins: the other side has resigned. (house rule: the end of the game)",
    ]


def test_adopted_board_has_a_page() -> None:
    game = game_of("b4-b5, both agree: b5 stands on a5; then Blue, b7-b6")
    assert texts(game)[2] == "Both players agree: the board is right. The piece from b5 is on a5."
    assert replay(game, ENGLISH)[2].seen == snapshot(game, 2)


@pytest.mark.parametrize("ended", [False, True])
def test_unfinished_attack_belongs_to_the_previous_ply(ended: bool) -> None:
    last = texts(game_of("b4-b5, b7-b6, b5xb6", *([Resign(RED)] if ended else [])))[-1]
    assert last.startswith("Blue: b7 to b6.")
    assert ("b5 attacks b6. Blue wins" in last) is ended


def test_scout_attack_has_one_page() -> None:
    strikes = "a4-a5, b7-b6, a5-a6, a6 goes on to a7"
    assert len(texts(game_of(strikes))) == 3
    settled = texts(game_of(f"{strikes}, Blue says miner"))[3]
    assert settled.startswith("Red: a5 to a6. a5 attacks a7. ")


def test_taken_back_turns_have_no_page() -> None:
    assert len(replay(game_of(f"{FIGHT}, taken back"), ENGLISH)) == 3


def test_no_page_before_the_setup() -> None:
    assert replay(Transcript(DEFAULT, ()), ENGLISH) == []
