"""Tests for the real firmware on every type of board, in the emulator."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.board.geometry import SQUARES, set_of
from firmware_bridge import wire
from firmware_bridge.board_hardware import ON_PER_CENT
from firmware_bridge.image import ARMIES, Image
from hardware.emulator.board import EmulatedBoard
from hardware.emulator.library import EEPROM_BYTES
from hardware.emulator.physics import NORTH, SOUTH, WORST_CROWDING, Field, Sensor, Switch
from hardware.emulator.port import configured
from tests.campaigns import Campaign
from tests.hardware import calibrating

WALK = Campaign("boards", part=8, whole=len(SQUARES))

SWITCHES = wire.Configure(wire.BoardKind.PRESENCE)
TILES = wire.Configure(geometry=wire.Geometry.TILES)
SETTINGS = {
    "sensors by hand": wire.Configure(wire.BoardKind.COLOURS, wire.Geometry.BY_HAND),
    "switches": SWITCHES,
    "tiles": TILES,
    "another threshold": wire.Configure(on_per_cent=20),
}


def board_of(elf: Path, settings: wire.Configure) -> EmulatedBoard:
    """Return a board whose hardware matches the given settings."""
    tiles = settings.geometry is wire.Geometry.TILES
    part = Switch() if settings.kind is wire.BoardKind.PRESENCE else Sensor()
    field = Field([part] * 100, face_down=tiles)
    return EmulatedBoard(elf, field, geometry=settings.geometry or wire.Geometry.BY_HAND)


@pytest.mark.parametrize("of", SETTINGS)
def test_calibration_belongs_to_its_settings(firmware_elf: Path, of: str) -> None:
    with board_of(firmware_elf, SETTINGS[of]) as board:
        board.eeprom = configured(firmware_elf, SETTINGS[of])
        board.power_on()
        calibrating.calibrate(board)
        assert calibrating.seen(board) == (
            Image(unknown=ARMIES.occupied) if SETTINGS[of] == SWITCHES else ARMIES
        )
        for name, settings in SETTINGS.items():
            kind = settings.kind or wire.BoardKind.COLOURS
            geometry = settings.geometry or wire.Geometry.BY_HAND
            configure = wire.Configure(kind, geometry, settings.on_per_cent or ON_PER_CENT[kind])
            assert (
                calibrating.answer(board, configure, wire.Configured).result
                is wire.ConfigureResult.ACCEPTED
            )
            hello = calibrating.answer(board, wire.Identify(), wire.Hello)
            assert bool(hello.calibration) == (name == of), name


BOARDS = {
    "sensors by hand": wire.Configure(wire.BoardKind.COLOURS, wire.Geometry.BY_HAND),
    "tiles": wire.Configure(wire.BoardKind.COLOURS, wire.Geometry.TILES),
    "switches": wire.Configure(wire.BoardKind.PRESENCE, wire.Geometry.BY_HAND),
}


def introduces_itself_as(board: EmulatedBoard, parts: wire.Configure) -> bool:
    hello = calibrating.answer(board, wire.Identify(), wire.Hello)
    return (hello.kind, hello.geometry) == (parts.kind, parts.geometry)


@pytest.mark.parametrize("armies", [False, True])
@pytest.mark.parametrize("name", BOARDS)
def test_a_blank_nano_recognises_the_board(firmware_elf: Path, name: str, armies: bool) -> None:
    with board_of(firmware_elf, BOARDS[name]) as board:
        if armies:
            board.show(ARMIES)
        board.power_on()
        assert introduces_itself_as(board, BOARDS[name])
        assert board.eeprom == bytes([0xFF]) * EEPROM_BYTES


@pytest.mark.parametrize("name", BOARDS)
def test_a_calibrated_board_is_known_without_its_sensors(firmware_elf: Path, name: str) -> None:
    with board_of(firmware_elf, BOARDS[name]) as board:
        board.power_on()
        calibrating.calibrate(board)
        board.open_wires(SQUARES)
        board.reset()
        board.run(calibrating.SETTLED_US)
        assert introduces_itself_as(board, BOARDS[name])


def test_a_board_is_recognised_when_its_sensors_get_their_supply(firmware_elf: Path) -> None:
    with board_of(firmware_elf, BOARDS["tiles"]) as board:
        board.open_wires(SQUARES)
        board.power_on()
        board.run(calibrating.SETTLED_US)
        assert not introduces_itself_as(board, BOARDS["tiles"])
        board.open_wires()
        hellos = [
            each.message for each in board.run(1_100_000) if isinstance(each.message, wire.Hello)
        ]
        assert [hello.geometry for hello in hellos] == [wire.Geometry.TILES]


NONSENSE = {
    wire.ConfigureResult.NO_GEOMETRY: wire.Configure(wire.BoardKind.PRESENCE, wire.Geometry.TILES),
    wire.ConfigureResult.NO_BAND_GAP: wire.Configure(band_gap_mv=5020),
    wire.ConfigureResult.NO_SHARE: wire.Configure(on_per_cent=5),
}


@pytest.mark.parametrize("result", NONSENSE)
def test_senseless_settings_are_refused(firmware_elf: Path, result: wire.ConfigureResult) -> None:
    with EmulatedBoard(firmware_elf) as board:
        board.power_on()
        board.run(calibrating.SETTLED_US)
        before = calibrating.answer(board, wire.Configure(), wire.Configured).settings
        assert calibrating.answer(board, NONSENSE[result], wire.Configured) == wire.Configured(
            result, before
        )
        assert board.eeprom == bytes([0xFF]) * EEPROM_BYTES


def test_settings_are_locked_during_calibration(
    firmware_elf: Path,
) -> None:
    with EmulatedBoard(firmware_elf) as board:
        board.power_on()
        board.run(calibrating.SETTLED_US)
        board.send(wire.Calibrate(wire.CalibrationStep.EMPTY))
        board.run(calibrating.SETTLED_US)
        assert (
            calibrating.answer(board, TILES, wire.Configured).result is wire.ConfigureResult.NOT_NOW
        )


def test_reference_voltage_scales_the_supply(firmware_elf: Path) -> None:
    with EmulatedBoard(firmware_elf, noise=0) as board:
        board.set_band_gap(1127)
        board.power_on(5000)
        board.run(1_500_000)
        for settings, supply_mv in (
            (wire.Configure(), 4880),
            (wire.Configure(band_gap_mv=1127), 5000),
        ):
            calibrating.answer(board, settings, wire.Configured)
            statuses = [
                h.message for h in board.run(1_500_000) if isinstance(h.message, wire.Status)
            ]
            assert abs(statuses[-1].supply_mv - supply_mv) < 25


# Switches


@pytest.fixture
def switches(firmware_elf: Path) -> Iterator[EmulatedBoard]:
    """Yield a board with worst-case switches, all of them different."""
    dice = random.Random(1)
    parts = [Switch(closed=dice.uniform(15, 300)) for _ in SQUARES]
    with EmulatedBoard(firmware_elf, Field(list(parts), crowding=WORST_CROWDING)) as board:
        board.eeprom = configured(firmware_elf, SWITCHES)
        board.power_on()
        yield board


def test_switches_have_no_readings(switches: EmulatedBoard) -> None:
    switches.run(100_000)
    switches.send(wire.RequestField())
    assert not any(isinstance(each.message, wire.FieldReadings) for each in switches.run(500_000))


@WALK
def test_switches_show_presence(
    switches: EmulatedBoard,
) -> None:
    assert calibrating.answer(switches, wire.Identify(), wire.Hello).kind is wire.BoardKind.PRESENCE
    for _ in ("by the usual thresholds", "by what was learned"):
        switches.show(Image())
        for square in WALK.among(SQUARES):
            switches.place(square, NORTH if square % 2 else SOUTH)
            assert calibrating.seen(switches) == Image(unknown=set_of([square]))
            switches.place(square, None)
        assert calibrating.seen(switches) == Image()
        switches.show(ARMIES)
        assert calibrating.seen(switches) == Image(unknown=ARMIES.occupied)
        calibrating.calibrate(switches)
    assert calibrating.checksum(switches)


def test_guided_calibration_refuses_faulty_switches(
    switches: EmulatedBoard,
) -> None:
    switches.place(37, SOUTH)
    switches.run(calibrating.SETTLED_US)
    assert calibrating.learn(switches, wire.CalibrationStep.EMPTY) == {
        wire.CalibrationResult.OCCUPIED: set_of([37])
    }
    calibrating.learn_empty(switches)
    switches.show(Image(red=ARMIES.red, blue=ARMIES.blue & ~(1 << 77)))
    assert calibrating.learn_armies(switches) == {wire.CalibrationResult.MISSING: set_of([77])}


def test_switches_at_the_rails_are_no_fault(
    switches: EmulatedBoard,
) -> None:
    switches.show(ARMIES)
    calibrating.calibrate(switches)
    assert not calibrating.faults(switches)
