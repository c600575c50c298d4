"""In pursuits, the solver agrees with a brute-force search, and pieces avoid traps.

The flag is defended against scouts.
"""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.opponent.chases import FlagDefence, Pursuits, solve_pursuit
from engine.board.geometry import LAKES, NEIGHBOURS, SQUARES, Square, SquareSet, set_of, square
from engine.board.ranks import Rank
from tests.companion.opponent.known_cells import make_cells

LAND = [at for at in SQUARES if not LAKES >> at & 1]
TURNS = 5
some_squares = st.sets(st.sampled_from(LAND[:50]), max_size=12).map(set_of)


def plain_search(
    free: SquareSet, protected: SquareSet, attacked: SquareSet, hunter: Square, hunted: Square
) -> int:
    """Return the number of turns until a capture, or 0 if the piece escapes."""

    def steps(source: Square) -> list[Square]:
        return [at for at in NEIGHBOURS[source] if free >> at & 1]

    @cache
    def is_caught(hunter: Square, hunted: Square, turns: int) -> bool:
        if hunted in NEIGHBOURS[hunter] and not protected >> hunted & 1:
            return True
        if turns == 1:
            return False
        return is_caught(hunter, hunted, turns - 1) or any(
            at != hunted
            and all(
                is_caught(at, to, turns - 1)
                for to in [hunted, *steps(hunted)]
                if to != at and not attacked >> to & 1
            )
            for at in steps(hunter)
        )

    return next((turns for turns in range(1, TURNS + 1) if is_caught(hunter, hunted, turns)), 0)


@settings(max_examples=25, deadline=None)
@given(st.data(), some_squares, some_squares, some_squares)
def test_solution_agrees_with_a_plain_search(
    data: st.DataObject, occupied: SquareSet, protected: SquareSet, attacked: SquareSet
) -> None:
    pair = st.lists(st.sampled_from(LAND[:50]), min_size=2, max_size=2, unique=True)
    hunter, hunted = data.draw(pair)
    free = set_of(LAND) & ~occupied | 1 << hunter | 1 << hunted
    tables = solve_pursuit(free, protected, attacked, two_squares=False).hunter_to_move[:TURNS]
    found = next((n for n, each in enumerate(tables, 1) if each[hunter] >> hunted & 1), 0)
    assert found == plain_search(free, protected, attacked, hunter, hunted)


@pytest.mark.parametrize("two_squares", [False, True])
def test_two_squares_rule_ends_an_escape_in_a_corner(two_squares: bool) -> None:
    """In a corner of four squares, the hunted piece can only move to and fro."""
    free = set_of(square(name) for name in ("a1", "b1", "a2", "b2"))
    tables = solve_pursuit(free, 0, 0, two_squares=two_squares).hunter_to_move
    is_caught = any(each[square("a2")] >> square("b1") & 1 for each in tables)
    assert is_caught is two_squares


def test_a_colonel_stays_out_of_an_alley() -> None:
    walls = dict.fromkeys(("a3", "c3", "a2", "c2", "b1"), Rank.BOMB)
    pursuits = Pursuits(make_cells({"b4": Rank.COLONEL, **walls}, {"d4": Rank.MARSHAL}))
    assert pursuits.danger(square("b4"), square("b3")) > 0
    assert pursuits.danger(square("b4"), square("b5")) == 0


def test_a_guard_protects_a_colonel_in_an_alley() -> None:
    walls = dict.fromkeys(("a3", "c3", "a2", "c2", "b1"), Rank.BOMB)
    own = {"b3": Rank.COLONEL, "b6": Rank.SPY, **walls}
    pursuits = Pursuits(make_cells(own, {"d4": Rank.MARSHAL}))
    assert pursuits.danger(square("b6"), square("b7")) > 0
    assert pursuits.danger(square("b6"), square("b5")) == 0


def test_the_marshal_closes_an_alley() -> None:
    walls = dict.fromkeys(("a8", "c8", "a9", "c9", "b10"), Rank.BOMB)
    cells = make_cells({"b6": Rank.MARSHAL}, {"b8": Rank.COLONEL, **walls})
    pursuits = Pursuits(cells)
    assert pursuits.prospect(square("b6"), square("b7")) > 0
    assert pursuits.prospect(square("b6"), square("a6")) == 0


HOME = {"k1": Rank.FLAG, "i1": Rank.BOMB, "i2": Rank.CAPTAIN, "a1": Rank.SERGEANT}


def flag_danger(enemies: dict[str, Rank], source: str, target: str) -> float:
    defence = FlagDefence(make_cells(HOME, enemies), scouts=1)
    return defence.danger(square(source), square(target))


def test_a_captain_blocks_the_line_of_a_scout() -> None:
    enemies = {"k8": Rank.SCOUT}
    assert flag_danger(enemies, "i2", "k2") == 0
    assert flag_danger(enemies, "a1", "a2") > 100


def test_a_captain_blocks_a_line_before_the_scout_arrives() -> None:
    enemies = {"c8": Rank.SCOUT}
    assert flag_danger(enemies, "i2", "k2") == 0
    assert 0 < flag_danger(enemies, "a1", "a2") < flag_danger({"k8": Rank.SCOUT}, "a1", "a2")


def test_a_lieutenant_does_not_threaten_along_a_line() -> None:
    enemies = {"k9": Rank.LIEUTENANT}
    assert flag_danger(enemies, "a1", "a2") < 50


POCKET = dict.fromkeys(("a3", "b3", "c1", "c2"), Rank.BOMB)


@pytest.mark.parametrize("binds_enemy", [False, True])
def test_hunt_in_a_pocket_succeeds_only_by_the_two_squares_rule(binds_enemy: bool) -> None:
    cells = make_cells({"a1": Rank.MARSHAL}, {"b2": Rank.COLONEL, **POCKET})
    pursuits = Pursuits(cells, binds_enemy=binds_enemy)
    assert (pursuits.prospect(square("a1"), square("a2")) > 0) is binds_enemy


def test_colonel_in_a_pocket_is_lost_by_the_two_squares_rule() -> None:
    own = {"b2": Rank.COLONEL, "k1": Rank.SERGEANT}
    pursuits = Pursuits(make_cells(own, {"a1": Rank.MARSHAL, **POCKET}))
    assert pursuits.danger(square("k1"), square("k2")) > 0


def test_move_after_which_the_colonel_must_not_return() -> None:
    """In a dead end, the colonel escapes only if it may move back."""
    source, target = square("a2"), square("a1")
    walls = dict.fromkeys(("b1", "b2"), Rank.BOMB)
    cells = make_cells({"a2": Rank.COLONEL}, {"f3": Rank.MARSHAL, **walls})
    assert Pursuits(cells).danger(source, target) == 0
    assert Pursuits(cells, last_repetition=(source, target)).danger(source, target) > 0


def test_equal_fight_opens_the_line_of_a_scout() -> None:
    own = {"a1": Rank.FLAG, "b1": Rank.BOMB, "a2": Rank.CAPTAIN}
    enemies = {"a3": Rank.CAPTAIN, "a8": Rank.SCOUT}
    defence = FlagDefence(make_cells(own, enemies), scouts=1)
    assert defence.danger(square("a2"), square("a3")) > 100


def test_flag_among_few_pieces_is_known_anyway() -> None:
    def danger(bomb: str) -> float:
        own = {"k1": Rank.FLAG, bomb: Rank.BOMB, "a1": Rank.SERGEANT}
        defence = FlagDefence(make_cells(own, {"k8": Rank.SCOUT}), scouts=1)
        return defence.danger(square("a1"), square("a2"))

    assert danger(bomb="i1") == danger(bomb="e5")
