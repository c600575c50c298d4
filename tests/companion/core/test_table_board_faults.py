"""The game continues when the board reports a failed sensor or a low supply voltage."""

import pytest

from companion.core.events import BoardDiffers, LowSupply, SensorFailed
from companion.core.inputs import BoardFaultReported, CommandInput
from companion.core.recognition_limits import LIMITS
from engine.board.geometry import Side, Square, set_of, square
from engine.game.actions import Move
from tests.companion.core.table_driver import TableDriver
from tests.engine.tables import way

AGAIN = 0.5
"""Interval at which a board repeats a fault report, in seconds."""
F4, F5 = square("f4"), square("f5")


def complain(
    driver: TableDriver, where: Square | None, seconds: float, *, is_dying: bool = False
) -> None:
    """Repeatedly report a sensor fault or low supply voltage for the given number of seconds."""
    for _ in range(round(seconds / AGAIN)):
        driver.submit(BoardFaultReported(driver.now, where, is_dying=is_dying))
        driver.wait(AGAIN)


class TestASensor:
    def test_lasting_fault_is_named_once(self) -> None:
        driver = TableDriver.begun()
        complain(driver, F4, LIMITS.fault_counts_seconds)
        assert not driver.emitted(SensorFailed)
        complain(driver, F4, 5)
        assert driver.emitted(SensorFailed) == [SensorFailed(F4)]
        assert driver.table.failing == set_of([F4])
        assert not driver.table.doubted

    def test_faulty_square_is_ignored(self) -> None:
        driver = TableDriver.begun()
        complain(driver, F4, 3)
        driver.lift("f4")
        driver.stand(Side.BLUE, F4)
        complain(driver, F4, 3)
        assert not driver.emitted(BoardDiffers)
        driver.move("e4", "e5", settle=0.5)
        complain(driver, F4, 2)
        assert driver.actions == [Move(*way("e4-e5"))]

    def test_move_by_screen_on_a_faulty_square(self) -> None:
        driver = TableDriver.begun()
        complain(driver, F5, 3)
        driver.lift("f4")
        driver.submit(CommandInput(driver.now, Move(F4, F5)))
        complain(driver, F5, 3)
        assert driver.actions == [Move(F4, F5)]
        assert not driver.emitted(BoardDiffers)

    def test_square_counts_again_after_the_fault(self) -> None:
        driver = TableDriver.begun()
        complain(driver, F4, 3)
        driver.wait(LIMITS.fault_over_seconds)
        assert not driver.table.failing
        driver.play("f4-f5")
        assert driver.actions == [Move(F4, F5)]

    def test_short_fault_is_ignored(self) -> None:
        driver = TableDriver.begun()
        for _ in range(5):
            complain(driver, F5, LIMITS.fault_counts_seconds)
            driver.wait(LIMITS.fault_over_seconds)
        assert not driver.emitted(SensorFailed)

    def test_disconnected_board_has_no_faults(self) -> None:
        driver = TableDriver.begun()
        complain(driver, F4, 3)
        driver.lose_board()
        assert not driver.table.failing


class TestSuspectedSensorFailure:
    """While a piece is lifted, faults are ignored, because a hand can make a sensor seem faulty."""

    @pytest.mark.parametrize("before", [0.0, 1.0])
    def test_dying_sensor_counts_only_without_pieces_in_hand(self, before: float) -> None:
        driver = TableDriver.begun()
        complain(driver, F5, before, is_dying=True)
        piece = driver.lift("f4")
        complain(driver, F5, 4, is_dying=True)
        assert not driver.emitted(SensorFailed)
        driver.place(piece, "f5")
        driver.wait(0.5)
        assert driver.actions == [Move(F4, F5)]
        complain(driver, F5, 1, is_dying=True)
        assert not driver.emitted(SensorFailed), (
            "time during which a piece is lifted does not count"
        )
        complain(driver, F5, 1, is_dying=True)
        assert driver.emitted(SensorFailed) == [SensorFailed(F5)]

    def test_earlier_failed_sensor_keeps_failing(self) -> None:
        driver = TableDriver.begun()
        complain(driver, F5, 2, is_dying=True)
        driver.lift("e4")
        complain(driver, F5, 4, is_dying=True)
        assert driver.table.failing == set_of([F5])

    def test_wire_fault_counts_with_pieces_in_hand(self) -> None:
        driver = TableDriver.begun()
        driver.lift("f4")
        for _ in range(4):
            complain(driver, F5, AGAIN)
            complain(driver, F5, AGAIN, is_dying=True)
        assert driver.emitted(SensorFailed) == [SensorFailed(F5)]


class TestTheSupply:
    def test_low_supply_is_announced_once(self) -> None:
        driver = TableDriver.begun()
        complain(driver, None, 5)
        assert driver.emitted(LowSupply) == [LowSupply()]
        assert driver.table.is_supply_low
        assert not driver.table.unbelieved
        driver.move("e4", "e5", settle=0.5)
        complain(driver, None, 2)
        assert driver.actions == [Move(*way("e4-e5"))]

    def test_low_supply_ends_by_itself(self) -> None:
        driver = TableDriver.begun()
        complain(driver, None, 3)
        driver.wait(LIMITS.fault_over_seconds)
        assert not driver.table.is_supply_low
