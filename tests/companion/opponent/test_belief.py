"""Beliefs about hidden ranks follow the evidence and preserve the number of pieces of each rank."""

import random
from dataclasses import replace
from math import log
from statistics import mean

import pytest

from companion.opponent.belief import LAND, Behaviour, estimate
from companion.opponent.knowledge import Knowledge, PastTurn
from companion.opponent.levels import Level
from companion.opponent.setup_choice import choose_setup
from companion.opponent.setup_patterns import ANY_RANK, place_chances
from companion.opponent.valuation import combat_results, find_secrets, remaining
from engine import EDITIONS
from engine.board.board import NO_PIECE, Piece
from engine.board.geometry import SQUARES, Side, Square, square
from engine.board.ranks import Rank, RankSet
from tests.companion.opponent.games import decisions

EDITION = EDITIONS["original-1992"]
PLACE = square("d10")


def first_knowledge() -> Knowledge:
    both = dict.fromkeys(Side, Level.MARSHAL)
    return next(decisions(EDITION, both, seed=1, plies=1)).knowledge


def flag_chance(behaviour: Behaviour) -> float:
    left = remaining(EDITION.army, {})
    return estimate(first_knowledge(), behaviour, left, None, reads=True)[PLACE][Rank.FLAG]


@pytest.fixture
def behaviour() -> Behaviour:
    return Behaviour(Side.RED, combat_results(EDITION), EDITION.two_squares_limit)


def test_belief_is_balanced(behaviour: Behaviour) -> None:
    left = remaining(EDITION.army, {})
    chances = estimate(first_knowledge(), behaviour, left, None, reads=True)
    assert all(sum(row) == pytest.approx(1) for row in chances.values())
    for rank, count in enumerate(left):
        assert sum(row[rank] for row in chances.values()) == pytest.approx(count, abs=0.05)


def test_flag_is_likelier_beside_a_bomb(behaviour: Behaviour) -> None:
    before = flag_chance(behaviour)
    for at in LAND[PLACE]:
        behaviour.shown[at] = Rank.BOMB
    assert flag_chance(behaviour) > 2 * before


def test_flag_is_less_likely_beside_other_ranks(behaviour: Behaviour) -> None:
    before = flag_chance(behaviour)
    for at in LAND[PLACE]:
        behaviour.shown[at] = Rank.SCOUT
    assert flag_chance(behaviour) < before / 2


def seen_rows(number: int, rows: range) -> tuple[list[Rank], tuple[RankSet, ...]]:
    """Return a setup of Red, and what is known of it once the pieces in these rows are revealed."""
    setup = choose_setup(EDITION, Side.RED, random.Random(number))
    ranks = [setup[at] for at in range(40)]
    return ranks, tuple(
        1 << rank if at // 10 in rows else ANY_RANK for at, rank in enumerate(ranks)
    )


@pytest.mark.parametrize(("seen", "hidden"), [(range(2, 4), range(20)), (range(2), range(20, 40))])
def test_revealed_pieces_help_to_predict_the_others(seen: range, hidden: range) -> None:
    gains = []
    before = place_chances((ANY_RANK,) * 40)
    for number in range(100):
        ranks, known = seen_rows(number, seen)
        after = place_chances(known)
        gains += [log(after[at][ranks[at]] / before[at][ranks[at]]) for at in hidden]
    assert mean(gains) > 0.03


@pytest.mark.parametrize("seen", [range(0), range(1), range(2, 4), range(4)])
def test_mirrored_pieces_mirror_the_prediction(seen: range) -> None:
    mirror = [at + 9 - 2 * (at % 10) for at in range(40)]
    known = seen_rows(1, seen)[1]
    found, mirrored = place_chances(known), place_chances(tuple(known[at] for at in mirror))
    for at, row in enumerate(found):
        assert sum(row[: Rank.INFILTRATOR]) == pytest.approx(1, abs=0.01)
        assert mirrored[mirror[at]] == pytest.approx(row)


@pytest.fixture
def reserved(behaviour: Behaviour) -> Behaviour:
    """An enemy that has not attacked in 60 turns."""
    behaviour.enemy_turns = 60
    return behaviour


def past(source: Square, target: Square, met: Piece | None = None) -> PastTurn:
    """Return a turn of Blue's piece from e7 on an otherwise empty board."""
    board = bytearray([NO_PIECE] * len(SQUARES))
    piece = square("e7")
    return PastTurn(Side.BLUE, piece, source, target, met, None, None, None, None, False, board)


WALK = [square(name) for name in ("e7", "e8", "e9", "f9", "f8", "f7")]


@pytest.mark.parametrize(
    ("attacks", "reserve"),
    [
        (range(0), 1),
        (range(0, 60, 12), 0),
        (range(60, 120, 12), 1),  # too late to count
    ],
)
def test_reserve_depends_on_early_attacks(
    attacks: range, reserve: float, behaviour: Behaviour
) -> None:
    for turn in range(120):
        source, target = WALK[turn % 6], WALK[(turn + 1) % 6]
        behaviour.fold([past(source, target, square("e4") if turn in attacks else None)])
    assert behaviour.reserve == reserve


def test_first_turns_without_attack_do_not_count_as_reserve(behaviour: Behaviour) -> None:
    behaviour.fold([past(square("e7"), square("e8"))] * 10)
    assert behaviour.reserve == 0


