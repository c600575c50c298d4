"""Polling by the screens: often while something moves, rarely otherwise."""

from kivy.clock import Clock

from companion.ui.program import REST_SECONDS, FrameRate


def rests(pace: FrameRate, pictures: list[float], now: float) -> bool:
    for each in pictures:
        pace.note(each)
    return pace.rest(now) == REST_SECONDS


def test_before_the_first_picture_there_is_time() -> None:
    assert rests(FrameRate(), [], 100.0)


def test_after_a_picture_the_next_one_of_a_motion_may_come() -> None:
    assert not rests(FrameRate(), [100.0], 100.03)
    assert rests(FrameRate(), [100.0], 100.2)


def test_while_something_moves_there_is_no_rest() -> None:
    assert not rests(FrameRate(), [100.0, 100.1, 100.2], 100.4)
    assert rests(FrameRate(), [100.0, 100.1, 100.2], 100.7)


def test_a_clock_that_runs_is_no_motion() -> None:
    assert rests(FrameRate(), [100.0, 101.0, 102.0], 102.2)


def test_no_picture_of_a_test_waits_for_the_next_one() -> None:
    # If a test imports Kivy's clock before its limit is removed, all screens are delayed.
    assert Clock._max_fps == 0
