"""Tests for hypotheses. Every possible explanation of a change must be found.

Images and hypotheses use the notation of `tests.firmware_bridge.small_board`; hypotheses are listed
most likely first.
"""

import pytest

from engine.board.geometry import Side, square
from firmware_bridge.image import Sensed
from firmware_bridge.sensing import hypotheses
from firmware_bridge.sensing.change_detector import Interval
from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS
from tests.firmware_bridge.small_board import FRAME, Seen

A1, B1, C1 = square("a1"), square("b1"), square("c1")
RED_A1, BLUE_B1 = hypotheses.TrackedPiece(Side.RED, A1), hypotheses.TrackedPiece(Side.BLUE, B1)
AT = Interval(1.0, 2.0)


class TestLift:
    def test_lift(self) -> None:
        seen = Seen("r b").then(". b")
        assert seen.notations == ["a1 up"]
        assert seen.likeliest.held == (hypotheses.LiftedPiece(RED_A1, A1, seen.span(1)),)
        assert seen.standing == {"b1": "b1"}

    def test_second_lift(self) -> None:
        assert Seen("r b").then("r .").then(". .").notations == ["b1 up, a1 up"]

    def test_slide_seen_on_the_neighbour(self) -> None:
        seen = Seen("r . b").then("r r b").then(". r b")
        assert seen.notations == ["a1-b1", "a1 up, stray b1"]
        gone, there = seen.span(2), seen.span(1)
        assert seen.likeliest.carries == (hypotheses.Placement(RED_A1, A1, B1, gone, there),)
        assert seen.standing == {"b1": "a1", "c1": "c1"}

    @pytest.mark.parametrize(
        ("both", "then", "expected"),
        [
            ((". . .", ". r r", ". . ."), (". . .", ". . r", ". . ."), "b2-c2"),
            ((". . .", "r r .", ". . ."), (". . .", "r . .", ". . ."), "b2-a2"),
            ((". r .", ". r .", ". . ."), (". r .", ". . .", ". . ."), "b2-b3"),
            ((". . .", ". r .", ". r ."), (". . .", ". . .", ". r ."), "b2-b1"),
        ],
    )
    def test_slide_directions(
        self, both: tuple[str, ...], then: tuple[str, ...], expected: str
    ) -> None:
        assert Seen(". . .", ". r .", ". . .").then(*both).then(*then).notations[0] == expected

    def test_no_diagonal_slide(self) -> None:
        seen = Seen(". .", "r .").then(". r", "r .").then(". r", ". .")
        assert seen.notations == ["a1 up, stray b2"]

    def test_other_colour_is_another_piece(self) -> None:
        assert Seen("r .").then("r b").then(". b").notations == ["a1 up, stray b1"]

    def test_slide_stops_on_the_border(self) -> None:
        """The slide costs more than usual, but less than a lifted piece plus a stray."""
        seen = (
            Seen("r .")
            .then("r r")
            .then("r r", after=SENSING_LIMITS.slide_overlap_seconds + FRAME / 2)
            .then(". r")
        )
        assert seen.notations == ["a1-b1", "a1 up, stray b1"]
        assert seen.likeliest.penalty == 2

    def test_placement_is_likelier_than_a_slide(self) -> None:
        """The cost difference is large enough that no question is asked."""
        seen = Seen("r . r").then(". . r").then(". r r").then(". r r", after=0.12).then(". r .")
        assert seen.notations[0] == "a1-b1, c1 up"
        assert min(each.penalty for each in seen.hypotheses[1:]) > seen.likeliest.penalty + 2

    def test_slide_is_short(self) -> None:
        seen = (
            Seen("r .")
            .then("r r")
            .then("r r", after=SENSING_LIMITS.slow_slide_overlap_seconds + FRAME / 2)
            .then(". r")
        )
        assert seen.notations == ["a1 up, stray b1"]

    @pytest.mark.parametrize(
        ("square", "expected"), [("b1", ["a1-b1", "a1 up, stray b1"]), ("c1", ["a1 up, stray c1"])]
    )
    def test_slide_with_late_arrival(self, square: str, expected: list[str]) -> None:
        """The piece is faint on its new square. It is therefore accepted there only after it has
        left its old square.
        """
        seen = Seen("r . .").then("r . .").then(". . .")
        assert seen.at_last(square, "r", seen.span(1)).notations == expected

    def test_late_arrival_may_be_a_border_stop(self) -> None:
        seen = (
            Seen("r .")
            .then("r .")
            .then("r .", after=SENSING_LIMITS.slide_overlap_seconds)
            .then(". .", after=FRAME)
        )
        assert seen.at_last("b1", "r", seen.span(1)).likeliest.penalty == 2

    def test_slide_during_lost_frames(self) -> None:
        """The piece may have left its old square just after the last frame that was received."""
        seen = (
            Seen("r .")
            .then("r r")
            .then("r r", after=SENSING_LIMITS.slow_slide_overlap_seconds - FRAME)
            .then(". r", after=5.0)
        )
        assert seen.notations[0] == "a1-b1"

    def test_no_slide_before_arrival(self) -> None:
        """The piece was put down near an edge of its square, so that the neighbouring square
        briefly detected it."""
        seen = (
            Seen(". . r")
            .then(". . .")
            .then("r . .", after=2 * SENSING_LIMITS.fastest_carry_seconds)
        )
        seen.then("r r .").then("r . .")
        assert seen.notations[0] == "c1-a1"
        assert not [text for text in seen.notations if "b1-a1" in text]

    def test_slide_during_another_lift(self) -> None:
        """A sleeve knocks over the other piece."""
        seen = Seen("r . r").then(". . r").then(". . .", after=1.0).then(". r .", after=0.06)
        assert seen.notations[0] == "c1-b1, a1 up"

    def test_slide_faster_than_a_hand(self) -> None:
        """A sleeve pushes the piece on b1 to c1 while the piece on a1 is lifted. The piece from a1
        cannot have been carried to c1 so fast.
        """
        seen = Seen("r r .").then(". r .").then(". r r", after=0.06).then(". . r", after=0.06)
        assert seen.notations[0] == "b1-c1, a1 up"

    def test_piece_on_at_most_two_squares(self) -> None:
        seen = Seen("r . .").then("r r .").then("r r r").then(". r r").then(". . r")
        assert "a1-b1, a1:b1 up, stray c1" in seen.notations
        assert not [text for text in seen.notations if "b1-c1" in text]

    def test_simultaneous_slide(self) -> None:
        """The piece is first detected on both squares at the same time."""
        seen = Seen(". . r").then(". . .").then("r r .").then("r . .")
        assert "c1-b1, c1:b1-a1" in seen.notations

    @pytest.mark.parametrize(
        ("before", "both", "expected"),
        [("r . .", "r r .", "a1-b1, a1:b1 up"), (". r .", "r r .", "b1-a1, b1:a1 up")],
    )
    def test_lift_right_after_a_slide(self, before: str, both: str, expected: str) -> None:
        """The likeliest hypothesis does not depend on which of the two squares has the lower
        number."""
        assert Seen(before).then(both).then(". . .").notations[0] == expected

    def test_either_neighbour_may_have_slid(self) -> None:
        seen = Seen("r . r").then("r r r").then(". r r")
        assert seen.notations == ["a1-b1", "a1 up, stray b1"]
        seen.then(". r .")
        assert seen.notations == ["a1-b1, c1 up", "c1-b1, a1 up", "a1 up, c1 up, stray b1"]

    def test_stray_disappears(self) -> None:
        """A magnet passes over the square."""
        seen = Seen("r .").then("r b").then("r .", after=0.3)
        assert seen.notations == ["nothing"]
        assert seen.likeliest.phantom_squares == 1 << B1
        assert seen.standing == {"a1": "a1"}

    def test_short_stray_is_a_leaning_piece(self) -> None:
        seen = Seen("r .").then("r r").then("r .")
        assert seen.notations == ["nothing"]
        assert not seen.likeliest.phantom_squares
        assert seen.likeliest.penalty

    def test_ignored_square_reports_no_lift(self) -> None:
        """The piece that stood on the ignored square is known to be on another square."""
        seen = Seen("r . .").then("r . r", ignored="a1")
        before = [hypothesis for hypothesis in seen.hypotheses if hypothesis.carries]
        seen.hypotheses = before
        assert seen.then(". . r").hypotheses == before


