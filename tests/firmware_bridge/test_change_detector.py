"""Tests for the changes that are detected between frames, and the time interval of each change."""

import pytest
from hypothesis import given

from engine.board.geometry import ALL, squares_in
from firmware_bridge.image import ARMIES, Image
from firmware_bridge.sensing.change_detector import ChangeDetector, Interval, changes
from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS
from tests.firmware_bridge.small_board import FRAME, changes_in_words, corner
from tests.firmware_bridge.strategies import images

AT = Interval(1.0, 2.0)


class TestChanges:
    @pytest.mark.parametrize(
        ("before", "after", "expected"),
        [
            ("r . b", "r . b", []),
            ("r . b", ". . b", ["a1 r."]),
            ("r . b", "r b b", ["b1 .b"]),
            ("r . b", "b . b", ["a1 rb"]),
            ("? . .", ". ? .", ["a1 ?.", "b1 .?"]),
            ("r b .", "? ? .", ["a1 r?", "b1 b?"]),
            ("? ? .", "b r .", ["a1 ?b", "b1 ?r"]),
        ],
    )
    def test_squares_are_independent(self, before: str, after: str, expected: list[str]) -> None:
        assert changes_in_words(changes(corner(before), corner(after), AT)) == expected

    def test_lifts_precede_placements(self) -> None:
        before, after = corner("b .", ". r"), corner(". .", "r b")
        assert changes_in_words(changes(before, after, AT)) == ["b1 rb", "a2 b.", "a1 .r"]

    def test_changes_share_a_time_span(self) -> None:
        assert {each.at for each in changes(corner("r b"), corner("b r"), AT)} == {AT}

    @given(images, images)
    def test_changed_squares_are_reported_once(self, before: Image, after: Image) -> None:
        found = list(changes(before, after, AT))
        differing = [s for s in squares_in(ALL) if before.at(s) is not after.at(s)]
        assert sorted(each.square for each in found) == differing
        for each in found:
            assert (each.was, each.now) == (before.at(each.square), after.at(each.square))
        taken = [not before.occupied >> each.square & 1 for each in found]
        assert taken == sorted(taken)


@pytest.fixture
def watch() -> ChangeDetector:
    """Return a detector that has seen two pieces at 10 s."""
    watch = ChangeDetector()
    watch.see(10.0, corner("r . b"))
    return watch


def stream(watch: ChangeDetector, frames: int, apart: float = FRAME) -> None:
    """Repeat the current image for the given number of frames."""
    assert watch.image
    for _ in range(frames):
        watch.see(watch.seen_at + apart, watch.image)


class TestFrames:
    def test_first_image_has_no_changes(self) -> None:
        watch = ChangeDetector()
        assert not watch.see(10.0, ARMIES)
        assert (watch.image, watch.seen_at, watch.changed_at) == (ARMIES, 10.0, 10.0)

    def test_span_is_between_two_frames(self, watch: ChangeDetector) -> None:
        (change,) = watch.see(10.02, corner("r . ."))
        assert changes_in_words([change]) == ["c1 b."]
        assert change.at == Interval(10.0, 10.02)

    def test_repeated_frames_narrow_the_span(self, watch: ChangeDetector) -> None:
        watch.see(10.5, corner("r . b"))
        (change,) = watch.see(10.52, corner("r . ."))
        assert change.at == Interval(10.5, 10.52)
        assert watch.changed_at == 10.52

    def test_lost_frames_widen_the_span(self, watch: ChangeDetector) -> None:
        (change,) = watch.see(13.0, corner("r . ."))
        assert change.at == Interval(10.0, 13.0)

    def test_stable_since(self, watch: ChangeDetector) -> None:
        watch.see(10.02, corner("r . ."))
        watch.see(10.04, corner("r . ."))
        assert (watch.seen_at, watch.changed_at) == (10.04, 10.02)


class TestSilence:
    """If a source sends only changes, silence means that nothing has changed. If it sends a steady
    stream of frames, silence means that frames are missing."""

    def test_no_result_before_the_first_frame(self) -> None:
        watch = ChangeDetector()
        watch.advance(50.0)
        assert watch.seen_at == 0.0

    def test_board_that_sends_only_changes(self, watch: ChangeDetector) -> None:
        watch.advance(12.0)
        (change,) = watch.see(12.5, corner("r . ."))
        assert change.at == Interval(12.0, 12.5)
        assert watch.changed_at == 12.5

    def test_time_is_monotonic(self, watch: ChangeDetector) -> None:
        watch.advance(9.0)
        assert watch.seen_at == 10.0

    def test_interrupted_stream(self, watch: ChangeDetector) -> None:
        stream(watch, SENSING_LIMITS.stream_frames)
        until = watch.seen_at
        watch.advance(until + 5)
        (change,) = watch.see(until + 6, corner("r . ."))
        assert change.at == Interval(until, until + 6)

    def test_minimum_frames_of_a_stream(self, watch: ChangeDetector) -> None:
        stream(watch, SENSING_LIMITS.stream_frames - 1)
        watch.advance(50.0)
        assert watch.seen_at == 50.0

    def test_distant_frames_are_no_stream(self, watch: ChangeDetector) -> None:
        stream(
            watch,
            3 * SENSING_LIMITS.stream_frames,
            apart=SENSING_LIMITS.steady_frame_gap_seconds + 0.01,
        )
        watch.advance(50.0)
        assert watch.seen_at == 50.0

    def test_paused_frames_are_no_stream(self, watch: ChangeDetector) -> None:
        stream(watch, SENSING_LIMITS.stream_frames - 1)
        stream(watch, 1, apart=SENSING_LIMITS.steady_frame_gap_seconds + 0.01)
        stream(watch, SENSING_LIMITS.stream_frames - 1)
        watch.advance(50.0)
        assert watch.seen_at == 50.0

    def test_changing_frames_are_no_stream(self, watch: ChangeDetector) -> None:
        stream(watch, SENSING_LIMITS.stream_frames - 1)
        watch.see(watch.seen_at + FRAME, corner("r . ."))
        stream(watch, SENSING_LIMITS.stream_frames - 1)
        watch.advance(50.0)
        assert watch.seen_at == 50.0

    def test_stream_is_remembered(self, watch: ChangeDetector) -> None:
        stream(watch, SENSING_LIMITS.stream_frames)
        watch.see(20.0, corner("r . ."))
        watch.advance(50.0)
        assert watch.seen_at == 20.0
