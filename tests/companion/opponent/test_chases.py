"""In pursuits, the solver agrees with a brute-force search, and pieces avoid traps."""

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.opponent import valuation
from companion.opponent.chases import Pursuits, solve_pursuit
from engine import EDITIONS
from engine.board.geometry import LAKES, NEIGHBOURS, SQUARES, Square, SquareSet, set_of, square
from engine.board.ranks import Rank

EDITION = EDITIONS["original-1992"]
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
    tables = solve_pursuit(free, protected, attacked).hunter_to_move[:TURNS]
    found = next((n for n, each in enumerate(tables, 1) if each[hunter] >> hunted & 1), 0)
    assert found == plain_search(free, protected, attacked, hunter, hunted)


def make_cells(own: dict[str, Rank], enemies: dict[str, Rank]) -> list[valuation.Cell]:
    """Return a position in which both sides know all ranks."""
    whole = valuation.remaining(EDITION.army, {})
    worth = valuation.find_worth(whole, whole)
    even = [[1 / len(Rank)] * len(Rank)] * 2
    field = valuation.Field(
        valuation.combat_results(EDITION), worth, even, [0.0] * len(Rank), 1.0, 0.0
    )
    cells: list[valuation.Cell] = [None] * len(SQUARES)
    for name, rank in own.items():
        cells[square(name)] = valuation.OwnPiece(rank, worth.own[rank], shown=True, moved=True)
    for name, rank in enemies.items():
        chances = tuple(float(each is rank) for each in Rank)
        cells[square(name)] = valuation.EnemyPiece(field, chances, moved=True)
    return cells


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
