from collections.abc import Callable

from engine.board.geometry import Side
from engine.game.clocks import TIME_CONTROLS
from tests.campaigns import RARE
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, after, begin, play


def test_board_may_be_touched_in_a_pause(driver: Driver) -> None:
    begin(driver)
    image = play(driver, STANDING, "e4 e5")
    for button in ("menu", "pause"):
        driver.tap(button)
    assert "Pause" in driver.texts().splitlines()
    assert "clock" not in driver.texts(), "this game has none"
    driver.show(after(image, "a7 a6", "k4 k5"))
    assert driver.app.presenter.table.view.plies == 1
    for button in ("leave", "resume"):
        driver.tap(button)
    driver.tap("go_on")
    driver.show(after(image, "a7 a6", "k4 k5"))
    assert driver.view == "recovery"
    assert "Remove the piece from a6." in driver.texts()
    driver.show(image)
    assert driver.view == "turn"
    play(driver, image, "a7 a6")
    assert driver.app.presenter.table.view.plies == 2


def pause(driver: Driver) -> None:
    begin(driver)
    play(driver, STANDING, "e4 e5")
    for button in ("menu", "pause"):
        driver.tap(button)


def test_arbiter_menu_in_a_pause(driver: Driver) -> None:
    pause(driver)
    driver.tap("arbiter")
    assert driver.find("doubt").disabled
    assert driver.find("correct").disabled
    driver.tap("close")
    driver.tap("go_on")
    assert driver.view == "turn"


def test_arbiter_ends_a_pause(driver: Driver) -> None:
    driver.app.presenter.settings.code = "1234"
    pause(driver)
    for button in ("arbiter", "red_forfeits"):
        driver.tap(button)
    driver.enter_code("4321")
    assert driver.view != "end", "the arbiter's code is needed first"
    driver.enter_code("1234")
    driver.wait(lambda: driver.view == "end")
    assert "Pause" not in driver.texts().splitlines()


@RARE
def test_arbiter_gives_time_in_a_pause(drive: Callable[..., Driver]) -> None:
    driver = drive(control=TIME_CONTROLS["total"])
    pause(driver)
    clock = driver.app.presenter.table.clock
    before = clock.remaining(Side.RED, driver.now)
    for button in ("arbiter", "set_clocks"):
        driver.tap(button)
    steps = driver.find("red").ids.steps.children
    driver.tap_at(*driver.middle(next(each for each in steps if each.text == "+ 1 min")))
    driver.tap("decide")
    driver.confirm()
    after_all = clock.remaining(Side.RED, driver.now)
    assert before is not None
    assert after_all == before + 60
    assert "Red 31:00" in driver.texts()
    driver.tap("go_on")
    assert driver.view == "turn"
