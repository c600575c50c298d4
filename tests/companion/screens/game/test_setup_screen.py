"""Setting up on the screen: what stands wrong, and the way out."""

from tests.companion.screens.driver import Driver
from tests.companion.screens.tour import EXCHANGED, STANDING, after


def test_armies_in_each_others_rows_are_said_in_a_sentence_without_crosses(driver: Driver) -> None:
    driver.connect()
    driver.tap("begin")
    driver.show(EXCHANGED)
    assert "The armies stand on the wrong sides: Red belongs on rows 1 to 4." in driver.texts()
    assert driver.face.take == 0
    driver.tap_inside("red", "ready")
    assert driver.app.stage.table.ready == frozenset()
    driver.show(STANDING)
    assert "wrong sides" not in driver.texts()


def test_a_piece_of_the_wrong_colour_is_crossed_out_and_named(driver: Driver) -> None:
    driver.connect()
    driver.tap("begin")
    driver.show(after(STANDING, "k10 b3"))
    assert "b3: the other side's piece, or its magnet is upside down." in driver.texts()
    assert driver.face.take == after(STANDING, "k10 b3").blue & ~STANDING.blue
