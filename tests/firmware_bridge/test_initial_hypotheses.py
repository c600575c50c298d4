"""Tests for hypotheses that explain how the actual image differs from the expected one."""

import pytest

from engine.board.geometry import Side, set_of, square
from firmware_bridge.image import ARMIES, Sensed
from firmware_bridge.sensing.change_detector import Change, Interval
from firmware_bridge.sensing.hypotheses import (
    Placement,
    TrackedPiece,
    differences,
    extend_all,
    initial,
)
from tests.firmware_bridge.small_board import changes_in_words, corner, in_words

A1, C1 = square("a1"), square("c1")
RED_A1 = TrackedPiece(Side.RED, A1)
AT = Interval(1.0, 2.0)


def test_initial_pieces() -> None:
    (hypothesis,) = initial(ARMIES)
    assert set_of(hypothesis.standing) == ARMIES.occupied
    assert all(piece.home == where for where, piece in hypothesis.standing.items())
    assert hypothesis.standing[A1] == RED_A1
    assert in_words(hypothesis) == "nothing"
    assert hypothesis.penalty == 0


def test_initial_lifts() -> None:
    hypotheses = initial(corner("r . ."), corner(". . r"), lambda _: AT)
    assert [in_words(hypothesis) for hypothesis in hypotheses] == ["a1-c1", "a1 up, stray c1"]
    assert hypotheses[0].carries == (Placement(RED_A1, A1, C1, AT, AT),)


@pytest.mark.parametrize(
    ("expected", "seen", "reported"),
    [
        ("r b .", "r b .", []),
        ("r b .", "? ? .", []),
        ("r . .", ". . r", ["a1 r.", "c1 .r"]),
        (". r .", "r . .", ["b1 r.", "a1 .r"]),
        ("r b .", "b b .", ["a1 rb"]),
        ("r . .", "r ? .", ["b1 .?"]),
    ],
)
def test_unknown_colour_matches_any_piece(expected: str, seen: str, reported: list[str]) -> None:
    found = differences(corner(expected), corner(seen), lambda _: AT)
    assert changes_in_words(found) == reported
    assert all(change.at == AT for change in found)


@pytest.mark.parametrize(("later", "reported"), [(0.1, "a1-b1"), (0.5, "a1 up, stray b1")])
def test_earlier_piece_is_no_border_stop(later: float, reported: str) -> None:
    """The piece on b1 may have been put there after a capture, or the piece on a1 may be sliding to
    b1."""
    hypotheses = initial(corner("r ."), corner("r r"), lambda _: AT)
    gone = Change(A1, Sensed.RED, Sensed.EMPTY, Interval(AT.by + later, AT.by + later + 0.02))
    assert in_words(extend_all(hypotheses, [gone], 0)[0]) == reported


def test_initial_differences_are_ordered() -> None:
    """A captured piece was removed from d1 before the piece on a1 was moved to b1."""
    cleared, left = Interval(1.0, 1.02), Interval(2.0, 2.02)
    since = {A1: left, square("b1"): left, square("d1"): cleared}
    hypotheses = initial(corner("r . . b"), corner(". r . ."), lambda each: since[each])
    assert in_words(hypotheses[0]) == "a1-b1, d1 up"


def test_earlier_placement_is_no_later_lift() -> None:
    """The piece on c1 appeared a second before the piece on a1 was lifted."""
    since = {A1: Interval(2.0, 2.02), C1: Interval(1.0, 1.02)}
    hypotheses = initial(corner("r . ."), corner(". . r"), lambda each: since[each])
    assert in_words(hypotheses[0]) == "a1 up, stray c1"
