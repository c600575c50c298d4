"""Both kinds of the real firmware, under emulation: what each of them says, and goes by."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.squares import SQUARES, set_of
from firmware_bridge.image import ARMIES, Image
from firmware_bridge.wire import BoardKind, Hello, Identify, LearnResult, LearnStep
from firmware_bridge.wiring import CHANNEL_OF
from hardware.emulator.board import EmulatedBoard
from hardware.emulator.physics import NORTH, SOUTH, WORST_CROWDING, Field, Sensor, Switch
from tests.hardware.calibrating import (
    SETTLED_US,
    answer,
    calibrate,
    checksum,
    faults,
    learn,
    learn_armies,
    learn_empty,
    seen,
)

Build = tuple[Path, BoardKind]


@pytest.fixture
def builds(firmware_elf: Path, presence_elf: Path, tmp_path: Path) -> dict[str, Build]:
    """The firmwares of boards that differ in their kind, or in two wires."""
    wiring = bytes(CHANNEL_OF)
    program = firmware_elf.read_bytes()
    assert program.count(wiring) == 1
    other = tmp_path / "other.elf"
    other.write_bytes(program.replace(wiring, bytes([wiring[1], wiring[0], *wiring[2:]])))
    return {
        "sensors": (firmware_elf, BoardKind.COLOURS),
        "switches": (presence_elf, BoardKind.PRESENCE),
        "sensors, wired differently": (other, BoardKind.COLOURS),
    }


def parts(kind: BoardKind) -> Field:
    return Field([Switch()] * 100 if kind is BoardKind.PRESENCE else [Sensor()] * 100)


def learned_by(build: Build) -> bytes:
    """The EEPROM of a calibrated board."""
    elf, kind = build
    with EmulatedBoard(elf, parts(kind)) as board:
        board.power_on()
        calibrate(board)
        return board.eeprom


@pytest.mark.parametrize("of", ["sensors", "switches", "sensors, wired differently"])
def test_a_calibration_is_used_by_the_firmware_that_has_learned_it_alone(
    builds: dict[str, Build], of: str
) -> None:
    eeprom = learned_by(builds[of])
    for name, (elf, kind) in builds.items():
        with EmulatedBoard(elf, parts(kind)) as board:
            board.eeprom = eeprom
            board.power_on()
            board.run(SETTLED_US)
            hello = answer(board, Identify(), Hello)
        assert hello.kind is kind
        assert bool(hello.calibration) == (name == of), name


# Switches


@pytest.fixture
def switches(presence_elf: Path) -> Iterator[EmulatedBoard]:
    """A board whose switches are as closed as they may be, each in its own way."""
    dice = random.Random(1)
    parts = [Switch(closed=dice.uniform(15, 300)) for _ in SQUARES]
    with EmulatedBoard(presence_elf, Field(list(parts), crowding=WORST_CROWDING)) as board:
        board.power_on()
        yield board


def test_switches_show_where_pieces_stand_and_no_colour_calibrated_or_not(
    switches: EmulatedBoard,
) -> None:
    assert answer(switches, Identify(), Hello).kind is BoardKind.PRESENCE
    for _ in ("by the usual thresholds", "by what was learned"):
        switches.show(Image())
        for square in SQUARES:
            switches.place(square, NORTH if square % 2 else SOUTH)
            assert seen(switches) == Image(unknown=set_of([square]))
            switches.place(square, None)
        assert seen(switches) == Image()
        switches.show(ARMIES)
        assert seen(switches) == Image(unknown=ARMIES.occupied)
        calibrate(switches)
    assert checksum(switches)


def test_the_guided_calibration_refuses_switches_that_are_not_as_they_should_be(
    switches: EmulatedBoard,
) -> None:
    switches.place(37, SOUTH)
    switches.run(SETTLED_US)
    assert learn(switches, LearnStep.EMPTY) == {LearnResult.OCCUPIED: set_of([37])}
    learn_empty(switches)
    switches.show(Image(red=ARMIES.red, blue=ARMIES.blue & ~(1 << 77)))
    assert learn_armies(switches) == {LearnResult.MISSING: set_of([77])}


def test_switches_are_at_the_ends_of_the_range_and_nothing_is_wrong(
    switches: EmulatedBoard,
) -> None:
    switches.show(ARMIES)
    calibrate(switches)
    assert not faults(switches)
