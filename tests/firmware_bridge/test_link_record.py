"""Tests for recording the received bytes."""

import logging

import pytest

from firmware_bridge.image import Image
from firmware_bridge.link import BoardLink, Connected, MessageReceived, Searching
from firmware_bridge.wire import State
from tests.firmware_bridge.links import HELLO, Listener, device, encoded

DIRT = b"\x55noise\0\0"
STATE = State(0, Image())


def test_bytes_are_recorded_before_delivery(listener: Listener) -> None:
    recorded = bytearray()
    sent = DIRT + encoded(HELLO, STATE) + DIRT + encoded(STATE)
    with device(sent) as name, BoardLink(listener.queue.put, name, record=recorded.extend) as link:
        assert [listener.next() for _ in range(2)] == [Searching(), Connected(name, HELLO)]
        assert [listener.next() for _ in range(2)] == [MessageReceived(STATE)] * 2
        assert recorded == sent
        assert link.statistics.received_bytes == len(sent)


def test_failing_recorder_does_not_affect_the_link(
    listener: Listener, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(data: bytes) -> None:
        raise OSError(f"no room for {len(data)} bytes")

    with (
        caplog.at_level(logging.ERROR),
        device(encoded(HELLO, STATE)) as name,
        BoardLink(listener.queue.put, name, record=fail),
    ):
        assert [listener.next() for _ in range(3)][1:] == [
            Connected(name, HELLO),
            MessageReceived(STATE),
        ]
    assert "no room for" in caplog.text
