"""Both kinds of the real firmware, under emulation: what each of them says, and goes by."""

from pathlib import Path

import pytest

from firmware_bridge.wire import BoardKind, Hello, Identify
from firmware_bridge.wiring import CHANNEL_OF
from hardware.emulator.board import EmulatedBoard
from hardware.emulator.physics import Field, Sensor, Switch
from tests.hardware.calibrating import SETTLED_US, answer, calibrate

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
