"""Tests for the configuration of the mutation test (tools/mutants.py). It names files, and
surviving mutants with reasons. All of these must exist."""

import tomllib
from functools import reduce
from importlib import import_module
from inspect import getsource, unwrap
from typing import Any

import pytest

from tests.project import ROOT
from tools.mutants import ARGUED, Mutant, read_argued

SURVIVORS = sorted(read_argued(ARGUED.read_text(encoding="utf-8")))
MUTMUT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mutmut"]
ENTRY = """
[[survivor]]
where = "engine.board.board.Board.of"
was = "is"
now = "is not"
because = "{}"
"""


@pytest.mark.parametrize("survivor", SURVIVORS, ids=lambda survivor: survivor.where)
def test_survivors_refer_to_existing_code(survivor: Mutant) -> None:
    room, file, *names = survivor.where.split(".")[1:]
    found: Any = reduce(getattr, names, import_module(f"engine.{room}.{file}"))

    source = getsource(unwrap(getattr(found, "fget", found)))

    assert survivor.was in " ".join(line.strip() for line in source.splitlines())
    assert survivor.now != survivor.was


def test_survivor_needs_a_reason() -> None:
    where = "engine.board.board.Board.of"

    assert read_argued(ENTRY.format("none is true")) == {Mutant(where, "is", "is not")}
    with pytest.raises(ValueError, match=rf"{where}.*'is not'"):
        read_argued(ENTRY.format(""))


def test_mutation_test_has_all_packages() -> None:
    """Mutation tests run in a copy of the repository. Tests may import any package, so the copy
    must include every package."""
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert packages <= {*MUTMUT["source_paths"], *MUTMUT["also_copy"]}


@pytest.mark.parametrize("key", ["also_copy", "only_mutate", "pytest_add_cli_args_test_selection"])
def test_mutation_test_refers_to_existing_files(key: str) -> None:
    assert [path for path in MUTMUT[key] if not [*ROOT.glob(path)]] == []
