"""Tests for notifications from one thread to another."""

from threading import Thread

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


def test_wait_ends_with_a_wakeup() -> None:
    news = WakeUp()
    bringing = Thread(target=news.set)
    bringing.start()
    news.wait(LONG)
    bringing.join()
    assert news.is_there
