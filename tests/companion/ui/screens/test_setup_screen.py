"""The setup screen shows misplaced pieces and how to correct them."""

from collections.abc import Callable

import pytest

from engine.board.geometry import square
from engine.board.ranks import DUEL
from engine.rules.editions import EDITIONS
from tests.campaigns import slow_after_first
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import EXCHANGED, STANDING, after
from tests.companion.ui.running_app import Script


def test_swapped_armies_are_one_sentence(driver: Driver) -> None:
    driver.connect()
    driver.tap("begin")
    driver.show(EXCHANGED)
    assert "The armies are on the wrong sides: Red belongs on rows 1 to 4." in driver.texts()
    assert driver.face.take == 0
    driver.tap_inside("red", "ready")
    assert driver.app.presenter.table.ready == frozenset()
    driver.show(STANDING)
    assert "wrong sides" not in driver.texts()


def test_wrong_colour_is_marked(driver: Driver) -> None:
    driver.connect()
    driver.tap("begin")
    driver.show(after(STANDING, "k10 b3"))
    assert (
        "b3: this piece belongs to the other side, or its magnet is upside down." in driver.texts()
    )
    assert driver.face.take == after(STANDING, "k10 b3").blue & ~STANDING.blue


def test_surplus_pieces_are_reported(
    drive: Callable[..., Driver],
) -> None:
    driver = drive(edition=EDITIONS["isf"].with_army(DUEL.name))
    driver.connect()
    driver.tap("begin")
    driver.show(after(STANDING, "a7 a5"))
    assert "30 pieces too many" in driver.texts()
    assert "of 10" not in driver.texts()
    assert driver.find("red").ids["ready"].disabled


def test_touch_on_an_empty_square(drive: Callable[..., Driver]) -> None:
    driver = drive()
    driver.connect()
    driver.tap("begin")
    driver.tap_square(square("b1"))
    assert driver.on_top("yes") is None, "no piece has been set up"
    driver.show(after(STANDING, "b1"))
    driver.tap_square(square("e5"))
    assert driver.on_top("yes") is None, "no piece belongs there"
    driver.tap_square(square("b1"))
    assert "Ignore the sensor of b1?" in driver.texts()


@pytest.mark.parametrize("where", slow_after_first("variants", ["b1", "e5", "f9"]))
def test_touch_on_an_empty_simulated_square(drive: Callable[..., Driver], where: str) -> None:
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    driver.tap("begin")
    driver.tap_square(square(where))
    assert driver.on_top("yes") is None
    driver.tap("set_up")
    driver.show_virtual()
    driver.drag(driver.on_board("b1"), (640, 330))
    driver.show_virtual()
    driver.tap_at(640, 330)  # the piece beside the board
    driver.tap_square(square("b1"))
    assert driver.on_top("yes") is None
