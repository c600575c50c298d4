"""Build the wheels offline, and check that they are complete and usable from any directory."""

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path
from typing import Final

import pytest
from packaging.requirements import Requirement

from tests.project import PACKAGES, ROOT
from tools.sbom.parts import own_version

PROJECTS: Final = {"boomboard_engine": "engine", "boomboard": "."}
"""Folder that contains each wheel's pyproject.toml."""
CONTENT: Final = {"boomboard_engine": ("engine",), "boomboard": ("firmware_bridge", "companion")}
"""Packages in each wheel."""
BUILD_FILES: Final = {"engine/pyproject.toml", "engine/LICENSE"}
"""Files in package folders that are needed only for the build."""

PROGRAM: Final = '''\
"""A game against chance, by a program that knows the engine alone."""

import random

from engine import IllegalActionError, Move, Rank, Referee, Side

random.seed(1)  # a game in which the piece on a1 stays there
game = Referee("isf")
for _ in range(20):
    moves: list[Move] = [turn for turn in game.legal_moves() if isinstance(turn, Move)]
    game.apply(random.choice(moves))
possible: set[Rank] = game.possible("a1")
side: Side = game.to_move
try:
    game.push("a1-b1")
except IllegalActionError as refused:
    print(side.value, game.plies, len(possible), refused.rulings[0])
'''

READ_XML: Final = """
import importlib, pkgutil, engine
for each in pkgutil.walk_packages(engine.__path__, "engine."):
    if each.name != "engine.pettingzoo_env":
        importlib.import_module(each.name)
from engine.records.record_files import read
try:
    read(b"<stratego/>")
except ModuleNotFoundError as missing:
    print(missing)
"""


def run(*command: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def python(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return run(sys.executable, *arguments, cwd=cwd, **environment)


def build(root: Path, folder: Path) -> dict[str, Path]:
    """Build the wheels of a clone, and return them keyed by name."""
    for project in PROJECTS.values():
        command = ("-m", "hatchling", "build", "-t", "wheel", "-d", str(folder))
        done = python(*command, cwd=root / project)
        assert done.returncode == 0, done.stdout + done.stderr
    return {path.name.partition("-")[0]: path for path in folder.glob("*.whl")}


def environment_of(wheel: Path, folder: Path) -> Path:
    """Install a wheel without its dependencies in a new environment, and return that environment's
    Python."""
    venv.create(folder / "venv", with_pip=False, symlinks=True)
    there = folder / "venv" / "bin" / "python"
    options = ("install", "--quiet", "--no-index", "--no-deps")
    done = python("-m", "pip", "--python", str(there), *options, str(wheel), cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return there


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    wheels = build(ROOT, tmp_path_factory.mktemp("wheels"))
    assert wheels.keys() == PROJECTS.keys()
    return wheels


@pytest.fixture(scope="module")
def unpacked(wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the contents of both wheels."""
    folder = tmp_path_factory.mktemp("unpacked")
    for wheel in wheels.values():
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
    return folder


@pytest.fixture(scope="module")
def installed(wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the Python interpreter of an environment that contains only the engine."""
    return environment_of(wheels["boomboard_engine"], tmp_path_factory.mktemp("empty"))


def files(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for package in PACKAGES
        for path in (folder / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_wheels_are_complete(unpacked: Path) -> None:
    assert files(unpacked) == files(ROOT) - BUILD_FILES


def test_wheels_are_reproducible(wheels: dict[str, Path], tmp_path: Path) -> None:
    """Use a different time, directory and umask for the second build."""
    clone = tmp_path / "elsewhere"
    ignored = shutil.ignore_patterns(
        ".git", ".venv*", "__pycache__", "build", "docs", "tests", ".*"
    )
    shutil.copytree(ROOT, clone, ignore=ignored)
    for each in clone.rglob("*"):
        os.utime(each, (1, 1))
    before = os.umask(0o077)
    try:
        again = build(clone, tmp_path)
    finally:
        os.umask(before)
    for name, wheel in wheels.items():
        assert again[name].name == wheel.name
        assert again[name].read_bytes() == wheel.read_bytes()


@pytest.mark.parametrize("name", PROJECTS)
def test_wheels_have_no_other_files(name: str, wheels: dict[str, Path], tmp_path: Path) -> None:
    with zipfile.ZipFile(wheels[name]) as archive:
        archive.extractall(tmp_path)
    (info,) = tmp_path.glob("*.dist-info")
    assert {path.name for path in tmp_path.iterdir()} == {*CONTENT[name], info.name}
    assert (info / "licenses" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def required(name: str, wheels: dict[str, Path]) -> list[Requirement]:
    with zipfile.ZipFile(wheels[name]) as archive:
        (metadata,) = (each for each in archive.namelist() if each.endswith("/METADATA"))
        lines = archive.read(metadata).decode().splitlines()
    begins = "Requires-Dist: "
    return [Requirement(line.removeprefix(begins)) for line in lines if line.startswith(begins)]


def test_program_requires_its_engine_version(wheels: dict[str, Path]) -> None:
    (engine,) = (
        each
        for each in required("boomboard", wheels)
        if each.name == "boomboard-engine" and each.marker is None
    )
    assert str(engine.specifier) == f"=={own_version()}"
    assert engine.extras == {"gravon"}
    assert {path.name.split("-")[1] for path in wheels.values()} == {own_version()}


def test_the_engine_needs_no_package(wheels: dict[str, Path]) -> None:
    assert [each for each in required("boomboard_engine", wheels) if each.marker is None] == []


def test_packages_come_from_the_wheels(unpacked: Path, tmp_path: Path) -> None:
    code = f"import {', '.join(PACKAGES)}; print({', '.join(f'{p}.__file__' for p in PACKAGES)})"

    result = python("-c", code, cwd=tmp_path, PYTHONPATH=str(unpacked))

    assert result.stdout.split() == [str(unpacked / p / "__init__.py") for p in PACKAGES]


def test_program_starts_from_the_wheels(unpacked: Path, tmp_path: Path) -> None:
    result = python("-m", "companion", "--help", cwd=tmp_path, PYTHONPATH=str(unpacked))

    assert result.returncode == 0, result.stderr
    assert "boomboard" in result.stdout


# The engine must work in an environment without any other package, not even pip.


def test_small_program_uses_the_engine(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)

    result = run(installed, "program.py", cwd=tmp_path, PYTHONPATH="")

    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("red 20 12 ")


def test_only_gravon_xml_needs_a_package(installed: Path, tmp_path: Path) -> None:
    result = run(installed, "-W", "error", "-c", READ_XML, cwd=tmp_path, PYTHONPATH="")

    assert result.stdout == (
        "Gravon XML is read with the package defusedxml: pip install 'boomboard-engine[gravon]'\n"
    ), result.stderr


@pytest.mark.parametrize("spoiled", [False, True])
def test_mypy_checks_a_program_against_the_types_of_the_engine(
    installed: Path, tmp_path: Path, spoiled: bool
) -> None:
    wrong = "game.push(4)\n" if spoiled else ""
    (tmp_path / "program.py").write_text(PROGRAM + wrong)
    options = ("--strict", "--no-incremental", "--python-executable", str(installed))

    result = python("-m", "mypy", *options, "program.py", cwd=tmp_path, PYTHONPATH="")

    assert result.returncode == spoiled, result.stdout + result.stderr
    assert ('"push" of "Referee" has incompatible type "int"' in result.stdout) == spoiled