def spy_chances(behaviour: Behaviour) -> tuple[float, float]:
    """Return the probabilities of a spy on d9, which is beside d10, and on k9."""
    left = remaining(EDITION.army, {})
    chances = estimate(first_knowledge(), behaviour, left, None, reads=True)
    return chances[square("d9")][Rank.SPY], chances[square("k9")][Rank.SPY]


def test_spy_of_a_reserved_enemy_is_beside_its_general(reserved: Behaviour) -> None:
    beside, far = spy_chances(reserved)
    reserved.shown[PLACE] = Rank.GENERAL
    now_beside, now_far = spy_chances(reserved)
    assert now_beside > 1.5 * beside
    assert now_beside / now_far > 1.5 * beside / far


def chance(rank: Rank, bait: Rank | None, own: Rank, behaviour: Behaviour) -> float:
    """Return the probability that the piece on d7 has a rank.

    Our piece on e6, whose rank is `own`, could capture the piece on e7. `bait` is the rank of the
    piece on e7, or None if it is hidden.
    """
    knowledge = first_knowledge()
    state, pieces = knowledge.state, dict(knowledge.pieces)
    at, beside = square("e6"), square("e7")
    pieces[at] = pieces.pop(square("e4"))
    possible = {**state.possible, at: 1 << own}
    if bait is not None:
        possible[beside] = 1 << bait
    state = replace(state, ranks={**state.ranks, at: own}, possible=possible)
    left = remaining(EDITION.army, {})
    chances = estimate(replace(knowledge, state=state, pieces=pieces), behaviour, left, None, True)
    return chances[square("d7")][rank]


def test_reserved_enemy_protects_a_piece_that_could_be_captured(reserved: Behaviour) -> None:
    unprotected = chance(Rank.GENERAL, Rank.BOMB, Rank.COLONEL, reserved)
    scout = chance(Rank.GENERAL, Rank.SCOUT, Rank.COLONEL, reserved)
    major = chance(Rank.GENERAL, Rank.MAJOR, Rank.COLONEL, reserved)
    assert 1.5 * unprotected < scout < major / 1.2


def test_enemy_that_attacks_often_does_not_protect_its_pieces(behaviour: Behaviour) -> None:
    unprotected = chance(Rank.GENERAL, Rank.SCOUT, Rank.BOMB, behaviour)
    scout = chance(Rank.GENERAL, Rank.SCOUT, Rank.COLONEL, behaviour)
    assert scout == pytest.approx(unprotected, rel=0.1)


def test_hidden_piece_is_protected_once_it_has_moved(reserved: Behaviour) -> None:
    before = chance(Rank.GENERAL, None, Rank.COLONEL, reserved)
    reserved.moved.add(square("e7"))
    assert chance(Rank.GENERAL, None, Rank.COLONEL, reserved) > 1.5 * before


def test_weaker_rank_does_not_protect(reserved: Behaviour) -> None:
    unprotected = chance(Rank.MAJOR, Rank.BOMB, Rank.COLONEL, reserved)
    assert chance(Rank.MAJOR, Rank.CAPTAIN, Rank.COLONEL, reserved) <= unprotected


def test_strong_rank_is_the_likelier_protector(reserved: Behaviour) -> None:
    def increase(rank: Rank) -> float:
        baited = chance(rank, Rank.SCOUT, Rank.CAPTAIN, reserved)
        return baited / chance(rank, Rank.BOMB, Rank.CAPTAIN, reserved)

    assert increase(Rank.GENERAL) > 1.2 * increase(Rank.COLONEL)


@pytest.mark.parametrize(
    ("own", "protector"), [(Rank.BOMB, Rank.MINER), (Rank.SERGEANT, Rank.GENERAL)]
)
def test_hidden_piece_that_nobody_threatens_is_not_protected(
    own: Rank, protector: Rank, reserved: Behaviour
) -> None:
    before = chance(protector, None, own, reserved)
    reserved.moved.add(square("e7"))
    assert chance(protector, None, own, reserved) == pytest.approx(before, rel=0.1)


def test_known_piece_beside_our_bomb_is_not_protected(reserved: Behaviour) -> None:
    unprotected = chance(Rank.MINER, Rank.BOMB, Rank.BOMB, reserved)
    assert chance(Rank.MINER, Rank.MAJOR, Rank.BOMB, reserved) == pytest.approx(
        unprotected, rel=0.1
    )


def test_reserved_enemy_makes_secrets_more_valuable() -> None:
    usual, reserved = find_secrets(0), find_secrets(1)
    assert reserved[Rank.MARSHAL] > 3 * usual[Rank.MARSHAL]
    assert reserved[Rank.SCOUT] == usual[Rank.SCOUT]


@pytest.mark.parametrize("moves", range(EDITION.two_squares_limit, EDITION.two_squares_limit + 2))
def test_enemy_that_ignores_the_two_squares_rule_is_noticed(
    moves: int, behaviour: Behaviour
) -> None:
    squares = [square("e7"), square("e6")]
    for move in range(moves):
        behaviour.fold([past(squares[move % 2], squares[1 - move % 2])])
    assert behaviour.obeys_two_squares is (moves <= EDITION.two_squares_limit)
