"""The parts: what tools/bill/parts.toml says of them, and the versions that are pinned."""

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
"""The lists of requirements that reach a player."""
_LINUX: Final = {"sys_platform": "linux", "python_version": "3.11"}
_PIN: Final = re.compile(r"^[A-Za-z0-9][^\\#\n]*==[^\\#\n]*", re.MULTILINE)


@dataclass(frozen=True)
class Part:
    """One thing that others have made."""

    name: str
    version: str
    """Empty for what the system brings, in whichever version it has."""
    licence: str
    """By its SPDX name."""
    purpose: str
    remark: str
    """What speaks against it, and why it is there all the same."""
    package: str = ""
    """The package whose wheel holds it, for a library."""
    file: str = ""
    """For a library, the number at the end of its file's name."""


def pinned() -> Mapping[str, str]:
    """Return the versions of the packages that reach a player on Linux."""
    versions = {}
    for name in LISTS:
        text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
        for line in _PIN.findall(text):
            wanted = Requirement(line)
            if wanted.marker is None or wanted.marker.evaluate(_LINUX):
                versions[wanted.name] = next(iter(wanted.specifier)).version
    return versions


def packages() -> list[Part]:
    """Return the packages in the order of their names; KeyError for one that nobody has told of."""
    told = _told("packages")
    return [_part(name, version, told[name]) for name, version in sorted(pinned().items())]


def libraries() -> Mapping[str, Part]:
    """Return what wheels hold besides, by the beginning of its file's name."""
    return {
        key: _part(facts["name"], facts["version"], facts)
        for key, facts in _told("libraries").items()
    }


def scripts() -> list[Part]:
    """Return the scripts by others that lie beside those of our pages."""
    return [_part(name, facts["version"], facts) for name, facts in _told("scripts").items()]


def of_the_system() -> list[Part]:
    """Return what the system brings."""
    return [_part(name, "", facts) for name, facts in _told("system").items()]


def told_of() -> set[str]:
    """Return the names of the packages of which something is told."""
    return set(_told("packages"))


def _told(kind: str) -> Mapping[str, Mapping[str, str]]:
    told: Mapping[str, Mapping[str, str]] = tomllib.loads(PARTS.read_text(encoding="utf-8"))[kind]
    return told


def _part(name: str, version: str, facts: Mapping[str, str]) -> Part:
    remark, package, file = (facts.get(key, "") for key in ("remark", "package", "file"))
    return Part(name, version, facts["licence"], facts["for"], remark, package, file)
