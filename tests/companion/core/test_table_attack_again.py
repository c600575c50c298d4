"""A denied attack can be made again as soon as the pieces are back on their squares."""

import pytest

from companion.core.inputs import NoAttack
from companion.core.state import AttackOpen
from engine.board.geometry import Side, square
from tests.companion.core.table_driver import TableDriver, clash

SOON = (0.3, 0.5, 0.8, 1.2, 2.0, 3.0)
"""Pauses to test, in seconds. The table remembers a denial for longer than the longest pause."""


def set_down_and_denied(pause: float) -> TableDriver:
    """Set Red's attacker down on e6, deny the attack, and put both pieces back."""
    driver = clash()
    set_down(driver)
    assert isinstance(driver.table.state, AttackOpen)
    driver.submit(NoAttack(driver.now))
    driver.wait(0.3)
    driver.place(driver.lift("e6"), "e5")
    driver.wait(0.6)
    driver.stand(Side.BLUE, square("e6"))
    driver.wait(pause)
    return driver


def set_down(driver: TableDriver) -> None:
    attacker = driver.lift("e5")
    driver.wait(0.3)
    driver.lift("e6")
    driver.wait(0.3)
    driver.place(attacker, "e6")
    driver.wait(1.0)


@pytest.mark.parametrize("pause", SOON)
def test_attack_repeated_in_hand(pause: float) -> None:
    driver = set_down_and_denied(pause)
    driver.lift("e5")
    driver.wait(0.3)
    driver.lift("e6")
    driver.wait(1.0)

    assert isinstance(driver.table.state, AttackOpen)


@pytest.mark.parametrize("pause", SOON)
def test_attack_repeated_by_placement(pause: float) -> None:
    driver = set_down_and_denied(pause)
    set_down(driver)

    assert isinstance(driver.table.state, AttackOpen)


@pytest.mark.parametrize("pause", SOON)
def test_attack_held_in_hand_twice(pause: float) -> None:
    driver = clash()
    attacker, target = driver.lift("e5"), driver.lift("e6")
    driver.wait(1.0)
    driver.submit(NoAttack(driver.now))
    driver.place(target, "e6")
    driver.place(attacker, "e5")
    driver.wait(pause)
    driver.lift("e5")
    driver.lift("e6")
    driver.wait(1.0)

    assert isinstance(driver.table.state, AttackOpen)
