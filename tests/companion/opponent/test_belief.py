"""Beliefs about hidden ranks follow the evidence and preserve the number of pieces of each rank."""

from dataclasses import replace

import pytest

from companion.opponent.belief import LAND, Behaviour, estimate
from companion.opponent.knowledge import Knowledge, PastTurn
from companion.opponent.levels import Level
from companion.opponent.valuation import combat_results, find_secrets, remaining
from engine import EDITIONS
from engine.board.board import NO_PIECE
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
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
    behaviour.shown[LAND[PLACE][0]] = Rank.BOMB
    assert flag_chance(behaviour) > 1.5 * before


def test_flag_is_less_likely_beside_a_moved_piece(behaviour: Behaviour) -> None:
    before = flag_chance(behaviour)
    behaviour.moved.add(LAND[PLACE][0])
    assert flag_chance(behaviour) < before / 1.5


@pytest.fixture
def reserved(behaviour: Behaviour) -> Behaviour:
    """An enemy that has not attacked in 60 turns."""
    behaviour.enemy_turns = 60
    assert behaviour.reserve == 1
    return behaviour


def test_enemy_that_attacks_often_is_not_reserved(behaviour: Behaviour) -> None:
    behaviour.enemy_turns, behaviour.early_attacks = 60, 5
    assert behaviour.reserve == 0


def test_first_turns_without_attack_do_not_count_as_reserve(behaviour: Behaviour) -> None:
    behaviour.enemy_turns = 10
    assert behaviour.reserve == 0


def spy_chances(behaviour: Behaviour) -> tuple[float, float]:
    """Return the probabilities of a spy on d9, which is beside d10, and on k9."""
    left = remaining(EDITION.army, {})
    chances = estimate(first_knowledge(), behaviour, left, None, reads=True)
    return chances[square("d9")][Rank.SPY], chances[square("k9")][Rank.SPY]


def test_spy_of_a_reserved_enemy_is_beside_its_general(reserved: Behaviour) -> None:
    beside, far = spy_chances(reserved)
    reserved.shown[PLACE] = Rank.GENERAL
    assert spy_chances(reserved)[0] > 1.5 * beside
    assert spy_chances(reserved)[1] < far


def chance(rank: Rank, bait: Rank | None, own: Rank, behaviour: Behaviour) -> float:
    """Return the probability of a rank on d7 while our piece on e6 could capture the one on e7.

    `bait` is the rank of the piece on e7, or None if it is hidden.
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
    unprotected = chance(Rank.GENERAL, Rank.BOMB, Rank.COLONEL, behaviour)
    scout = chance(Rank.GENERAL, Rank.SCOUT, Rank.COLONEL, behaviour)
    assert scout == pytest.approx(unprotected, rel=0.1)


def test_hidden_piece_is_protected_once_it_has_moved(reserved: Behaviour) -> None:
    before = chance(Rank.GENERAL, None, Rank.COLONEL, reserved)
    reserved.moved.add(square("e7"))
    assert chance(Rank.GENERAL, None, Rank.COLONEL, reserved) > 1.5 * before


def test_weaker_rank_does_not_protect(reserved: Behaviour) -> None:
    unprotected = chance(Rank.MAJOR, Rank.BOMB, Rank.COLONEL, reserved)
    assert chance(Rank.MAJOR, Rank.CAPTAIN, Rank.COLONEL, reserved) <= unprotected


def test_reserved_enemy_makes_secrets_more_valuable() -> None:
    usual, reserved = find_secrets(0), find_secrets(1)
    assert reserved[Rank.MARSHAL] > 3 * usual[Rank.MARSHAL]
    assert reserved[Rank.SCOUT] == usual[Rank.SCOUT]


@pytest.mark.parametrize("moves", range(EDITION.two_squares_limit, EDITION.two_squares_limit + 2))
def test_enemy_that_ignores_the_two_squares_rule_is_noticed(
    moves: int, behaviour: Behaviour
) -> None:
    squares, board = [square("e7"), square("e6")], bytearray([NO_PIECE] * 100)
    for move in range(moves):
        source, target = squares[move % 2], squares[1 - move % 2]
        past = PastTurn(
            Side.BLUE, squares[0], source, target, None, None, None, None, None, False, board
        )
        behaviour.fold([past])
    assert behaviour.obeys_two_squares is (moves <= EDITION.two_squares_limit)
