"""A piece that is pushed on, or back a little, on the way of its move: one turn (rules.md §4)."""

import random
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.legality.movement import reach
from engine.play.actions import Move, SlideOn, StrikeOn, TakeBack
from engine.play.moment import OutOfPhaseError, Phase
from engine.play.referee import Referee
from engine.play.rulings import AttackOpened, Moved, Violation, refuses
from engine.rulebook.editions import EDITIONS, Edition
from engine.rulebook.faults import Fault
from engine.squares import line, name, square, squares_in
from tests.engine.examples import editions, examples
from tests.engine.games import shuffled
from tests.engine.tables import BLUE, RED, Table, position, state

A_LONG_WAY = """
10  bF   .   .   .   .   .   .   .   .   .
 9   .   .   .   .   .   .   .   .   .   .
 8   .   .   .   .  b5  b2   .   .  b3   .
 7   .   .   .   .   .   .   .   .   .   .
 6   .   .   ~   ~   .   .   ~   ~   .   .
 5   .   .   ~   ~   .   .   ~   ~   .   .
 4   .  r5   .   .  r2   .   .   .   .  r3
 3   .   .   .   .   .   .   .   .   .   .
 2   .   .   .   .   .   .   .   .   .   .
 1  rF   .   .   .   .   .   .   .   .   .
"""


def slide(source: str, target: str) -> SlideOn:
    return SlideOn(square(source), square(target))


@pytest.fixture
def table() -> Table:
    return Table.of(A_LONG_WAY, rules=EDITIONS["isf"])


@pytest.mark.parametrize(
    ("first", "stops", "ran"),
    [
        ("e4-e5", "e6", True),
        ("e4-e5", "e6 e7", True),
        ("e4-e6", "e5", False),
        ("e4-e7", "e5 e6", True),
        ("e4-d4", "b4 c4", True),
        ("b4-b5", "b6", True),
    ],
)
def test_it_is_the_move_from_where_the_turn_began(
    table: Table, first: str, stops: str, ran: bool
) -> None:
    if first == "e4-d4":
        table.play("b4-b5 i8-i7")  # out of the way
    begin, here = first.split("-")
    direct = Table.of(A_LONG_WAY, rules=EDITIONS["isf"])
    direct.referee = Referee.replay(table.referee.edition, table.referee.actions)
    table.play(first)
    for there in stops.split():
        rulings = table.referee.apply(slide(here, there))
        here = there
    expected = direct.play(f"{begin}-{here}")

    assert rulings == expected == (Moved(RED, square(begin), square(here), ran),)
    assert position(table.referee) == position(direct.referee)
    assert table.referee.in_force == direct.referee.in_force


@pytest.mark.parametrize(
    ("played", "source", "target", "why"),
    [
        ("e4-e6", "e6", "e4", "back where it began is no move but a take-back"),
        ("e4-e6", "e6", "e3", "behind where it began"),
        ("e4-e6", "e6", "f6", "round a corner"),
        ("e4-f4", "f4", "f6", "round a corner"),
        ("e4-e6", "e6", "e8", "a piece stands there"),
        ("e4-e6 i8-i7", "e6", "e7", "the other side has moved"),
        ("e4-e6", "k4", "k5", "another piece"),
        ("e4-e6", "e6", "e6", "it stands there"),
    ],
)
def test_anything_else_is_a_second_turn(
    table: Table, played: str, source: str, target: str, why: str
) -> None:
    table.play(played)
    before = state(table.referee)

    assert not table.referee.can_slide_on(square(source), square(target)), why
    with suppress(OutOfPhaseError):
        assert isinstance(table.referee.apply(slide(source, target))[0], Violation), why
    assert state(table.referee) == before


def test_a_piece_that_is_no_scout_goes_one_square(table: Table) -> None:
    table.play("e4-e7 e8xe7")  # all know the lieutenant by now
    table.play("k4-k5 e7-e6")

    refused = table.referee.apply(slide("e6", "e5"))

    assert isinstance(refused[0], Violation)
    assert refused[0].fault is Fault.NOT_YOUR_PIECE


def test_the_repetition_rules_judge_the_whole_way() -> None:
    table = Table.of(A_LONG_WAY, limit=3)
    table.play("e4-e5 i8-i7 e5-e6 i7-i6 e6-e5 i6-i5 e5-e7 i5-i6 e7-e6")

    refused = table.referee.apply(slide("e6", "e5"))

    assert isinstance(refused[0], Violation)
    assert not table.referee.can_slide_on(square("e6"), square("e5"))


def test_a_scout_that_is_pushed_on_may_still_tap(table: Table) -> None:
    table.play("e4-e5")
    table.referee.apply(slide("e5", "e7"))

    opened, *_ = table.referee.apply(StrikeOn(square("e7"), square("e8")))

    assert opened == AttackOpened(RED, square("e4"), square("e8"), (BLUE,))


def test_taking_it_back_takes_the_whole_turn_back(table: Table) -> None:
    before = position(table.referee)
    table.play("e4-e5")
    table.referee.apply(slide("e5", "e6"))

    table.referee.apply(TakeBack())

    assert position(table.referee) == before
    assert state(Referee.replay(table.referee.edition, table.referee.actions)) == state(
        table.referee
    )


@editions
@given(seed=st.integers(0, 2**32 - 1), plies=st.integers(0, 40))
@examples(20)
def test_wherever_a_move_pauses_the_game_is_the_same(
    edition: Edition, seed: int, plies: int
) -> None:
    """Every way along which a move may stop in between, or go too far first, comes to the same."""
    chance = random.Random(seed)
    straight, pausing = Referee.waiting(edition), Referee.waiting(edition)
    for referee in (straight, pausing):
        referee.apply(shuffled(edition.army, random.Random(seed)).placing)
    for _ in range(plies):
        ways = _moves(straight)
        if straight.phase is Phase.OVER or not ways:
            break
        source, target = chance.choice(ways)
        stops = [
            stop
            for begun, stop in ways
            if begun == source and stop != target and _same_way(source, stop, target)
        ]
        straight.apply(Move(source, target))
        stop = chance.choice([*stops, target])
        assert not refuses(pausing.apply(Move(source, stop)))
        if stop != target and pausing.phase is Phase.PLAY:
            assert not refuses(pausing.apply(SlideOn(stop, target))), (name(source), name(target))
        assert position(pausing) == position(straight)
        assert pausing.in_force == straight.in_force


def _moves(referee: Referee) -> list[tuple[int, int]]:
    board, side = referee.position.board, referee.to_move
    return [
        (source, target)
        for source in squares_in(board.of(side))
        for target in reach(board, source)
        if board.side_at(target) is None and referee.find_violation(source, target) is None
    ]


def _same_way(source: int, stop: int, target: int) -> bool:
    made, whole = line(source, stop), line(source, target)
    return bool(made and whole and made[0] == whole[0])
