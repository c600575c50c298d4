"""The lamp test: touching a square in the sensor check lights its lamp on the board."""

from engine.board.geometry import names, square
from tests.companion.ui.bench import armed, listen, plug_in
from tests.companion.ui.driver import Driver


def lit(driver: Driver) -> str:
    driver.frames(1)
    return names(driver.script.lit[-1])


def test_the_touched_square_shines_until_it_is_touched_again(driver: Driver) -> None:
    driver.tap("sensors")
    assert lit(driver) == ""
    driver.tap_square(square("a1"))
    assert lit(driver) == "a1"
    driver.tap_square(square("k10"))
    assert lit(driver) == "k10"
    driver.tap_square(square("k10"))
    assert lit(driver) == ""


def test_dark_again_when_the_check_is_closed(driver: Driver) -> None:
    driver.tap("sensors")
    driver.tap_square(square("e4"))
    driver.tap("close")
    assert lit(driver) == ""
    driver.tap("begin")
    assert lit(driver) == ""


def test_dark_again_while_the_board_is_calibrated(driver: Driver) -> None:
    board = armed()
    driver.tap("sensors")
    plug_in(driver, board)
    listen(driver, board, seconds=1)
    driver.tap_square(square("e4"))
    assert lit(driver) == "e4"
    driver.tap("calibrate")
    assert lit(driver) == ""
