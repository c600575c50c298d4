"""The calibration of the real firmware, under emulation: learned, kept, and never a wrong one."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.squares import Square, set_of
from firmware_bridge.image import Image
from firmware_bridge.wire import Hello, Identify, Learn, Learned, LearnResult, LearnStep, State
from hardware.emulator.board import EmulatedBoard
from hardware.emulator.physics import NORTH, SOUTH, WORST_CROWDING, Field, Magnet, Sensor, Spread

ARMIES = Image(red=(1 << 40) - 1, blue=((1 << 40) - 1) << 60)
SETTLED_US = 45_000
ANSWERED_US = 1_000_000


@pytest.fixture
def board(firmware_elf: Path) -> Iterator[EmulatedBoard]:
    """A board of the worst parts that nobody has calibrated."""
    field = Field(Spread().sensors(seed=1), crowding=WORST_CROWDING)
    with EmulatedBoard(firmware_elf, field) as board:
        board.power_on()
        board.run(SETTLED_US)
        yield board


def learn(board: EmulatedBoard, step: LearnStep) -> dict[LearnResult, int]:
    """Ask for a step and wait for what comes of it: squares, by result."""
    board.send(Learn(step))
    (learned,) = (h.message for h in board.run(ANSWERED_US) if isinstance(h.message, Learned))
    assert learned.step is step
    return dict(learned.results)


DONE = {LearnResult.DONE: 0}


def learn_all_but_save(board: EmulatedBoard) -> None:
    board.show(Image())
    board.run(SETTLED_US)
    assert learn(board, LearnStep.EMPTY) == DONE
    board.show(ARMIES)
    board.run(SETTLED_US)
    assert learn(board, LearnStep.ARMIES) == DONE


def checksum(board: EmulatedBoard) -> int:
    """Of the calibration in use, as the board says."""
    board.send(Identify())
    (hello,) = (h.message for h in board.run(500_000) if isinstance(h.message, Hello))
    return hello.calibration


def cut_power(board: EmulatedBoard) -> None:
    board.power_off()
    board.run(10_000)
    board.power_on()
    board.run(SETTLED_US)


def seen(board: EmulatedBoard) -> Image:
    return [h.message for h in board.run(SETTLED_US) if isinstance(h.message, State)][-1].image


def test_what_was_learned_outlives_the_power(board: EmulatedBoard) -> None:
    assert checksum(board) == 0
    learn_all_but_save(board)
    assert checksum(board) == 0
    assert learn(board, LearnStep.SAVE) == DONE
    learned = checksum(board)
    assert learned
    cut_power(board)
    assert checksum(board) == learned
    assert seen(board) == ARMIES


def test_a_calibrated_board_bears_drift_over_the_whole_range(board: EmulatedBoard) -> None:
    learn_all_but_save(board)
    learn(board, LearnStep.SAVE)
    for drift in range(-40, 41, 10):
        board.field.drift = drift
        board.show(ARMIES)
        board.run(SETTLED_US)
        assert seen(board) == ARMIES, drift


@pytest.mark.parametrize("magnet", [NORTH, SOUTH])
def test_a_piece_that_was_left_standing_is_never_learned_as_empty(
    board: EmulatedBoard, magnet: Magnet
) -> None:
    board.place(37, magnet)
    board.run(SETTLED_US)
    assert learn(board, LearnStep.EMPTY) == {LearnResult.OCCUPIED: set_of([37])}
    board.place(37, None)
    board.run(SETTLED_US)
    assert learn(board, LearnStep.ARMIES) == {LearnResult.OUT_OF_ORDER: 0}


@pytest.mark.parametrize(
    ("square", "magnet", "result"),
    [
        (3, Magnet(north_up=True, strength=0.3), LearnResult.WEAK),
        (97, None, LearnResult.MISSING),
        (12, SOUTH, LearnResult.FLIPPED),
        (64, NORTH, LearnResult.FLIPPED),
    ],
)
def test_weak_missing_and_flipped_magnets_are_named(
    board: EmulatedBoard, square: Square, magnet: Magnet | None, result: LearnResult
) -> None:
    assert learn(board, LearnStep.EMPTY) == DONE
    board.show(ARMIES)
    board.place(square, magnet)
    board.run(SETTLED_US)
    assert learn(board, LearnStep.ARMIES) == {result: set_of([square])}


def test_a_power_cut_at_any_moment_leaves_the_old_calibration_or_the_new_one(
    board: EmulatedBoard, firmware_elf: Path
) -> None:
    """Every EEPROM that a cut during SAVE would leave is given to another board."""
    learn_all_but_save(board)
    assert learn(board, LearnStep.SAVE) == DONE
    old = checksum(board)
    board.field.sensors[50] = Sensor(offset=-30)
    board.sense_anew()
    learn_all_but_save(board)
    board.send(Learn(LearnStep.SAVE))
    dice = random.Random(200)
    left: list[bytes] = []
    while len(left) < 200 or checksum_of(left[-1], firmware_elf) == old:
        board.run(dice.randrange(7_000))
        left.append(board.eeprom_after_cut)
    board.run(ANSWERED_US)
    new = checksum(board)
    found = [checksum_of(eeprom, firmware_elf) for eeprom in left]
    assert new not in (0, old)
    assert found == sorted(found, key=lambda each: each == new)
    assert set(found) == {old, new}


def checksum_of(eeprom: bytes, firmware: Path) -> int:
    """Of the calibration that a board with this EEPROM uses when it starts."""
    with EmulatedBoard(firmware) as board:
        board.eeprom = eeprom
        board.power_on()
        (hello,) = (h.message for h in board.run(15_000) if isinstance(h.message, Hello))
        return hello.calibration
