"""Tests for the build and size of the firmware, and for the constants that it shares with
Python."""

import re
import subprocess
from collections.abc import Mapping
from enum import IntEnum
from hashlib import sha256
from pathlib import Path
from types import ModuleType

import pytest

from companion.diagnostics.firmware_update import SHIPPED, Firmware, is_whole
from firmware_bridge import board_hardware, wire
from hardware.emulator.board import EmulatedBoard
from tests.hardware.calibrating import answer
from tests.hardware.conftest import FIRMWARE, TOOLS, VERSION, Make

SOURCES = FIRMWARE / "src"
FLASH, RAM = 30_720, 2_048
"""Limits for program flash and for RAM, in bytes. The largest boot loader takes up another 2,048
bytes of flash."""

# Firmware files with #defines that are repeated in Python.
CONSTANTS = {
    ("board.h", wire): ("MOST_MULTIPLEXERS", "CHANNELS", "FULL_SCALE"),
    ("crc.h", wire): ("CRC_START",),
    ("frame.h", wire): ("MAX_FRAME",),
    ("protocol.h", wire): (
        *("PROTOCOL", "BAUD", "STATE_INTERVAL_MS", "NO_SQUARE"),
        *("FELT_PIECE", "NOT_FELT", "FELT_SQUARES", "FELT_BANDS"),
    ),
    ("changes.h", wire): ("SAMPLING_MS", "CHANGE_REPORT_MS", "MOST_CHANGES"),
    ("calibration.h", board_hardware): ("REST_LIMIT",),
    ("detection.h", board_hardware): ("STUCK_WITHIN",),
    ("guided_calibration.h", board_hardware): ("WEAKEST", "FAINTEST"),
    ("supply.h", board_hardware): ("LOW_SUPPLY_MV",),
    ("settings.h", board_hardware): (
        *("LEAST_ON_PER_CENT", "MOST_ON_PER_CENT"),
        *("USUAL_BAND_GAP_MV", "LEAST_BAND_GAP_MV", "MOST_BAND_GAP_MV"),
    ),
}
# Constants that depend on the board type.
BY_KIND = {"RESTING": "board.h", "USUAL_ON": "calibration.h", "ON_PER_CENT": "settings.h"}
# Firmware files that contain the enumerations.
ENUMERATIONS = {
    "board_kind": ("board.h", wire.BoardKind),
    "geometry": ("geometry.h", wire.Geometry),
    "configure_result": ("settings.h", wire.ConfigureResult),
    "message_type": ("protocol.h", wire.MessageType),
    "fault_code": ("protocol.h", wire.FaultCode),
    "calibration_step": ("protocol.h", wire.CalibrationStep),
    "calibration_result": ("protocol.h", wire.CalibrationResult),
}


def sections(elf: Path) -> dict[str, int]:
    listing = subprocess.run(
        ["avr-size", "-A", str(elf)], capture_output=True, text=True, check=True
    ).stdout
    return {
        name: int(size) for name, size in re.findall(r"^(\.\w+)\s+(\d+)", listing, re.MULTILINE)
    }


def test_flash_and_stack_limits(firmware_elf: Path) -> None:
    size = sections(firmware_elf)
    assert 0 < size[".text"] + size[".data"] <= FLASH * 0.85
    assert 0 < size[".data"] + size[".bss"] + size.get(".noinit", 0) <= RAM * 0.76


def test_build_reports_its_size(firmware_elf: Path, make_firmware: Make) -> None:
    output = make_firmware("size")
    size = sections(firmware_elf)
    assert f"flash {size['.text'] + size['.data']} of {FLASH} bytes" in output
    assert f"RAM {size['.data'] + size['.bss'] + size.get('.noinit', 0)} of {RAM} bytes" in output


def test_documented_size_is_current(firmware_elf: Path) -> None:
    size, compiler = sections(firmware_elf), Path(TOOLS, "avr-gcc") if TOOLS else "avr-gcc"
    version = subprocess.run([compiler, "-dumpversion"], capture_output=True, text=True, check=True)
    flash = size[".text"] + size[".data"]
    ram = size[".data"] + size[".bss"] + size.get(".noinit", 0)
    page = (FIRMWARE / "README.md").read_text(encoding="utf-8")
    (row,) = [line for line in page.splitlines() if f"| avr-gcc {version.stdout.strip()}," in line]
    assert f"| {flash:,} bytes, {100 * flash / FLASH:.1f} % " in row
    assert f"| {ram:,} bytes, {100 * ram / RAM:.1f} % " in row


