"""Tests for the simulated board's sensor readings and the states derived from them."""

import pytest

from engine.board.geometry import SQUARES, Side, name, square
from firmware_bridge.image import Image
from firmware_bridge.simulated_board.board import FAULTS, SimulatedBoard, inject
from firmware_bridge.wire import BoardKind, FaultCode

E4, E7 = square("e4"), square("e7")


@pytest.fixture
def board() -> SimulatedBoard:
    board = SimulatedBoard()
    board.stand(Side.RED, E4)
    board.stand(Side.BLUE, E7)
    return board


def test_red_reads_high_and_blue_reads_low(board: SimulatedBoard) -> None:
    readings = board.readings()
    assert readings[E4] == pytest.approx(812, abs=17)
    assert readings[E7] == pytest.approx(212, abs=17)
    rests = [reading for n, reading in enumerate(readings) if n not in (E4, E7)]
    assert all(abs(rest - 512) <= 17 for rest in rests)
    assert len(set(rests)) > 10, "the sensors have different resting levels"


def test_sensor_noise_is_reproducible(board: SimulatedBoard) -> None:
    looks = [board.readings() for _ in range(20)]
    for each in SQUARES:
        seen = [look[each] for look in looks]
        assert 0 < max(seen) - min(seen) <= 4, name(each)
    other = SimulatedBoard()
    other.stand(Side.RED, E4)
    other.stand(Side.BLUE, E7)
    assert [other.readings() for _ in range(20)] == looks


def test_switch_readings() -> None:
    board = SimulatedBoard(BoardKind.PRESENCE)
    board.stand(Side.RED, E4)
    board.stand(Side.BLUE, E7)
    readings = board.readings()
    assert readings[E4] <= 2
    assert readings[E7] <= 2
    assert readings[0] >= 1021
    assert board.faults() == []


@pytest.mark.parametrize(
    ("fault", "image", "faults"),
    [
        ("weak:e4", Image(red=1 << E4, blue=1 << E7), []),
        ("flipped:e4", Image(blue=1 << E4 | 1 << E7), []),
        ("flipped:e7", Image(red=1 << E4 | 1 << E7), []),
        (
            "stuck-low:e4",
            Image(1 << E4, 1 << E7),
            [(FaultCode.STUCK_CHANNEL, E4, 0)],
        ),
        (
            "stuck-high:a1",
            Image(1 << E4, 1 << E7),
            [(FaultCode.STUCK_CHANNEL, 0, 1023)],
        ),
        ("loose:e4", Image(1 << E4, 1 << E7), []),
        ("missing:e4", Image(blue=1 << E7), []),
        ("dead:e4", Image(blue=1 << E7), []),
        ("low-supply", Image(1 << E4, 1 << E7), [(FaultCode.LOW_SUPPLY, None, 4600)]),
    ],
)
def test_simulated_faults(
    board: SimulatedBoard,
    fault: str,
    image: Image,
    faults: list[tuple[FaultCode, int | None, int]],
) -> None:
    before = board.image()
    inject(board, fault)
    assert board.image() == image
    found = [(fault.code, fault.square, fault.value) for fault in board.faults()]
    assert [fault[:2] for fault in found] == [fault[:2] for fault in faults]
    assert [fault[2] for fault in found] == pytest.approx([fault[2] for fault in faults], abs=20)
    assert before == Image(red=1 << E4, blue=1 << E7)


def test_drifted_sensor_still_works(board: SimulatedBoard) -> None:
    before = board.image()
    for where in ("a1", "e4", "e7"):
        inject(board, f"drift:{where}")
    assert board.image() == before
    assert [(fault.code, fault.square) for fault in board.faults()] == [(FaultCode.DRIFT, 0)], (
        "under a piece, drift cannot be recognised"
    )
    board.set_drift(0, 100)
    assert board.image() != before, "such a large drift looks like a piece"


@pytest.mark.parametrize(
    ("fault", "complaint"),
    [
        ("rust:e4", "unknown fault 'rust:e4'"),
        ("weak", "expected a square.*, found ''"),
        ("weak:j4", "expected a square.*, found 'j4'"),
        ("weak:a1", "there is no piece on a1"),
    ],
)
def test_invalid_faults(board: SimulatedBoard, fault: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        inject(board, fault)


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_affect_only_their_square(board: SimulatedBoard, fault: str) -> None:
    usual = board.readings()
    inject(board, f"{fault}:e4")
    changed = [n for n, reading in enumerate(board.readings()) if abs(reading - usual[n]) > 10]
    assert changed == [E4]