class TestPlacement:
    def test_lifted_piece_is_placed(self) -> None:
        seen = Seen("r . .").then(". . .").then(". . r")
        assert seen.notations == ["a1-c1", "a1 up, stray c1"]
        lifted, put = seen.span(1), seen.span(2)
        assert seen.likeliest.carries == (hypotheses.Placement(RED_A1, A1, C1, lifted, put),)
        assert seen.standing == {"c1": "a1"}

    def test_lifted_piece_is_put_back(self) -> None:
        seen = Seen("r b").then(". b").then("r b")
        assert seen.notations[0] == "a1-a1"
        assert seen.standing == {"a1": "a1", "b1": "b1"}

    def test_placed_piece_can_move_on(self) -> None:
        seen = Seen("r . .").then(". . .").then(". r .").then(". . .").then(". . r")
        assert seen.notations[0] == "a1-b1, a1:b1-c1"

    def test_lift_and_placement_between_two_frames(self) -> None:
        seen = Seen("r . .").then(". . r", after=3.0)
        assert seen.notations == ["a1-c1", "a1 up, stray c1"]
        (carry,) = seen.likeliest.carries
        assert carry.lifted == carry.released == seen.span(1)

    def test_either_lifted_piece_may_be_placed(self) -> None:
        seen = Seen("r r .", ". . .").then(". . .", ". . .").then(". . .", ". . r")
        assert seen.notations[:2] == ["a2-c1, b2 up", "b2-c1, a2 up"]
        assert seen.notations[2:] == ["a2 up, b2 up, stray c1"]

    def test_returning_piece_is_likelier(self) -> None:
        seen = Seen("r r").then("r .").then(". .").then(". r")
        assert seen.notations[:2] == ["b1-b1, a1 up", "a1-b1, b1 up"]

    def test_placed_piece_has_its_colour(self) -> None:
        assert Seen("r b .").then(". b .").then(". b b").notations == ["a1 up, stray c1"]

    def test_later_lift_is_no_earlier_placement(self) -> None:
        """The squares are too far apart for a slide. The new piece appeared before the other one
        was lifted, so they are two pieces."""
        seen = Seen("r . .").then("r . r").then(". . r")
        assert seen.notations == ["a1 up, stray c1"]

    def test_placed_piece_leaves_the_hand(self) -> None:
        seen = Seen("r . .").then(". . .").then(". r .").then(". r r")
        assert seen.notations == ["a1-b1, stray c1", "a1-c1, stray b1", "a1 up, stray b1, stray c1"]

    def test_piece_of_unknown_origin(self) -> None:
        seen = Seen("r . .").then("r . b")
        assert seen.notations == ["stray c1"]
        assert seen.likeliest.unexplained == (
            hypotheses.UnexplainedPiece(C1, Sensed.BLUE, seen.span(1)),
        )

    def test_piece_of_unknown_origin_stays(self) -> None:
        assert Seen("r . .").then("r . b").then(". . b").notations == ["a1 up, stray c1"]


