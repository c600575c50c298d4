"""Reads the parts of the bill from tools/sbom/parts.toml and from the pinned requirements."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

ROOT: Final = Path(__file__).parents[2]
PARTS: Final = Path(__file__).with_name("parts.toml")
LISTS: Final = ("program", "pi", "hall")
"""Requirement lists of the packages that are distributed to players."""
_LINUX: Final = {
    "sys_platform": "linux",
    "python_version": "3.13",
    "python_full_version": "3.13.5",
}
"""Environment markers of Debian 13. With them, every computer lists the same packages."""
_PIN: Final = re.compile(r"^[A-Za-z0-9][^\\#\n]*==[^\\#\n]*", re.MULTILINE)


@dataclass(frozen=True)
class Part:
    """A third-party part."""

    name: str
    version: str
    """Empty for parts of the operating system, which determines their versions."""
    licence: str
    """SPDX id of the licence."""
    purpose: str
    remark: str
    """Any concern about the part, and the reason why it is used anyway."""
    package: str = ""
    """For a library, the package whose wheel contains it."""
    file: str = ""
    """For a library, the end of its file name, which contains the version."""


def own_version() -> str:
    """Return the version of Boomboard: the version of the engine pinned in pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {each.name: each for each in map(Requirement, project["dependencies"])}
    return next(iter(wanted["boomboard-engine"].specifier)).version


def pinned() -> Mapping[str, str]:
    """Return the versions of the packages shipped to a player on Linux."""
    versions = {}
    for name in LISTS:
        text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
        for line in _PIN.findall(text):
            wanted = Requirement(line)
            if wanted.marker is None or wanted.marker.evaluate(_LINUX):
                versions[wanted.name] = next(iter(wanted.specifier)).version
    return versions


def packages() -> list[Part]:
    """Return the packages, sorted by name. Raise KeyError if one is missing from parts.toml."""
    described = _described("packages")
    return [_part(name, version, described[name]) for name, version in sorted(pinned().items())]


def libraries() -> Mapping[str, Part]:
    """Return the libraries inside wheels, keyed by the prefix of their file names."""
    return {
        key: _part(facts["name"], facts["version"], facts)
        for key, facts in _described("libraries").items()
    }


def scripts() -> list[Part]:
    """Return the third-party scripts shipped with our pages."""
    return [_part(name, facts["version"], facts) for name, facts in _described("scripts").items()]


def of_the_system() -> list[Part]:
    """Return the parts provided by the operating system."""
    return [_part(name, "", facts) for name, facts in _described("system").items()]


def described_packages() -> set[str]:
    return set(_described("packages"))


def _described(kind: str) -> Mapping[str, Mapping[str, str]]:
    entries: Mapping[str, Mapping[str, str]] = tomllib.loads(PARTS.read_text(encoding="utf-8"))[
        kind
    ]
    return entries


def _part(name: str, version: str, facts: Mapping[str, str]) -> Part:
    remark, package, file = (facts.get(key, "") for key in ("remark", "package", "file"))
    return Part(name, version, facts["licence"], facts["for"], remark, package, file)
