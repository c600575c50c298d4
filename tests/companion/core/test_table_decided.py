"""An attack that needs no declared rank: looking at one's own piece is not an attack."""

import pytest

from companion.core.events import ConfirmAttack
from companion.core.state import AwaitingAnswer
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.game.actions import Attack
from engine.game.rulings import Combat
from engine.rules.violations import Violation
from firmware_bridge.simulated_board.board import PhysicalPiece
from firmware_bridge.wire import BoardKind
from tests.companion.core.table_driver import TableDriver, attack, clash

RED, BLUE = Side.RED, Side.BLUE
ATTACK = Attack(square("f6"), square("e6"))


def known(kind: BoardKind = BoardKind.COLOURS) -> TableDriver:
    """Red is to move: f6 is a scout that has made a long move, e6 a major that has won."""
    evening = attack(clash(kind))
    evening.declare(RED, Rank.CAPTAIN)
    evening.declare(BLUE, Rank.MAJOR)
    evening.stand(BLUE, square("e6"))
    evening.wait(20)
    evening.play("k7-k6 f4-f6 a7-a6")
    evening.forget()
    return evening


def lift_both(evening: TableDriver) -> tuple[PhysicalPiece, PhysicalPiece]:
    both = evening.lift("f6"), evening.lift("e6")
    evening.wait()
    return both


def test_two_that_are_held_for_long_are_an_attack() -> None:
    evening = known()
    evening.lift("f6")
    evening.lift("e6")
    evening.wait(1.9)
    assert not evening.actions
    evening.wait(0.2)
    (combat,) = evening.told(Combat)
    assert (combat.attacker, combat.defender) == (Rank.SCOUT, Rank.MAJOR)
    assert evening.actions == [ATTACK]


def test_or_sets_the_piece_down_on_the_other() -> None:
    evening = known()
    scout, _ = lift_both(evening)
    evening.place(scout, "e6")
    evening.wait()
    assert evening.actions == [ATTACK]


@pytest.mark.parametrize("kind", BoardKind)
def test_or_opens_it_on_the_screen(kind: BoardKind) -> None:
    evening = known(kind)
    lift_both(evening)
    evening.say(Attack(ATTACK.source, ATTACK.target))
    assert evening.actions == [ATTACK]


def test_who_has_only_looked_puts_the_pieces_back() -> None:
    evening = known()
    scout, major = evening.lift("f6"), evening.lift("e6")
    evening.wait(0.8)
    evening.place(major, "e6")
    evening.place(scout, "f6")
    evening.wait()
    assert not evening.actions
    assert not isinstance(evening.table.state, AwaitingAnswer)
    evening.play("a4-a5")


def test_a_pulled_plug_does_not_matter() -> None:
    evening = known()
    evening.lift("f6")
    evening.lift("e6")
    again = evening.replugged()
    again.wait()
    assert again.actions == [ATTACK]


def test_a_declaration_is_enough_where_there_is_one() -> None:
    evening = known()
    evening.play("a4-a5 k6-k5")
    evening.forget()
    evening.lift("k4")
    evening.lift("k5")
    evening.wait()
    assert not evening.told(ConfirmAttack)
    assert evening.table.conversation.question


@pytest.mark.parametrize("early", [0.02, 0.3, 0.6])
def test_who_takes_up_the_target_does_not_end_the_turn(early: float) -> None:
    """The scout stops on its way; Blue lifts its major, or the scout pushes the major away."""
    evening = known()
    evening.play("f6-f5 k6-k5 f5-e5 i7-i6 e5-e4 i6-i5")
    evening.forget()
    scout = evening.lift("e4")
    evening.place(scout, "e5")
    evening.wait(0.2)
    evening.lift("e6")
    evening.wait(early)
    evening.lift("e5")
    evening.wait(0.06)
    evening.place(scout, "e6")
    evening.wait()
    assert [(each.attacker, each.defender) for each in evening.told(Combat)] == [
        (Rank.SCOUT, Rank.MAJOR)
    ]
    assert not evening.told(Violation)
