"""Sabotage: break part of the program, and check that an ordinary test fails.

The test runs in the same process as the sabotaged program.
"""

import ast
import importlib
import inspect
import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Protocol, TypeAlias

import pytest

from tests.project import ROOT

_QUIETLY = ("-p", "no:cacheprovider", "-n0", "-x", "-qq", "--tb=no", "--no-header")


class Sabotage(Protocol):
    """Change that breaks the program."""

    @property
    def caught_by(self) -> str:
        """The test that catches the change, as a pytest id without “tests/”."""

    def spoil(self, patch: pytest.MonkeyPatch, folder: Path) -> None:
        """Apply the sabotage while the patch is active. Files may be written to `folder`."""


@dataclass(frozen=True)
class Line:
    """Replaces text in the source of a function."""

    function: str
    """Name of the function, as ``package.module:Class.function``."""
    old: str
    new: str
    caught_by: str = ""

    def spoil(self, patch: pytest.MonkeyPatch, _folder: Path | None = None) -> None:
        """Recompile the function and replace its code object. All references to the function then
        use the new code.

        The function's decorators stay in effect.
        """
        module, function = _function(self.function)
        source = textwrap.dedent(inspect.getsource(function))
        source = re.split(r"^(?=def |async def )", source, maxsplit=1, flags=re.MULTILINE)[1]
        assert source.count(self.old) == 1, (
            f"{self.old!r} does not occur exactly once in {self.function}"
        )
        # The function's free variables, such as the class used by “super”, must exist.
        around = "".join(f"    {name} = None\n" for name in function.__code__.co_freevars)
        inside = textwrap.indent(source.replace(self.old, self.new), "    ")
        whole = f"def around():\n{around}{inside}\n    return {function.__name__}\n"
        made: dict[str, Any] = {}
        exec(whole, vars(module), made)
        patch.setattr(function, "__code__", made["around"]().__code__)


@dataclass(frozen=True)
class Value:
    """Replaces the value of a name in a module."""

    name: str
    """Name of the value, as ``package.module.NAME``."""
    value: Any
    caught_by: str

    def spoil(self, patch: pytest.MonkeyPatch, _folder: Path) -> None:
        patch.setattr(self.name, self.value)


@dataclass(frozen=True)
class File:
    """Replaces text in a repository file that a test reads from `ROOT`."""

    path: str
    old: str
    new: str
    caught_by: str

    def spoil(self, patch: pytest.MonkeyPatch, folder: Path) -> None:
        """Create a folder with the changed file and with links to all other files. Set `ROOT` in
        the test's module to this folder."""
        text = (ROOT / self.path).read_text()
        assert text.count(self.old) == 1, f"{self.old!r} does not occur exactly once in {self.path}"
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
    """Test that applies the sabotage itself."""

    caught_by: str

    @property
    def is_there(self) -> bool:
        path, _, name = self.caught_by.partition("::")
        return name in _tests(ROOT / "tests" / path)


Guarantees: TypeAlias = Mapping[str, Mapping[str, Sabotage | Own]]
"""For each claim in docs/reliability.md, the changes that break the program so that the claim no
longer holds, keyed by name."""


def is_caught(sabotage: Sabotage, patch: pytest.MonkeyPatch, folder: Path) -> bool:
    """Damage the code as a sabotage describes, and run its test. Return whether the test failed."""
    with patch.context() as spoiled:
        sabotage.spoil(spoiled, folder)
        spoiled.delenv("PYTEST_XDIST_WORKER", raising=False)
        ended = pytest.main([str(ROOT / "tests" / sabotage.caught_by), *_QUIETLY])
    assert ended in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED), f"{ended!r}"
    return ended is pytest.ExitCode.TESTS_FAILED


def _function(name: str) -> tuple[ModuleType, FunctionType]:
    """Return a function without its decorators, and the function's module."""
    place, _, path = name.partition(":")
    module = importlib.import_module(place)
    found: Any = module
    for part in path.split("."):
        found = inspect.getattr_static(found, part)
    found = getattr(found, "fget", None) or getattr(found, "__func__", found)
    found = inspect.unwrap(found)
    assert isinstance(found, FunctionType), f"{name} is not a function"
    return module, found


@cache
def _tests(path: Path) -> set[str]:
    nodes = ast.walk(ast.parse(path.read_text()))
    return {each.name for each in nodes if isinstance(each, ast.FunctionDef)}