class TestNothingIsSeen:
    """A piece may have come from an ignored square."""

    def test_unseen_piece_comes_from_its_square(self) -> None:
        seen = Seen("r . .").then("r . r", ignored="a1")
        assert sorted(seen.notations) == ["a1-c1", "stray c1"]
        (hypothesis,) = (each for each in seen.hypotheses if each.carries)
        at = seen.span(1)
        assert hypothesis.carries == (hypotheses.Placement(RED_A1, A1, C1, at, at),)
        assert hypothesis.standing == {C1: RED_A1}

    def test_unseen_piece_has_its_colour(self) -> None:
        assert Seen("r . .").then("r . b", ignored="a1").notations == ["stray c1"]

    def test_no_piece_returns_from_an_earlier_lift(self) -> None:
        seen = Seen("r . .").then("r . r", ignored="a1")
        seen.then("r r r", ignored="a1")
        assert sorted(seen.notations) == [
            "a1-b1, stray c1",
            "a1-c1, stray b1",
            "stray c1, stray b1",
        ]

    def test_piece_in_hand_comes_from_its_square(self) -> None:
        seen = Seen("r r .").then("r . .", ignored="a1").then("r . r", ignored="a1")
        assert seen.notations == ["b1-c1", "b1 up, stray c1"]


class TestColourChange:
    def test_covered_piece(self) -> None:
        seen = Seen("r b").then(". b").then(". r")
        assert seen.notations == ["a1xb1, b1 covered", "a1 up, b1 covered, stray b1"]
        lifted, put = seen.span(1), seen.span(2)
        assert seen.likeliest.carries == (
            hypotheses.Placement(RED_A1, A1, B1, lifted, put, covers=True),
        )
        assert seen.likeliest.held == (hypotheses.LiftedPiece(BLUE_B1, B1, put, covered=True),)
        assert seen.standing == {"b1": "a1"}

    def test_slide_onto_a_piece(self) -> None:
        seen = Seen("r b").then("r r").then(". r")
        assert seen.notations[0] == "a1xb1, b1 covered"

    @pytest.mark.parametrize(
        ("before", "then", "expected"),
        [
            ("r . b", ". . r", "a1xc1, c1 covered"),
            ("b . r", "r . .", "c1xa1, a1 covered"),
            ("r . b", "b . r", "c1xa1, a1xc1"),
        ],
    )
    def test_covering_between_two_frames(self, before: str, then: str, expected: str) -> None:
        """The likeliest hypothesis does not depend on which of the two squares has the lower
        number. The squares need not be adjacent."""
        assert Seen(before).then(then, after=3.0).notations[0] == expected

    def test_piece_beneath_is_moved_elsewhere(self) -> None:
        seen = Seen("r b .").then(". b .").then(". r .").then(". r b")
        assert seen.notations[0] == "a1xb1, b1-c1"
        assert seen.standing == {"b1": "a1", "c1": "b1"}

    def test_both_stacked_pieces_are_lifted(self) -> None:
        seen = Seen("r b").then(". b").then(". r").then(". .")
        assert seen.notations[0] == "a1xb1, b1 covered, a1:b1 up"
        assert seen.standing == {}

    def test_covering_piece_is_lifted(self) -> None:
        """The piece underneath does not move."""
        seen = Seen("r b").then(". b").then(". r").then(". b")
        assert seen.notations[0] == "a1xb1, a1:b1 up"
        assert seen.standing == {"b1": "b1"}
        assert seen.then("r b").notations[0] == "a1xb1, a1:b1-a1"

    def test_second_covering_at_the_same_time(self) -> None:
        """One attack is cancelled, and a different one is made."""
        seen = Seen("r b . r b").then(". b . . b").then(". r . . b").then(". b . . r")
        assert "a1xb1, d1xe1, a1:b1 up, e1 covered" in seen.notations

    def test_later_covered_piece_is_visible(self) -> None:
        """The first covered piece leaves its square. Later, another piece is covered on the same
        square."""
        seen = Seen("r b b").then(". b b").then(". r b").then(". . b").then(". . .")
        seen.then(". b .").then(". r .")
        assert "a1xb1, c1-b1, a1:b1xb1, b1 covered, c1:b1 covered" in seen.notations
        seen.then(". b .")
        assert "a1xb1, c1-b1, a1:b1xb1, b1 covered, a1:b1 up" in seen.notations

    def test_piece_returns_to_an_empty_square(self) -> None:
        """Both pieces are removed and one of them is put back."""
        seen = Seen("r b").then(". b").then(". r").then(". .").then(". b")
        assert seen.notations[0] == "a1xb1, b1-b1, a1:b1 up"

    def test_returned_piece_is_placed_once(self) -> None:
        seen = Seen("r b").then(". b").then(". r").then(". b")
        assert not [text for text in seen.notations if "b1xb1" in text or "b1-b1" in text]

    def test_other_piece_on_a_captured_square(self) -> None:
        """Blue lifts two pieces and replaces the red piece with one of them."""
        seen = Seen("r b b").then(". b b").then(". r b").then(". r .").then(". b .")
        uncovered, put = "a1xb1, c1 up, a1:b1 up", "a1xb1, c1xb1, b1 covered, a1:b1 covered"
        assert {uncovered, put} <= set(seen.notations)

    def test_passing_magnet(self) -> None:
        seen = Seen("r b").then("r r").then("r b")
        assert seen.notations[0] == "nothing"
        assert seen.standing == {"a1": "a1", "b1": "b1"}

    def test_lift_below_a_passing_magnet(self) -> None:
        seen = Seen("r . .").then("r . b").then("r . r", after=0.3)
        assert seen.notations == ["stray c1"]
        assert seen.likeliest.phantom_squares == 1 << C1
        assert seen.likeliest.unexplained[0].shows is Sensed.RED
