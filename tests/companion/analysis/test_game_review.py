"""Tests for review findings in short duels: attacks, missed attacks and deduced ranks."""

from dataclasses import replace

import pytest

from companion.analysis.game_review import GameReview, Inference
from companion.analysis.moments import all_moments, choose_moments, review_bluffs
from companion.reports.replay import replay
from companion.reports.reviews import review_paragraphs
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language
from companion.speech.review_texts import ReviewWords
from engine.board.geometry import Side, name, square
from engine.board.ranks import BARRAGE, ORIGINAL, Rank, ranks_in
from engine.game.actions import AgreeDraw, PlaceArmies, Resign, TakeBack
from engine.records.transcript import Transcript, transcribe
from engine.rules.editions import Handicap
from tests.engine import transcripts
from tests.engine.tables import BLUE, RED, Setup
from tests.engine.transcripts import DUEL, FIGHT, ISF_DUEL, all_actions, full, game_of

WORDS = ReviewWords(Language("en"), ISF_DUEL)
ENGLISH = Announcer(Language("en"))


def over(words: str) -> Transcript:
    """Return the transcript of a duel that Red resigns at the end."""
    return game_of(words, Resign(RED))


def story(game: Transcript) -> list[str]:
    return [WORDS.moment(moment) for moment in choose_moments(GameReview(game))]


def test_unfinished_game_cannot_be_reviewed() -> None:
    with pytest.raises(ValueError, match="finished"):
        GameReview(game_of(FIGHT))
    with pytest.raises(ValueError, match="finished"):
        GameReview(game_of(FIGHT, Resign(RED), TakeBack()))


def test_attack_on_a_moved_piece() -> None:
    (attack,) = GameReview(over(FIGHT)).attacks
    assert attack.ply == 3
    assert [rank.name for rank in ranks_in(attack.target.possible)] == [
        *("SPY", "SCOUT", "MINER", "GENERAL", "MARSHAL")
    ]
    assert [*ranks_in(attack.beaten)] == [Rank.MARSHAL]
    assert not attack.is_certain
    assert attack.is_turning_point


def test_certain_win() -> None:
    game = over(f"{FIGHT}, k7-k6, a4-a5, a7-a6, f4-f5, a6xa5, Blue says miner, Red says scout")
    *_, attack = GameReview(game).attacks
    assert attack.combat.side is BLUE
    assert not attack.is_certain, "the scout in front could still be another piece"
    game = over(f"{FIGHT}, a7-a6, k4-k5, a6xb6, Blue says miner")
    *_, attack = GameReview(game).attacks
    assert attack.is_certain, "the spy is already revealed"
    assert attack.target.inference is Inference.SHOWN
    assert attack.target.since == 2


def test_missed_attack() -> None:
    game = full(over(f"{FIGHT}, a7-a6, k4-k5, k7-k6, i4-i5, i7-i6"))
    (missed,) = GameReview(game).missed_attacks
    assert (missed.side, missed.attacker, name(missed.source)) == (BLUE, Rank.MINER, "a6")
    assert missed.ply == 6
    assert missed.turns == 2
    assert WORDS.moment(missed) == (
        "Red's piece on b6 had been revealed 2 moves earlier: the spy. In 2 turns in a row Blue "
        "could have captured it with a miner, but made other moves."
    )


TWO_MINERS = DUEL.replace("b3 b10   .", "b3 b10  b3").replace("b1   .  b3", "b1   .   .")


def missed_by_two() -> Transcript:
    """Return a game in which two miners beside Red's revealed spy do not attack it."""
    words = f"{FIGHT}, k7-k6, b6-b7, i7-i6"
    return full(game_of(words, Resign(RED), drawn=TWO_MINERS), TWO_MINERS)


def test_turn_with_two_missed_attacks_counts_once() -> None:
    review = GameReview(missed_by_two())
    assert [(each.ply, each.side) for each in review.missed_attacks] == [(6, BLUE)] * 2
    assert WORDS.chances(review).endswith("not made: Red 0, Blue 1.")


def test_later_attack_is_not_missed() -> None:
    made = f"{FIGHT}, a7-a6, k4-k5, k7-k6, i4-i5, a6xb6, Blue says miner"
    assert GameReview(full(over(made))).missed_attacks == []


