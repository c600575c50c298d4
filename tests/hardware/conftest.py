"""Fixtures for the firmware, which is built once for all tests."""

import fcntl
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_bridge.wire import BoardKind, Configure, Geometry
from hardware.emulator.port import configured

FIRMWARE = Path(__file__).parents[2] / "hardware" / "firmware"
TOOLS = os.environ.get("BOOMBOARD_TOOLS", "")
"""Folder with another compiler, if ``make compilers`` has set one."""
BUILD = FIRMWARE / "build" / ("tests-elsewhere" if TOOLS else "tests")
"""Build folder for the tests. It is a separate folder, because the output of ``make firmware`` may
be meant for a real board."""
VERSION = ".".join(
    re.findall(
        r"^#define FIRMWARE_\w+ (\d+)$", (FIRMWARE / "src" / "board.h").read_text(), re.MULTILINE
    )
)
OPTIONS = (f"BUILD={BUILD}", f"TOOLS={TOOLS}/" if TOOLS else "TOOLS=")

Make = Callable[..., str]
"""Function that builds targets in hardware/firmware with `OPTIONS` and returns the output."""


@pytest.fixture(scope="session")
def make_firmware() -> Make:
    # The flags of an outer make must not be passed on to this make.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}

    def make(*arguments: str) -> str:
        # Only one of the parallel test processes may build at any time.
        folder = os.open(FIRMWARE, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            result = subprocess.run(
                ["make", "--no-print-directory", "-C", str(FIRMWARE), *OPTIONS, *arguments],
                capture_output=True,
                text=True,
                check=False,
                env=environment,
            )
        finally:
            os.close(folder)
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    return make


@pytest.fixture(scope="session")
def firmware_elf(make_firmware: Make) -> Path:
    make_firmware()
    return BUILD / "boomboard.elf"


@pytest.fixture(scope="session")
def switches_eeprom(firmware_elf: Path) -> bytes:
    return configured(firmware_elf, Configure(BoardKind.PRESENCE))


@pytest.fixture(scope="session")
def tiles_eeprom(firmware_elf: Path) -> bytes:
    return configured(firmware_elf, Configure(geometry=Geometry.TILES))
