"""Tests for the combat tables (rules.md §5) of all rulebooks, for every pair of ranks."""

from engine.board.ranks import (
    BARRAGE,
    DUEL,
    IMMOBILE,
    INFILTRATOR,
    ORIGINAL,
    SYMBOLS,
    Army,
    Rank,
    only_rank,
    rank_set,
    ranks_in,
)
from engine.game.rulings import Combat
from engine.rules.editions import Edition
from engine.rules.movement import CombatResult, defenders, is_boom, resolve
from engine.rules.rules import Interpretation
from tests import reference
from tests.engine.cases import each, in_every_edition
from tests.engine.tables import Table

# Attackers are listed on the left, and defenders at the top. A dot means that the attacker wins,
# “x” that the attacker falls, “=” that both fall, and “!” that the attacker falls with “Boom!”.

# Compact Stratego, Original Stratego, Gravopedia, Stratego Travel, ISF
BASE = """
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
# Stratego with infiltrator: the same table with one more row and column. Every piece that attacks
# an infiltrator wins.
NORDIC = """
        F   1   I   2   3   4   5   6   7   8   9  10   B
    1   .   =   .   x   x   x   x   x   x   x   x   .   !
    I   .   =   .   x   x   x   x   x   x   x   x   x   !
    2   .   .   .   =   x   x   x   x   x   x   x   x   !
    3   .   .   .   .   =   x   x   x   x   x   x   x   .
    4   .   .   .   .   .   =   x   x   x   x   x   x   !
    5   .   .   .   .   .   .   =   x   x   x   x   x   !
    6   .   .   .   .   .   .   .   =   x   x   x   x   !
    7   .   .   .   .   .   .   .   .   =   x   x   x   !
    8   .   .   .   .   .   .   .   .   .   =   x   x   !
    9   .   .   .   .   .   .   .   .   .   .   =   x   !
   10   .   .   .   .   .   .   .   .   .   .   .   =   !
"""
# Aggressor advantage, an option in all six editions: between equal ranks, the attacker wins.
BASE_WITH_ADVANTAGE = """
        F   1   2   3   4   5   6   7   8   9  10   B
    1   .   .   x   x   x   x   x   x   x   x   .   !
    2   .   .   .   x   x   x   x   x   x   x   x   !
    3   .   .   .   .   x   x   x   x   x   x   x   .
    4   .   .   .   .   .   x   x   x   x   x   x   !
    5   .   .   .   .   .   .   x   x   x   x   x   !
    6   .   .   .   .   .   .   .   x   x   x   x   !
    7   .   .   .   .   .   .   .   .   x   x   x   !
    8   .   .   .   .   .   .   .   .   .   x   x   !
    9   .   .   .   .   .   .   .   .   .   .   x   !
   10   .   .   .   .   .   .   .   .   .   .   .   !
"""
NORDIC_WITH_ADVANTAGE = """
        F   1   I   2   3   4   5   6   7   8   9  10   B
    1   .   .   .   x   x   x   x   x   x   x   x   .   !
    I   .   .   .   x   x   x   x   x   x   x   x   x   !
    2   .   .   .   .   x   x   x   x   x   x   x   x   !
    3   .   .   .   .   .   x   x   x   x   x   x   x   .
    4   .   .   .   .   .   .   x   x   x   x   x   x   !
    5   .   .   .   .   .   .   .   x   x   x   x   x   !
    6   .   .   .   .   .   .   .   .   x   x   x   x   !
    7   .   .   .   .   .   .   .   .   .   x   x   x   !
    8   .   .   .   .   .   .   .   .   .   .   x   x   !
    9   .   .   .   .   .   .   .   .   .   .   .   x   !
   10   .   .   .   .   .   .   .   .   .   .   .   .   !
