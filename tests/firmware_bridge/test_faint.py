"""Tests for the confidence filter. Faint changes that persist are accepted in the right order."""

from collections.abc import Mapping

import pytest

from engine.board.geometry import name, set_of, square
from firmware_bridge.image import Image
from firmware_bridge.sensing.change_detector import Change, ChangeDetector, ConfidenceFilter
from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS

START = 10.0
FRAME = 0.02


def on(*names: str) -> int:
    return set_of(map(square, names))


class Board:
    """Board with red pieces. Stores the filtered changes."""

    def __init__(self, *red: str) -> None:
        self.faint, self.watch = ConfidenceFilter(), ChangeDetector()
        self.at = START
        self.changes: list[Change] = []
        self.shows(*red)

    def shows(
        self, *red: str, first: Mapping[str, float] | None = None, faint: int = 0, after: int = 1
    ) -> None:
        """Show another frame. `first` gives, for each square, how many seconds ago it changed."""
        self.at += FRAME * after
        moments = {square(each): self.at - ago for each, ago in (first or {}).items()}
        believed = self.faint.see(self.at, Image(red=on(*red)), moments, faint)
        self.changes += self.watch.see(self.at, believed.image, believed.spans)

    @property
    def confirmed(self) -> list[str]:
        return [f"{name(each.square)} {each.now.value}" for each in self.changes]


def test_changes_within_a_frame_are_ordered() -> None:
    for first, second, order in [
        ("e4", "e7", ["e4 .", "e7 ."]),
        ("e7", "e4", ["e7 .", "e4 ."]),
    ]:
        board = Board("e4", "e7")
        board.shows(first={first: 0.017, second: 0.009})
        assert board.confirmed == order
        spans = [each.at for each in board.changes]
        assert [span.by - board.at for span in spans] == pytest.approx([-0.017, -0.009])
        assert spans[0].is_before(spans[1])


def test_placement_before_lift_is_kept() -> None:
    board = Board("e4")
    board.shows("e5", first={"e5": 0.017, "e4": 0.003})
    assert board.confirmed == ["e5 r", "e4 ."]


def test_lift_first_within_one_scan() -> None:
    board = Board("e4")
    board.shows("e3", first={"e3": 0.010, "e4": 0.008})
    assert board.confirmed == ["e4 .", "e3 r"]


def test_span_without_change_times() -> None:
    board = Board("e4")
    board.shows(after=4)
    [change] = board.changes
    assert (change.at.after, change.at.by) == pytest.approx((board.at - 0.08, board.at))


def test_lost_frame_keeps_change_times() -> None:
    board = Board("e4", "e7")
    board.shows(after=3, first={"e7": 0.057, "e4": 0.049})
    assert board.confirmed == ["e7 .", "e4 ."]
    assert [each.at.by - board.at for each in board.changes] == pytest.approx([-0.057, -0.049])


def test_earlier_change_time_is_not_reused() -> None:
    board = Board("e4")
    board.shows(first={"e4": 0.050})
    [change] = board.changes
    assert change.at.by == board.at


def test_change_just_before_the_previous_frame() -> None:
    board = Board("e4")
    board.shows(first={"e4": 0.023})
    [change] = board.changes
    assert change.at.by == pytest.approx(board.at - 0.023)


def test_debounced_change_before_the_previous_frame() -> None:
    board = Board("e4")
    board.shows(first={"e4": 0.043})
    [change] = board.changes
    assert change.at.by == pytest.approx(board.at - 0.043)


def test_passing_hand_is_ignored() -> None:
    board = Board("e4")
    board.shows("e4", "e5", faint=on("e5"))
    board.shows("e4", "e5", faint=on("e5"))
    board.shows("e4")
    board.shows("e4", after=10)
    assert board.confirmed == []
    assert board.faint.due is None


def test_weak_piece_counts_from_its_arrival() -> None:
    board = Board()
    board.shows("e5", faint=on("e5"), first={"e5": 0.007})
    came = board.at - 0.007
    assert board.faint.due == pytest.approx(came + SENSING_LIMITS.faint_confirmed_seconds)
    while board.at < came + SENSING_LIMITS.faint_confirmed_seconds - FRAME:
        board.shows("e5", faint=on("e5"))
        assert board.confirmed == []
    board.shows("e5", faint=on("e5"))
    assert board.confirmed == ["e5 r"]
    assert board.changes[0].at.by == pytest.approx(came)
    assert board.faint.due is None


def test_accepted_piece_may_stay_faint() -> None:
    board = Board("e5")
    for _ in range(100):
        board.shows("e5", faint=on("e5"))
    board.shows()
    assert board.confirmed == ["e5 ."]


def test_clear_reading_is_accepted_at_once() -> None:
    board = Board()
    board.shows("e5", faint=on("e5"), first={"e5": 0.007})
    came = board.at - 0.007
    board.shows("e5")
    assert board.confirmed == ["e5 r"]
    assert board.changes[0].at.by == pytest.approx(came)


def test_silence_is_no_confirmation() -> None:
    board = Board()
    board.shows("e5", faint=on("e5"))
    board.shows(after=20)
    assert board.confirmed == []


def test_squares_do_not_wait_for_each_other() -> None:
    board = Board("e4")
    board.shows("e5", faint=on("e5"))
    assert board.confirmed == ["e4 ."]


def test_first_image_is_accepted() -> None:
    board = Board()
    board.faint.forget()
    board.shows("e5", faint=on("e5"))
    assert board.confirmed == ["e5 r"]
