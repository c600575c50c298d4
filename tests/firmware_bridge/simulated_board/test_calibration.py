"""Tests for calibrating the simulated board (docs/protocol.md)."""

from collections.abc import Callable

import pytest

from engine.board.geometry import SQUARES, Side, SquareSet, set_of, square, squares_in
from firmware_bridge.image import ARMIES, Image
from firmware_bridge.simulated_board.board import SimulatedBoard, exchange, inject
from firmware_bridge.simulated_board.sensors import SensorCalibration
from firmware_bridge.wire import BoardKind, CalibrationReply, CalibrationResult, CalibrationStep


def set_up(board: SimulatedBoard) -> None:
    for side in Side:
        for each in squares_in(side.home):
            board.stand(side, each)


def clear(board: SimulatedBoard) -> None:
    for each in SQUARES:
        if board.at(each):
            board.take_away(each)


def answer(
    step: CalibrationStep,
    result: CalibrationResult = CalibrationResult.DONE,
    squares: SquareSet = 0,
) -> CalibrationReply:
    return CalibrationReply(step, {result: squares})


def squares(*names: str) -> SquareSet:
    return set_of(map(square, names))


@pytest.fixture(params=BoardKind)
def any_board(request: pytest.FixtureRequest) -> SimulatedBoard:
    return SimulatedBoard(request.param)


def test_calibration_steps_in_order(any_board: SimulatedBoard) -> None:
    board = any_board
    board.erase()
    assert board.learn(CalibrationStep.EMPTY) == answer(CalibrationStep.EMPTY)
    set_up(board)
    assert board.learn(CalibrationStep.ARMIES) == answer(CalibrationStep.ARMIES)
    assert board.calibration is None, "there is no calibration until it is saved"
    assert board.learn(CalibrationStep.SAVE) == answer(CalibrationStep.SAVE)
    assert board.calibration
    assert board.image().occupied == ARMIES.occupied
    clear(board)
    assert board.image() == Image()


def test_calibration_cures_drift(board: SimulatedBoard) -> None:
    inject(board, "drift:e4")
    assert board.faults()
    board.learn(CalibrationStep.EMPTY)
    set_up(board)
    board.learn(CalibrationStep.ARMIES)
    board.learn(CalibrationStep.SAVE)
    assert board.faults() == []
    assert board.image() == ARMIES


@pytest.mark.parametrize(
    ("before", "step"),
    [
        ([], CalibrationStep.ARMIES),
        ([], CalibrationStep.SAVE),
        ([CalibrationStep.EMPTY], CalibrationStep.SAVE),
        ([CalibrationStep.EMPTY, CalibrationStep.ABORT], CalibrationStep.ARMIES),
        (
            [CalibrationStep.EMPTY, CalibrationStep.ARMIES, CalibrationStep.ABORT],
            CalibrationStep.SAVE,
        ),
        (
            [CalibrationStep.EMPTY, CalibrationStep.ARMIES, CalibrationStep.EMPTY],
            CalibrationStep.SAVE,
        ),
        (
            [CalibrationStep.EMPTY, CalibrationStep.ARMIES, CalibrationStep.SAVE],
            CalibrationStep.SAVE,
        ),
    ],
)
def test_calibration_step_out_of_order(
    board: SimulatedBoard, before: list[CalibrationStep], step: CalibrationStep
) -> None:
    for each in before:
        clear(board)
        if each is CalibrationStep.ARMIES:
            set_up(board)
        assert board.learn(each) == answer(each)
    used = board.calibration
    assert board.learn(step) == answer(step, CalibrationResult.OUT_OF_ORDER)
    assert board.calibration is used


def test_an_empty_board_must_be_empty(any_board: SimulatedBoard) -> None:
    board = any_board
    board.stand(Side.RED, square("e4"))
    board.stand(Side.BLUE, square("c5"))
    occupied = squares("e4", "c5")
    assert board.learn(CalibrationStep.EMPTY) == answer(
        CalibrationStep.EMPTY, CalibrationResult.OCCUPIED, occupied
    )
    assert board.learn(CalibrationStep.ARMIES) == answer(
        CalibrationStep.ARMIES, CalibrationResult.OUT_OF_ORDER
    )


@pytest.mark.parametrize("magnet", [0.25, -1])
def test_board_with_a_magnet_is_not_empty(board: SimulatedBoard, magnet: float) -> None:
    board.stand(Side.RED, square("e4"), magnet=magnet)
    refused = answer(CalibrationStep.EMPTY, CalibrationResult.OCCUPIED, squares("e4"))
    assert board.learn(CalibrationStep.EMPTY) == refused


def exchange_the_sensor(board: SimulatedBoard, where: str) -> None:
    """Calibrate a square with a piece that causes only a small deflection. Then replace the sensor
    of that square."""
    board.set_drift(square(where), -50)
    board.learn(CalibrationStep.EMPTY)
    set_up(board)
    exchange(board, square(where), magnet=0.6)
    assert board.learn(CalibrationStep.ARMIES) == answer(CalibrationStep.ARMIES)
    board.learn(CalibrationStep.SAVE)
    clear(board)
    board.set_drift(square(where), 107)


