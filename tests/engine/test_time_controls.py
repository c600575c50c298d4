"""Tests for time-control notation, by name or by numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game.clocks import FREE, NO_CLOCK, TIME_CONTROLS, TimeControl
from engine.records.serialization import read_control, write_control
from tests.engine.cases import each
from tests.engine.examples import examples

MINUTE = 60
times = st.integers(1, 600 * MINUTE)
controls = st.builds(
    TimeControl.of,
    each=st.none() | times,
    delay=st.integers(0, 600),
    whole=st.none() | times,
    setup=st.none() | times,
)


@each(
    ("text", "each", "delay", "whole", "setup"),
    [
        ("15", 15 * MINUTE, 0, None, None),
        ("15+10", 15 * MINUTE, 10, None, None),
        ("0:45+1", 45, 1, None, None),
        ("15+10,whole=60,setup=2:30", 15 * MINUTE, 10, 60 * MINUTE, 150),
        ("15, setup=3, whole=40", 15 * MINUTE, 0, 40 * MINUTE, 3 * MINUTE),
        ("none,whole=20", None, 0, 20 * MINUTE, None),
        ("total,setup=5", 30 * MINUTE, 0, None, 5 * MINUTE),
        ("bronstein,whole=45", 12 * MINUTE, 4, 45 * MINUTE, 5 * MINUTE),
        ("bronstein,whole=none,setup=none", 12 * MINUTE, 4, None, None),
    ],
)
def test_custom_time_control(
    text: str, each: int | None, delay: int, whole: int | None, setup: int | None
) -> None:
    assert TimeControl.parse(text) == TimeControl(FREE, each, delay, whole, setup)


@each("name", TIME_CONTROLS)
def test_named_time_controls(name: str) -> None:
    control = TimeControl.parse(name)

    assert control is TIME_CONTROLS[name]
    assert str(control) == name
    assert TimeControl.of(control.each, control.delay, control.whole, control.setup) is control


@each(
    ("text", "name"),
    [
        ("30", "total"),
        ("12+4,whole=55,setup=5", "bronstein"),
        ("bronstein,whole=50", "bronstein-50"),
        ("2+3,setup=2,whole=10", "short"),
        ("short,whole=10:00", "short"),
        ("none,whole=none", "none"),
    ],
)
def test_known_numbers_get_their_name(text: str, name: str) -> None:
    assert TimeControl.parse(text) is TIME_CONTROLS[name]


def test_duel_and_barrage_time_controls() -> None:
    short = TIME_CONTROLS["short"]

    assert (short.each, short.delay) == (2 * MINUTE, 3)
    assert (short.whole, short.setup) == (10 * MINUTE, 2 * MINUTE)


def test_tournament_total_time() -> None:
    long, brief = TIME_CONTROLS["bronstein"], TIME_CONTROLS["bronstein-50"]

    assert (long.whole, brief.whole) == (55 * MINUTE, 50 * MINUTE)
    assert (long.each, long.delay, long.setup) == (brief.each, brief.delay, brief.setup)


@each(
    ("text", "expected"),
    [
        (
            "",
            "'' is not a time control: expected none, total, bronstein, bronstein-50, short, or",
        ),
        ("egg", "'egg' is not a time control"),
        ("12m", "'12m' is not a time control"),
        ("12+", r"'12\+' is not a time control"),
        ("none+4", r"'none\+4' is not a time control"),
        ("whole=55", "'whole=55' is not a time control: expected"),
        ("12:75", "'12:75' must be in minutes, such as 12 or 12:30"),
        ("12,whole=", "'whole=' must be in minutes"),
        ("12,whole=long", "'whole=long' must be in minutes"),
        ("12,setup=-5", "'setup=-5' must be in minutes"),
        ("12,setup=٣", "'setup=٣' must be in minutes"),
        ("12,each=5", "'each=5' is neither whole=MINUTES nor setup=MINUTES"),
        ("12,", "'' is neither whole=MINUTES nor setup=MINUTES"),
        ("12,whole=50,whole=55", "'whole' is given twice"),
        ("12,whole=none,whole=55", "'whole' is given twice"),
        ("0", "'0' must be more than 0 and at most 600 minutes"),
        ("12,setup=0:00", "'setup=0:00' must be more than 0 and at most"),
        ("12,whole=600:01", "'whole=600:01' must be more than 0 and at most 600"),
        ("12+601", r"'12\+601': the delay can be at most 600 seconds"),
    ],
)
def test_malformed_time_control_names_its_part(text: str, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        TimeControl.parse(text)


@given(control=controls)
@examples(200)
def test_printed_form_round_trip(control: TimeControl) -> None:
    assert TimeControl.parse(str(control)) == control


@given(control=controls)
@examples(200)
def test_stored_form_round_trip(control: TimeControl) -> None:
    assert read_control(write_control(control)) == control


def test_delay_needs_a_side_limit() -> None:
    assert TimeControl.of(delay=5) is NO_CLOCK


def test_changed_numbers_lose_their_name() -> None:
    control = read_control({"id": "bronstein", "each": 600, "delay": 4, "whole": 2400})

    assert str(control) == "10+4,whole=40"


@each("what", ["each", "whole", "setup"])
@each("seconds", [0, -1, float("inf"), float("nan")])
def test_clock_starts_with_time(what: str, seconds: float) -> None:
    with pytest.raises(ValueError, match=f"'{what}' must be more than 0 seconds; found {seconds}"):
        TimeControl.of(**{what: seconds})
    with pytest.raises(ValueError, match=f"'{what}'"):
        read_control({"id": "any", what: seconds})
