"""A piece that the board has located between squares is drawn between them."""

import pytest

from companion.core.observed_board import Misplaced
from engine.board.geometry import Side, square
from firmware_bridge.image import PieceLocation
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, after, begin

BETWEEN = PieceLocation(4.0, 3.5, within=0.1)
SENTENCE = "A piece is between e4 and e5: move it to the centre of its square."


@pytest.fixture
def taken_up(driver: Driver) -> None:
    begin(driver)
    driver.show(after(STANDING, "e4"))


@pytest.mark.usefixtures("taken_up")
def test_located_piece_is_drawn_between_squares(driver: Driver) -> None:
    assert driver.face.lifted == square("e4")
    assert driver.script.seeks
    driver.feel(Side.RED, BETWEEN.column, BETWEEN.row)
    assert driver.face.lifted is None
    assert driver.face.misplaced == Misplaced(Side.RED, BETWEEN)
    assert driver.face.notice == SENTENCE
    assert not driver.face.image.occupied >> square("e4") & 1


@pytest.mark.usefixtures("taken_up")
def test_located_piece_disappears_when_detected(driver: Driver) -> None:
    driver.feel(Side.RED, BETWEEN.column, BETWEEN.row)
    driver.show(after(STANDING, "e4 e5"))
    assert driver.face.misplaced is None
    assert not driver.face.notice
    assert not driver.script.seeks


@pytest.mark.usefixtures("taken_up")
def test_located_piece_in_recovery(driver: Driver) -> None:
    driver.show(after(STANDING, "a1 c5", "b1 k5", "e4"))
    driver.feel(Side.RED, BETWEEN.column, BETWEEN.row)
    assert driver.face.guide[0] == SENTENCE
    assert driver.face.misplaced


def test_located_piece_in_setup(driver: Driver) -> None:
    driver.connect()
    driver.tap("begin")
    driver.show(after(STANDING, "e4"))
    driver.feel(Side.RED, BETWEEN.column, BETWEEN.row)
    assert driver.face.hint == SENTENCE
    assert driver.face.misplaced
