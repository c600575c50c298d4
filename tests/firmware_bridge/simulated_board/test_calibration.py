"""Calibration of the simulated board, as specified in docs/protocol.md."""

from collections.abc import Callable

import pytest

from engine.board.geometry import SQUARES, Side, SquareSet, set_of, square, squares_in
from firmware_bridge.image import ARMIES, Image
from firmware_bridge.simulated_board.board import VirtualBoard
from firmware_bridge.simulated_board.fault_injection import exchange, inject
from firmware_bridge.simulated_board.sensors import Calibration
from firmware_bridge.wire import BoardKind, Learned, LearnResult, LearnStep


def set_up(board: VirtualBoard) -> None:
    for side in Side:
        for each in squares_in(side.home):
            board.stand(side, each)


def clear(board: VirtualBoard) -> None:
    for each in SQUARES:
        if board.at(each):
            board.take_away(each)


def answer(
    step: LearnStep, result: LearnResult = LearnResult.DONE, squares: SquareSet = 0
) -> Learned:
    return Learned(step, {result: squares})


def squares(*names: str) -> SquareSet:
    return set_of(map(square, names))


@pytest.fixture(params=BoardKind)
def any_board(request: pytest.FixtureRequest) -> VirtualBoard:
    return VirtualBoard(request.param)


def test_the_steps_in_their_order(any_board: VirtualBoard) -> None:
    board = any_board
    board.erase()
    assert board.learn(LearnStep.EMPTY) == answer(LearnStep.EMPTY)
    set_up(board)
    assert board.learn(LearnStep.ARMIES) == answer(LearnStep.ARMIES)
    assert board.calibration is None, "until it is saved"
    assert board.learn(LearnStep.SAVE) == answer(LearnStep.SAVE)
    assert board.calibration
    assert board.image().occupied == ARMIES.occupied
    clear(board)
    assert board.image() == Image()


def test_calibration_cures_drift(board: VirtualBoard) -> None:
    inject(board, "drift:e4")
    assert board.faults()
    board.learn(LearnStep.EMPTY)
    set_up(board)
    board.learn(LearnStep.ARMIES)
    board.learn(LearnStep.SAVE)
    assert board.faults() == []
    assert board.image() == ARMIES


@pytest.mark.parametrize(
    ("before", "step"),
    [
        ([], LearnStep.ARMIES),
        ([], LearnStep.SAVE),
        ([LearnStep.EMPTY], LearnStep.SAVE),
        ([LearnStep.EMPTY, LearnStep.ABORT], LearnStep.ARMIES),
        ([LearnStep.EMPTY, LearnStep.ARMIES, LearnStep.ABORT], LearnStep.SAVE),
        ([LearnStep.EMPTY, LearnStep.ARMIES, LearnStep.EMPTY], LearnStep.SAVE),
        ([LearnStep.EMPTY, LearnStep.ARMIES, LearnStep.SAVE], LearnStep.SAVE),
    ],
)
def test_a_step_that_another_one_must_precede(
    board: VirtualBoard, before: list[LearnStep], step: LearnStep
) -> None:
    for each in before:
        clear(board)
        if each is LearnStep.ARMIES:
            set_up(board)
        assert board.learn(each) == answer(each)
    used = board.calibration
    assert board.learn(step) == answer(step, LearnResult.OUT_OF_ORDER)
    assert board.calibration is used


def test_an_empty_board_must_be_empty(any_board: VirtualBoard) -> None:
    board = any_board
    board.stand(Side.RED, square("e4"))
    board.stand(Side.BLUE, square("c5"))
    occupied = squares("e4", "c5")
    assert board.learn(LearnStep.EMPTY) == answer(LearnStep.EMPTY, LearnResult.OCCUPIED, occupied)
    assert board.learn(LearnStep.ARMIES) == answer(LearnStep.ARMIES, LearnResult.OUT_OF_ORDER)


@pytest.mark.parametrize("magnet", [0.25, -1])
def test_the_board_is_not_empty_as_long_as_any_magnet_is_felt(
    board: VirtualBoard, magnet: float
) -> None:
    board.stand(Side.RED, square("e4"), magnet=magnet)
    refused = answer(LearnStep.EMPTY, LearnResult.OCCUPIED, squares("e4"))
    assert board.learn(LearnStep.EMPTY) == refused


def exchange_the_sensor(board: VirtualBoard, where: str) -> None:
    """Calibrate with a piece of low deflection; then replace the sensor by a different one."""
    board.drift(square(where), -50)
    board.learn(LearnStep.EMPTY)
    set_up(board)
    exchange(board, square(where), magnet=0.6)
    assert board.learn(LearnStep.ARMIES) == answer(LearnStep.ARMIES)
    board.learn(LearnStep.SAVE)
    clear(board)
    board.drift(square(where), 107)


