"""A flickering sensor is reported once, and the game continues around it and on it."""

import pytest

from companion.core.events import BoardDiffers, ConfirmAttack, SensorFlickering
from engine.board.geometry import Side, square
from engine.game.actions import Move
from engine.game.rulings import AttackOpened
from engine.rules.violations import Violation
from tests.companion.core.table_driver import TableDriver
from tests.engine.tables import way

RED = Side.RED
GOOD = 2.0
"""Seconds of correct readings between two blinks: long enough for each blink to count separately.
"""


def blink_empty(evening: TableDriver, name: str, times: int = 1) -> None:
    """The sensor of a square misses its piece for a moment."""
    for _ in range(times):
        piece = evening.lift(name)
        evening.wait(0.2)
        evening.place(piece, name)
        evening.wait(GOOD)


def blink_red(evening: TableDriver, name: str, times: int = 1) -> None:
    """The sensor of an empty square reports a red piece for a moment."""
    for _ in range(times):
        evening.stand(RED, square(name))
        evening.wait(0.2)
        evening.lift(name)
        evening.wait(GOOD)


class TestUnderAPiece:
    def test_it_is_named_once_when_it_has_blinked_five_times(self) -> None:
        evening = TableDriver.begun()
        blink_empty(evening, "f4", 4)
        assert not evening.told(SensorFlickering)
        blink_empty(evening, "f4", 20)
        assert evening.told(SensorFlickering) == [SensorFlickering(square("f4"))]

    def test_it_is_neither_complained_about_nor_taken_for_anything(self) -> None:
        evening = TableDriver.begun()
        blink_empty(evening, "f4", 5)
        evening.forget()
        blink_empty(evening, "f4", 20)
        assert evening.events == []
        evening.play("e4-e5")
        blink_empty(evening, "f4", 5)
        evening.play("f7-f6")
        assert not evening.told(BoardDiffers)
        assert not evening.told(Violation)

    def test_it_is_no_attack_while_the_other_side_thinks_with_a_piece_in_the_hand(self) -> None:
        """Blue's piece from e6 is in the hand, and e5, the square in front of it, flickers."""
        evening = TableDriver.begun()
        evening.play("e4-e5 e7-e6 a4-a5")
        blink_empty(evening, "e5", 6)
        evening.forget()
        piece = evening.lift("e6")
        blink_empty(evening, "e5", 10)
        assert not evening.told(ConfirmAttack)
        assert not evening.told(AttackOpened)
        evening.place(piece, "f6")
        evening.wait()
        assert evening.actions == [Move(*way("e6-f6"))]

    def test_its_piece_moves_once_the_sensor_is_believed(self) -> None:
        evening = TableDriver.begun()
        blink_empty(evening, "f4", 6)
        evening.forget()
        evening.move("f4", "f5", settle=3)
        assert evening.actions == [Move(*way("f4-f5"))]
        evening.play("f7-f6")


class TestAnEmptySquare:
    @pytest.fixture
    def evening(self) -> TableDriver:
        evening = TableDriver.begun()
        blink_red(evening, "f5", 6)
        assert evening.told(SensorFlickering) == [SensorFlickering(square("f5"))]
        evening.forget()
        return evening

    def test_it_is_no_move_of_a_piece_that_is_lifted_behind_it(self, evening: TableDriver) -> None:
        piece = evening.lift("f4")
        blink_red(evening, "f5", 3)
        evening.place(piece, "f4")
        evening.wait()
        assert not evening.actions
        assert not evening.told(BoardDiffers)
        evening.play("e4-e5")

    def test_a_piece_that_is_set_down_there_is_ruled_when_it_has_stood(
        self, evening: TableDriver
    ) -> None:
        evening.move("f4", "f5", settle=0.5)
        assert not evening.actions
        evening.wait(2)
        assert evening.actions == [Move(*way("f4-f5"))]
        evening.play("f7-f6")
        assert not evening.told(SensorFlickering)

    def test_hands_that_think_are_no_flicker(self) -> None:
        """Three pieces are lifted and put back several times each."""
        evening = TableDriver.begun()
        for name in ("e4", "f4", "i4") * 4:
            blink_empty(evening, name)
        assert not evening.told(SensorFlickering)


def test_a_piece_that_is_set_down_where_a_sensor_blinks_fast_is_ruled() -> None:
    """f5 is reported as red for 0.2 s, then as empty for 0.6 s, and so on."""
    evening = TableDriver.begun()
    for _ in range(6):
        evening.stand(RED, square("f5"))
        evening.wait(0.2)
        evening.lift("f5")
        evening.wait(0.6)
    evening.forget()
    evening.move("f4", "f5", settle=2.5)
    assert evening.actions == [Move(*way("f4-f5"))]
    assert not evening.told(BoardDiffers)
