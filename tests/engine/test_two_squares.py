"""rules.md §5: the fourth crossing of a border in a row is illegal; with limit 5, the sixth."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.legality.two_squares import TwoSquares
from engine.play.actions import Attack, WithdrawAttack
from engine.play.rulings import Combat, Moved, Ruling, Violation
from engine.rulebook.editions import EDITIONS
from engine.rulebook.faults import Fault
from engine.rulebook.rules import Rule
from engine.squares import LAKES, SQUARES, line, name, names, square
from tests.engine.examples import examples
from tests.engine.obvious import (
    MadeMove,
    Piece,
    goes_between_two_squares,
    goes_to_and_fro,
)
from tests.engine.tables import BLUE, RED, Table

FRONTIER = """
    10   .   .   .   .   .   .   .   .  bB  bF
     9   .   .   .   .   .   .   .   .  b2  b9
     8   .   .   .   .   .   .   .   .   .   .
     7   .  b4   .   .  b5   .   .   .   .   .
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4  r2   .   .   .  r9  r5   .   .   .  r4
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1   .   .   .   .   .   .   .   .  rB  rF
         a   b   c   d   e   f   g   h   i   k
"""
AROUND = {"b7": "b8", "b8": "b9", "b9": "c9", "c9": "c8", "c8": "c7", "c7": "b7"}
UP_AND_DOWN = {"b7": "b8", "b8": "b7"}

limits = pytest.mark.parametrize("limit", [3, 5])


def red_plays(table: Table, moves: str, walk: dict[str, str] | None = None) -> tuple[Ruling, ...]:
    """Play Red's moves and return the rulings on the last; meanwhile a blue piece takes a walk."""
    walk = walk or AROUND
    rulings: tuple[Ruling, ...] = ()
    for move in moves.split():
        if table.referee.to_move is BLUE:
            stands = next(
                s for s in walk if table.referee.position.board.side_at(square(s)) is BLUE
            )
            table.play(f"{stands}-{walk[stands]}")
        rulings = table.play(move)
    return rulings


def worn(rulings: tuple[Ruling, ...]) -> str | None:
    """Name the border that may not be crossed again; None if the move was allowed."""
    ruling = rulings[0]
    if not isinstance(ruling, Violation):
        return None
    assert ruling.fault is Fault.TO_AND_FRO
    return names(ruling.squares)


TO_AND_FRO = {3: "e4-e5 e5-e4 e4-e5", 5: "e4-e5 e5-e4 e4-e5 e5-e4 e4-e5"}
"""As often as it is allowed."""


@limits
def test_one_crossing_too_many(limit: int) -> None:
    table = Table.of(FRONTIER, limit)

    assert worn(red_plays(table, TO_AND_FRO[limit])) is None
    assert worn(red_plays(table, "e5-e4")) == "e4 e5"


@limits
def test_the_violation_cites_rule_rulebook_and_limit(limit: int) -> None:
    table = Table.of(FRONTIER, limit)

    (ruling,) = red_plays(table, TO_AND_FRO[limit] + " e5-e4")

    assert isinstance(ruling, Violation)
    assert ruling.fault.rule is Rule.TWO_SQUARES
    assert (ruling.count, str(ruling.source)) == (limit, "Small rulebook")


def test_the_editions_have_the_limits_of_their_rulebooks() -> None:
    assert EDITIONS["original-1992"].two_squares_limit == 5
    assert EDITIONS["isf"].two_squares_limit == 3
    assert str(EDITIONS["original-1992"].cite(Rule.TWO_SQUARES)) == "Original Stratego 498"
    assert str(EDITIONS["isf"].cite(Rule.TWO_SQUARES)) == "ISF game rules, art. 10"
    assert str(EDITIONS["isf"].cite(Rule.MOVEMENT)) == "ISF game rules"


@limits
@pytest.mark.parametrize(
    "elsewhere",
    [
        "k4-k5",  # another piece
        "e5-e6 e6-e5",  # a third square
        "e5-f5 f5-e5",  # a third square, around the corner
        "a4-a8",  # a run of another piece
    ],
)
def test_what_resets_the_count(limit: int, elsewhere: str) -> None:
    table = Table.of(FRONTIER, limit)
    red_plays(table, TO_AND_FRO[limit])

    assert worn(red_plays(table, f"{elsewhere} e5-e4")) is None