def test_what_was_learned_of_another_sensor_can_be_put_aside(board: VirtualBoard) -> None:
    exchange_the_sensor(board, "e4")
    refused = answer(LearnStep.EMPTY, LearnResult.OCCUPIED, squares("e4"))
    assert board.learn(LearnStep.EMPTY) == refused
    old = board.calibration
    assert board.learn(LearnStep.FORGET) == answer(LearnStep.FORGET)
    assert board.calibration is None
    assert board.image() == Image()
    board.stand(Side.RED, square("e4"))
    assert board.learn(LearnStep.EMPTY) == refused, "a magnet is felt all the same"
    board.take_away(square("e4"))
    assert board.learn(LearnStep.EMPTY) == refused, "nor is it let go, so far off the usual rest"
    for step in (LearnStep.FORGET, LearnStep.EMPTY, LearnStep.ARMIES, LearnStep.SAVE):
        assert board.learn(step) == answer(step)
        if step is LearnStep.EMPTY:
            set_up(board)
    assert board.calibration not in (None, old)
    assert board.image() == ARMIES


@pytest.mark.parametrize(
    "bring_back", [VirtualBoard.restart, lambda board: board.learn(LearnStep.ABORT)]
)
def test_what_was_put_aside_comes_back(
    board: VirtualBoard, bring_back: Callable[[VirtualBoard], object]
) -> None:
    old = board.calibration
    board.learn(LearnStep.FORGET)
    bring_back(board)
    assert board.calibration is old
    assert board.learn(LearnStep.ARMIES) == answer(LearnStep.ARMIES, LearnResult.OUT_OF_ORDER)


def test_weak_missing_and_flipped_magnets_are_named(board: VirtualBoard) -> None:
    board.learn(LearnStep.EMPTY)
    set_up(board)
    inject(board, "weak:e4")
    board.take_away(square("k10"))
    inject(board, "missing:c2")
    inject(board, "flipped:a1")
    inject(board, "flipped:a7")
    used = board.calibration
    assert board.learn(LearnStep.ARMIES) == Learned(
        LearnStep.ARMIES,
        {
            LearnResult.WEAK: squares("e4"),
            LearnResult.FLIPPED: squares("a1", "a7"),
            LearnResult.MISSING: squares("c2", "k10"),
        },
    )
    assert board.learn(LearnStep.SAVE) == answer(LearnStep.SAVE, LearnResult.OUT_OF_ORDER)
    assert board.calibration is used

    for each in ("e4", "c2", "a1", "a7"):
        exchange(board, square(each))
    board.stand(Side.BLUE, square("k10"))
    assert board.learn(LearnStep.ARMIES) == answer(LearnStep.ARMIES), "the empty board is known"


def test_switches_do_not_tell_a_flipped_magnet() -> None:
    board = VirtualBoard(BoardKind.PRESENCE)
    board.learn(LearnStep.EMPTY)
    set_up(board)
    inject(board, "flipped:a1")
    assert board.learn(LearnStep.ARMIES) == answer(LearnStep.ARMIES)
    inject(board, "weak:e4")
    missing = answer(LearnStep.ARMIES, LearnResult.MISSING, squares("e4"))
    assert board.learn(LearnStep.ARMIES) == missing, "what does not close it is nothing to it"


def test_a_dead_sensor_feels_no_piece_at_all(any_board: VirtualBoard) -> None:
    board = any_board
    inject(board, "dead:e4")
    assert board.learn(LearnStep.EMPTY) == answer(LearnStep.EMPTY)
    set_up(board)
    missing = answer(LearnStep.ARMIES, LearnResult.MISSING, squares("e4"))
    assert board.learn(LearnStep.ARMIES) == missing
    exchange(board, square("e4"))
    assert board.learn(LearnStep.ARMIES) == missing


def test_a_restart_forgets_what_was_not_saved(board: VirtualBoard) -> None:
    board.learn(LearnStep.EMPTY)
    used = board.calibration
    board.restart()
    set_up(board)
    assert board.learn(LearnStep.ARMIES) == answer(LearnStep.ARMIES, LearnResult.OUT_OF_ORDER)
    assert board.calibration is used


def test_the_rows_between_take_the_median_of_the_armies(board: VirtualBoard) -> None:
    board.learn(LearnStep.EMPTY)
    for side, magnet in ((Side.RED, 0.8), (Side.BLUE, 1.2)):
        for each in squares_in(side.home):
            board.stand(side, each, magnet=magnet)
    board.take_away(square("e4"))
    board.stand(Side.RED, square("e4"), magnet=1.0)
    board.learn(LearnStep.ARMIES)
    board.learn(LearnStep.SAVE)
    assert board.calibration
    on = board.calibration.on
    assert on[square("a1")] == 40, "17 % of 240 counts"
    assert on[square("a10")] == 61, "17 % of 360"
    assert {on[each] for each in range(40, 60)} == {sorted(on[:40] + on[60:])[39]}


def test_the_checksum_tells_calibrations_apart_and_is_never_none() -> None:
    checksums = set()
    for pull in range(200, 260):
        checksums.add(Calibration((500,) * 100, (pull,) * 100).checksum)
    assert len(checksums) == 60
    assert 0 not in checksums
