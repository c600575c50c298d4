"""Notifications from one thread to another."""

from threading import Thread

from companion.devices.live_board import WakeUp

LONG = 60.0
"""Timeout in seconds that no test reaches: each test ends as soon as the expected event arrives."""


def test_there_is_none_before_somebody_brings_it() -> None:
    news = WakeUp()
    assert not news.is_there
    news.wait(0.0)
    assert not news.is_there


def test_it_stays_until_it_is_forgotten() -> None:
    news = WakeUp()
    news.set()
    news.set()
    news.wait(LONG)
    assert news.is_there
    news.clear()
    assert not news.is_there
    news.clear()
    assert not news.is_there


def test_a_wait_ends_when_it_comes() -> None:
    news = WakeUp()
    bringing = Thread(target=news.set)
    bringing.start()
    news.wait(LONG)
    bringing.join()
    assert news.is_there
