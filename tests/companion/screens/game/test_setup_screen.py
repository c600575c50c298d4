"""Setting up on the screen: what stands wrong, and the way out."""

from collections.abc import Callable

from engine.ranks import DUEL
from engine.rulebook.editions import EDITIONS
from tests.companion.screens.driver import Driver
from tests.companion.screens.playing import EXCHANGED, STANDING, after


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


def test_more_pieces_than_the_army_has_are_too_many(
    drive: Callable[..., Driver],
) -> None:
    driver = drive(edition=EDITIONS["isf"].with_army(DUEL.name))
    driver.connect()
    driver.tap("begin")
    driver.show(after(STANDING, "a7 a5"))
    assert "30 pieces too many" in driver.texts()
    assert "of 10" not in driver.texts()
    assert driver.find("red").ids["ready"].disabled
