"""Sabotage: one thing of the program is spoiled, and a test that goes on as ever has to notice.

The test runs within the one that spoils, in the same process, so it meets the spoiled program.
"""

import ast
import importlib
import inspect
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Protocol, TypeAlias

import pytest

from tests.house import ROOT

_QUIETLY = ("-p", "no:cacheprovider", "-n0", "-x", "-qq", "--tb=no", "--no-header")


class Sabotage(Protocol):
    """One thing that is spoiled."""

    @property
    def caught_by(self) -> str:
        """The test that notices, as pytest names it, without “tests/”."""

    def spoil(self, patch: pytest.MonkeyPatch, folder: Path) -> None:
        """Spoil it, as long as the patch lasts; the folder is there for what it needs."""


@dataclass(frozen=True)
class Line:
    """Some words in the source of a function are others."""

    function: str
    """As ``package.module:Class.function``."""
    old: str
    new: str
    caught_by: str = ""

    def spoil(self, patch: pytest.MonkeyPatch, _folder: Path | None = None) -> None:
        """Compile the function anew, and let everybody who has it run that."""
        module, function = _function(self.function)
        source = textwrap.dedent(inspect.getsource(function))
        source = source[source.index("def ") :]  # what decorates it stays as it is
        assert source.count(self.old) == 1, f"{self.old!r} does not stand once in {self.function}"
        # What it takes from around it, such as the class that “super” asks for, has to be there.
        around = "".join(f"    {name} = None\n" for name in function.__code__.co_freevars)
        inside = textwrap.indent(source.replace(self.old, self.new), "    ")
        whole = f"def around():\n{around}{inside}\n    return {function.__name__}\n"
        made: dict[str, Any] = {}
        exec(whole, vars(module), made)
        patch.setattr(function, "__code__", made["around"]().__code__)


@dataclass(frozen=True)
class Value:
    """A name in a module stands for something else."""

    name: str
    """As ``package.module.NAME``."""
    value: Any
    caught_by: str

    def spoil(self, patch: pytest.MonkeyPatch, _folder: Path) -> None:
        """Let it stand for that."""
        patch.setattr(self.name, self.value)


@dataclass(frozen=True)
class File:
    """Some words in a file of the repository are others, for a test that takes it from `ROOT`."""

    path: str
    old: str
    new: str
    caught_by: str

    def spoil(self, patch: pytest.MonkeyPatch, folder: Path) -> None:
        """Let a folder with that file be the repository for the module of the test."""
        text = (ROOT / self.path).read_text()
        assert text.count(self.old) == 1, f"{self.old!r} does not stand once in {self.path}"
        changed = folder / self.path
        changed.parent.mkdir(parents=True, exist_ok=True)
        for place in changed.relative_to(folder).parents:
            for each in (ROOT / place).iterdir():
                if not (beside := folder / place / each.name).exists():
                    beside.symlink_to(each)
        changed.unlink()
        changed.write_text(text.replace(self.old, self.new))
        changed.chmod((ROOT / self.path).stat().st_mode)
        module = self.caught_by.partition(".py")[0].replace("/", ".")
        patch.setattr(f"tests.{module}.ROOT", folder)


@dataclass(frozen=True)
class Own:
    """A test applies the sabotage itself, and asks that it is noticed."""

    caught_by: str

    @property
    def is_there(self) -> bool:
        """Whether there is such a test."""
        path, _, name = self.caught_by.partition("::")
        return name in _tests(ROOT / "tests" / path)


Claims: TypeAlias = Mapping[str, Mapping[str, Sabotage | Own]]
"""What is claimed, and by their names the sabotages that would break it."""


def is_caught(sabotage: Sabotage, patch: pytest.MonkeyPatch, folder: Path) -> bool:
    """Spoil something, run the test that should notice, and say whether it failed."""
    with patch.context() as spoiled:
        sabotage.spoil(spoiled, folder)
        spoiled.delenv("PYTEST_XDIST_WORKER", raising=False)
        ended = pytest.main([str(ROOT / "tests" / sabotage.caught_by), *_QUIETLY])
    assert ended in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED), f"{ended!r}"
    return ended is pytest.ExitCode.TESTS_FAILED


def _function(name: str) -> tuple[ModuleType, FunctionType]:
    """Find a function with its module, below whatever decorates it."""
    place, _, path = name.partition(":")
    module = importlib.import_module(place)
    found: Any = module
    for part in path.split("."):
        found = inspect.getattr_static(found, part)
    found = getattr(found, "fget", None) or getattr(found, "__func__", found)
    found = inspect.unwrap(found)
    assert isinstance(found, FunctionType), f"{name} is no function"
    return module, found


@cache
def _tests(path: Path) -> set[str]:
    nodes = ast.walk(ast.parse(path.read_text()))
    return {each.name for each in nodes if isinstance(each, ast.FunctionDef)}