@pytest.mark.parametrize("limit", ["MOST_FLASH=1", "MOST_RAM=1"])
def test_oversized_build_fails(firmware_elf: Path, make_firmware: Make, limit: str) -> None:
    with pytest.raises(AssertionError, match="Error"):
        make_firmware("size", limit)


def test_hex_file_matches_the_program(firmware_elf: Path) -> None:
    """avrdude writes this file to the board. It must contain all bytes of the program."""
    size = sections(firmware_elf)
    program = bytearray()
    records = firmware_elf.with_suffix(".hex").read_text(encoding="ascii").split()
    for record in records[:-1]:
        data = bytes.fromhex(record[1:])
        assert sum(data) % 256 == 0
        assert data[1:4] == len(program).to_bytes(2, "big") + b"\0"
        program += data[4 : 4 + data[0]]
    assert records[-1] == ":00000001FF"
    assert len(program) == size[".text"] + size[".data"]


def sources() -> int:
    """Return the first 32 bits of the SHA-256 hash of all sources, sorted by name."""
    every = b"".join(path.read_bytes() for path in sorted(SOURCES.iterdir()))
    return int(sha256(every).hexdigest()[:8], 16)


def test_hex_file_has_a_label(firmware_elf: Path) -> None:
    built = firmware_elf.with_suffix(".hex").read_text(encoding="ascii")
    major, minor, patch = map(int, VERSION.split("."))
    assert Firmware.in_hex(built) == Firmware((major, minor, patch), sources())


def test_board_reports_the_label(firmware_elf: Path) -> None:
    with EmulatedBoard(firmware_elf) as board:
        board.power_on()
        hello = answer(board, wire.Identify(), wire.Hello)
    assert (hello.build, ".".join(map(str, hello.firmware))) == (sources(), VERSION)


def test_shipped_hex_file_is_current() -> None:
    """Check that the shipped file is up to date. If not, run ``make hex`` and commit the result.
    ``make compilers`` compares every byte."""
    major, minor, patch = map(int, VERSION.split("."))
    shipped = Firmware.in_hex(SHIPPED.read_text(encoding="ascii"))
    assert shipped == Firmware((major, minor, patch), sources())
    assert is_whole(SHIPPED)


def defined(header: str, name: str) -> str:
    text = (SOURCES / header).read_text(encoding="utf-8")
    (value,) = re.findall(rf"^#define {name} (.+)$", text, re.MULTILINE)
    assert isinstance(value, str)
    return value


@pytest.mark.parametrize(
    ("header", "module", "name"),
    [(*where, name) for where, names in CONSTANTS.items() for name in names],
)
def test_constants_match_python(header: str, module: ModuleType, name: str) -> None:
    assert int(defined(header, name).removesuffix("U"), 0) == getattr(module, name)


@pytest.mark.parametrize("name", BY_KIND)
def test_constants_of_each_kind_match_python(name: str) -> None:
    ours: Mapping[wire.BoardKind, int] = getattr(board_hardware, name)
    for kind, value in ours.items():
        macros = defined(BY_KIND[name], f"{name}_{kind.name}")
        assert int(macros.replace("FULL_SCALE", str(wire.FULL_SCALE))) == value


@pytest.mark.parametrize("name", ENUMERATIONS)
def test_enumerations_match_python(name: str) -> None:
    header, enumeration = ENUMERATIONS[name]
    text = (SOURCES / header).read_text(encoding="utf-8")
    (body,) = re.findall(rf"^enum {name} \{{(.*?)\}};$", text, re.MULTILINE | re.DOTALL)
    assert issubclass(enumeration, IntEnum)
    assert {key: int(value, 0) for key, value in re.findall(r"(\w+) = (\w+)", body)} == {
        member.name: member.value for member in enumeration
    }
