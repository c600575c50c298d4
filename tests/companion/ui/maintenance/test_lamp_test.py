"""In the lamp test, touching a square lights its lamp."""

from engine.board.geometry import names, square
from tests.companion.ui.bench import armed, listen, plug_in
from tests.companion.ui.driver import Driver


def lit(driver: Driver) -> str:
    driver.frames(1)
    return names(driver.script.lit[-1])


def test_touched_square_toggles_its_lamp(driver: Driver) -> None:
    driver.tap("sensors")
    assert lit(driver) == ""
    driver.tap_square(square("a1"))
    assert lit(driver) == "a1"
    driver.tap_square(square("k10"))
    assert lit(driver) == "k10"
    driver.tap_square(square("k10"))
    assert lit(driver) == ""


def test_lamps_go_out_when_closed(driver: Driver) -> None:
    driver.tap("sensors")
    driver.tap_square(square("e4"))
    driver.tap("close")
    assert lit(driver) == ""
    driver.tap("begin")
    assert lit(driver) == ""


def test_lamps_go_out_during_calibration(driver: Driver) -> None:
    board = armed()
    driver.tap("sensors")
    plug_in(driver, board)
    listen(driver, board, seconds=1)
    driver.tap_square(square("e4"))
    assert lit(driver) == "e4"
    driver.tap("calibrate")
    assert lit(driver) == ""
