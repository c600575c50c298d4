"""Tests for hovering hands. No sensor may be reported as dying, and the piece must be shown soon
after its release."""

import random
from pathlib import Path

import pytest

from hardware.emulator.board import EmulatedBoard
from hardware.emulator.physics import Field, Spread
from tests.campaigns import Campaign
from tests.hardware.hovering import HoveringHands
from tests.hardware.sensor_faults import calibrated, positions

MOVES = Campaign("hovering", part=1, whole=200)
ORDINARY = Campaign("hovering", part=2, whole=200)
SEEN_WITHIN_MS = 300
A_BOARD = 20
"""Number of moves on each board."""


@pytest.fixture(scope="module")
def eeprom(firmware_elf: Path) -> bytes:
    """Return the EEPROM contents of a calibrated board with worst-case parts."""
    return calibrated(firmware_elf)


def played(elf: Path, eeprom: bytes, moves: int, seed: int, *, hovers: bool) -> list[float]:
    """Return the delay of each move, in milliseconds. Check that no fault is reported."""
    late: list[float] = []
    for image in positions(random.Random(seed)):
        seed += 1
        count = min(A_BOARD, moves - len(late))
        if count == 0:
            return late
        with EmulatedBoard(elf, Field(Spread().sensors(1)), seed=seed) as board:
            board.eeprom = eeprom
            board.power_on()
            board.show(image)
            board.run(1_000_000)
            hands = HoveringHands(board, seed)
            for _ in range(count):
                hands.move(hovers=hovers)
        assert hands.results.false_faults == 0, (seed, hands.results)
        late += hands.results.late_ms
    return late


@MOVES
def test_hovering_hand_is_no_fault(firmware_elf: Path, eeprom: bytes) -> None:
    late = played(firmware_elf, eeprom, MOVES.size, 100, hovers=True)
    assert len(late) == MOVES.size
    assert max(late) <= SEEN_WITHIN_MS


@ORDINARY
def test_ordinary_move_is_no_fault(firmware_elf: Path, eeprom: bytes) -> None:
    late = played(firmware_elf, eeprom, ORDINARY.size, 500, hovers=False)
    assert len(late) == ORDINARY.size
    assert max(late) <= SEEN_WITHIN_MS