def test_calibration_of_another_kind_is_set_aside(board: SimulatedBoard) -> None:
    exchange_the_sensor(board, "e4")
    refused = answer(CalibrationStep.EMPTY, CalibrationResult.OCCUPIED, squares("e4"))
    assert board.learn(CalibrationStep.EMPTY) == refused
    old = board.calibration
    assert board.learn(CalibrationStep.FORGET) == answer(CalibrationStep.FORGET)
    assert board.calibration is None
    assert board.image() == Image()
    board.stand(Side.RED, square("e4"))
    assert board.learn(CalibrationStep.EMPTY) == refused, "the magnet is detected all the same"
    board.take_away(square("e4"))
    assert board.learn(CalibrationStep.EMPTY) == refused, (
        "a reading so far from the usual resting level is rejected"
    )
    for step in (
        CalibrationStep.FORGET,
        CalibrationStep.EMPTY,
        CalibrationStep.ARMIES,
        CalibrationStep.SAVE,
    ):
        assert board.learn(step) == answer(step)
        if step is CalibrationStep.EMPTY:
            set_up(board)
    assert board.calibration not in (None, old)
    assert board.image() == ARMIES


@pytest.mark.parametrize(
    "bring_back", [SimulatedBoard.restart, lambda board: board.learn(CalibrationStep.ABORT)]
)
def test_set_aside_calibration_returns(
    board: SimulatedBoard, bring_back: Callable[[SimulatedBoard], object]
) -> None:
    old = board.calibration
    board.learn(CalibrationStep.FORGET)
    bring_back(board)
    assert board.calibration is old
    assert board.learn(CalibrationStep.ARMIES) == answer(
        CalibrationStep.ARMIES, CalibrationResult.OUT_OF_ORDER
    )


def test_weak_missing_and_flipped_magnets_are_reported(board: SimulatedBoard) -> None:
    board.learn(CalibrationStep.EMPTY)
    set_up(board)
    inject(board, "weak:e4")
    board.take_away(square("k10"))
    inject(board, "missing:c2")
    inject(board, "flipped:a1")
    inject(board, "flipped:a7")
    used = board.calibration
    assert board.learn(CalibrationStep.ARMIES) == CalibrationReply(
        CalibrationStep.ARMIES,
        {
            CalibrationResult.WEAK: squares("e4"),
            CalibrationResult.FLIPPED: squares("a1", "a7"),
            CalibrationResult.MISSING: squares("c2", "k10"),
        },
    )
    assert board.learn(CalibrationStep.SAVE) == answer(
        CalibrationStep.SAVE, CalibrationResult.OUT_OF_ORDER
    )
    assert board.calibration is used

    for each in ("e4", "c2", "a1", "a7"):
        exchange(board, square(each))
    board.stand(Side.BLUE, square("k10"))
    assert board.learn(CalibrationStep.ARMIES) == answer(CalibrationStep.ARMIES), (
        "the readings of the empty board are kept"
    )


def test_switches_ignore_polarity() -> None:
    board = SimulatedBoard(BoardKind.PRESENCE)
    board.learn(CalibrationStep.EMPTY)
    set_up(board)
    inject(board, "flipped:a1")
    assert board.learn(CalibrationStep.ARMIES) == answer(CalibrationStep.ARMIES)
    inject(board, "weak:e4")
    missing = answer(CalibrationStep.ARMIES, CalibrationResult.MISSING, squares("e4"))
    assert board.learn(CalibrationStep.ARMIES) == missing, (
        "a magnet too weak for the switch is not detected"
    )


def test_dead_sensor_reads_nothing(any_board: SimulatedBoard) -> None:
    board = any_board
    inject(board, "dead:e4")
    assert board.learn(CalibrationStep.EMPTY) == answer(CalibrationStep.EMPTY)
    set_up(board)
    missing = answer(CalibrationStep.ARMIES, CalibrationResult.MISSING, squares("e4"))
    assert board.learn(CalibrationStep.ARMIES) == missing
    exchange(board, square("e4"))
    assert board.learn(CalibrationStep.ARMIES) == missing


def test_restart_drops_unsaved_calibration(board: SimulatedBoard) -> None:
    board.learn(CalibrationStep.EMPTY)
    used = board.calibration
    board.restart()
    set_up(board)
    assert board.learn(CalibrationStep.ARMIES) == answer(
        CalibrationStep.ARMIES, CalibrationResult.OUT_OF_ORDER
    )
    assert board.calibration is used


def test_middle_rows_use_the_median(board: SimulatedBoard) -> None:
    board.learn(CalibrationStep.EMPTY)
    for side, magnet in ((Side.RED, 0.8), (Side.BLUE, 1.2)):
        for each in squares_in(side.home):
            board.stand(side, each, magnet=magnet)
    board.take_away(square("e4"))
    board.stand(Side.RED, square("e4"), magnet=1.0)
    board.learn(CalibrationStep.ARMIES)
    board.learn(CalibrationStep.SAVE)
    assert board.calibration
    on = board.calibration.on
    assert on[square("a1")] == 40, "17 % of 240 counts"
    assert on[square("a10")] == 61, "17 % of 360 counts"
    assert {on[each] for each in range(40, 60)} == {sorted(on[:40] + on[60:])[39]}


def test_calibration_checksum() -> None:
    checksums = set()
    for pull in range(200, 260):
        checksums.add(SensorCalibration((500,) * 100, (pull,) * 100).checksum)
    assert len(checksums) == 60
    assert 0 not in checksums
