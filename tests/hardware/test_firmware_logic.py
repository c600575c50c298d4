"""The parts of the firmware without registers: checked by cppcheck, and run on the desktop."""

import subprocess

import pytest

from tests.hardware.conftest import BUILD, FIRMWARE, Make

TESTS = sorted(path.stem for path in (FIRMWARE / "tests").glob("test_*.c"))


def test_cppcheck_finds_nothing(make_firmware: Make) -> None:
    make_firmware("check")


@pytest.fixture(scope="session")
def desktop_tests(make_firmware: Make) -> None:
    make_firmware(*(str(BUILD / name) for name in TESTS))


@pytest.mark.parametrize("name", TESTS)
@pytest.mark.usefixtures("desktop_tests")
def test_on_the_desktop(name: str) -> None:
    vectors = FIRMWARE.parents[1] / "tests" / "firmware_bridge" / "wire_vectors.txt"
    result = subprocess.run(
        [str(BUILD / name), str(vectors)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
