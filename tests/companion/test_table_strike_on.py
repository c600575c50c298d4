"""A scout that is set down in front of its target and then taps it (RULES §4): one turn."""

import pytest

from companion.inputs import AttackOnScreen, NoAttack
from engine.actions import Move, StrikeOn
from engine.position import Phase
from engine.ranks import Rank
from engine.rulings import AttackOpened, Combat, Moved, Violation
from engine.sides import Side
from engine.squares import square
from tests.companion.evening import Evening

RED, BLUE = Side.RED, Side.BLUE


@pytest.fixture
def evening() -> Evening:
    """Red's scout has run from e4 and was set down on e6, before e7; Blue is to move."""
    evening = Evening.begun()
    evening.play("e4-e6")
    evening.forget()
    return evening


def strike(evening: Evening) -> None:
    """Set the scout down on e7; the other piece is in the hand."""
    scout = evening.lift("e6")
    evening.lift("e7")
    evening.place(scout, "e7")
    evening.wait()


def test_set_down_on_the_target(evening: Evening) -> None:
    strike(evening)

    assert evening.actions == [StrikeOn(square("e6"), square("e7"))]
    assert evening.told(AttackOpened) == [AttackOpened(RED, square("e4"), square("e7"), (BLUE,))]
    assert evening.table.difference.missing == 0


def test_the_scout_wins_and_it_is_the_other_sides_turn(evening: Evening) -> None:
    strike(evening)
    evening.declare(BLUE, Rank.SPY)
    evening.wait()

    (combat,) = evening.told(Combat)
    assert combat.source == square("e4")
    assert not evening.table.is_waiting_for_board
    evening.play("f7-f6")


def test_the_scout_falls_and_the_other_piece_comes_back(evening: Evening) -> None:
    strike(evening)
    evening.declare(BLUE, Rank.MAJOR)
    evening.wait()
    assert evening.table.is_waiting_for_board

    evening.lift("e7")
    evening.stand(BLUE, square("e7"))
    evening.show()
    evening.wait()

    assert not evening.table.is_waiting_for_board
    evening.play("f7-f6")


def test_opened_on_the_screen_while_the_scout_stands_there(evening: Evening) -> None:
    evening.give(AttackOnScreen(evening.now, square("e6"), square("e7")))
    evening.wait()

    assert evening.actions == [StrikeOn(square("e6"), square("e7"))]
    assert not evening.table.difference, "the scout may stand where it was set down"


def test_no_attack_after_all(evening: Evening) -> None:
    strike(evening)
    evening.give(NoAttack(evening.now))
    evening.wait()
    assert evening.table.referee.phase is Phase.PLAY, "the same image opens no attack again"

    scout = evening.lift("e7")
    evening.stand(BLUE, square("e7"))
    evening.place(scout, "e6")
    evening.wait()
    evening.play("f7-f6")


def test_after_the_other_side_has_moved_it_is_too_late(evening: Evening) -> None:
    evening.play("f7-f6 a4-a5 k7-k6")
    evening.forget()
    evening.play("a5-a6")
    strike(evening)

    assert isinstance(evening.table.violation, Violation)
    assert not evening.told(AttackOpened)


def test_the_move_alone_stays_a_move() -> None:
    evening = Evening.begun()
    evening.play("e4-e6 f7-f6")

    assert evening.actions[-2:] == [
        Move(square("e4"), square("e6")),
        Move(square("f7"), square("f6")),
    ]
    assert [moved.ran for moved in evening.told(Moved)] == [True, False]