def test_only_known_ranks_miss_attacks() -> None:
    game = over(f"{FIGHT}, a7-a6, k4-k5, k7-k6, i4-i5, i7-i6")
    assert GameReview(game).missed_attacks == []
    assert not GameReview(game).knows_all_ranks
    assert "Some ranks were never shown." in WORDS.gaps(GameReview(game))
    assert WORDS.gaps(GameReview(full(game))) == ""


def test_withdrawn_attack_is_no_attack() -> None:
    assert GameReview(game_of("b4-b5, b7-b6, b5xb6, withdrawn", AgreeDraw())).attacks == []


def test_scout_attack_counts_from_the_start_of_the_turn() -> None:
    game = over("a4-a5, b7-b6, a5-a6, a6 goes on to a7, Blue says miner")
    (attack,) = GameReview(game).attacks
    assert attack.ply == 3
    assert name(attack.combat.source) == "a5"
    assert [turn.ply for turn in GameReview(game).turns] == [1, 2, 3]


def test_silent_survivor_in_a_review() -> None:
    silent = replace(ISF_DUEL, silent_defence=True)
    fight = "f4-f5, f7-f6, f5xf6, Red says general, Blue says marshal"
    game = game_of(fight, Resign(RED), edition=silent)
    assert story(game) == [
        "Blue's piece on f6 could only be the spy, a scout, a miner, the general or the marshal. "
        "Red attacked it with the general. The general beats 3 of the 5 possible ranks. "
        "It was the marshal, and the general was lost."
    ]
    game = replace(game, ranks={})
    assert story(game)[0].endswith("It won, and its rank was never shown.")


def test_rank_revealed_before_a_take_back_stays_known() -> None:
    game = over(f"{FIGHT}, taken back, k4-k5, b6xb5, Blue says marshal, Red says spy")
    review = GameReview(game)
    (attack,) = review.attacks
    assert (attack.ply, attack.is_certain) == (4, True)
    assert WORDS.moment(attack) == (
        "Red's piece on b5 had just been revealed: the spy. "
        "Blue attacked it with the marshal. The attack could not fail."
    )
    (missed,) = review.missed_attacks
    assert (missed.ply, missed.attacker, missed.target.only) == (3, Rank.SPY, Rank.MARSHAL)
    assert [replay(game, ENGLISH)[ply].known for ply in (1, 2)] == [
        {},
        {square("b5"): Rank.SPY, square("b6"): Rank.MARSHAL},
    ]


def test_rank_that_is_corrected_after_a_take_back_was_not_known() -> None:
    again = "b5xb6, Red says scout, Blue says marshal"
    words = f"{FIGHT}, taken back, {again}, taken back, k4-k5"
    assert GameReview(over(words)).rank(square("b4")) is Rank.SCOUT
    review = GameReview(over(f"{words}, b6xb5, Blue says marshal, Red says miner"))
    (attack,) = review.attacks
    assert (attack.target.only, attack.target.rank) == (None, Rank.MINER)


def test_take_back_of_a_continued_turn() -> None:
    """The scout's turn is taken back as a whole."""
    words = "a4-a5, b7-b6, a5-a6, a6 goes on to a7, Blue says miner, taken back, k4-k5"
    assert [turn.ply for turn in GameReview(over(words)).turns] == [1, 2, 3]
    words = "a4-a5, b7-b6, a5-a6, a6 goes on to a7, withdrawn, k7-k6"
    assert [turn.ply for turn in GameReview(over(words)).turns] == [1, 2, 3, 4]


OPEN_FILE = DUEL.replace("9  bB   .   .", "9   .  b3  bB").replace("b3 b10   .", ". b10   .")
"""Red's scout on a4 can attack Blue's flag."""


def flag_in_sight() -> Transcript:
    """Return a game in which Red sees Blue's ranks and takes the flag in its third turn."""
    words = "k4-k5, b9-a9, k5-k4, a9-b9, a4xa10"
    placing, *played = all_actions(OPEN_FILE, words)
    ranks = Setup.parse(OPEN_FILE).ranks
    blue = {at: rank for at, rank in ranks.items() if BLUE.home >> at & 1}
    assert isinstance(placing, PlaceArmies)
    edition = replace(ISF_DUEL, handicap=Handicap.parse("red+open"))
    return transcribe(edition, [(0.0, each) for each in (replace(placing, ranks=blue), *played)])


