"""The cheapest hypothesis is the likeliest, and the number of tracked hypotheses is limited."""

from dataclasses import replace

from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS
from tests.firmware_bridge.small_board import Seen, in_words


def test_the_least_odd_comes_first() -> None:
    seen = Seen("r r b").then(". . b").then("b r .").then("r r b")
    oddities = [hypothesis.penalty for hypothesis in seen.hypotheses]
    assert oddities == sorted(oddities)
    assert len(set(oddities)) > 2


def test_a_ghost_is_odd_and_a_stray_is_odder() -> None:
    seen = Seen("r .")
    plain = seen.likeliest.penalty
    stray = seen.then("r b").likeliest.penalty
    ghost = seen.then("r .").likeliest.penalty
    assert plain == 0 < ghost < stray


def test_the_piece_that_stood_there_is_likelier_than_another() -> None:
    seen = Seen("r r").then(". r").then(". .").then(". r")
    assert seen.told == ["b1-b1, a1 up", "a1-b1, b1 up", "a1 up, b1 up, stray b1"]


def test_a_stray_is_odder_while_a_piece_of_its_colour_is_in_a_hand() -> None:
    red, blue = (Seen("r . .").then(". . .").then(row) for row in (". . r", ". . b"))
    assert (red.told[-1], blue.told) == ("a1 up, stray c1", ["a1 up, stray c1"])
    assert red.hypotheses[-1].penalty > blue.likeliest.penalty


def test_it_is_odd_that_a_piece_is_lifted_as_it_may_have_slid() -> None:
    beside = Seen("r . .").then("r r .").then(". r .")
    apart = Seen("r . .").then("r . r").then(". . r")
    assert (beside.told[-1], apart.told) == ("a1 up, stray b1", ["a1 up, stray c1"])
    assert beside.hypotheses[-1].penalty > apart.likeliest.penalty


def test_of_two_that_tell_the_same_the_less_odd_one_is_followed() -> None:
    seen = Seen("r .")
    seen.hypotheses = [replace(seen.likeliest, oddities=oddities) for oddities in (4, 1, 7)]
    assert [hypothesis.penalty for hypothesis in seen.then(". .").hypotheses] == [1]


def test_a_stray_is_odder_where_a_piece_has_left() -> None:
    """A piece that appears on a square that another piece has left is usually that same piece."""
    left = Seen("r . .").then(". . .").then(". r .")
    (stray,) = [c for c in left.then("r r .").hypotheses if in_words(c) == "a1-b1, stray a1"]
    other = Seen("r . .").then(". . .").then(". r .")
    (elsewhere,) = [c for c in other.then(". r r").hypotheses if in_words(c) == "a1-b1, stray c1"]
    assert stray.penalty > elsewhere.penalty


def test_no_more_are_followed_than_the_likeliest() -> None:
    seen = Seen("r r r r r r").then(". . . . . .")
    seen.then("r r r r . .", ". . . . . .", after=1.0)
    assert len(seen.hypotheses) == SENSING_LIMITS.most_hypotheses
    assert max(hypothesis.penalty for hypothesis in seen.hypotheses) == 0
