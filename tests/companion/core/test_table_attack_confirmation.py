"""If both ranks are known, an attack is accepted only after a delay.

The players may only be looking at the pieces.
"""

import pytest

from companion.core.events import ConfirmAttack
from companion.core.state import AwaitingAnswer
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.game.actions import Attack
from engine.game.rulings import Combat
from engine.rules.rules import Violation
from firmware_bridge.simulated_board.board import PhysicalPiece
from firmware_bridge.wire import BoardKind
from tests.companion.core.table_driver import TableDriver, attack, clash

RED, BLUE = Side.RED, Side.BLUE
ATTACK = Attack(square("f6"), square("e6"))


def known(kind: BoardKind = BoardKind.COLOURS) -> TableDriver:
    """Return a game in which f6 is known to be a scout and e6 a major."""
    driver = attack(clash(kind))
    driver.declare(RED, Rank.CAPTAIN)
    driver.declare(BLUE, Rank.MAJOR)
    driver.stand(BLUE, square("e6"))
    driver.wait(20)
    driver.play("k7-k6 f4-f6 a7-a6")
    driver.forget()
    return driver


def lift_both(driver: TableDriver) -> tuple[PhysicalPiece, PhysicalPiece]:
    both = driver.lift("f6"), driver.lift("e6")
    driver.wait()
    return both


def test_attack_by_holding_both_pieces() -> None:
    driver = known()
    driver.lift("f6")
    driver.lift("e6")
    driver.wait(1.9)
    assert not driver.actions
    driver.wait(0.2)
    (combat,) = driver.emitted(Combat)
    assert (combat.attacker, combat.defender) == (Rank.SCOUT, Rank.MAJOR)
    assert driver.actions == [ATTACK]


def test_attack_by_placing_on_the_target() -> None:
    driver = known()
    scout, _ = lift_both(driver)
    driver.place(scout, "e6")
    driver.wait()
    assert driver.actions == [ATTACK]


@pytest.mark.parametrize("kind", BoardKind)
def test_attack_by_screen(kind: BoardKind) -> None:
    driver = known(kind)
    lift_both(driver)
    driver.command(Attack(ATTACK.source, ATTACK.target))
    assert driver.actions == [ATTACK]


def test_look_at_both_pieces_is_no_attack() -> None:
    driver = known()
    scout, major = driver.lift("f6"), driver.lift("e6")
    driver.wait(0.8)
    driver.place(major, "e6")
    driver.place(scout, "f6")
    driver.wait()
    assert not driver.actions
    assert not isinstance(driver.table.state, AwaitingAnswer)
    driver.play("a4-a5")


def test_attack_after_a_power_cut() -> None:
    driver = known()
    driver.lift("f6")
    driver.lift("e6")
    again = driver.replugged()
    again.wait()
    assert again.actions == [ATTACK]


def test_declaration_confirms_the_attack() -> None:
    driver = known()
    driver.play("a4-a5 k6-k5")
    driver.forget()
    driver.lift("k4")
    driver.lift("k5")
    driver.wait()
    assert not driver.emitted(ConfirmAttack)
    assert driver.table.conversation.question


@pytest.mark.parametrize("early", [0.02, 0.3, 0.6])
def test_lifting_the_target_does_not_end_the_turn(early: float) -> None:
    """The scout stops. Then either Blue lifts its major, or the scout pushes the major away."""
    driver = known()
    driver.play("f6-f5 k6-k5 f5-e5 i7-i6 e5-e4 i6-i5")
    driver.forget()
    scout = driver.lift("e4")
    driver.place(scout, "e5")
    driver.wait(0.2)
    driver.lift("e6")
    driver.wait(early)
    driver.lift("e5")
    driver.wait(0.06)
    driver.place(scout, "e6")
    driver.wait()
    assert [(each.attacker, each.defender) for each in driver.emitted(Combat)] == [
        (Rank.SCOUT, Rank.MAJOR)
    ]
    assert not driver.emitted(Violation)
