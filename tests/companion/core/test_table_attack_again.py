"""An attack that was denied, but is made after all as soon as the pieces are back."""

import pytest

from companion.core.inputs import NoAttack
from companion.core.state import AttackOpen
from engine.board.geometry import Side, square
from tests.companion.core.table_driver import TableDriver, clash

SOON = (0.3, 0.5, 0.8, 1.2, 2.0, 3.0)
"""Pause lengths in seconds. Players need not wait until the referee has forgotten the denial."""


def set_down_and_denied(pause: float) -> TableDriver:
    """Red removes e6 and takes its square, denies the attack, and puts both pieces back."""
    evening = clash()
    set_down(evening)
    assert isinstance(evening.table.state, AttackOpen)
    evening.submit(NoAttack(evening.now))
    evening.wait(0.3)
    evening.place(evening.lift("e6"), "e5")
    evening.wait(0.6)
    evening.stand(Side.BLUE, square("e6"))
    evening.wait(pause)
    return evening


def set_down(evening: TableDriver) -> None:
    attacker = evening.lift("e5")
    evening.wait(0.3)
    evening.lift("e6")
    evening.wait(0.3)
    evening.place(attacker, "e6")
    evening.wait(1.0)


@pytest.mark.parametrize("pause", SOON)
def test_it_is_made_in_the_hands(pause: float) -> None:
    evening = set_down_and_denied(pause)
    evening.lift("e5")
    evening.wait(0.3)
    evening.lift("e6")
    evening.wait(1.0)

    assert isinstance(evening.table.state, AttackOpen)


@pytest.mark.parametrize("pause", SOON)
def test_it_is_set_down_again(pause: float) -> None:
    evening = set_down_and_denied(pause)
    set_down(evening)

    assert isinstance(evening.table.state, AttackOpen)


@pytest.mark.parametrize("pause", SOON)
def test_it_is_held_in_the_hands_both_times(pause: float) -> None:
    evening = clash()
    attacker, target = evening.lift("e5"), evening.lift("e6")
    evening.wait(1.0)
    evening.submit(NoAttack(evening.now))
    evening.place(target, "e6")
    evening.place(attacker, "e5")
    evening.wait(pause)
    evening.lift("e5")
    evening.lift("e6")
    evening.wait(1.0)

    assert isinstance(evening.table.state, AttackOpen)
