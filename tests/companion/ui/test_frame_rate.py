"""Screens are polled at a high rate only while something moves."""

from kivy.clock import Clock

from companion.ui.program import REST_SECONDS, FrameRate


def rests(pace: FrameRate, pictures: list[float], now: float) -> bool:
    for each in pictures:
        pace.note(each)
    return pace.rest(now) == REST_SECONDS


def test_no_frame_limit_before_the_first_frame() -> None:
    assert rests(FrameRate(), [], 100.0)


def test_animation_frame_rate() -> None:
    assert not rests(FrameRate(), [100.0], 100.03)
    assert rests(FrameRate(), [100.0], 100.2)


def test_no_idle_during_animation() -> None:
    assert not rests(FrameRate(), [100.0, 100.1, 100.2], 100.4)
    assert rests(FrameRate(), [100.0, 100.1, 100.2], 100.7)


def test_running_clock_is_no_animation() -> None:
    assert rests(FrameRate(), [100.0, 101.0, 102.0], 102.2)


def test_tests_do_not_wait_for_frames() -> None:
    # Kivy's clock must be imported after its frame limit has been removed.
    assert Clock._max_fps == 0
