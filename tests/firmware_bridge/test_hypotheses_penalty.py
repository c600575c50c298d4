"""Tests for the costs and the maximum number of hypotheses."""

from dataclasses import replace

from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS
from tests.firmware_bridge.small_board import Seen, in_words


def test_lowest_penalty_first() -> None:
    seen = Seen("r r b").then(". . b").then("b r .").then("r r b")
    oddities = [hypothesis.penalty for hypothesis in seen.hypotheses]
    assert oddities == sorted(oddities)
    assert len(set(oddities)) > 2


def test_ghost_and_stray_penalties() -> None:
    seen = Seen("r .")
    plain = seen.likeliest.penalty
    stray = seen.then("r b").likeliest.penalty
    ghost = seen.then("r .").likeliest.penalty
    assert plain == 0 < ghost < stray


def test_returning_piece_has_a_lower_penalty() -> None:
    seen = Seen("r r").then(". r").then(". .").then(". r")
    assert seen.notations == ["b1-b1, a1 up", "a1-b1, b1 up", "a1 up, b1 up, stray b1"]


def test_stray_penalty_with_a_piece_in_hand() -> None:
    red, blue = (Seen("r . .").then(". . .").then(row) for row in (". . r", ". . b"))
    assert (red.notations[-1], blue.notations) == ("a1 up, stray c1", ["a1 up, stray c1"])
    assert red.hypotheses[-1].penalty > blue.likeliest.penalty


def test_lift_penalty_with_a_possible_slide() -> None:
    beside = Seen("r . .").then("r r .").then(". r .")
    apart = Seen("r . .").then("r . r").then(". . r")
    assert (beside.notations[-1], apart.notations) == ("a1 up, stray b1", ["a1 up, stray c1"])
    assert beside.hypotheses[-1].penalty > apart.likeliest.penalty


def test_equal_hypotheses_keep_the_lower_penalty() -> None:
    seen = Seen("r .")
    seen.hypotheses = [replace(seen.likeliest, oddities=oddities) for oddities in (4, 1, 7)]
    assert [hypothesis.penalty for hypothesis in seen.then(". .").hypotheses] == [1]


def test_stray_penalty_on_a_left_square() -> None:
    """If a piece has just left a square and a piece appears there, it is usually the same piece."""
    left = Seen("r . .").then(". . .").then(". r .")
    (stray,) = [c for c in left.then("r r .").hypotheses if in_words(c) == "a1-b1, stray a1"]
    other = Seen("r . .").then(". . .").then(". r .")
    (elsewhere,) = [c for c in other.then(". r r").hypotheses if in_words(c) == "a1-b1, stray c1"]
    assert stray.penalty > elsewhere.penalty


def test_hypotheses_are_pruned() -> None:
    seen = Seen("r r r r r r").then(". . . . . .")
    seen.then("r r r r . .", ". . . . . .", after=1.0)
    assert len(seen.hypotheses) == SENSING_LIMITS.most_hypotheses
    assert max(hypothesis.penalty for hypothesis in seen.hypotheses) == 0
