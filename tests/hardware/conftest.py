"""The firmware, built once for all tests that need it."""

import fcntl
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_bridge.wire import BoardKind, Configure, Geometry
from hardware.emulator.configured import configured

FIRMWARE = Path(__file__).parents[2] / "hardware" / "firmware"
TOOLS = os.environ.get("BOOMBOARD_TOOLS", "")
"""Where another compiler is than the system's; “make compilers” says so."""
BUILD = FIRMWARE / "build" / ("tests-elsewhere" if TOOLS else "tests")
"""A folder of the tests' own: what “make firmware” has built is for somebody's board."""
VERSION = ".".join(
    re.findall(
        r"^#define FIRMWARE_\w+ (\d+)$", (FIRMWARE / "src" / "board.h").read_text(), re.MULTILINE
    )
)
OPTIONS = (f"BUILD={BUILD}", f"TOOLS={TOOLS}/" if TOOLS else "TOOLS=")

Make = Callable[..., str]
"""Makes targets of hardware/firmware, after `OPTIONS`, and returns what was said."""


@pytest.fixture(scope="session")
def make_firmware() -> Make:
    # The flags of a make that runs these tests are not meant for this one.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}

    def make(*arguments: str) -> str:
        # One at a time, whichever of the parallel test runs it is in.
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
    """The firmware as `make firmware` builds it."""
    make_firmware()
    return BUILD / "boomboard.elf"


@pytest.fixture(scope="session")
def switches_eeprom(firmware_elf: Path) -> bytes:
    """What a board has kept that was told that it has switches."""
    return configured(firmware_elf, Configure(BoardKind.PRESENCE))


@pytest.fixture(scope="session")
def tiles_eeprom(firmware_elf: Path) -> bytes:
    """What a board has kept that was told that it is of tiles."""
    return configured(firmware_elf, Configure(geometry=Geometry.TILES))
