"""Malformed lines are reported by the table process and have no effect."""

import json
from copy import deepcopy
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.companion.core.game_lines import ANSWERED, ARMIES, WORDS, GameLines, Line, attack, clash

MALFORMED: Final[list[tuple[Any, str]]] = [
    ({"time": True}, '"at"'),
    ({"at": "1", "time": True}, '"at"'),
    ({"at": True, "time": True}, '"at"'),
    ({"at": float("nan"), "time": True}, '"at"'),
    ({"at": float("inf"), "time": True}, '"at"'),
    ({"at": 10**400, "time": True}, '"at"'),
    ({"at": 0, "time": True}, '"at"'),
    ({"at": 99}, "exactly one of"),
    ({"at": 99, "time": True, "lost": True}, "exactly one of"),
    ({"at": 99, "times": True}, "exactly one of"),
    ({"at": 99, "time": False}, '"time"'),
    ({"at": 99, "lost": 1}, '"lost"'),
    ({"at": 99, "found": True}, '"found"'),
    ({"at": 99, "found": {"colours": 1}}, '"found"'),
    ({"at": 99, "found": {"colours": True, "kind": 1}}, '"found"'),
    ({"at": 99, "feels": None}, '"feels"'),
    ({"at": 99, "feels": {"red": None}}, '"feels"'),
    ({"at": 99, "feels": {"red": None, "blue": [4, 4.5]}}, '"feels"'),
    ({"at": 99, "feels": {"red": None, "blue": [4, 4.5, "0"]}}, '"feels"'),
    ({"at": 99, "feels": {"red": None, "blue": [4, True, 0]}}, '"feels"'),
    ({"at": 99, "feels": {"red": None, "blue": [4, 10**400, 0]}}, '"feels"'),
    ({"at": 99, "feels": {"red": None, "blue": [4, float("nan"), 0]}}, '"feels"'),
    ({"at": 99, "feels": {"red": {"column": 4}, "blue": None}}, '"feels"'),
    ({"at": 99, "complains": None}, '"complains"'),
    ({"at": 99, "complains": {"square": "e11"}}, '"complains"'),
    ({"at": 99, "complains": {"square": 34}}, '"complains"'),
    ({"at": 99, "complains": {"square": "e4", "dying": 1}}, '"complains"'),
    ({"at": 99, "complains": {"square": None, "dying": True}}, '"complains"'),
    ({"at": 99, "complains": {"square": "e4", "code": 5}}, '"complains"'),
    ({"at": 99, "board": "." * 99}, '"board"'),
    ({"at": 99, "board": "." * 99 + "x"}, '"board"'),
    ({"at": 99, "board": ["."] * 100}, '"board"'),
    ({"at": 99, "board": "." * 100, "moments": ["e4"]}, '"moments"'),
    ({"at": 99, "board": "." * 100, "moments": {"e11": 98}}, '"moments"'),
    ({"at": 99, "board": "." * 100, "moments": {"e4": 99.1}}, '"moments"'),
    ({"at": 99, "board": "." * 100, "moments": {"e4": True}}, '"moments.e4"'),
    ({"at": 99, "board": "." * 100, "faint": "e4"}, '"faint"'),
    ({"at": 99, "board": "." * 100, "faint": [34]}, '"faint[0]"'),
    ({"at": 99, "board": "." * 100, "faint": ["j4"]}, '"faint[0]"'),
    ({"at": 99, "time": True, "faint": ["e4"]}, '"board"'),
    ({"at": 99, "faint": ["e4"]}, "exactly one of"),
    ({"at": 99, "say": "ready"}, '"say"'),
    ({"at": 99, "say": {}}, '"what"'),
    ({"at": 99, "say": {"what": ["ready"]}}, '"what"'),
    ({"at": 99, "say": {"what": "raedy", "side": "red"}}, '"what"'),
    ({"at": 99, "say": {"what": "ready"}}, '"side"'),
    ({"at": 99, "say": {"what": "ready", "side": None}}, '"side"'),
    ({"at": 99, "say": {"what": "read", "side": "green"}}, '"side"'),
    ({"at": 99, "say": {"what": "read", "rank": "spy"}}, "no others"),
    ({"at": 99, "say": {"what": "declare", "side": "red"}}, '"rank"'),
    ({"at": 99, "say": {"what": "declare", "side": "red", "rank": "Spy"}}, '"rank"'),
    ({"at": 99, "say": {"what": "declare", "side": "red", "rank": 1}}, '"rank"'),
    ({"at": 99, "say": {"what": "attack", "source": "j5", "target": "e6"}}, '"source"'),
    ({"at": 99, "say": {"what": "attack", "source": "e5", "target": "e11"}}, '"target"'),
    ({"at": 99, "say": {"what": "answer-guess", "right": "yes"}}, '"right"'),
    ({"at": 99, "say": {"what": "choose", "answer": -1}}, '"answer"'),
    ({"at": 99, "say": {"what": "choose", "answer": True}}, '"answer"'),
    ({"at": 99, "say": {"what": "forfeit"}}, '"side"'),
    ({"at": 99, "say": {"what": "correct", "square": "e5"}}, '"mistake"'),
    ({"at": 99, "say": {"what": "correct", "mistake": "exchanged", "square": "e5"}}, '"other"'),
    ({"at": 99, "say": {"what": "ready", "side": "red", "mistake": "exchanged"}}, "no others"),
]


@pytest.mark.parametrize(("line", "named"), MALFORMED)
def test_malformed_input_is_reported(line: Any, named: str) -> None:
    lines = clash()
    before = {**lines.give(time=True)}
    answer = lines.process.take(line)
    assert list(answer) == ["error"]
    assert named in answer["error"]
    assert answer["error"].endswith(".")
    assert lines.give(time=True) == before


def test_errors_contain_no_ranks() -> None:
    lines = attack()
    answer = lines.command("declare", "red", rank="marshall")
    assert "marshall" not in answer["error"]
    answer = lines.command("declare", "red", rank="marshal", marshal="yes")
    assert "marshal" not in answer["error"]


JSON: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
GOOD: Final = [
    {"at": 5.0, "time": True},
    {"at": 5.0, "lost": True},
    {"at": 5.0, "found": {"colours": False}},
    {"at": 5.0, "board": ARMIES},
    *({"at": 5.0, "say": {"what": word, **fields}} for word, (_, fields, _) in WORDS.items()),
]
PLACES: Final = st.sampled_from(["at", "time", "board", "found", "say", "what", "side", "new"])


@st.composite
def spoilt(draw: st.DrawFn) -> Line:
    """Draw a valid line. One of its values may be replaced with an arbitrary value."""
    line: Line = deepcopy(draw(st.sampled_from(GOOD)))
    if draw(st.booleans()):
        inner = line.get("say", line)
        part = draw(st.sampled_from([line, inner]))
        part[draw(st.sampled_from([*part]) | PLACES)] = draw(JSON)
    return line


@given(st.lists(spoilt() | st.dictionaries(st.text(max_size=5), JSON, max_size=3), max_size=12))
def test_random_values_anywhere(given_lines: list[Line]) -> None:
    lines, pair = GameLines.begun(), GameLines.begun()
    for line in given_lines:
        answer = lines.process.take(line)
        json.dumps(answer, allow_nan=False)
        if "error" in answer:
            assert list(answer) == ["error"]
        else:
            assert list(answer) == ANSWERED
            assert pair.process.take(line) == answer