"""
TABLES = {
    "compact-1992": (BASE, BASE_WITH_ADVANTAGE),
    "original-1992": (BASE, BASE_WITH_ADVANTAGE),
    "gravopedia-2006": (BASE, BASE_WITH_ADVANTAGE),
    "nordic-2015": (NORDIC, NORDIC_WITH_ADVANTAGE),
    "travel-2017": (BASE, BASE_WITH_ADVANTAGE),
    "isf": (BASE, BASE_WITH_ADVANTAGE),
}
"""Combat results in every rulebook, with and without the aggressor advantage."""

MEANING = {
    ".": (CombatResult.ATTACKER_WINS, False),
    "x": (CombatResult.DEFENDER_WINS, False),
    "=": (CombatResult.BOTH_FALL, False),
    "!": (CombatResult.DEFENDER_WINS, True),
}
REMAINS = {
    CombatResult.ATTACKER_WINS: "attacker",
    CombatResult.DEFENDER_WINS: "defender",
    CombatResult.BOTH_FALL: "nobody",
}
advantage = each("advantage", [False, True], ids=["as it stands", "advantage"])


def cells(edition: Edition, advantage: bool) -> dict[tuple[Rank, Rank], str]:
    """Parse an edition's table into attackers, defenders and result symbols."""
    above, *lines = (line.split() for line in TABLES[edition.id][advantage].strip().splitlines())
    return {
        (SYMBOLS[attacker], SYMBOLS[defender]): sign
        for attacker, *signs in lines
        for defender, sign in zip(above, signs, strict=True)
    }


@in_every_edition
@advantage
def test_combat_results(edition: Edition, advantage: bool) -> None:
    for (attacker, defender), sign in cells(edition, advantage).items():
        result = resolve(attacker, defender, aggressor_advantage=advantage)
        assert (result, is_boom(attacker, defender)) == MEANING[sign], (attacker, defender)


@in_every_edition
@advantage
def test_second_referee_agrees_on_combat(edition: Edition, advantage: bool) -> None:
    for (attacker, defender), sign in cells(edition, advantage).items():
        expected = reference.fight(attacker.name.lower(), defender.name.lower(), advantage)
        assert expected == REMAINS[MEANING[sign][0]], (attacker, defender)


@in_every_edition
@advantage
def test_combat_table_is_complete(edition: Edition, advantage: bool) -> None:
    """An edition has one table, which must cover the ranks of all its armies."""
    ranks = {rank for army in edition.armies for rank in ranks_in(army.ranks)}
    attackers = {rank for rank in ranks if not IMMOBILE >> rank & 1}

    assert set(cells(edition, advantage)) == {(a, d) for a in attackers for d in ranks}


def test_symbols() -> None:
    assert " ".join(SYMBOLS) == "F 1 2 3 4 5 6 7 8 9 10 B I"
    assert all(SYMBOLS[rank.symbol] is rank for rank in Rank)


def test_sets_of_ranks() -> None:
    both = rank_set([Rank.SPY, Rank.BOMB])

    assert list(ranks_in(both)) == [Rank.SPY, Rank.BOMB]
    assert only_rank(both) is None
    assert only_rank(0) is None
    assert [only_rank(rank_set([rank])) for rank in Rank] == list(Rank)


@each(
    ("army", "size", "movable"),
    [(ORIGINAL, 40, 33), (INFILTRATOR, 40, 33), (DUEL, 10, 7), (BARRAGE, 8, 6)],
)
def test_armies(army: Army, size: int, movable: int) -> None:
    assert (army.size, army.movable) == (size, movable)
    assert army.ranks == rank_set(rank for rank in Rank if army.counts[rank])


@in_every_edition
def test_spy_against_spy_cites_the_interpretation(edition: Edition) -> None:
    """When a spy attacks a spy, “whoever attacks the spy wins” conflicts with “equal ranks both
    fall”."""
    table = Table.of(SPIES, rules=edition)

    fought = table.play("e4-e5 e7-e6 e5xe6")[-2]

    assert isinstance(fought, Combat)
    assert (fought.winner, fought.reading) == (None, Interpretation.SPY_AND_SPY)


SPIES = """
    10  bF   .   .   .   .   .   .   .   .   .
     9   .   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7   .   .   .   .  b1   .   .   .   .   .
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4   .   .   .   .  r1   .   .   .   .   .
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1   .   .   .   .   .   .   .   .   .  rF
         a   b   c   d   e   f   g   h   i   k
"""


def test_defenders_by_result() -> None:
    captain, wins = Rank.CAPTAIN, CombatResult.ATTACKER_WINS
    assert only_rank(defenders(captain, CombatResult.BOTH_FALL)) is captain
    assert not defenders(captain, wins) >> captain & 1
    assert defenders(captain, wins, aggressor_advantage=True) == defenders(captain, wins) | (
        1 << captain
    )
