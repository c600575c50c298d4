"""Tests for the weakest parts that docs/hardware/magnets.md allows, with the real firmware."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.board.geometry import SQUARES, Square, names, set_of
from firmware_bridge.image import Image
from hardware.emulator.board import EmulatedBoard
from hardware.emulator.physics import NORTH, SOUTH, WORST_CROWDING, Field, Magnet, Sensor, Spread
from tests.campaigns import Campaign, slow_after_first
from tests.hardware.calibrating import SETTLED_US, calibrate, seen

LEAST_KEEN = 128
"""Deflection, in counts, of an SS49E with 10 mV/mT if the gap is 6 mm. If it is 7 mm, the
deflection is 96 counts."""
FURTHEST = 51
"""Maximum sensor offset, in counts. It corresponds to 0.25 V, the limit in the SS49E data sheet."""
LETS_GO = 35 - 3
"""Maximum sensor offset, in counts, at which an uncalibrated square is sure to read as empty after
a piece is lifted. Noise may account for 3 of the 35 counts."""

PARTS = [
    Spread(offset=45, piece=LEAST_KEEN),
    Spread(offset=FURTHEST, piece=LEAST_KEEN),
    Spread(offset=FURTHEST, piece=96),
]


WALK = Campaign("boards", part=5, whole=100)
BOARDS = Campaign("boards", part=4, whole=30)


@pytest.fixture
def field(request: pytest.FixtureRequest) -> Field:
    return Field(request.param.sensors(seed=3), crowding=WORST_CROWDING)


@pytest.fixture
def board(firmware_elf: Path, field: Field) -> Iterator[EmulatedBoard]:
    with EmulatedBoard(firmware_elf, field) as board:
        board.power_on()
        board.run(SETTLED_US)
        yield board


def alone(square: Square, magnet: Magnet) -> Image:
    here = set_of([square])
    return Image(red=here) if magnet is NORTH else Image(blue=here)


# Calibrated


@WALK
@pytest.mark.parametrize("field", slow_after_first("boards", PARTS), indirect=True)
def test_calibration_compensates_weak_parts(board: EmulatedBoard) -> None:
    calibrate(board)
    board.show(Image())
    for square in WALK.among(SQUARES):
        for magnet in (NORTH, SOUTH):
            board.place(square, magnet)
            assert seen(board) == alone(square, magnet)
            board.place(square, None)
            assert seen(board) == Image()
    dice = random.Random(5)
    for _ in range(BOARDS.size):
        share = dice.random()
        standing = [square for square in SQUARES if dice.random() < share]
        red = {square for square in standing if dice.random() < 0.5}
        image = Image(red=set_of(red), blue=set_of(set(standing) - red))
        board.show(image)
        assert seen(board) == image, names(seen(board).occupied ^ image.occupied)


# Before calibration, a piece is moved over all squares


@pytest.mark.parametrize("offset", [-FURTHEST, FURTHEST])
@pytest.mark.parametrize("field", PARTS[:1], indirect=True)
def test_empty_squares_stay_empty(board: EmulatedBoard, offset: int) -> None:
    board.field.sensors[:] = [Sensor(offset)] * len(SQUARES)
    board.update_sensors()
    for _ in range(20):
        assert seen(board) == Image()


@WALK
@pytest.mark.parametrize("field", PARTS[:2], indirect=True)
@pytest.mark.parametrize("magnet", [NORTH, SOUTH])
def test_pieces_are_detected_and_released(board: EmulatedBoard, magnet: Magnet) -> None:
    leaning = set_of(n for n in SQUARES if abs(board.field.sensors[n].offset) > LETS_GO)
    assert leaning
    for square in WALK.among(SQUARES):
        board.place(square, magnet)
        there, here = seen(board), alone(square, magnet)
        assert (there.red & here.red, there.blue & here.blue) == (here.red, here.blue)
        assert not there.occupied & ~here.occupied & ~leaning
        board.place(square, None)
        assert not seen(board).occupied & ~leaning
