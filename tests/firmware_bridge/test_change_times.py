"""Tests for change times: each change is reported once."""

import pytest

from engine.board.geometry import square
from firmware_bridge.image import Image
from firmware_bridge.sensing.change_detector import ChangeTimes
from firmware_bridge.wire import CHANGE_REPORT_MS, State

E4, E5 = square("e4"), square("e5")
ON_E4, ON_E5 = Image(red=1 << E4), Image(red=1 << E5)


def begun() -> ChangeTimes:
    """Return a `ChangeTimes` that has already processed one frame, with a piece on e4."""
    moments = ChangeTimes()
    assert moments.of(1.0, State(20, ON_E4, ((E4, 5),))) == (), (
        "the first frame has no change times"
    )
    return moments


def times(moments: ChangeTimes, at: float, image: Image, **ago_ms: int) -> dict[str, float]:
    changed = tuple((square(name), ago) for name, ago in ago_ms.items())
    names = {square(name): name for name in ago_ms}
    return {names[each]: moment for each, moment in moments.of(at, State(0, image, changed))}


def test_change_time_from_the_first_frame() -> None:
    moments = begun()
    assert times(moments, 2.0, ON_E5, e4=15, e5=4) == pytest.approx({"e4": 1.985, "e5": 1.996})
    assert times(moments, 2.02, ON_E5, e4=35, e5=24) == {}


def test_change_times_survive_a_lost_frame() -> None:
    moments = begun()
    assert times(moments, 2.02, ON_E5, e4=35, e5=24) == pytest.approx({"e4": 1.985, "e5": 1.996})


def test_change_time_of_an_unchanged_square_is_ignored() -> None:
    assert times(begun(), 2.0, ON_E4, e4=3, e5=12) == {}


def test_restart_clears_change_times() -> None:
    moments = begun()
    moments.reset()
    assert times(moments, 2.0, ON_E5, e4=15, e5=4) == {}
    assert times(moments, 2.02, Image(1 << E4 | 1 << E5), e4=8) == pytest.approx({"e4": 2.012})


def test_too_old_change_time_is_ignored() -> None:
    """A corrupted frame with a valid checksum must not result in a turn."""
    ago = {"e4": CHANGE_REPORT_MS + 1, "e5": CHANGE_REPORT_MS}
    assert times(begun(), 2.0, ON_E5, **ago) == pytest.approx({"e5": 1.93})
