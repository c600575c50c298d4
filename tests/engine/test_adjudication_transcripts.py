"""Tests for the adjudication of transcripts: legality, and the basis for the outcome."""

from contextlib import nullcontext, suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board.geometry import square
from engine.board.ranks import Rank
from engine.game import actions
from engine.game.rulings import GameOver, Reason
from engine.records.adjudication import Basis, Verdict, judge_transcript
from engine.records.transcript import Transcript, TranscriptError
from engine.rules.editions import EDITIONS, Edition
from engine.rules.rules import ViolationKind
from tests.engine.cases import each
from tests.engine.examples import examples
from tests.engine.tables import BLUE, RED
from tests.engine.transcripts import (
    ARMIES,
    DISPUTE,
    FIGHT,
    IN_ENEMY_ROWS,
    ISF_DUEL,
    NORDIC,
    TRAVEL_DUEL,
    full,
    game_of,
    games,
    judged,
)


def test_legal_game_with_take_backs() -> None:
    game = game_of(
        f"{FIGHT}, f7-f6, f4-f5, f6xf5, withdrawn, f6-f7, taken back", actions.Resign(BLUE)
    )

    assert judged(game) == Verdict(5, outcome=GameOver(RED, Reason.RESIGNATION))


def test_added_ranks_reveal_a_moved_bomb() -> None:
    """The piece that moves from c1 is a bomb, but that is not public."""
    game = game_of("c1-c2, e7-e6, c2-c3")
    assert judged(game) == Verdict(3)

    verdict = judged(full(game))

    assert (verdict.ply, verdict.violations[0].fault) == (1, ViolationKind.IMMOBILE)
    assert judged(full(game), TRAVEL_DUEL).outcome == GameOver(BLUE, Reason.MOVED_BOMB)


def test_judged_by_another_edition() -> None:
    """A piece moves between b4 and b5 four times in a row."""
    to_and_fro = "b4-b5, k7-k6, b5-b4, k6-k5, b4-b5, i7-i6, b5-b4"
    old = replace(ISF_DUEL, two_squares_limit=5)
    game = game_of(to_and_fro, edition=old)
    assert judged(game) == Verdict(7)

    verdict = judged(game, ISF_DUEL)

    assert (verdict.ply, verdict.violations[0].fault) == (7, ViolationKind.TO_AND_FRO)


def test_diverging_position_ends_the_judging() -> None:
    """Equal ranks were declared, and both pieces fell. According to the ranks added later, Red's
    piece survives."""
    board = actions.AdoptBoard((actions.Relocation("k7", "b6"),), 0, RED)
    game = game_of("b4-b5, b7-b6, b5xb6, Red says miner, Blue says miner", board)
    assert judged(game) == Verdict(4)
    printed = {square("b4"): Rank.MARSHAL, square("b7"): Rank.MINER}

    with pytest.raises(TranscriptError, match=r"before ply 4, .* found adopt-board red k7-b6"):
        judged(replace(game, ranks=printed))


def test_overrides_are_legal() -> None:
    game = game_of("the arbiter lets e4-f5 stand, e7-e6, the arbiter lets e6-e5 stand, f5-f6")

    assert judged(game) == Verdict(4)


def test_override_may_be_legal_in_another_edition() -> None:
    to_and_fro = "b4-b5, k7-k6, b5-b4, k6-k5, b4-b5, i7-i6, the arbiter lets b5-b4 stand"
    game = game_of(to_and_fro)

    assert judged(game, replace(ISF_DUEL, two_squares_limit=5)) == Verdict(7)


def test_refused_declaration() -> None:
    game = game_of(f"{DISPUTE}, the arbiter refuses it, Blue says miner, k7-k6")

    assert judged(game) == Verdict(4)


def test_accepted_declaration_reveals_a_moved_bomb() -> None:
    verdict = judged(game_of(f"{DISPUTE}, the arbiter accepts it, k7-k6"))

    assert (verdict.plies, verdict.ply) == (4, 2)
    assert verdict.violations[0].fault is ViolationKind.IMMOBILE


@each(
    "guess",
    [
        "k7 guesses k8 major, Blue answers right",
        "k7 guesses k8 bomb, Blue answers wrong, a5-a6, k7 guesses k8 major, Blue answers right",
        "k7 guesses k8 bomb, Blue answers wrong, a5-a6, k7 guesses k8 bomb",
        "k7 guesses k8 bomb, taken back, k7 guesses k9 lieutenant, Blue answers right",
    ],
)
def test_infiltration(guess: str) -> None:
    """No further question is asked, whether or not the guess reveals the rank."""
    game = game_of(f"{IN_ENEMY_ROWS}, {guess}", actions.Resign(RED), edition=NORDIC, drawn=ARMIES)

    for known in (game, full(game, ARMIES)):
        assert judged(known) == Verdict(
            game.referee().plies, outcome=GameOver(BLUE, Reason.RESIGNATION)
        )


@given(games(), st.sampled_from(list(EDITIONS.values())))
@examples(40)
def test_any_game_can_be_judged_by_any_edition(game: Transcript, edition: Edition) -> None:
    for rules in (game.edition, edition):
        # A different piece may survive under other rules, or if the added ranks contradict a
        # declaration.
        may_differ = game.ranks or rules != game.edition
        with suppress(TranscriptError) if may_differ else nullcontext():
            verdict = judge_transcript(game, rules)

            assert verdict.plies == game.referee().plies
            assert verdict.ply is None or (verdict.violations and verdict.ply <= verdict.plies)


@each(
    ("game", "basis"),
    [
        (game_of(FIGHT), None),
        (game_of(FIGHT, actions.Resign(BLUE)), Basis.CLAIMED),
        (game_of(FIGHT, actions.TimeExpired(BLUE)), Basis.CLAIMED),
        (game_of("b4-b5", actions.ClaimStalemate(), edition=TRAVEL_DUEL), Basis.CLAIMED),
        (full(game_of("b4-b5", actions.ClaimStalemate(), edition=TRAVEL_DUEL)), Basis.REFUTED),
        (full(game_of(FIGHT, actions.Forfeit(None))), Basis.CLAIMED),
    ],
)
def test_basis_of_each_ending(game: Transcript, basis: Basis | None) -> None:
    """The claim “I cannot move” holds, unless the record also contains ranks that show a legal
    move."""
    assert judge_transcript(game, game.edition).basis is basis
