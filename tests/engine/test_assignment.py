"""Tests for the assignment of an army's ranks to its pieces, compared with brute force."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, permutations, product

from hypothesis import given
from hypothesis import strategies as st

from engine.board.ranks import IMMOBILE, ORIGINAL, SYMBOLS, Army, Rank, RankSet, rank_set, ranks_in
from engine.deduction.rank_assignment import Assignment
from tests.engine.cases import each
from tests.engine.examples import examples

SOME_RANKS = [Rank.FLAG, Rank.SPY, Rank.SCOUT, Rank.MINER, Rank.BOMB]
armies = st.lists(st.sampled_from(SOME_RANKS), min_size=1, max_size=6)


@st.composite
def known(draw: st.DrawFn) -> tuple[list[Rank], list[RankSet]]:
    """Choose a random army and, for each piece, a random set of ranks that contains the true
    one."""
    army = draw(armies)
    others = st.sets(st.sampled_from(SOME_RANKS))
    return army, [rank_set({rank} | draw(others)) for rank in army]


def possible(army: list[Rank], sets: list[RankSet]) -> dict[RankSet, RankSet]:
    counts = Army("some", {rank: army.count(rank) for rank in Rank})
    return Assignment(counts, Counter(sets)).possible()


def dealt(army: list[Rank], sets: list[RankSet]) -> Iterator[tuple[Rank, ...]]:
    """Yield every assignment of the army's ranks to the pieces that agrees with their sets.

    The sets contain the possible ranks of each piece.
    """
    for way in set(permutations(army)):
        if all(ranks >> rank & 1 for rank, ranks in zip(way, sets, strict=True)):
            yield way


def allowed(ways: list[tuple[Rank, ...]], sets: list[RankSet]) -> dict[RankSet, RankSet]:
    """For each set of possible ranks, collect the ranks that pieces with this set are assigned."""
    return {
        ranks: rank_set(way[n] for way in ways for n, each in enumerate(sets) if each == ranks)
        for ranks in sets
    }


@given(known())
@examples(100)
def test_possible_ranks_equal_brute_force(given: tuple[list[Rank], list[RankSet]]) -> None:
    army, sets = given
    assert possible(army, sets) == allowed(list(dealt(army, sets)), sets)


@given(armies, st.data())
@examples(60)
def test_contradictory_facts_change_nothing(army: list[Rank], data: st.DataObject) -> None:
    some = st.sets(st.sampled_from(SOME_RANKS), min_size=1).map(rank_set)
    sets = data.draw(st.lists(some, min_size=len(army), max_size=len(army)))
    counts = Army("some", {rank: army.count(rank) for rank in Rank})
    complete = any(True for _ in dealt(army, sets))
    assert (Assignment(counts, Counter(sets)).left == 0) == complete


def test_all_facts_about_three_pieces() -> None:
    three = [Rank.SPY, Rank.SCOUT, Rank.MINER]
    some = [rank_set(chosen) for size in (1, 2, 3) for chosen in combinations(three, size)]
    for army in combinations_with_replacement(three, 3):
        counts = Army("some", {rank: army.count(rank) for rank in Rank})
        for sets in product(some, repeat=3):
            ways = list(dealt(list(army), list(sets)))
            assignment = Assignment(counts, Counter(sets))
            assert assignment.is_complete == (assignment.left == 0) == bool(ways)
            if ways:
                assert assignment.possible() == allowed(ways, list(sets))


@each(
    ("army", "known"),
    [("132", "123 145 124"), ("24123", "12 34 13 125 25"), ("25145", "24 5 15 124 45")],
)
def test_chain_of_exclusions(army: str, known: str) -> None:
    """The symbols are the same as in text drawings of boards. The first two armies have no rank
    5."""
    ranks = [SYMBOLS[symbol] for symbol in army]
    sets = [rank_set(SYMBOLS[symbol] for symbol in group) for group in known.split()]
    counts = Army("some", {rank: ranks.count(rank) for rank in Rank})
    assignment = Assignment(counts, Counter(sets))

    assert assignment.left == 0
    assert assignment.possible() == allowed(list(dealt(ranks, sets)), sets)


def test_late_group_changes_earlier_results() -> None:
    # The first group gets the spy, but has to give it up for the second group.
    army = [Rank.SPY, Rank.SCOUT, Rank.MINER]
    sets = [rank_set(army[:2]), rank_set(army[:2]), rank_set(army)]
    assert list(ranks_in(possible(army, sets)[rank_set(army)])) == [Rank.MINER]


def test_seven_unmoved_pieces_are_flag_and_bombs() -> None:
    moved = ORIGINAL.ranks & ~IMMOBILE
    found = Assignment(ORIGINAL, {moved: 33, ORIGINAL.ranks: 7}).possible()
    assert found == {moved: moved, ORIGINAL.ranks: IMMOBILE}
