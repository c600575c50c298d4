"""Tests for the story of a game: its moments, positions and ranks."""

import re

import pytest

from companion.analysis.game_review import GameReview
from companion.analysis.moments import review_bluffs
from companion.reports.reviews import build_story, review_paragraphs
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language
from companion.speech.review_texts import ReviewWords
from companion.speech.small_texts import handicap_text
from companion.storage.records import as_transcript, read_record, sample_game
from engine.board.geometry import name
from engine.board.ranks import BARRAGE, ORIGINAL, Rank
from engine.game.actions import Resign
from engine.records.transcript import Transcript
from engine.rules.editions import DEFAULT, Handicap
from tests.companion.analysis.test_game_review import missed_by_two
from tests.engine.tables import BLUE, RED
from tests.engine.transcripts import FIGHT, ISF_DUEL, full, game_of

ENGLISH = Announcer(Language("en"))


def sample() -> Transcript:
    with sample_game() as path:
        return as_transcript(read_record(path), DEFAULT)


def test_three_moments_of_the_sample_game() -> None:
    story = build_story(sample(), ENGLISH)
    assert [moment.ply for moment in story.moments] == [25, 112, 143]
    assert story.moments[0].text == (
        "Red's piece on e7 had been revealed 7 moves earlier: the marshal. "
        "Blue attacked it with the spy. The attack could not fail."
    )
    assert story.moments[2].text == (
        "Red's piece on e6 had been revealed 69 moves earlier: a sergeant. "
        "Blue attacked it with the spy. The attack could not succeed. The spy was lost."
    )
    assert len(story.closing) == 3
    assert len(story.pages) == 1 + 206


def test_moments_show_only_knowable_ranks() -> None:
    game = full(game_of(FIGHT, Resign(RED)))
    story = build_story(game, ENGLISH)
    (moment,) = story.moments
    assert (moment.side, moment.ply) == (RED, 2)
    shown = story.view(moment).pieces
    assert {side for side, rank in shown.values() if rank is not None} == {RED}
    assert all(rank is not None for side, rank in shown.values() if side is RED)
    after = story.ranks(3, RED)
    assert {name(square) for square in after if story.pages[3].seen.pieces[square][0] is BLUE} == (
        set()
    ), "the captured marshal is not on the board"
    assert Rank.MARSHAL not in story.ranks(3, BLUE).values()


def test_handicap_without_the_only_bomb() -> None:
    handicap = Handicap.parse("blue+bombs")
    assert [handicap_text(handicap, army, ENGLISH.language) for army in (ORIGINAL, BARRAGE)] == [
        "Handicap. Red: half the bombs.",
        "Handicap. Red: no bombs.",
    ]


def test_unfinished_game_has_no_story() -> None:
    with pytest.raises(ValueError, match="finished"):
        build_story(game_of(FIGHT), ENGLISH)
    with pytest.raises(ValueError, match="finished"):
        [*review_paragraphs(game_of(FIGHT), ENGLISH.language)]


def test_french_colon() -> None:
    story = [*review_paragraphs(sample(), Language("fr"))]
    assert story[0].startswith("coup 26\N{NO-BREAK SPACE}: ")
    assert not [paragraph for paragraph in story if re.search(r"\w: ", paragraph)]


def test_equal_paragraphs_appear_once() -> None:
    paragraphs = [*review_paragraphs(missed_by_two(), ENGLISH.language, whole=True)]
    missed = [each for each in paragraphs if each.startswith("ply 6: ")]
    assert len(missed) == 1
    assert missed[0].endswith("Blue could have captured it with a miner, but made another move.")


@pytest.mark.parametrize("code", ["da", "es", "fr", "nb"])
def test_average_agrees_with_no_noun(code: str) -> None:
    """In these languages, a noun after 1.0 would be singular, but one after 11.4 plural."""
    words = ReviewWords(Language(code), ISF_DUEL)
    bluffs = review_bluffs(GameReview(full(game_of(FIGHT, Resign(RED)))))
    text = words.bluff(bluffs[RED]).replace("\N{NO-BREAK SPACE}:", ":")
    assert f" {words.language.number(round(bluffs[RED].average, 1))}: " in text


def test_sheet_has_the_story() -> None:
    story, paragraphs = (
        build_story(sample(), ENGLISH),
        [*review_paragraphs(sample(), ENGLISH.language)],
    )
    texts = [f"ply {moment.ply + 1}: {moment.text}" for moment in story.moments]
    # The moves are counted from the ply in the heading, but in a story from the position before it.
    texts = [re.sub(r"\d+(?= moves earlier)", lambda n: str(int(n[0]) + 1), text) for text in texts]
    assert paragraphs[0].startswith("ply 26: Red's piece on e7 had been revealed 8 moves earlier")
    assert paragraphs == [*texts, *story.closing]
