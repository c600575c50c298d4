"""RULES §7 as one table."""

import pytest

from engine.combat import Result, is_boom, resolve
from engine.ranks import ORIGINAL, SYMBOLS, Rank, rank_set, ranks_in, sole
from tests.engine import obvious

# Who attacks stands on the left, who is attacked above. A dot: the attacker takes the square.
# x: the attacker falls. =: both fall. !: the attacker falls with the cry "Boom!".
TABLE = """
        F   1   2   3   4   5   6   7   8   9  10   B
    1   .   =   x   x   x   x   x   x   x   x   .   !
    2   .   .   =   x   x   x   x   x   x   x   x   !
    3   .   .   .   =   x   x   x   x   x   x   x   .
    4   .   .   .   .   =   x   x   x   x   x   x   !
    5   .   .   .   .   .   =   x   x   x   x   x   !
    6   .   .   .   .   .   .   =   x   x   x   x   !
    7   .   .   .   .   .   .   .   =   x   x   x   !
    8   .   .   .   .   .   .   .   .   =   x   x   !
    9   .   .   .   .   .   .   .   .   .   =   x   !
   10   .   .   .   .   .   .   .   .   .   .   =   !
"""

_ABOVE, *_LINES = (line.split() for line in TABLE.strip().splitlines())
CELLS = [
    (SYMBOLS[attacker], SYMBOLS[defender], sign)
    for attacker, *signs in _LINES
    for defender, sign in zip(_ABOVE, signs, strict=True)
]
MEANING = {
    ".": (Result.ATTACKER_WINS, False),
    "x": (Result.DEFENDER_WINS, False),
    "=": (Result.BOTH_FALL, False),
    "!": (Result.DEFENDER_WINS, True),
}


@pytest.mark.parametrize(("attacker", "defender", "sign"), CELLS)
def test_who_beats_whom(attacker: Rank, defender: Rank, sign: str) -> None:
    assert (resolve(attacker, defender), is_boom(attacker, defender)) == MEANING[sign]


def test_the_table_has_every_attack() -> None:
    attackers = [rank for rank in Rank if rank not in (Rank.FLAG, Rank.BOMB)]

    assert len(CELLS) == len({cell[:2] for cell in CELLS}) == len(attackers) * len(Rank) == 120
    assert {attacker for attacker, _, _ in CELLS} == set(attackers)


def test_the_second_referee_reads_the_rules_the_same_way() -> None:
    remains = {
        "attacker": Result.ATTACKER_WINS,
        "defender": Result.DEFENDER_WINS,
        "nobody": Result.BOTH_FALL,
    }
    for attacker, defender, sign in CELLS:
        told = obvious.fight(attacker.name.lower(), defender.name.lower())
        assert remains[told] is MEANING[sign][0], (attacker, defender)


def test_symbols() -> None:
    assert " ".join(SYMBOLS) == "F 1 2 3 4 5 6 7 8 9 10 B"
    assert all(SYMBOLS[rank.symbol] is rank for rank in Rank)


def test_sets_of_ranks() -> None:
    both = rank_set([Rank.SPY, Rank.BOMB])

    assert list(ranks_in(both)) == [Rank.SPY, Rank.BOMB]
    assert sole(both) is None
    assert sole(0) is None
    assert [sole(rank_set([rank])) for rank in Rank] == list(Rank)


def test_the_original_army() -> None:
    counts = [ORIGINAL.counts[rank] for rank in Rank]

    assert counts == [1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6]
    assert (ORIGINAL.size, ORIGINAL.movable) == (40, 33)
    assert list(ranks_in(ORIGINAL.ranks)) == list(Rank)
