"""Beliefs about hidden ranks follow the evidence and preserve the number of pieces of each rank."""

import pytest

from companion.opponent.belief import LAND, Behaviour, estimate
from companion.opponent.knowledge import Knowledge
from companion.opponent.levels import Level
from companion.opponent.valuation import combat_results, remaining
from engine import EDITIONS
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
    return Behaviour(Side.RED, combat_results(EDITION))


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
