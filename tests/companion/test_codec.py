"""Encode values as plain data, decode them, and report errors."""

import json
from collections.abc import Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import codec
from companion.core.game_options import SavedState
from companion.core.inputs import AdjustClock
from companion.recorder.trace_files import RecordedStart
from companion.session.settings import Settings
from companion.storage.game_rows import Note
from engine.board.geometry import Side, Square, SquareSet
from engine.board.ranks import Rank
from engine.game.clocks import TIME_CONTROLS, ClockState
from engine.rules.editions import DEFAULT


class Shade(Enum):
    PALE_BLUE = ("a", "b")
    RED = ("c", "d")


@dataclass(frozen=True)
class Inner:
    side: Side | None
    volume: Annotated[int, codec.limited(0, 100), codec.Named("loudness")] = 3


@dataclass(frozen=True)
class Whole:
    square: Square
    squares: SquareSet
    path: tuple[Square, ...]
    rank: Rank
    shade: Shade
    times: Mapping[Square, float]
    inner: Inner
    others: tuple[Inner, ...] = ()
    pair: tuple[str, int] = ("a", 1)
    code: Annotated[str, codec.matching(r"\d{4}", "four digits")] = "1234"
    doubled: Annotated[
        int, codec.Form("an even number", "numbers", lambda n: n // 2, lambda n: 2 * n, int)
    ] = 4
    anything: Mapping[str, Any] | None = None
    texts: Annotated[Mapping[str, str] | None, codec.Named(omits_default=True)] = None
    dying: Annotated[bool, codec.Named(omits_default=True)] = False


@dataclass(frozen=True)
class Began:
    side: Side


@dataclass(frozen=True)
class FlickeringSensor:
    wire_name: ClassVar = "sensor-flickers"

    square: Square


EVENT = Annotated[Began | FlickeringSensor, codec.Tag("event")]
VALUE = Whole(
    square=34,
    squares=1 << 34 | 1,
    path=(1, 2),
    rank=Rank.SPY,
    shade=Shade.PALE_BLUE,
    times={34: 1.5, 35: 2},
    inner=Inner(Side.RED),
    others=(Inner(None, 4),),
)
PLAIN = {
    "square": "e4",
    "squares": ["a1", "e4"],
    "path": ["b1", "c1"],
    "rank": "spy",
    "shade": "pale-blue",
    "times": {"e4": 1.5, "f4": 2},
    "inner": {"side": "red", "loudness": 3},
    "others": [{"side": None, "loudness": 4}],
    "pair": ["a", 1],
    "code": "1234",
    "doubled": 8,
    "anything": None,
}


def test_types_round_trip() -> None:
    assert codec.to_plain(VALUE) == PLAIN
    assert list(codec.to_plain(VALUE)) == list(PLAIN)
    assert codec.from_plain(json.loads(json.dumps(PLAIN)), Whole) == VALUE


def test_omitted_fields() -> None:
    assert codec.from_plain({**PLAIN, "dying": True}, Whole).dying
    with pytest.raises(
        ValueError, match=r'^"side" must be one of red, blue or null; found nothing$'
    ):
        codec.from_plain({}, Inner)


def test_union() -> None:
    flickers = {"event": "sensor-flickers", "square": "e4"}
    assert codec.to_plain(FlickeringSensor(34), EVENT) == flickers
    assert codec.from_plain(flickers, EVENT) == FlickeringSensor(34)


def test_numbers_keep_their_type() -> None:
    assert [type(each) for each in codec.from_plain(PLAIN, Whole).times.values()] == [float, int]


INNER = {"side": None, "loudness": 3}
SIDES = "one of red, blue or null"
FIELDS = 'an object of "side", "loudness" and no others'


@pytest.mark.parametrize(
    ("change", "refused"),
    [
        ({"square": 5}, '"square" must be the name of a square; found a number'),
        ({"square": "z9"}, '"square" must be the name of a square; found another string'),
        ({"squares": "a1 e4"}, '"squares" must be a list of squares; found a string'),
        ({"squares": ["a1", 3]}, '"squares[1]" must be the name of a square; found a number'),
        ({"path": None}, '"path" must be a list of squares; found null'),
        ({"shade": 1}, '"shade" must be one of pale-blue, red; found a number'),
        ({"shade": ["red"]}, '"shade" must be one of pale-blue, red; found a list'),
        ({"times": []}, '"times" must be an object of squares and numbers; found a list'),
        (
            {"times": {"e0": 1}},
            '"times" must be an object of squares and numbers; found another key',
        ),
        ({"times": {"e4": "1"}}, '"times.e4" must be a number; found a string'),
        ({"times": {"e4": True}}, '"times.e4" must be a number; found true'),
        ({"times": {"e4": float("nan")}}, '"times.e4" must be a number; found another number'),
        ({"times": {"e4": float("-inf")}}, '"times.e4" must be a number; found another number'),
        ({"times": {"e4": 10**400}}, '"times.e4" must be a number; found another number'),
        ({"inner": {}}, f'"inner.side" must be {SIDES}; found nothing'),
        (
            {"inner": {"side": "green", "loudness": 3}},
            f'"inner.side" must be {SIDES}; found another string',
        ),
        (
            {"inner": {"side": None, "loudness": 3, "volume": 3}},
            f'"inner" must be {FIELDS}; found another field',
        ),
        (
            {"inner": {"side": None, "loudness": 101}},
            '"inner.loudness" must be a whole number from 0 to 100; found another number',
        ),
        (
            {"inner": {"side": None, "loudness": False}},
            '"inner.loudness" must be a whole number from 0 to 100; found false',
        ),
        ({"others": {}}, '"others" must be a list of objects; found an object'),
        ({"others": [[]]}, '"others[0]" must be an object; found a list'),
        ({"pair": "ab"}, '"pair" must be a list of 2 values; found a string'),
        (
            {"pair": ["a"]},
            '"pair" must be a list of 2 values; found values that do not fit together',
        ),
        ({"pair": ["a", 1.0]}, '"pair[1]" must be a whole number; found a number'),
        ({"code": "12345"}, '"code" must be four digits; found another string'),
        ({"doubled": "8"}, '"doubled" must be an even number; found a string'),
        ({"texts": {"marshal": 3}}, '"texts.*" must be a string; found a number'),
        ({"anything": 3}, '"anything" must be an object or null; found a number'),
        ({"dying": 1}, '"dying" must be true or false; found a number'),
    ],
)
def test_errors_have_place_expected_and_found(change: Mapping[str, Any], refused: str) -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011 (compared as a whole)
        codec.from_plain({**PLAIN, **change}, Whole)
    assert str(raised.value) == refused


def test_errors_of_the_whole_value() -> None:
    with pytest.raises(ValueError, match=r"^the settings must be an object; found a list$"):
        codec.from_plain([], Whole, "the settings")
    with pytest.raises(ValueError, match=r'^"rank" of the note must be one of flag, '):
        codec.from_plain({**PLAIN, "rank": 1}, Whole, "the note")


@pytest.mark.parametrize(
    ("plain", "found"),
    [({}, "nothing"), ({"event": 3}, "a number"), ({"event": "lost"}, "another string")],
)
def test_errors_of_a_union(plain: object, found: str) -> None:
    one = "one of began, sensor-flickers"
    with pytest.raises(ValueError, match=rf'^"event" must be {one}; found {found}$'):
        codec.from_plain(plain, EVENT)


def test_errors_never_quote_contents() -> None:
    secrets: list[Mapping[str, Any]] = [
        {"rank": "marshall"},
        {"marshall": 1},
        {"times": {"marshall": 1}},
    ]
    for secret in secrets:
        with pytest.raises(ValueError) as raised:  # noqa: PT011 (checked below)
            codec.from_plain({**PLAIN, **secret}, Whole)
        assert "marshall;" not in str(raised.value)
        assert "marshall" not in str(raised.value).replace("marshal,", "")


TAGGED = Annotated[Note, codec.Tag("event")]
READ: dict[str, tuple[Any, Any]] = {
    "all types": (PLAIN, Whole),
    "settings": (codec.to_plain(Settings()), Settings),
    "saved state": (codec.to_plain(SavedState()), SavedState),
    "beginning": (
        codec.to_plain(
            RecordedStart(DEFAULT, 1, TIME_CONTROLS["bronstein"], ClockState(), SavedState())
        ),
        RecordedStart,
    ),
    "note": (codec.to_plain(AdjustClock(Side.RED, 5), TAGGED), TAGGED),
}
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=4,
)


@pytest.mark.parametrize("kind", READ)
@given(data=st.data())
def test_random_values_are_read_or_refused(kind: str, data: st.DataObject) -> None:
    plain, expected = READ[kind]
    spoilt = deepcopy(plain)
    place = spoilt
    while True:
        key = data.draw(st.sampled_from(sorted(place)))
        if not isinstance(place[key], dict) or not place[key] or data.draw(st.booleans()):
            break
        place = place[key]
    place[key] = data.draw(JUNK)
    with suppress(codec.MalformedError):
        again = codec.to_plain(codec.from_plain(spoilt, expected), expected)
        assert codec.to_plain(codec.from_plain(again, expected), expected) == again
