"""Tests for calibrating the real firmware in the emulator."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.board.geometry import names, set_of, square
from firmware_bridge.image import ARMIES, Image
from firmware_bridge.wire import CalibrationResult, CalibrationStep, FaultCode
from hardware.emulator import physics
from hardware.emulator.board import EmulatedBoard
from tests.campaigns import Campaign
from tests.hardware import calibrating

RANGES = Campaign("boards", part=1, whole=2)
DRIFTS = Campaign("boards", part=1, whole=5)

DEAD = 512.0
"""Output, in counts, of a dead sensor that is not stuck at a supply rail."""


@pytest.fixture
def board(firmware_elf: Path) -> Iterator[EmulatedBoard]:
    """Yield an uncalibrated board with worst-case parts."""
    field = physics.Field(physics.Spread().sensors(seed=1), crowding=physics.WORST_CROWDING)
    with EmulatedBoard(firmware_elf, field) as board:
        board.power_on()
        board.run(calibrating.SETTLED_US)
        yield board


@pytest.fixture
def calibrated(board: EmulatedBoard) -> EmulatedBoard:
    calibrating.calibrate(board)
    return board


def reported_faults(board: EmulatedBoard) -> dict[FaultCode, int]:
    """Return the squares that the board reports as faulty, keyed by fault code."""
    squares: dict[FaultCode, int] = {}
    for fault in calibrating.faults(board):
        if fault.square is not None:
            squares[fault.code] = squares.get(fault.code, 0) | 1 << fault.square
    return squares


def squares(*names: str) -> int:
    return set_of(map(square, names))


def test_calibration_survives_power_off(board: EmulatedBoard) -> None:
    calibrating.learn_empty(board)
    assert calibrating.learn_armies(board) == calibrating.DONE
    assert calibrating.checksum(board) == 0, "there is no calibration until it is saved"
    assert calibrating.learn(board, CalibrationStep.SAVE) == calibrating.DONE
    learned = calibrating.checksum(board)
    assert learned
    board.power_off()
    board.run(10_000)
    board.power_on()
    board.run(calibrating.SETTLED_US)
    assert calibrating.checksum(board) == learned
    assert calibrating.seen(board) == ARMIES


@pytest.mark.parametrize("magnet", [physics.NORTH, physics.SOUTH])
def test_leftover_piece_is_not_learned_as_empty(
    board: EmulatedBoard, magnet: physics.Magnet
) -> None:
    board.place(37, magnet)
    board.run(calibrating.SETTLED_US)
    assert calibrating.learn(board, CalibrationStep.EMPTY) == {
        CalibrationResult.OCCUPIED: set_of([37])
    }
    board.place(37, None)
    board.run(calibrating.SETTLED_US)
    assert calibrating.learn(board, CalibrationStep.ARMIES) == {CalibrationResult.OUT_OF_ORDER: 0}


# Magnets


def test_bad_magnets_are_classified(board: EmulatedBoard) -> None:
    calibrating.learn_empty(board)
    for where, magnet in {
        "d1": physics.Magnet(north_up=True, strength=0.45),
        "h8": physics.Magnet(north_up=False, strength=0.3),
        "c2": physics.SOUTH,
        "e7": physics.NORTH,
        "h10": None,
        "b3": physics.Magnet(north_up=True, strength=0.0),
    }.items():
        board.place(square(where), magnet)
    assert calibrating.learn_armies(board) == {
        CalibrationResult.WEAK: squares("d1", "h8"),
        CalibrationResult.FLIPPED: squares("c2", "e7"),
        CalibrationResult.MISSING: squares("h10", "b3"),
    }
    board.show(ARMIES)
    assert calibrating.learn_armies(board) == calibrating.DONE, (
        "with new magnets, the second step alone is enough"
    )


@pytest.mark.parametrize("seed", range(4))
def test_empty_square_between_neighbours(firmware_elf: Path, seed: int) -> None:
    """Crosstalk is worst when all eight neighbours are occupied."""
    gaps = squares("b2", "e2", "h2", "b9", "e9", "h9")
    with EmulatedBoard(
        firmware_elf, physics.Field(physics.Spread().sensors(seed), physics.WORST_CROWDING)
    ) as board:
        board.power_on()
        calibrating.learn_empty(board)
        board.show(Image(red=ARMIES.red & ~gaps, blue=ARMIES.blue & ~gaps))
        assert calibrating.learn_armies(board) == {CalibrationResult.MISSING: gaps}


def test_missing_army_is_reported(board: EmulatedBoard) -> None:
    calibrating.learn_empty(board)
    board.show(Image(red=ARMIES.red))
    assert calibrating.learn_armies(board) == {CalibrationResult.MISSING: ARMIES.blue}
    board.show(Image())
    assert calibrating.learn_armies(board) == {CalibrationResult.MISSING: ARMIES.occupied}


# Sensors


def test_dead_sensor_detects_nothing(board: EmulatedBoard) -> None:
    where = square("c3")
    board.field.broken = {where: DEAD}
    calibrating.learn_empty(board)
    missing = {CalibrationResult.MISSING: set_of([where])}
    assert calibrating.learn_armies(board) == missing
    board.place(where, physics.Magnet(north_up=True, strength=1.3))
    assert calibrating.learn_armies(board) == missing
    assert calibrating.seen(board) == Image(red=ARMIES.red & ~(1 << where), blue=ARMIES.blue)


def test_sensors_at_the_rails_are_refused(board: EmulatedBoard) -> None:
    where = squares("f8", "c3")
    board.field.broken = {square("f8"): 0.0, square("c3"): 1023.0}
    board.update_sensors()
    assert reported_faults(board) == {FaultCode.STUCK_CHANNEL: where}
    assert calibrating.learn(board, CalibrationStep.EMPTY) == {CalibrationResult.OCCUPIED: where}


def test_sensor_failure_during_a_game_is_reported(calibrated: EmulatedBoard) -> None:
    board = calibrated
    board.field.broken = {square("d1"): 0.0, square("h8"): 1023.0}
    board.update_sensors()
    assert reported_faults(board) == {FaultCode.STUCK_CHANNEL: squares("d1", "h8")}
    assert calibrating.seen(board) == ARMIES, (
        "a reading at the end of the range keeps the last image"
    )


# Drift

GAPS = set_of(10 * row + column for row in (1, 4, 7) for column in (1, 4, 7))
"""Squares that have eight neighbours each and are not adjacent to one another."""
EVERYWHERE = (1 << 100) - 1
CROWDED_AND_EMPTIED = [
    Image(),
    *(Image(red=red, blue=blue) for red, blue in [(EVERYWHERE, 0), (EVERYWHERE & ~GAPS, 0)]),
    *(Image(red=EVERYWHERE & ~GAPS, blue=blue) for blue in (GAPS, 0)),
    *(Image(red=red) for red in (GAPS, 0)),
    *(Image(blue=blue) for blue in (GAPS, 0, EVERYWHERE, EVERYWHERE & ~GAPS)),
    *(Image(red=red, blue=EVERYWHERE & ~GAPS) for red in (GAPS, 0)),
    ARMIES,
]
"""Successive images. From one to the next, pieces are added or removed. They stand alone, among
pieces of their own colour, or among pieces of the other colour."""
CROWDS = Campaign("boards", part=5, whole=len(CROWDED_AND_EMPTIED))
WORST_DRIFT = 10
USUAL_DRIFT = 15
"""Drift, in counts, that causes no errors even if all sensors drift in the same direction
(docs/hardware/calibration.md). It applies to pieces that deflect a sensor by 300 counts. With
stronger pieces, the harmless drift is proportionally larger."""


@RANGES
@pytest.mark.parametrize(
    ("crowding", "range_counts"),
    RANGES.among([(physics.WORST_CROWDING, WORST_DRIFT), (physics.CROWDING, USUAL_DRIFT)]),
)
def test_squares_are_correct_while_all_sensors_drift(
    firmware_elf: Path, crowding: float, range_counts: int
) -> None:
    with EmulatedBoard(
        firmware_elf, physics.Field(physics.Spread().sensors(seed=1), crowding)
    ) as board:
        board.power_on()
        calibrating.calibrate(board)
        for drift in range(-range_counts, range_counts + 1, range_counts // 2):
            board.field.drift = drift
            for image in CROWDS.among(CROWDED_AND_EMPTIED):
                board.show(image)
                board.run(calibrating.SETTLED_US)
                shown = calibrating.seen(board)
                assert shown == image, (drift, names(shown.occupied ^ image.occupied))


@DRIFTS
@pytest.mark.parametrize(
    ("standing", "drift", "drifted"),
    DRIFTS.among(
        [
            # The fields of neighbouring pieces may add up. Even then, drift is reported before a
            # square is misread.
            (Image(red=EVERYWHERE & ~GAPS), -14, GAPS),
            (Image(blue=EVERYWHERE & ~GAPS), 14, GAPS),
            (Image(red=EVERYWHERE & ~GAPS), 0, 0),
            (Image(), -36, EVERYWHERE),
            (Image(), 26, 0),
        ]
    ),
)
def test_drift_is_reported_on_empty_squares(
    calibrated: EmulatedBoard, standing: Image, drift: int, drifted: int
) -> None:
    calibrated.show(standing)
    calibrated.run(calibrating.SETTLED_US)
    calibrated.field.drift = drift
    calibrated.update_sensors()
    assert reported_faults(calibrated) == ({FaultCode.DRIFT: drifted} if drifted else {})
