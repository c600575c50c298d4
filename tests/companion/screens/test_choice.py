"""Which screen is due follows from the table alone."""

import pytest

from companion.inputs import AttackOnScreen, DisputeSettled, Insisted, Resigned
from companion.screens.choice import View, choose
from engine.ranks import Rank
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import square
from tests.companion.evening import Evening


def test_without_a_game_the_start_is_due() -> None:
    assert choose(None) is View.START


def test_a_game_begins_with_setting_up() -> None:
    assert choose(Evening().table) is View.SETUP


def test_the_screens_of_a_game() -> None:
    evening = Evening.begun()
    table = evening.table
    assert choose(table) is View.TURN
    piece = evening.lift("e4")
    evening.wait()
    assert choose(table) is View.TURN
    evening.place(piece, "f5")
    evening.wait()
    assert choose(table) is View.WAY_BACK
    evening.move("f5", "e4")
    assert choose(table) is View.TURN
    evening.give(AttackOnScreen(evening.now, square("e4"), square("e7")))
    assert choose(table) is View.DECLARATION
    evening.declare(Side.BLUE, Rank.BOMB)
    assert choose(table) is View.REVEAL
    evening.give(Resigned(evening.now, Side.RED))
    assert choose(table) is View.END


def test_a_dispute_has_a_screen_of_its_own() -> None:
    evening = Evening.begun()
    evening.move("e4", "e5")
    evening.move("e7", "e6")
    evening.give(AttackOnScreen(evening.now, square("e5"), square("e6")))
    evening.declare(Side.RED, Rank.BOMB)
    assert choose(evening.table) is View.DECLARATION
    evening.give(Insisted(evening.now, Secret(Side.RED, Rank.BOMB)))
    assert choose(evening.table) is View.DISPUTE
    evening.give(DisputeSettled(evening.now, accepted=False))
    assert choose(evening.table) is View.DECLARATION


def test_a_rule_broken_on_the_screen_leaves_the_turn_where_it_is() -> None:
    evening = Evening.begun()
    evening.give(AttackOnScreen(evening.now, square("e4"), square("f7")))
    assert evening.table.violation
    assert choose(evening.table) is View.TURN


@pytest.mark.parametrize("over", [False, True])
def test_a_fresh_combat_is_read_first(over: bool) -> None:
    evening = Evening.begun()
    evening.give(AttackOnScreen(evening.now, square("e4"), square("e7")))
    evening.declare(Side.BLUE, Rank.FLAG if over else Rank.SPY)
    combat = evening.table.referee.last_combat
    assert choose(evening.table, combat) is View.REVEAL
