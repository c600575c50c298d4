"""The current screen depends only on the table's state."""

import pytest

from companion.core.inputs import CommandInput, NoAttack
from companion.ui.base.screen_selection import ScreenId, select_screen
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.game import actions
from engine.rules.editions import EDITIONS
from tests.companion.core.table_driver import TableDriver
from tests.companion.ui.driver import Driver


def submit(driver: TableDriver, action: actions.Action) -> None:
    driver.submit(CommandInput(driver.now, action))


def test_screens_can_be_created(driver: Driver) -> None:
    assert set(driver.app.face._makers) == set(ScreenId)


def test_start_screen_without_a_game() -> None:
    assert select_screen(None) is ScreenId.START


def test_game_begins_with_setup() -> None:
    assert select_screen(TableDriver().table) is ScreenId.SETUP


def test_screens_of_a_game() -> None:
    driver = TableDriver.begun()
    table = driver.table
    assert select_screen(table) is ScreenId.TURN
    piece = driver.lift("e4")
    driver.wait()
    assert select_screen(table) is ScreenId.TURN
    driver.place(piece, "f5")
    driver.wait()
    assert select_screen(table) is ScreenId.RECOVERY
    driver.move("f5", "e4")
    assert select_screen(table) is ScreenId.TURN
    submit(driver, actions.Attack(square("e4"), square("e7")))
    assert select_screen(table) is ScreenId.DECLARATION
    driver.declare(Side.BLUE, Rank.BOMB)
    assert select_screen(table) is ScreenId.REVEAL
    submit(driver, actions.Resign(Side.RED))
    assert select_screen(table) is ScreenId.END


def test_recognition_question_has_its_screen() -> None:
    driver = TableDriver.begun()
    driver.play("e4-e5 e7-e6")
    piece = driver.lift("f4")
    driver.lift("e5")
    driver.place(piece, "f5")
    driver.wait()
    assert select_screen(driver.table) is ScreenId.CHOOSE_MOVE
    driver.submit(NoAttack(driver.now))
    assert select_screen(driver.table) is ScreenId.RECOVERY


def test_offer_keeps_the_turn_screen() -> None:
    driver = TableDriver.begun()
    driver.play("e4-e5 e7-e6")
    driver.lift("e5")
    driver.wait(3)
    assert driver.table.state.asked.answers
    assert select_screen(driver.table) is ScreenId.TURN


def test_dispute_screen() -> None:
    driver = TableDriver.begun()
    driver.move("e4", "e5")
    driver.move("e7", "e6")
    submit(driver, actions.Attack(square("e5"), square("e6")))
    driver.declare(Side.RED, Rank.BOMB)
    assert select_screen(driver.table) is ScreenId.DECLARATION
    submit(driver, actions.UpholdDeclaration(Secret(Side.RED, Rank.BOMB)))
    assert select_screen(driver.table) is ScreenId.DISPUTE
    submit(driver, actions.SettleDispute(accepted=False))
    assert select_screen(driver.table) is ScreenId.DECLARATION


def test_stalemate_claim_asks_the_other_side() -> None:
    driver = TableDriver.begun(edition=EDITIONS["isf"])
    submit(driver, actions.ClaimStalemate())
    assert select_screen(driver.table) is ScreenId.STALEMATE
    submit(driver, actions.AnswerStalemate(able=True))
    assert select_screen(driver.table) is ScreenId.TURN
    submit(driver, actions.AnswerStalemate(able=False))
    assert select_screen(driver.table) is ScreenId.END


def test_violation_by_screen_keeps_the_turn_screen() -> None:
    driver = TableDriver.begun()
    submit(driver, actions.Attack(square("e4"), square("f7")))
    assert driver.table.state.violation
    assert select_screen(driver.table) is ScreenId.TURN


@pytest.mark.parametrize("over", [False, True])
def test_combat_is_shown_first(over: bool) -> None:
    driver = TableDriver.begun()
    submit(driver, actions.Attack(square("e4"), square("e7")))
    driver.declare(Side.BLUE, Rank.FLAG if over else Rank.SPY)
    combat = driver.table.view.revealed
    assert select_screen(driver.table, combat) is ScreenId.REVEAL
