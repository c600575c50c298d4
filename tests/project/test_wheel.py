"""The wheel: built offline, it contains the whole packages and runs from any directory."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.project import PACKAGES, ROOT


def python(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = python("-m", "hatchling", "build", "-t", "wheel", "-d", str(folder), cwd=ROOT)
    assert build.returncode == 0, build.stdout + build.stderr
    (wheel,) = folder.glob("boomboard-*.whl")
    return wheel


@pytest.fixture(scope="module")
def unpacked(wheel: Path) -> Path:
    folder = wheel.parent / "unpacked"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def files(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for package in PACKAGES
        for path in (folder / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_wheel_holds_every_file_of_the_packages(unpacked: Path) -> None:
    assert files(unpacked) == files(ROOT)


def test_built_again_elsewhere_it_is_the_same_byte_for_byte(wheel: Path, tmp_path: Path) -> None:
    """At another time, in another directory and with another umask."""
    clone = tmp_path / "elsewhere"
    ignored = shutil.ignore_patterns(
        ".git", ".venv*", "__pycache__", "build", "docs", "tests", ".*"
    )
    shutil.copytree(ROOT, clone, ignore=ignored)
    for each in clone.rglob("*"):
        os.utime(each, (1, 1))
    before = os.umask(0o077)
    try:
        build = python("-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path), cwd=clone)
    finally:
        os.umask(before)
    assert build.returncode == 0, build.stdout + build.stderr
    (again,) = tmp_path.glob("boomboard-*.whl")
    assert again.name == wheel.name
    assert again.read_bytes() == wheel.read_bytes()


def test_the_wheel_holds_nothing_else(unpacked: Path) -> None:
    (info,) = unpacked.glob("boomboard-*.dist-info")
    assert {path.name for path in unpacked.iterdir()} == {*PACKAGES, info.name}
    assert (info / "licenses" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_packages_come_from_the_wheel(unpacked: Path, tmp_path: Path) -> None:
    code = f"import {', '.join(PACKAGES)}; print({', '.join(f'{p}.__file__' for p in PACKAGES)})"

    result = python("-c", code, cwd=tmp_path, PYTHONPATH=str(unpacked))

    assert result.stdout.split() == [str(unpacked / p / "__init__.py") for p in PACKAGES]


def test_the_program_starts_from_the_wheel(unpacked: Path, tmp_path: Path) -> None:
    result = python("-m", "companion", "--help", cwd=tmp_path, PYTHONPATH=str(unpacked))

    assert result.returncode == 0, result.stderr
    assert "boomboard" in result.stdout
