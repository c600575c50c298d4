"""The screen that is due follows from the table alone."""

import pytest

from companion.core.inputs import NoAttack, Said
from companion.ui.base.screen_selection import View, choose
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.game.actions import (
    Action,
    AnswerCannotMove,
    Attack,
    CannotMove,
    Insist,
    Resign,
    SettleDispute,
)
from engine.rules.editions import EDITIONS
from tests.companion.core.evening import Evening
from tests.companion.ui.driver import Driver


def say(evening: Evening, action: Action) -> None:
    evening.give(Said(evening.now, action))


def test_every_screen_can_be_made(driver: Driver) -> None:
    assert set(driver.app.face._makers) == set(View)


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
    say(evening, Attack(square("e4"), square("e7")))
    assert choose(table) is View.DECLARATION
    evening.declare(Side.BLUE, Rank.BOMB)
    assert choose(table) is View.REVEAL
    say(evening, Resign(Side.RED))
    assert choose(table) is View.END


def test_what_happened_is_asked_on_a_screen_of_its_own() -> None:
    evening = Evening.begun()
    evening.play("e4-e5 e7-e6")
    piece = evening.lift("f4")
    evening.lift("e5")
    evening.place(piece, "f5")
    evening.wait()
    assert choose(evening.table) is View.WHICH_COURSE
    evening.give(NoAttack(evening.now))
    assert choose(evening.table) is View.WAY_BACK


def test_an_offer_leaves_the_turn_where_it_is() -> None:
    evening = Evening.begun()
    evening.play("e4-e5 e7-e6")
    evening.lift("e5")
    evening.wait(3)
    assert evening.table.state.asked.answers
    assert choose(evening.table) is View.TURN


def test_a_dispute_has_a_screen_of_its_own() -> None:
    evening = Evening.begun()
    evening.move("e4", "e5")
    evening.move("e7", "e6")
    say(evening, Attack(square("e5"), square("e6")))
    evening.declare(Side.RED, Rank.BOMB)
    assert choose(evening.table) is View.DECLARATION
    say(evening, Insist(Secret(Side.RED, Rank.BOMB)))
    assert choose(evening.table) is View.DISPUTE
    say(evening, SettleDispute(accepted=False))
    assert choose(evening.table) is View.DECLARATION


def test_who_cannot_move_where_that_may_be_a_draw_has_the_other_side_asked() -> None:
    evening = Evening.begun(edition=EDITIONS["isf"])
    say(evening, CannotMove())
    assert choose(evening.table) is View.STANDSTILL
    say(evening, AnswerCannotMove(able=True))
    assert choose(evening.table) is View.TURN
    say(evening, AnswerCannotMove(able=False))
    assert choose(evening.table) is View.END


def test_a_rule_broken_on_the_screen_leaves_the_turn_where_it_is() -> None:
    evening = Evening.begun()
    say(evening, Attack(square("e4"), square("f7")))
    assert evening.table.state.violation
    assert choose(evening.table) is View.TURN


@pytest.mark.parametrize("over", [False, True])
def test_a_fresh_combat_is_read_first(over: bool) -> None:
    evening = Evening.begun()
    say(evening, Attack(square("e4"), square("e7")))
    evening.declare(Side.BLUE, Rank.FLAG if over else Rank.SPY)
    combat = evening.table.view.revealed
    assert choose(evening.table, combat) is View.REVEAL
