"""The board never detects the result of a combat, because of a lost magnet or a dead sensor."""

import pytest

from engine.board.ranks import Rank
from engine.game.rulings import Reason
from firmware_bridge.image import Image
from tests.campaigns import RARE, slow_after_first
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, after, attack_on_screen, begin, declare, play

BEFORE = after(STANDING, "e4 e5", "e7 e6")


@pytest.fixture
def stuck(driver: Driver) -> Driver:
    """Game in which Red's colonel has won on e6, whose sensor does not detect it."""
    begin(driver)
    play(driver, STANDING, "e4 e5", "e7 e6")
    attack_on_screen(driver, "e5", "e6")
    declare(driver, Rank.COLONEL)
    declare(driver, Rank.MAJOR)
    driver.show(lost(BEFORE), 60)
    assert driver.view == "reveal"
    assert "Colonel" in driver.texts()
    return driver


def lost(image: Image) -> Image:
    """Return the image in which the loser is gone and the winner is not detected."""
    return after(image, "e5", "e6")


def reason(driver: Driver) -> Reason:
    over = driver.app.presenter.table.view.outcome
    assert over
    return over.reason


@pytest.mark.parametrize(
    ("touches", "expected"),
    slow_after_first(
        "variants",
        [
            (("red_resigns",), Reason.RESIGNATION),
            (("arbiter", "red_forfeits"), Reason.FORFEIT),
            (("cannot_move",), Reason.NO_LEGAL_MOVE),
        ],
    ),
)
def test_game_can_be_ended(stuck: Driver, touches: tuple[str, ...], expected: Reason) -> None:
    for button in ("menu", *touches):
        stuck.tap(button)
    stuck.confirm()
    assert stuck.view == "end"
    assert reason(stuck) is expected
    assert "Colonel" not in stuck.texts()


def test_draw_can_be_agreed(stuck: Driver) -> None:
    for button in ("menu", "blue_draw"):
        stuck.tap(button)
    stuck.confirm()
    assert stuck.view == "reveal"
    assert "Blue offers a draw." in stuck.texts()
    for button in ("accept",):
        stuck.tap(button)
    stuck.confirm()
    assert stuck.view == "end"
    assert reason(stuck) is Reason.AGREED_DRAW


def test_attack_can_be_taken_back(stuck: Driver) -> None:
    for button in ("menu", "red_take_back"):
        stuck.tap(button)
    stuck.confirm()
    assert "Red asks to take back the last move." in stuck.texts()
    for button in ("accept",):
        stuck.tap(button)
    stuck.confirm()
    assert stuck.view == "recovery"
    assert "Colonel" not in stuck.texts()
    stuck.show(BEFORE)
    assert stuck.view == "turn"


@RARE
def test_game_can_be_left(stuck: Driver) -> None:
    for button in ("menu", "leave"):
        stuck.tap(button)
    assert stuck.view == "start"
    assert stuck.on_top("resume")


@RARE
def test_menu_returns_to_the_reveal(stuck: Driver) -> None:
    stuck.tap("menu")
    stuck.tap("close")
    assert "Colonel" in stuck.texts()
    stuck.show(after(BEFORE, "e5 e6"))
    assert stuck.view == "turn"


@RARE
def test_no_menu_after_the_final_combat(driver: Driver) -> None:
    begin(driver)
    attack_on_screen(driver, "e4", "e7")
    declare(driver, Rank.FLAG)
    assert driver.view == "reveal"
    with pytest.raises(AssertionError, match="menu"):
        driver.find("menu")
    driver.tap("end")
    assert driver.view == "end"
