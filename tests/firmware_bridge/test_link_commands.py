"""Tests for the commands that a link sends to the board."""

from threading import Event as Flag
from threading import Thread

import pytest

from firmware_bridge import wire
from firmware_bridge.link import BoardLink, Connected, LinkErrorKind, ports
from firmware_bridge.simulated_board.port import PseudoTerminal, SimulatedPort
from tests.firmware_bridge.links import HELLO, Links, Listener, listening_board


def test_commands_arrive_in_order(links: Links, listener: Listener) -> None:
    commands: list[wire.HostCommand] = [
        wire.RequestRaw(),
        wire.Lamps(1 << 34),
        *map(wire.Calibrate, wire.CalibrationStep),
    ]
    with listening_board() as (name, heard):
        link = links.start(name)
        assert listener.next() == Connected(name, HELLO)
        for command in commands:
            link.send(command)
        assert [heard.get() for _ in commands] == commands


def test_request_is_answered_without_changes(
    links: Links, listener: Listener, port: SimulatedPort
) -> None:
    link = links.start(port.path)
    for _ in range(3):
        assert listener.next() == Connected(str(port.path), port.hello)
        link.send(wire.Identify())


def test_immediate_write_has_no_timeout(
    links: Links, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A busy computer may pause for an arbitrary time before and after a write."""
    monkeypatch.setattr(ports, "WRITE_SECONDS", -1.0)
    with listening_board() as (name, heard):
        link = links.start(name)
        assert isinstance(listener.next(), Connected)
        for _ in range(3):
            assert link.send(wire.RequestRaw())
            assert heard.get() == wire.RequestRaw()


def test_commands_before_stop_arrive(links: Links, listener: Listener) -> None:
    for _ in range(10):
        with listening_board() as (name, heard):
            link = links.start(name)
            assert listener.next() == Connected(name, HELLO)
            link.send(wire.Lamps(1 << 34))
            link.stop()
            assert heard.get() == wire.Lamps(1 << 34)


def test_concurrent_commands_arrive_whole(links: Links, listener: Listener) -> None:
    def light(first: int) -> None:
        for square in range(first, 100, 4):
            link.send(wire.Lamps(1 << square))

    with listening_board() as (name, heard):
        link = links.start(name)
        assert listener.next() == Connected(name, HELLO)
        for first in range(4):
            Thread(target=light, args=(first,)).start()
        arrived = [heard.get() for _ in range(100)]
        assert all(isinstance(each, wire.Lamps) for each in arrived)
        assert set(arrived) == {wire.Lamps(1 << square) for square in range(100)}


def test_unsendable_command_raises(links: Links, listener: Listener) -> None:
    with listening_board() as (name, heard):
        link = links.start(name)
        assert listener.next() == Connected(name, HELLO)
        with pytest.raises(wire.LocalProtocolError):
            link.send(wire.Lamps(1 << 100))
        link.send(wire.RequestRaw())
        assert heard.get() == wire.RequestRaw()


def test_no_commands_without_a_board(links: Links, listener: Listener, port: SimulatedPort) -> None:
    link = BoardLink(listener.queue.put, "/dev/no-such-port")
    assert not link.send(wire.RequestRaw())
    link = links.start(port.path)
    assert listener.next() == Connected(str(port.path), port.hello)
    port.unplug()
    assert listener.next_error() == (LinkErrorKind.UNPLUGGED, str(port.path))
    assert not link.send(wire.RequestRaw())
    port.replug()
    assert listener.next() == Connected(str(port.path), port.hello)
    assert link.send(wire.RequestRaw())
    link.stop()
    assert not link.send(wire.RequestRaw())


def test_no_commands_before_hello(links: Links, listener: Listener) -> None:
    asked = Flag()
    terminal = PseudoTerminal(lambda _: asked.set())
    link = links.start(terminal.name)
    asked.wait()
    assert not link.send(wire.RequestRaw())
    link.stop()
    terminal.close()