def test_end_of_the_game_is_a_moment_even_if_its_piece_appears_before() -> None:
    chosen = choose_moments(GameReview(flag_in_sight()))
    assert [moment.ply for moment in chosen if moment.target.only is Rank.FLAG] == [1, 5]


def test_open_army_was_visible_from_the_beginning() -> None:
    paragraphs = [*review_paragraphs(flag_in_sight(), Language("en"))]
    assert any("on a10 had been visible from the beginning: the flag." in p for p in paragraphs)
    assert not any("had been revealed" in paragraph for paragraph in paragraphs)
    assert [p[:4] for p in paragraphs if "on average" in p] == ["Red:"], "Blue had no secrets"


def infiltration(words: str, *last: Resign) -> Transcript:
    return game_of(
        f"{transcripts.IN_ENEMY_ROWS}, {words}",
        *last,
        edition=transcripts.NORDIC,
        drawn=transcripts.ARMIES,
    )


def test_right_guess() -> None:
    game = infiltration("k7 guesses k8 major, Blue answers right", Resign(RED))
    sentences = (
        "Nothing was known about Blue's piece on k8. Red guessed: major. "
        "It was a major, and it was captured."
    )
    (guess,) = GameReview(game).guesses
    assert guess.ply == 9
    assert WORDS.moment(guess) == sentences
    assert guess in all_moments(GameReview(game))
    assert story(game) == [sentences]


def test_right_guess_of_the_flag() -> None:
    flag = transcripts.ARMIES.replace("bF  bB", "b7  bB").replace("b7  b7  b7", "b7  b7  bF")
    words = f"{transcripts.IN_ENEMY_ROWS}, k7 guesses k8 flag, Blue answers right"
    game = game_of(words, edition=transcripts.NORDIC, drawn=flag)
    assert story(game) == [
        "Nothing was known about Blue's piece on k8. Red guessed: flag. "
        "It was the flag, and the game was won."
    ]


def test_only_piece_of_a_rank_has_the_definite_article() -> None:
    game = infiltration("k7xk8, Red says infiltrator, Blue says major", Resign(RED))
    words = ReviewWords(Language("en"), game.edition)
    assert "Red attacked it with the infiltrator." in words.moment(GameReview(game).attacks[0])
    assert Language("en").piece(Rank.MINER, BARRAGE) == "the miner"
    assert Language("en").piece(Rank.MINER, ORIGINAL) == "a miner"
    assert f"{Language('de').piece(Rank.BOMB, BARRAGE):mit}" == "mit der Bombe"


def test_wrong_guess_is_no_moment() -> None:
    game = infiltration("k7 guesses k8 bomb, Blue answers wrong", Resign(RED))
    assert all_moments(GameReview(game)) == []


def test_contradicted_rank_is_omitted() -> None:
    game = over(FIGHT)
    wrong = replace(game, ranks={**game.ranks, 61: Rank.BOMB})
    assert len(GameReview(game).attacks) == 1
    assert GameReview(wrong).attacks == []


def test_a_game_without_moves() -> None:
    review = GameReview(over(""))
    assert choose_moments(review) == []
    assert WORDS.nothing() == "In this game nothing could be known before it was shown."
    with pytest.raises(ValueError, match="no turn"):
        review_bluffs(review)


def test_bluff_measure() -> None:
    bluffs = review_bluffs(GameReview(full(over(FIGHT))))
    red, blue = bluffs[Side.RED], bluffs[Side.BLUE]
    # Each of the ten pieces may have any of seven ranks. A piece that has moved has only five left.
    assert red.curve[0] == 7.0
    assert red.curve[1] == pytest.approx(6.8)
    assert len(red.curve) == 4
    assert red.average == pytest.approx(sum(red.curve) / 4)
    assert (red.hidden, red.left) == (9, 10)
    assert (blue.hidden, blue.left) == (9, 9)
    assert red.secret is not None
    assert (red.secret.rank, red.secret.plies, red.secret.is_out) == (Rank.SPY, 2, True)
    assert WORDS.bluff(red).endswith("the spy (moves by both sides after its first one: 2).")
    assert blue.secret is None, "the marshal was revealed immediately"
