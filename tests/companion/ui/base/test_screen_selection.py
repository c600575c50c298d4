"""The screen to show depends only on the table."""

import pytest

from companion.core.inputs import CommandInput, NoAttack
from companion.ui.base.screen_selection import ScreenId, select_screen
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.game.actions import (
    Action,
    AnswerStalemate,
    Attack,
    ClaimStalemate,
    Resign,
    SettleDispute,
    UpholdDeclaration,
)
from engine.rules.editions import EDITIONS
from tests.companion.core.table_driver import TableDriver
from tests.companion.ui.driver import Driver


def say(evening: TableDriver, action: Action) -> None:
    evening.submit(CommandInput(evening.now, action))


def test_every_screen_can_be_made(driver: Driver) -> None:
    assert set(driver.app.face._makers) == set(ScreenId)


def test_without_a_game_the_start_is_due() -> None:
    assert select_screen(None) is ScreenId.START


def test_a_game_begins_with_setting_up() -> None:
    assert select_screen(TableDriver().table) is ScreenId.SETUP


def test_the_screens_of_a_game() -> None:
    evening = TableDriver.begun()
    table = evening.table
    assert select_screen(table) is ScreenId.TURN
    piece = evening.lift("e4")
    evening.wait()
    assert select_screen(table) is ScreenId.TURN
    evening.place(piece, "f5")
    evening.wait()
    assert select_screen(table) is ScreenId.RECOVERY
    evening.move("f5", "e4")
    assert select_screen(table) is ScreenId.TURN
    say(evening, Attack(square("e4"), square("e7")))
    assert select_screen(table) is ScreenId.DECLARATION
    evening.declare(Side.BLUE, Rank.BOMB)
    assert select_screen(table) is ScreenId.REVEAL
    say(evening, Resign(Side.RED))
    assert select_screen(table) is ScreenId.END


def test_what_happened_is_asked_on_a_screen_of_its_own() -> None:
    evening = TableDriver.begun()
    evening.play("e4-e5 e7-e6")
    piece = evening.lift("f4")
    evening.lift("e5")
    evening.place(piece, "f5")
    evening.wait()
    assert select_screen(evening.table) is ScreenId.CHOOSE_MOVE
    evening.submit(NoAttack(evening.now))
    assert select_screen(evening.table) is ScreenId.RECOVERY


def test_an_offer_leaves_the_turn_where_it_is() -> None:
    evening = TableDriver.begun()
    evening.play("e4-e5 e7-e6")
    evening.lift("e5")
    evening.wait(3)
    assert evening.table.state.asked.answers
    assert select_screen(evening.table) is ScreenId.TURN


def test_a_dispute_has_a_screen_of_its_own() -> None:
    evening = TableDriver.begun()
    evening.move("e4", "e5")
    evening.move("e7", "e6")
    say(evening, Attack(square("e5"), square("e6")))
    evening.declare(Side.RED, Rank.BOMB)
    assert select_screen(evening.table) is ScreenId.DECLARATION
    say(evening, UpholdDeclaration(Secret(Side.RED, Rank.BOMB)))
    assert select_screen(evening.table) is ScreenId.DISPUTE
    say(evening, SettleDispute(accepted=False))
    assert select_screen(evening.table) is ScreenId.DECLARATION


def test_stalemate_claim_asks_the_other_side() -> None:
    evening = TableDriver.begun(edition=EDITIONS["isf"])
    say(evening, ClaimStalemate())
    assert select_screen(evening.table) is ScreenId.STALEMATE
    say(evening, AnswerStalemate(able=True))
    assert select_screen(evening.table) is ScreenId.TURN
    say(evening, AnswerStalemate(able=False))
    assert select_screen(evening.table) is ScreenId.END


def test_a_rule_broken_on_the_screen_leaves_the_turn_where_it_is() -> None:
    evening = TableDriver.begun()
    say(evening, Attack(square("e4"), square("f7")))
    assert evening.table.state.violation
    assert select_screen(evening.table) is ScreenId.TURN


@pytest.mark.parametrize("over", [False, True])
def test_a_fresh_combat_is_read_first(over: bool) -> None:
    evening = TableDriver.begun()
    say(evening, Attack(square("e4"), square("e7")))
    evening.declare(Side.BLUE, Rank.FLAG if over else Rank.SPY)
    combat = evening.table.view.revealed
    assert select_screen(evening.table, combat) is ScreenId.REVEAL
