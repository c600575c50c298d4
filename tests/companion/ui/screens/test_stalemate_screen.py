"""If one side claims a stalemate, the other side must say whether it is able to move."""

from collections.abc import Callable

import pytest

from engine.board.geometry import Side, square
from engine.game.game_state import Phase
from engine.game.rulings import Reason
from engine.rules.editions import EDITIONS
from tests.campaigns import RARE
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, after, begin, play

Drive = Callable[..., Driver]


@pytest.fixture
def driver(drive: Drive) -> Driver:
    """Game in which Red claims a stalemate after one move by each side."""
    driver = drive(edition=EDITIONS["isf"])
    begin(driver)
    play(driver, STANDING, "e4 e5", "e7 e6")
    for button in ("menu", "cannot_move"):
        driver.tap(button)
    driver.confirm()
    return driver


STOOD = after(STANDING, "e4 e5", "e7 e6")


def outcome(driver: Driver) -> tuple[Side | None, Reason] | None:
    over = driver.app.presenter.table.view.outcome
    return (over.winner, over.reason) if over else None


@RARE
def test_claim_is_put_to_the_other_side(driver: Driver) -> None:
    assert driver.view == "stalemate"
    assert "Blue" in driver.texts()
    assert "Red cannot move." in driver.texts()
    assert "Can you move?" in driver.texts()


def test_opponent_without_moves_draws(driver: Driver) -> None:
    driver.tap("no")
    assert "Blue cannot move either?" in driver.texts()
    driver.confirm()
    assert driver.view == "end"
    assert outcome(driver) == (None, Reason.BOTH_IMMOBILE)
    assert "Draw" in driver.texts()


def test_side_that_shows_a_move_wins(driver: Driver) -> None:
    driver.confirm()
    assert "Can Blue move?" in driver.texts()
    driver.confirm()
    assert driver.view == "turn"
    assert "Show it with a legal move." in driver.texts()
    driver.show(after(STOOD, "a7 b5"))
    assert driver.view == "recovery"
    driver.show(STOOD)
    assert "Show it with a legal move." in driver.texts()
    driver.show(after(STOOD, "a7 a6"))
    assert driver.view == "end"
    assert outcome(driver) == (Side.BLUE, Reason.NO_LEGAL_MOVE)


def test_attack_by_screen_proves_mobility(driver: Driver) -> None:
    driver.confirm()
    driver.confirm()
    for name in ("e6", "e5"):
        driver.tap_square(square(name))
    driver.tap("attack")
    assert outcome(driver) == (Side.BLUE, Reason.NO_LEGAL_MOVE)


def test_answer_can_be_changed(driver: Driver) -> None:
    driver.confirm()
    driver.confirm()
    driver.tap("unable")
    assert "Blue cannot move after all?" in driver.texts()
    driver.tap("no")
    assert driver.view == "turn"
    driver.tap("unable")
    driver.confirm()
    assert outcome(driver) == (None, Reason.BOTH_IMMOBILE)


@RARE
def test_wrong_touch_answers_nothing(driver: Driver) -> None:
    for answer in ("yes", "no"):
        driver.tap(answer)
        driver.tap("no")
        assert driver.view == "stalemate"
    assert driver.app.presenter.table.view.phase is Phase.STALEMATE


def test_claim_can_be_taken_back(driver: Driver) -> None:
    for side in ("red", "blue"):
        for button in ("menu", f"{side}_take_back"):
            driver.tap(button)
        driver.confirm()
    assert driver.app.presenter.table.view.phase is Phase.PLAY


def test_disturbed_board_is_restored(driver: Driver) -> None:
    driver.show(after(STOOD, "a1 a5"), seconds=3.5)
    assert driver.view == "stalemate"
    assert "Put the red piece on a1." in driver.texts()
    driver.show(STOOD)
    assert "Put the red piece on a1." not in driver.texts()


def test_no_claim_button_in_other_editions(drive: Drive) -> None:
    driver = drive(edition=EDITIONS["isf"])
    begin(driver)
    assert "after all" not in driver.texts()


@RARE
def test_claim_is_confirmed_in_other_editions(drive: Drive) -> None:
    driver = drive()
    begin(driver)
    for button in ("menu", "cannot_move"):
        driver.tap(button)
    assert "Blue wins with a legal move. If neither side can move, it is a draw." in driver.texts()
    driver.confirm()
    assert driver.view == "stalemate"
