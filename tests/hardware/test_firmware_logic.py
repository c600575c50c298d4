"""Tests for the firmware logic that uses no registers. cppcheck checks the logic, and the host runs
it."""

import os
import subprocess

import pytest

from tests.campaigns import Campaign
from tests.hardware.conftest import BUILD, FIRMWARE, Make

HANDS = Campaign("hovering", part=40, whole=10_000)
TESTS = sorted(path.stem for path in (FIRMWARE / "tests").glob("test_*.c"))


def test_cppcheck(make_firmware: Make) -> None:
    make_firmware("check")


@pytest.fixture(scope="session")
def desktop_tests(make_firmware: Make) -> None:
    make_firmware(*(str(BUILD / name) for name in TESTS))


def run(name: str, moves: int) -> None:
    vectors = FIRMWARE.parents[1] / "tests" / "firmware_bridge" / "wire_vectors.txt"
    result = subprocess.run(
        [str(BUILD / name), str(vectors)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "MOVES": str(moves)},
    )
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("name", TESTS)
@pytest.mark.usefixtures("desktop_tests")
def test_firmware_logic_on_the_desktop(name: str) -> None:
    run(name, 1)


@HANDS
@pytest.mark.usefixtures("desktop_tests")
def test_hands_cause_no_fault() -> None:
    run("test_moves", HANDS.size)
