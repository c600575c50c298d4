"""Tests for notifications from one thread to another."""

from threading import Lock, Thread

import pytest

from companion.devices.live_board import WakeUp

LONG = 60.0
"""Timeout that is too long for any test to reach, in seconds."""


def test_no_wakeup_initially() -> None:
    news = WakeUp()
    assert not news.is_there
    news.wait(0.0)
    assert not news.is_there


def test_wakeup_lasts_until_cleared() -> None:
    news = WakeUp()
    news.set()
    news.set()
    news.wait(LONG)
    assert news.is_there
    news.clear()
    assert not news.is_there
    news.clear()
    assert not news.is_there


class _SetDuringWait:
    """A lock. While the waiting thread holds it, another thread sets the flag."""

    def __init__(self, news: WakeUp) -> None:
        self._news, self._lock = news, Lock()
        self.locked, self.release = self._lock.locked, self._lock.release

    def acquire(self, timeout: float) -> bool:
        acquired = self._lock.acquire(timeout=timeout)
        other = Thread(target=self._news.set)
        other.start()
        other.join()
        return acquired


def test_wakeup_during_the_end_of_a_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    news = WakeUp()
    monkeypatch.setattr(news, "_none", _SetDuringWait(news))
    news.wait(LONG)
    assert news.is_there


def test_wait_ends_with_a_wakeup() -> None:
    news = WakeUp()
    bringing = Thread(target=news.set)
    bringing.start()
    news.wait(LONG)
    bringing.join()
    assert news.is_there
