"""A scout that is set down in front of its target and then taps it: one turn (rules.md §4)."""

import pytest

from engine.play.actions import Attack, StrikeOn, TakeBack, WithdrawAttack
from engine.play.moment import OutOfPhaseError, Phase
from engine.play.referee import Referee
from engine.play.rulings import AttackOpened, Combat, Violation
from engine.ranks import Rank
from engine.rulebook.faults import Fault
from engine.squares import square
from tests.engine.tables import BLUE, RED, Table, state

BEFORE_THE_LINE = """
10  bF   .   .   .   .   .   .   .   .   .
 9   .   .   .   .   .   .   .   .   .   .
 8   .   .   .   .   .   .   .   .   .   .
 7   .   .   .   .  b5  b2   .   .  b3   .
 6   .   .   ~   ~   .   .   ~   ~   .   .
 5   .   .   ~   ~   .   .   ~   ~   .   .
 4   .  r5   .   .  r2   .   .   .   .  r3
 3   .   .   .   .   .   .   .   .   .   .
 2   .   .   .   .   .   .   .   .   .   .
 1  rF   .   .   .   .   .   .   .   .   .
"""


def strike(source: str, target: str) -> StrikeOn:
    return StrikeOn(square(source), square(target))


@pytest.fixture
def table() -> Table:
    return Table.of(BEFORE_THE_LINE)


def test_it_is_the_attack_from_where_the_turn_began(table: Table) -> None:
    direct = Table.of(BEFORE_THE_LINE)
    direct.play("e4xe7")

    table.play("e4-e6")
    opened, *_ = table.referee.apply(strike("e6", "e7"))
    fought = table.declare()[-1]

    assert opened == AttackOpened(RED, square("e4"), square("e7"), (BLUE,))
    assert fought == direct.referee.position.last_combat
    assert isinstance(fought, Combat)
    assert (fought.attacker, fought.source) == (Rank.SCOUT, square("e4"))
    assert (table.referee.plies, table.referee.to_move) == (1, BLUE)
    assert repr(table.referee.position.board) == repr(direct.referee.position.board)


def test_a_single_step_and_a_tap_prove_a_scout_as_well(table: Table) -> None:
    table.play("e4-e5 i7-i6 e5-e6")

    rulings = table.referee.apply(strike("e6", "e7"))

    assert rulings[0] == AttackOpened(RED, square("e5"), square("e7"), (BLUE,))


@pytest.mark.parametrize(
    ("played", "source", "target", "why"),
    [
        ("e4-f4", "f4", "f7", "the target is not next to it"),
        ("b4-b5", "b5", "b6", "nobody stands there"),
        ("e4-e6 e7xe6", "e6", "e7", "the other side has moved"),
        ("e4-e6 i7-i6", "e6", "e7", "the other side has moved"),
        ("e4-d4 i7-i6 k4-k5", "k5", "i5", "not in line"),
    ],
)
def test_anything_else_is_a_second_turn(
    table: Table, played: str, source: str, target: str, why: str
) -> None:
    table.play(played)
    before = state(table.referee)

    assert not table.referee.can_strike_on(square(source), square(target)), why
    try:
        refused = table.referee.apply(strike(source, target))
        assert isinstance(refused[0], Violation), why
    except OutOfPhaseError:
        pass
    assert state(table.referee) == before


def test_it_has_to_go_on_straight(table: Table) -> None:
    table.play("e4-f4 i7-i6 f4-f6")
    assert not table.referee.can_strike_on(square("f6"), square("e6"))
    assert table.referee.can_strike_on(square("f6"), square("f7"))


def test_a_piece_that_is_no_scout_has_had_its_turn(table: Table) -> None:
    table.play("e4-e6 e7xe6")  # all know the lieutenant by now
    table.play("k4-i4 i7-i6 i4-h4 i6-k6 h4-g4 k6-k5 g4-f4 k5-k6 f4-e4 e6-e5")

    refused = table.referee.apply(strike("e5", "e4"))

    assert isinstance(refused[0], Violation)
    assert refused[0].fault is Fault.NOT_YOUR_PIECE


def test_no_attack_after_all_leaves_the_scout_where_it_was_set_down(table: Table) -> None:
    table.play("e4-e6")
    set_down = state(table.referee)
    table.referee.apply(strike("e6", "e7"))
    table.referee.apply(WithdrawAttack())

    referee = table.referee
    assert referee.phase is Phase.PLAY
    assert referee.position.board.side_at(square("e6")) is RED
    assert referee.to_move is BLUE
    assert state(Referee.replay(referee.edition, referee.actions)) == state(referee)
    referee.actions[:] = referee.actions[:2]
    assert state(referee) == set_down


def test_taking_it_back_takes_the_whole_turn_back(table: Table) -> None:
    table.play("e4-e6")
    table.referee.apply(strike("e6", "e7"))
    table.declare()
    table.referee.apply(TakeBack())

    assert table.referee.position.board.side_at(square("e4")) is RED
    assert (table.referee.plies, table.referee.to_move) == (0, RED)


def test_the_game_replays(table: Table) -> None:
    table.play("e4-e6")
    table.referee.apply(strike("e6", "e7"))
    table.declare()
    table.play("i7-i6 k4-k5")
    referee = table.referee

    assert state(Referee.replay(referee.edition, referee.actions)) == state(referee)


def test_who_is_to_move_attacks_as_always(table: Table) -> None:
    table.play("e4-e6")

    with pytest.raises(OutOfPhaseError):
        table.referee.apply(strike("e7", "e6"))
    assert isinstance(table.referee.apply(Attack(square("e7"), square("e6")))[0], AttackOpened)
