"""Of several courses the least odd one is likeliest, and only so many are followed."""

from firmware_bridge.sensing.courses import MOST
from tests.firmware_bridge.corner import Seen, in_words


def test_the_least_odd_comes_first() -> None:
    seen = Seen("r r b").then(". . b").then("b r .").then("r r b")
    oddities = [course.oddity for course in seen.courses]
    assert oddities == sorted(oddities)
    assert len(set(oddities)) > 2


def test_a_ghost_is_odd_and_a_stray_is_odder() -> None:
    seen = Seen("r .")
    plain = seen.likeliest.oddity
    stray = seen.then("r b").likeliest.oddity
    ghost = seen.then("r .").likeliest.oddity
    assert plain == 0 < ghost < stray


def test_a_stray_is_odder_where_a_piece_has_left() -> None:
    """What comes to where a piece has left is that piece, rather."""
    left = Seen("r . .").then(". . .").then(". r .")
    (stray,) = [c for c in left.then("r r .").courses if in_words(c) == "a1-b1, stray a1"]
    other = Seen("r . .").then(". . .").then(". r .")
    (elsewhere,) = [c for c in other.then(". r r").courses if in_words(c) == "a1-b1, stray c1"]
    assert stray.oddity > elsewhere.oddity


def test_no_more_are_followed_than_the_likeliest() -> None:
    seen = Seen("r r r r r r").then(". . . . . .")
    seen.then("r r r r . .", ". . . . . .")
    assert len(seen.courses) == MOST
    assert max(course.oddity for course in seen.courses) == 0
