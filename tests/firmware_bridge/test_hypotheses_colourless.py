"""Tests for hypotheses without colours, where any piece can be mistaken for any other."""

from engine.board.geometry import Side
from tests.firmware_bridge.small_board import Seen


def test_initial_colours_without_colour_sensors() -> None:
    seen = Seen("r b", colours=False).then(". ?")
    assert seen.notations == ["a1 up"]
    assert seen.likeliest.held[0].piece.side is Side.RED


def test_pieces_are_interchangeable_without_colours() -> None:
    seen = Seen("r b . .", colours=False).then(". ? . .").then(". . . .")
    seen.then(". . ? .", after=1.0)
    assert seen.notations[:2] == ["a1-c1, b1 up", "b1-c1, a1 up"]


def test_any_piece_may_slide_without_colours() -> None:
    assert Seen("b .", colours=False).then("? ?").then(". ?").notations[0] == "a1-b1"


def test_any_unseen_piece_may_appear_without_colours() -> None:
    seen = Seen("r b .", colours=False).then("? ? ?", ignored="a1 b1")
    assert sorted(seen.notations) == ["a1-c1", "b1-c1", "stray c1"]
