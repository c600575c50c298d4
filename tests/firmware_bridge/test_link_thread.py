"""Tests for a link's thread: start, stop and callback."""

from queue import Queue
from threading import Event as Flag
from threading import enumerate as threads

import pytest

from firmware_bridge.link import BoardLink, Connected, Event, LinkError, Searching, reader
from firmware_bridge.simulated_board.port import SimulatedPort
from tests.firmware_bridge.links import Listener
from tests.timeouts import LONG


@pytest.mark.parametrize("name", ["/dev/no-such-port", None])
def test_stopping_is_prompt(
    listener: Listener, port: SimulatedPort, name: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread ends immediately, without waiting for its next retry."""
    assert reader.STOP_SECONDS < 0.3
    monkeypatch.setattr(reader, "STOP_SECONDS", LONG)
    link = BoardLink(listener.queue.put, name or str(port.path), retry_seconds=LONG)
    with link:
        assert listener.next() == Searching()
        assert isinstance(listener.next(), LinkError | Connected)
    assert link._thread not in threads()


def test_stop_is_idempotent(listener: Listener) -> None:
    link = BoardLink(listener.queue.put, "/dev/no-such-port")
    link.stop()
    link.start()
    link.stop()
    link.stop()
    assert listener.rest() == []


def test_listener_may_stop_the_link() -> None:
    heard: Queue[Event] = Queue()

    def listen(event: Event) -> None:
        heard.put(event)
        link.stop()

    link = BoardLink(listen, "/dev/no-such-port")
    link.start()
    assert heard.get() == Searching()
    link._thread.join()
    assert heard.empty()


def test_failing_listener_is_logged(caplog: pytest.LogCaptureFixture, port: SimulatedPort) -> None:
    connected = Flag()

    def listen(event: Event) -> None:
        if isinstance(event, Connected):
            connected.set()
        raise RuntimeError("out of order")

    with BoardLink(listen, str(port.path)):
        connected.wait()
    assert "out of order" in caplog.text
