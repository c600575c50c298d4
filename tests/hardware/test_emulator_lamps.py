"""Tests for the edge lamps, which the real firmware controls through shift registers."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from engine.board.geometry import COLUMNS, SQUARES, SquareSet, name, set_of
from firmware_bridge.wire import Calibrate, CalibrationStep, Hello, Lamps, RequestRaw, ResetCause
from hardware.drawing.lamps import LAMPS
from hardware.emulator.board import EmulatedBoard
from hardware.emulator.physics import NORTH

DRAWING = Path(__file__).parents[2] / "docs" / "hardware" / "lamps.svg"
BOOTED_US = 18_000
OBEYED_US = 30_000


@pytest.fixture
def board(firmware_elf: Path) -> Iterator[EmulatedBoard]:
    with EmulatedBoard(firmware_elf) as board:
        board.power_on()
        board.run(BOOTED_US)
        yield board


def lit(board: EmulatedBoard) -> list[str]:
    """Return the lamps that are on, in the order of the outputs."""
    assert board.lamps < 1 << len(LAMPS)
    return [lamp for n, lamp in enumerate(LAMPS) if board.lamps >> n & 1]


def light(board: EmulatedBoard, squares: SquareSet) -> None:
    board.send(Lamps(squares))
    board.run(OBEYED_US)


def test_emulated_registers_match_the_book() -> None:
    """The drawing connects data, clock and latch to D2, D3 and D4. The tests below rely on this."""
    texts = re.findall(r">([^<>]+)</text>", DRAWING.read_text(encoding="utf-8"))
    wires = list(pairwise(texts))
    assert wires.count(("14  SER", "Nano D2")) == 1
    for wire in (("11  SRCLK", "Nano D3"), ("12  RCLK", "Nano D4")):
        assert wires.count(wire) == 3
    for never_cleared_always_on in (("10  SRCLR", "5 V"), ("13  OE", "ground")):
        assert wires.count(never_cleared_always_on) == 3


def test_square_lights_column_and_row(board: EmulatedBoard) -> None:
    for square in SQUARES:
        light(board, set_of([square]))
        where = name(square)
        assert lit(board) == [where[0], where[1:]]
    light(board, 0)
    assert lit(board) == []


def test_several_squares_light_columns_and_rows(board: EmulatedBoard) -> None:
    light(board, set_of([0, 99]))
    assert lit(board) == ["a", "k", "1", "10"]
    light(board, set_of(SQUARES))
    assert lit(board) == [*COLUMNS, *map(str, range(1, 11))]


def test_only_commands_change_the_lamps(board: EmulatedBoard) -> None:
    """No lamp may change while pieces move and the board scans, calibrates and answers queries."""
    light(board, set_of([34]))
    shone_us = board.lamps_latched_us
    for step in (CalibrationStep.EMPTY, CalibrationStep.ARMIES):
        board.send(Calibrate(step), RequestRaw())
        board.run(1_000_000)
        for square in range(0, 100, 7):
            board.set_down(square, NORTH)
        board.run(1_000_000)
    assert lit(board) == ["e", "4"]
    assert board.lamps_latched_us == shone_us


def test_lamp_outputs_change_together(board: EmulatedBoard) -> None:
    """No intermediate combination of lamps may be visible."""
    light(board, set_of([0]))
    board.send(Lamps(set_of([99])))
    seen = [lit(board)]
    for _ in range(OBEYED_US // 2):
        board.run(2)
        if lit(board) != seen[-1]:
            seen.append(lit(board))
    assert seen == [["a", "1"], ["k", "10"]]


def dip(board: EmulatedBoard) -> None:
    board.power_on(2500)
    board.run(1000)
    board.power_on()


@pytest.mark.parametrize(
    ("happens", "cause"),
    [
        (EmulatedBoard.reset, ResetCause.EXTERNAL),
        (dip, ResetCause.BROWN_OUT),
        (EmulatedBoard.hang, ResetCause.WATCHDOG),
    ],
)
def test_lamps_go_out_after_a_reset(
    board: EmulatedBoard, happens: Callable[[EmulatedBoard], None], cause: ResetCause
) -> None:
    light(board, set_of([34]))
    happens(board)
    assert lit(board) == ["e", "4"], "a reset does not clear the shift registers"
    assert first_hello(board).reset_cause == cause
    assert board.lamps == 0


def test_lamps_go_out_after_power_on(
    firmware_elf: Path,
) -> None:
    pleased = set()
    for seed in range(5):
        with EmulatedBoard(firmware_elf, seed=seed) as board:
            board.power_on()
            pleased.add(board.lamps)
            assert first_hello(board).reset_cause == ResetCause.POWER_ON
            assert board.lamps == 0
    assert len(pleased) == 5


def first_hello(board: EmulatedBoard) -> Hello:
    """Run the board until it reports its start, and return the HELLO."""
    while True:
        for heard in board.run(500):
            if isinstance(heard.message, Hello):
                return heard.message
