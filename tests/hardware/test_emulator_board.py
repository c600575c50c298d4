"""Tests that run the real firmware in the emulator and check its readings of magnets."""

import random
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest

from engine.board.geometry import SQUARES, Square, names, set_of
from firmware_bridge import wire
from firmware_bridge.board_hardware import CHANNEL_OF, LOW_SUPPLY_MV
from firmware_bridge.image import Image
from hardware.emulator.board import EmulatedBoard, Heard
from hardware.emulator.physics import NORTH, SOUTH, WORST_CROWDING, Field, Magnet, Sensor, Spread
from tests.campaigns import Campaign
from tests.hardware.calibrating import faults

SETTLED_US = 65_000
"""Time, in microseconds, within which the firmware reports any change. It takes longest if the
whole board changes at once. No hand moves that fast, so the firmware ignores the first scans of
such a change."""


BOARDS = Campaign("boards", part=4, whole=100)
BOUNCED = Campaign("boards", part=5, whole=15)
WALK = Campaign("boards", part=30, whole=len(SQUARES))
TOUCHES = Campaign("boards", part=16, whole=100)
NOISES = Campaign("boards", part=5, whole=50)
RESETS = Campaign("resets", part=16, whole=67)


def worst_parts(seed: int = 1) -> Field:
    return Field(Spread().sensors(seed), crowding=WORST_CROWDING)


@pytest.fixture
def board(firmware_elf: Path) -> Iterator[EmulatedBoard]:
    """Yield a board with worst-case parts that has just been powered on."""
    with EmulatedBoard(firmware_elf, worst_parts()) as board:
        board.power_on()
        board.run(SETTLED_US)
        yield board


def states(heard: list[Heard]) -> list[wire.State]:
    return [each.message for each in heard if isinstance(each.message, wire.State)]


def seen(board: EmulatedBoard) -> Image:
    """Return the image of the board once its readings are stable."""
    return states(board.run(SETTLED_US))[-1].image


# Squares


@WALK
@pytest.mark.parametrize("magnet", [NORTH, SOUTH])
def test_magnet_is_detected_only_on_its_square(board: EmulatedBoard, magnet: Magnet) -> None:
    for square in WALK.among(SQUARES):
        board.place(square, magnet)
        alone = set_of([square])
        assert seen(board) == (Image(red=alone) if magnet is NORTH else Image(blue=alone))
        board.place(square, None)
    assert seen(board) == Image()


@pytest.mark.parametrize("colour", ["red", "blue"])
def test_empty_square_in_a_crowd(board: EmulatedBoard, colour: str) -> None:
    everywhere = Image(**{colour: set_of(SQUARES)})
    for hole in (0, 9, 44, 55, 90, 99):
        board.show(everywhere)
        board.place(hole, None)
        image = seen(board)
        assert image == Image(**{colour: set_of(SQUARES) & ~(1 << hole)}), names(image.occupied)


@BOARDS
def test_random_boards_are_read_correctly(board: EmulatedBoard) -> None:
    dice = random.Random(4)
    for _ in range(BOARDS.size):
        share = dice.random()
        standing = [square for square in SQUARES if dice.random() < share]
        red = {square for square in standing if dice.random() < 0.5}
        image = Image(red=set_of(red), blue=set_of(set(standing) - red))
        board.show(image)
        assert seen(board) == image


def test_sensors_are_read_by_channel(board: EmulatedBoard) -> None:
    for square in SQUARES:
        board.field.sensors[square] = Sensor(offset=square - 50)
    board.update_sensors()
    board.send(wire.RequestRaw())
    raws = [each.message for each in board.run(1_000_000) if isinstance(each.message, wire.Raw)]
    assert [raw.multiplexer for raw in raws] == list(range(7))
    readings = [reading for raw in raws for reading in raw.readings]
    assert all(abs(readings[CHANNEL_OF[n]] - (512 + n - 50)) <= 5 for n in SQUARES)


