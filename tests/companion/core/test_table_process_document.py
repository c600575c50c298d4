"""Compare the table's inputs and outputs with docs/commands.md."""

import re
from collections.abc import Iterator
from dataclasses import is_dataclass
from itertools import pairwise
from typing import Any, Final, get_args, get_type_hints

import pytest

from companion.codec import field_names
from companion.core.events import Event
from companion.core.state import STATES
from companion.jsonl.requests import COMMANDS, DETAILS, MISTAKES, NAMES
from companion.jsonl.table_process import ASKS, NO_BOARD, PAUSED
from engine.board.geometry import Side
from engine.board.ranks import Rank
from firmware_bridge.image import Image
from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS
from firmware_bridge.wire import SAMPLING_MS
from tests.companion.core.game_lines import ANSWERED
from tests.project import ROOT

SECTION: Final = re.split(
    r"^## ", (ROOT / "docs/commands.md").read_text("utf-8"), flags=re.MULTILINE
)
CONTRACT: Final = next(each for each in SECTION if each.startswith("boomboard table"))


def items(above: str) -> dict[str, tuple[str, str]]:
    """Parse the list below the paragraph that ends with `above`. Return its items by name."""
    blocks = CONTRACT.split("\n\n")
    (found,) = (after for before, after in pairwise(blocks) if before.endswith(above))
    parts = re.findall(r"^- `([\w-]+)`(?: \((.*?)\))?: (.*)$", found, re.MULTILINE)
    assert len(parts) == len(found.splitlines())
    return {name: (fields, description) for name, fields, description in parts}


def named(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def test_words_are_documented() -> None:
    documented = items("Values of `what`, with their fields and who gives the command:")
    assert sorted(documented) == sorted(NAMES)
    for name, word in COMMANDS.items():
        assert named(documented[name][0]) == field_names(word.form)
        assert ("null" in documented[name][0]) == (
            Side | None in get_type_hints(word.form).values()
        )
    for name, word in MISTAKES.items():
        rest = documented["correct"][0].split(f"`{name}`")[1].split("; with")[0]
        assert named(rest) == field_names(word.form)


def test_asks_are_documented() -> None:
    assert tuple(items("possible answers, and the answering input:")) == ASKS


def test_states_are_documented_in_order() -> None:
    _, documented = items("An **output** line has")["state"]
    assert named(documented) == list(
        dict.fromkeys([NO_BOARD, PAUSED, *(state.name for state in STATES)])
    )


@pytest.mark.parametrize("rank", Rank)
def test_ranks_are_documented(rank: Rank) -> None:
    assert f"`{rank.name.lower()}`" in CONTRACT


def test_output_fields_are_documented() -> None:
    assert list(items("An **output** line has")) == ANSWERED


def parts(kind: Any) -> Iterator[Any]:
    """Yield the dataclasses that occur in a type."""
    for inner in get_args(kind):
        yield from parts(inner)
    if is_dataclass(kind) and isinstance(kind, type):
        yield kind
        for hint in get_type_hints(kind).values():
            yield from parts(hint)


def test_event_numbers_that_are_no_squares() -> None:
    found = {
        name
        for kind in parts(Event)
        if kind is not Image
        for name, hint in get_type_hints(kind, include_extras=True).items()
        if hint is int
    }
    assert found == {"count", "ply", "red", "blue", "seconds"}


def test_optional_board_fields_are_documented() -> None:
    documented = items("In addition to `board`, if known:")
    assert tuple(documented) == DETAILS
    assert f"{SAMPLING_MS} ms" in documented["moments"][1]
    assert f"{SENSING_LIMITS.faint_confirmed_seconds:g} s" in documented["faint"][1]