@limits
def test_after_a_reset_the_count_is_the_full_one_again(limit: int) -> None:
    table = Table.of(FRONTIER, limit)
    red_plays(table, "e4-e5 e5-e4 k4-k5")

    assert worn(red_plays(table, TO_AND_FRO[limit])) is None
    assert worn(red_plays(table, "e5-e4")) == "e4 e5"


def test_a_walk_around_four_squares_may_last() -> None:
    table = Table.of(FRONTIER)

    red_plays(table, "e4-e5 e5-e6 e6-f6 f6-f5 f5-e5 " + "e5-e6 e6-f6 f6-f5 f5-e5 " * 5)

    assert table.referee.plies == 2 * 25 - 1


@limits
@pytest.mark.parametrize("walk", [AROUND, {"b7": "b8", "b8": "b9", "b9": "b8"}])
def test_what_the_opponent_does_meanwhile_is_irrelevant(limit: int, walk: dict[str, str]) -> None:
    if limit == 5:
        walk = AROUND  # Blue, too, has only so many moves to and fro
    table = Table.of(FRONTIER, limit)
    red_plays(table, TO_AND_FRO[limit], walk)

    assert worn(red_plays(table, "e5-e4", walk)) == "e4 e5"


@limits
def test_who_has_begun_must_stop_first(limit: int) -> None:
    table = Table.of(FRONTIER, limit)
    red_plays(table, TO_AND_FRO[limit], UP_AND_DOWN)

    assert worn(red_plays(table, "e5-e4", UP_AND_DOWN)) == "e4 e5"
    assert worn(table.play("k4-k5")) is None
    assert worn(table.play("b8-b7")) == "b7 b8"


@limits
def test_a_refused_move_does_not_count_and_another_may_be_made(limit: int) -> None:
    table = Table.of(FRONTIER, limit)
    red_plays(table, TO_AND_FRO[limit])

    assert worn(red_plays(table, "e5-e4")) == "e4 e5"
    assert worn(table.play("e5-e4")) == "e4 e5"
    assert worn(table.play("e5-f5")) is None


def test_an_attack_is_a_crossing_like_any_other() -> None:
    table = Table.of(FRONTIER)
    table.play("k4-k5 e7-e6 e4-e5 b7-b8 e5-e4 e6-e5")

    assert isinstance(table.play("e4xe5")[-1], Combat)  # the third crossing
    table.play("b8-b9")
    assert worn(table.play("e5-e4")) == "e4 e5"


def test_an_attack_may_be_the_crossing_that_is_forbidden() -> None:
    table = Table.of(FRONTIER)
    table.play("e4-e5 b7-b8 e5-f5 e7-e6 f5-e5 b8-b9 e5-f5 e6-e5")

    assert worn(table.play("f5xe5")) == "e5 f5"
    assert table.referee.open_attack is None
    assert isinstance(table.play("f4-e4")[0], Moved)


def test_an_attack_that_is_withdrawn_was_no_crossing() -> None:
    table = Table.of(FRONTIER)
    table.play("k4-k5 e7-e6 e4-e5 b7-b8 e5-e4 e6-e5")

    for _ in range(3):
        table.referee.apply(Attack(square("e4"), square("e5")))
        table.referee.apply(WithdrawAttack())

    assert isinstance(table.play("e4xe5")[-1], Combat)


@pytest.mark.parametrize(
    ("stops", "allowed", "forbidden"),
    [
        # From a4 to a8 to a5 to a9: back as far as a8, the lesser of a8 and a9.
        ("a4-a8 a8-a5 a5-a9", ["a9-a8", "a9-a10", "a9-b9"], ["a9-a7", "a9-a6", "a9-a5", "a9-a2"]),
        # From a4 to a8 to a5 to a7: not back at all, but on, and sideways.
        ("a4-a8 a8-a5 a5-a7", ["a7-a8", "a7-a10", "a7-b7"], ["a7-a6", "a7-a5", "a7-a1"]),
        # The same downwards.
        ("a4-a9 k4-k5 a9-a5 a5-a8 a8-a4", ["a4-a5", "a4-a1"], ["a4-a6", "a4-a9", "a4-a10"]),
        # Short steps on the way of long ones.
        ("a4-a5 a5-a4 a4-a9", ["a9-a8", "a9-a5"], ["a9-a4", "a9-a1"]),
        # Two moves in the same direction are no to and fro.
        ("a4-a5 a5-a6 a6-a5 a5-a4", ["a4-a5", "a4-a6", "a4-a10"], []),
    ],
)
def test_only_part_of_a_scouts_long_move_may_be_forbidden(
    stops: str, allowed: list[str], forbidden: list[str]
) -> None:
    table = Table.of(FRONTIER)
    walk = {"e7": "e6", "e6": "f6", "f6": "f7", "f7": "e7"}
    red_plays(table, stops, walk)
    table.play("k9-k8")

    for move in forbidden:
        assert worn(table.play(move)) is not None, move
    for move in allowed:
        source, target = map(square, move.split("-"))
        assert table.referee.find_violation(source, target) is None, move