def test_detection_threshold_of_each_sensor(board: EmulatedBoard) -> None:
    """Without calibration, the threshold is 70 counts. The board assumes that this is 17 % of a
    piece's deflection."""
    for square in SQUARES:
        board.field.sensors[square] = Sensor(offset=square - 50)
    board.update_sensors()
    board.run(100_000)
    board.send(wire.RequestField())
    felt = [
        each.message
        for each in board.run(1_000_000)
        if isinstance(each.message, wire.FieldReadings)
    ]
    assert [each.band for each in felt] == list(range(wire.FELT_BANDS))
    shares = [share for each in felt for share in each.shares]
    assert all(abs(shares[n] - wire.FELT_PIECE * 0.17 * (n - 50) / 70) <= 6 for n in SQUARES)


# Hands


@BOUNCED
def test_bouncing_piece_appears_once(board: EmulatedBoard) -> None:
    for square in BOUNCED.among(range(0, 100, 7)):
        board.run(1000 * square)
        board.set_down(square, SOUTH)
        assert appearances(board, square) == [False, True]
        board.lift(square)
        assert appearances(board, square) == [True, False]


def appearances(board: EmulatedBoard, square: Square) -> list[bool]:
    """Return the states of the square: before the first change, and after each change. True means
    occupied."""
    shown = [bool(state.image.occupied >> square & 1) for state in states(board.run(200_000))]
    changes = [after for before, after in pairwise(shown) if before != after]
    return [not changes[0], *changes] if changes else shown[:1]


# Time


def test_state_every_20_ms(board: EmulatedBoard) -> None:
    heard = [each for each in board.run(5_000_000) if isinstance(each.message, wire.State)]
    clocks = [each.message.at_ms for each in heard if isinstance(each.message, wire.State)]
    assert {after - before for before, after in pairwise(clocks)} == {wire.STATE_INTERVAL_MS}
    gaps = [(after.at_us - before.at_us) / 1000 for before, after in pairwise(heard)]
    assert 19.5 < min(gaps) <= max(gaps) < 20.5
    assert abs(len(heard) - 250) <= 1


def latencies(board: EmulatedBoard) -> list[float]:
    """Return the times, in ms, from moving a magnet until the end of the frame that shows the
    change.

    The magnet is moved at times that are spread evenly over the interval between two frames.
    """
    latencies_ms = []
    step_us = 1000 * wire.STATE_INTERVAL_MS // (2 * TOUCHES.size)
    squares = [random.Random(7).choice(SQUARES) for _ in range(TOUCHES.size)]
    for square in squares * 2:
        board.run(2 * 1000 * wire.STATE_INTERVAL_MS + step_us)
        there = square not in board.field.magnets
        board.place(square, NORTH if there else None)
        changed_us = board.now_us
        shown_us = [
            each.at_us
            for each in board.run(3 * 1000 * wire.STATE_INTERVAL_MS)
            if isinstance(each.message, wire.State)
            and bool(each.message.image.occupied >> square & 1) == there
        ]
        latencies_ms.append((shown_us[0] - changed_us) / 1000)
    return latencies_ms


@TOUCHES
@pytest.mark.parametrize("geometry", wire.Geometry)
def test_detection_latency(
    firmware_elf: Path,
    tiles_eeprom: bytes,
    geometry: wire.Geometry,
    record_property: Callable[[str, object], None],
) -> None:
    field, is_of_tiles = worst_parts(), geometry is wire.Geometry.TILES
    field.face_down = is_of_tiles
    with EmulatedBoard(firmware_elf, field, geometry=geometry) as board:
        if is_of_tiles:
            board.eeprom = tiles_eeprom
        board.power_on()
        board.run(SETTLED_US)
        took_ms = latencies(board)
    record_property("latency_ms", {"median": median(took_ms), "max": max(took_ms)})
    assert median(took_ms) <= 16.5  # see docs/decisions/firmware-sensing.md for the reason
    assert max(took_ms) <= 35


