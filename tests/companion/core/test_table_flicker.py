"""A flickering sensor is reported once, and the game continues."""

import pytest

from companion.core.events import BoardDiffers, ConfirmAttack, SensorFlickering
from engine.board.geometry import Side, square
from engine.game.actions import Move
from engine.game.rulings import AttackOpened
from engine.rules.rules import Violation
from tests.companion.core.table_driver import TableDriver
from tests.engine.tables import way

RED = Side.RED
GOOD = 2.0
"""Time in seconds after which another flicker of a square counts separately."""


def blink_empty(driver: TableDriver, name: str, times: int = 1) -> None:
    """Repeatedly make an occupied square appear empty for a moment."""
    for _ in range(times):
        piece = driver.lift(name)
        driver.wait(0.2)
        driver.place(piece, name)
        driver.wait(GOOD)


def blink_red(driver: TableDriver, name: str, times: int = 1) -> None:
    """Repeatedly make an empty square appear to hold a red piece for a moment."""
    for _ in range(times):
        driver.stand(RED, square(name))
        driver.wait(0.2)
        driver.lift(name)
        driver.wait(GOOD)


class TestUnderAPiece:
    def test_flickering_square_is_named_once(self) -> None:
        driver = TableDriver.begun()
        blink_empty(driver, "f4", 4)
        assert not driver.emitted(SensorFlickering)
        blink_empty(driver, "f4", 20)
        assert driver.emitted(SensorFlickering) == [SensorFlickering(square("f4"))]

    def test_flickering_square_is_ignored(self) -> None:
        driver = TableDriver.begun()
        blink_empty(driver, "f4", 5)
        driver.forget()
        blink_empty(driver, "f4", 20)
        assert driver.events == []
        driver.play("e4-e5")
        blink_empty(driver, "f4", 5)
        driver.play("f7-f6")
        assert not driver.emitted(BoardDiffers)
        assert not driver.emitted(Violation)

    def test_flicker_with_a_piece_in_hand_is_no_attack(self) -> None:
        """Blue holds the piece from e6 while e5 flickers."""
        driver = TableDriver.begun()
        driver.play("e4-e5 e7-e6 a4-a5")
        blink_empty(driver, "e5", 6)
        driver.forget()
        piece = driver.lift("e6")
        blink_empty(driver, "e5", 10)
        assert not driver.emitted(ConfirmAttack)
        assert not driver.emitted(AttackOpened)
        driver.place(piece, "f6")
        driver.wait()
        assert driver.actions == [Move(*way("e6-f6"))]

    def test_move_from_a_recovered_square(self) -> None:
        driver = TableDriver.begun()
        blink_empty(driver, "f4", 6)
        driver.forget()
        driver.move("f4", "f5", settle=3)
        assert driver.actions == [Move(*way("f4-f5"))]
        driver.play("f7-f6")


class TestAnEmptySquare:
    @pytest.fixture
    def driver(self) -> TableDriver:
        driver = TableDriver.begun()
        blink_red(driver, "f5", 6)
        assert driver.emitted(SensorFlickering) == [SensorFlickering(square("f5"))]
        driver.forget()
        return driver

    def test_flicker_before_a_lifted_piece_is_no_move(self, driver: TableDriver) -> None:
        piece = driver.lift("f4")
        blink_red(driver, "f5", 3)
        driver.place(piece, "f4")
        driver.wait()
        assert not driver.actions
        assert not driver.emitted(BoardDiffers)
        driver.play("e4-e5")

    def test_placement_on_a_flickering_square_counts_later(self, driver: TableDriver) -> None:
        driver.move("f4", "f5", settle=0.5)
        assert not driver.actions
        driver.wait(2)
        assert driver.actions == [Move(*way("f4-f5"))]
        driver.play("f7-f6")
        assert not driver.emitted(SensorFlickering)

    def test_repeated_lifting_is_no_flicker(self) -> None:
        """Three pieces are lifted and put back several times."""
        driver = TableDriver.begun()
        for name in ("e4", "f4", "i4") * 4:
            blink_empty(driver, name)
        assert not driver.emitted(SensorFlickering)


def test_placement_on_a_fast_flickering_square() -> None:
    """f5 is alternately red for 0.2 s and empty for 0.6 s."""
    driver = TableDriver.begun()
    for _ in range(6):
        driver.stand(RED, square("f5"))
        driver.wait(0.2)
        driver.lift("f5")
        driver.wait(0.6)
    driver.forget()
    driver.move("f4", "f5", settle=2.5)
    assert driver.actions == [Move(*way("f4-f5"))]
    assert not driver.emitted(BoardDiffers)
