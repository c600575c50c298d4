"""docs/commands.md documents all inputs and outputs of the table; its events are generated."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, Final, get_args, get_type_hints

import pytest
from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS

from companion.core.events import Event
from companion.core.state import STATES
from companion.jsonl import events as event_writer
from companion.jsonl.commands import MISTAKES, NAMES, SIDE_OR_BOTH, WORDS
from companion.jsonl.requests import FINER
from companion.jsonl.responses import ASKS, NO_BOARD, PAUSED
from engine.board.ranks import Rank
from firmware_bridge.image import Image
from firmware_bridge.wire import LOOK_MS
from tests.companion.core.lines import ANSWERED
from tests.project import ROOT

SECTION: Final = re.split(
    r"^## ", (ROOT / "docs/commands.md").read_text("utf-8"), flags=re.MULTILINE
)
CONTRACT: Final = next(each for each in SECTION if each.startswith("boomboard table"))


def rows(first: str) -> dict[str, list[str]]:
    """The rows of the table whose first row begins with this text, by their first cells."""
    (table,) = (each for each in CONTRACT.split("\n\n") if each.startswith(f"| {first} |"))
    cells = [re.split(r" ?\| ?", line)[1:-1] for line in table.splitlines()[2:]]
    return {row[0].strip("`"): row[1:] for row in cells}


def named(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def test_every_word_is_told_with_its_fields() -> None:
    told = rows("`what` | fields | is said by")
    assert sorted(told) == sorted(NAMES)
    for name, word in WORDS.items():
        assert named(told[name][0]) == [field.name for field in word.fields]
        assert ("null" in told[name][0]) == (SIDE_OR_BOTH in word.fields)
    for name, word in MISTAKES.items():
        rest = told["correct"][0].split(f"`{name}`")[1].split("; with")[0]
        assert named(rest) == [field.name for field in word.fields]


def test_every_ask_is_told() -> None:
    assert tuple(rows("`what` | more fields | `answers` | is answered by")) == ASKS


def test_every_state_is_told_in_its_order() -> None:
    told = re.search(r"^\| `state` \| (.*) \|$", CONTRACT, re.MULTILINE)
    assert told
    assert named(told[1]) == list(
        dict.fromkeys([NO_BOARD, PAUSED, *(state.name for state in STATES)])
    )


@pytest.mark.parametrize("rank", Rank)
def test_every_rank_is_told(rank: Rank) -> None:
    assert f"`{rank.name.lower()}`" in CONTRACT


def test_every_field_of_an_answer_is_told() -> None:
    answer = CONTRACT.split("A line **out** has")[1]
    assert re.findall(r"^\| `(\w+)` \|", answer, re.MULTILINE)[: len(ANSWERED)] == ANSWERED


def parts(kind: Any) -> Iterator[Any]:
    """The dataclasses that make up a type, including the type itself."""
    for inner in get_args(kind):
        yield from parts(inner)
    if is_dataclass(kind) and isinstance(kind, type):
        yield kind
        for hint in get_type_hints(kind).values():
            yield from parts(hint)


def has_number(hint: Any) -> bool:
    if get_args(hint):
        return any(map(has_number, get_args(hint)))
    return hint is int


def test_every_number_in_an_event_has_a_meaning() -> None:
    known = event_writer.SQUARE_FIELDS | event_writer.SET_FIELDS | event_writer.NUMBER_FIELDS
    found = {
        field.name
        for kind in parts(Event)
        if kind is not Image
        for field in fields(kind)
        if has_number(get_type_hints(kind)[field.name])
    }
    assert found == known


def test_all_that_a_board_may_tell_besides_is_told() -> None:
    told = rows("besides | value")
    assert tuple(told) == FINER
    assert f"{LOOK_MS} ms" in told["moments"][0]
    assert f"{SENSING_LIMITS.faint_confirmed_seconds:g} s" in told["faint"][0]
