"""Mutants that may survive (tools/mutants.py): each has a reason and changes existing code."""

from functools import reduce
from importlib import import_module
from inspect import getsource, unwrap
from typing import Any

import pytest

from tools.mutants import ARGUED, Mutant, read_argued

SURVIVORS = sorted(read_argued(ARGUED.read_text(encoding="utf-8")))
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