def test_the_first_worn_border_on_the_way_is_named() -> None:
    table = Table.of(FRONTIER)
    red_plays(table, "a4-a8 a8-a5 a5-a9", {"e7": "e6", "e6": "f6"})
    table.play("k9-k8")

    assert worn(table.play("a9-a5")) == "a7 a8"


# -- against the second referee: scouts on boards that are empty but for the lakes

_FREE = {
    source: [
        target
        for target in SQUARES
        if (way := line(source, target)) and not any(LAKES >> step & 1 for step in way)
    ]
    for source in SQUARES
    if not LAKES >> source & 1
}
Choice = tuple[int, str, int]
"""Which scout goes on, how its target is chosen, and a number to choose by."""
choices = st.lists(
    st.tuples(
        st.sampled_from([0, 0, 0, 0, 0, 0, 1]),  # mostly the same piece
        st.sampled_from(["back", "near", "anywhere"]),
        st.integers(0, 17),
    ),
    max_size=30,
)


def choose(where: int, came_from: int, how: str, number: int) -> int:
    """Choose a target: back where the piece came from, or near there, or anywhere."""
    targets = _FREE[where]
    if how == "back" and came_from in targets:
        return came_from
    if how == "near":
        back = [t for t in targets if abs(t - came_from) in (1, 2, 10, 20)]
        targets = back or targets
    return targets[number % len(targets)]


def walk(
    book: TwoSquares, chosen: list[Choice]
) -> Iterator[tuple[list[MadeMove], int, Piece, int, int]]:
    """Let two red scouts walk as chosen, wherever the book allows it.

    Before each step, give what was made, which scout is next, and from where to where it is to go.
    """
    pieces = [Piece("red", "scout"), Piece("red", "scout")]
    stands, came_from = [0, 99], [1, 98]
    own_moves: list[MadeMove] = []
    for who, how, number in chosen:
        source, piece = stands[who], pieces[who]
        target = choose(source, came_from[who], how, number)
        yield own_moves, who, piece, source, target
        if book.worn_out(RED, who, source, target) is None:
            book.record(RED, who, source, target)
            own_moves.append(MadeMove(piece, name(source), name(target)))
            stands[who], came_from[who] = target, source


@limits
@given(choices)
@examples(250)
def test_counting_agrees_with_walking_back(limit: int, chosen: list[Choice]) -> None:
    book = TwoSquares(limit)
    for own_moves, who, piece, source, _ in walk(book, chosen):
        for target in _FREE[source]:
            border = book.worn_out(RED, who, source, target)
            proposed = own_moves, piece, name(source), name(target), limit
            assert (border is not None) == goes_to_and_fro(*proposed)
            assert book.worn_out(BLUE, who, source, target) is None


@limits
@given(choices)
@examples(60)
def test_counting_agrees_with_the_words_of_the_federation(limit: int, chosen: list[Choice]) -> None:
    book = TwoSquares(limit)
    for own_moves, who, piece, source, target in walk(book, chosen):
        border = book.worn_out(RED, who, source, target)
        proposed = own_moves, piece, name(source), name(target), limit
        assert (border is not None) == goes_between_two_squares(*proposed)


@limits
def test_the_properties_above_would_not_pass_with_another_limit(limit: int) -> None:
    """Their games do reach the limit: a book with a larger one is told from the right one."""
    book = TwoSquares(limit + 1)
    piece = Piece("red", "scout")
    made = []
    for n in range(limit):
        source, target = (0, 90) if n % 2 == 0 else (90, 0)
        book.record(RED, 0, source, target)
        made.append(MadeMove(piece, name(source), name(target)))

    assert book.worn_out(RED, 0, target, source) is None
    assert goes_to_and_fro(made, piece, name(target), name(source), limit)
    assert goes_between_two_squares(made, piece, name(target), name(source), limit)
