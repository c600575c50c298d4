"""Tests that the pinned requirements are exact, hashed, free of URLs, and consistent."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.project import ROOT

FILES = sorted((ROOT / "requirements").glob("*.txt"))
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")


def entries(path: Path) -> list[str]:
    """Return the entries in a requirements file, without comments or line breaks."""
    lines = path.read_text(encoding="utf-8").splitlines()
    bare = "\n".join(line for line in lines if not line.lstrip().startswith("#"))
    return [entry for entry in bare.replace("\\\n", " ").splitlines() if entry.strip()]


def pins(path: Path) -> dict[str, Requirement]:
    requirements = [Requirement(HASH.sub("", entry).strip()) for entry in entries(path)]
    return {canonicalize_name(requirement.name): requirement for requirement in requirements}


def project(folder: Path = ROOT) -> dict[str, Any]:
    text = (folder / "pyproject.toml").read_text(encoding="utf-8")
    found: dict[str, Any] = tomllib.loads(text)
    return found


def asked(*extras: str) -> list[Requirement]:
    """Return what pyproject.toml requires with the given extras.

    The engine itself is not included, because it comes from the repository, but the requirements of
    its extras are.
    """
    ours, engine = project()["project"], project(ROOT / "engine")["project"]
    texts = list(ours["dependencies"])
    for extra in extras:
        texts += ours["optional-dependencies"][extra]
    found = []
    for requirement in map(Requirement, texts):
        if requirement.name != engine["name"]:
            found.append(requirement)
        for extra in requirement.extras if requirement.name == engine["name"] else ():
            found += map(Requirement, engine["optional-dependencies"][extra])
    return found


def wanted(*extras: str) -> set[str]:
    """Return the names of the packages that the project requires with the given extras."""
    return {canonicalize_name(requirement.name) for requirement in asked(*extras)}


def test_requirement_files_are_complete() -> None:
    assert [path.stem for path in FILES] == [
        *("browsers", "build", "camera", "compilers", "fuzz", "hall", "mechanics", "mutants"),
        *("pi", "program", "tests"),
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_packages_are_pinned_with_hashes(path: Path) -> None:
    for entry in entries(path):
        assert HASH.search(entry), f"no hash for {entry}"
    for requirement in pins(path).values():
        assert re.fullmatch(r"==[^*,]+", str(requirement.specifier)), (
            f"not an exact version: {requirement}"
        )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_pins_have_no_addresses(path: Path) -> None:
    assert "://" not in path.read_text(encoding="utf-8")
    assert not [entry for entry in entries(path) if entry.startswith("-")]
    assert not [requirement for requirement in pins(path).values() if requirement.url]


@pytest.mark.parametrize(
    ("name", "extras"),
    [
        ("program", ()),
        ("tests", ("test",)),
        ("mutants", ("test", "mutants")),
        ("fuzz", ("test", "fuzz")),
        ("hall", ("hall",)),
        ("camera", ("camera",)),
        ("browsers", ("test", "hall", "browsers")),
        ("pi", ("pi",)),
    ],
)
def test_all_dependencies_are_pinned(name: str, extras: tuple[str, ...]) -> None:
    assert wanted(*extras) <= set(pins(ROOT / "requirements" / f"{name}.txt"))


@pytest.mark.parametrize("group", ["build", "compilers", "mechanics"])
def test_groups_are_pinned_without_the_program(group: str) -> None:
    needed = map(Requirement, project()["dependency-groups"][group])
    pinned = set(pins(ROOT / "requirements" / f"{group}.txt"))
    assert {canonicalize_name(requirement.name) for requirement in needed} <= pinned
    assert "kivy" not in pinned


@pytest.mark.parametrize("name", ["program", "pi", "hall"])
def test_build_tools_are_not_runtime_pins(name: str) -> None:
    assert not pins(ROOT / "requirements" / "build.txt").keys() & set(
        pins(ROOT / "requirements" / f"{name}.txt")
    )


def test_runtime_pins_match_tested_pins() -> None:
    tested = pins(ROOT / "requirements" / "tests.txt")
    others = ("fuzz", "browsers", "mechanics", "compilers", "build")
    for name in ("program", "pi", "hall", "mutants", *others):
        for package, requirement in pins(ROOT / "requirements" / f"{name}.txt").items():
            if name == "program" or package in tested:
                assert requirement.specifier == tested[package].specifier


def test_pins_satisfy_the_project() -> None:
    pinned = pins(ROOT / "requirements" / "tests.txt")
    for requirement in asked("test"):
        version = next(iter(pinned[canonicalize_name(requirement.name)].specifier)).version
        assert version in requirement.specifier, (
            f"{version} is pinned, but {requirement} is required"
        )


def test_no_machine_learning_packages_at_runtime() -> None:
    extras = project(ROOT / "engine")["project"]["optional-dependencies"]
    learning = {Requirement(text).name for text in extras["pettingzoo"]}
    assert learning == {"gymnasium", "numpy", "pettingzoo"}
    for name in ("program", "pi", "hall"):
        assert not learning & pins(ROOT / "requirements" / f"{name}.txt").keys()
