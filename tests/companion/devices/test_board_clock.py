"""Tests for converting board time to application time."""

from itertools import pairwise

import pytest

from companion.devices.live_board import BoardClock

FRAME_MS = 20
BEGUN = 1000.0
"""Application time at which the board started."""


def moments(
    delays: list[float], *, first_ms: int = 20, begun: float = BEGUN, rate: float = 1.0
) -> list[float]:
    """Return the converted times of frames that arrive with the given delays."""
    clock = BoardClock()
    return [
        clock.moment((first_ms + FRAME_MS * n) % 2**32, begun + FRAME_MS / 1000 * n / rate + delay)
        for n, delay in enumerate(delays)
    ]


def test_late_frames_keep_their_distance() -> None:
    found = moments([0.001] + [0.001 + 0.004 * (n % 5) for n in range(100)])
    assert found == pytest.approx([BEGUN + 0.001 + 0.02 * n for n in range(101)])


def test_burst_of_frames_keeps_times() -> None:
    held_up = [max(0.0, 0.9 - 0.02 * n) for n in range(60)]
    found = moments([0.002] * 50 + [0.002 + each for each in held_up])
    assert found == pytest.approx([BEGUN + 0.002 + 0.02 * n for n in range(110)])


def test_frame_time_is_bounded() -> None:
    delays = [(7919 * n % 50) / 1000 for n in range(500)]
    found = moments(delays)
    heard = [BEGUN + 0.02 * n + delay for n, delay in enumerate(delays)]
    assert all(at <= then for at, then in zip(found, heard, strict=True))
    assert all(before <= after for before, after in pairwise(found))


@pytest.mark.parametrize("rate", [0.995, 1.005])
def test_clock_drift_is_followed(rate: float) -> None:
    found = moments([0.001] * 5000, rate=rate)
    late = [BEGUN + 0.02 * n / rate + 0.001 - at for n, at in enumerate(found)]
    assert min(late) >= -1e-9
    assert max(late) <= 0.012


def test_board_clock_wrap() -> None:
    found = moments([0.0] * 3 + [0.01] * 7, first_ms=2**32 - 100)
    assert found == pytest.approx([BEGUN + 0.02 * n for n in range(10)])


def test_board_restart_resets_the_clock() -> None:
    clock = BoardClock()
    before = clock.moment(60_000, BEGUN)
    assert clock.moment(20, BEGUN + 0.5) == BEGUN + 0.5 > before
    assert clock.moment(40, BEGUN + 0.53) == pytest.approx(BEGUN + 0.52)


def test_times_never_go_back_after_a_restart() -> None:
    clock = BoardClock()
    clock.moment(60_000, BEGUN)
    clock.reset()
    assert clock.moment(20, BEGUN + 0.3) == BEGUN + 0.3
    clock.reset()
    assert clock.moment(20, BEGUN + 0.1) == BEGUN + 0.3