# Other messages from the board


@RESETS
def test_hello_after_a_truncated_frame(board: EmulatedBoard) -> None:
    cut = 0
    for microseconds in RESETS.among(range(0, 1000 * wire.STATE_INTERVAL_MS, 10)):
        board.run(2 * 1000 * wire.STATE_INTERVAL_MS + microseconds)
        board.reset()
        heard = [each.message for each in board.run(50_000)]
        cut += isinstance(heard[0], wire.BadFrame)
        # The board first sends a delimiter, which ends the truncated frame. If only its delimiter
        # was missing, the frame is now complete.
        assert isinstance(heard[0], wire.BadFrame | wire.State | wire.Hello), microseconds
        rest = heard if isinstance(heard[0], wire.Hello) else heard[1:]
        assert isinstance(rest[0], wire.Hello), microseconds
        assert not any(isinstance(message, wire.BadFrame) for message in rest), microseconds
    assert cut


def test_query_is_answered_between_states(board: EmulatedBoard) -> None:
    board.send(wire.Identify(), wire.Identify())
    heard = board.run(500_000)
    assert sum(isinstance(each.message, wire.Hello) for each in heard) == 2
    assert len(states(heard)) == 25


@pytest.mark.parametrize("millivolts", [4400, 4600, 4800, 5200])
def test_supply_voltage_is_reported(board: EmulatedBoard, millivolts: int) -> None:
    image = Image(red=set_of(range(40)), blue=set_of(range(60, 100)))
    board.show(image)
    board.run(SETTLED_US)
    board.power_on(millivolts)
    heard = board.run(2_500_000)
    assert all(state.image == image for state in states(heard))
    supply_mv = [each.message.supply_mv for each in heard if isinstance(each.message, wire.Status)][
        -1
    ]
    assert abs(supply_mv - millivolts) < 50
    codes = {each.message.code for each in heard if isinstance(each.message, wire.Fault)}
    assert codes == ({wire.FaultCode.LOW_SUPPLY} if millivolts < LOW_SUPPLY_MV else set())


def test_ungrounded_input_is_reported(board: EmulatedBoard) -> None:
    board.show(Image(red=set_of(range(40))))
    board.open_wires(grounds=[3])
    missing = [fault.value for fault in faults(board) if fault.code is wire.FaultCode.NO_GROUND]
    assert set(missing) == {3}


def test_open_wire_is_reported(board: EmulatedBoard) -> None:
    board.show(Image(red=set_of(range(50)), blue=set_of(range(50, 100))))
    image = seen(board)
    open_ = [0, 44, 55, 99]
    board.open_wires(open_)
    heard = board.run(400_000)
    assert all(state.image == image for state in states(heard))
    reported = {
        each.message.square
        for each in heard
        if isinstance(each.message, wire.Fault) and each.message.code is wire.FaultCode.OPEN_WIRE
    }
    assert reported == set(open_)
    board.open_wires()
    board.run(100_000)
    assert not [each for each in board.run(700_000) if isinstance(each.message, wire.Fault)]


@NOISES
def test_line_noise_is_harmless(board: EmulatedBoard) -> None:
    dice = random.Random(3)
    for _ in range(NOISES.size):
        board.send_bytes(dice.randbytes(dice.randrange(100)))
        heard = board.run(40_000)
        assert not any(isinstance(each.message, wire.BadFrame) for each in heard)
        assert len(states(heard)) == 2


def test_emulation_is_deterministic(firmware_elf: Path) -> None:
    def once() -> bytes:
        with EmulatedBoard(firmware_elf, worst_parts(), seed=5) as board:
            board.power_on()
            board.set_down(44, NORTH)
            board.run(300_000)
            board.send(wire.RequestRaw())
            board.lift(44)
            board.run(300_000)
            return board.take_bytes()

    first = once()
    assert len(first) > 1000
    assert once() == first
