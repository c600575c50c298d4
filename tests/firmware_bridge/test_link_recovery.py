"""Tests for losing the board and reconnecting to it."""

from firmware_bridge.image import Image
from firmware_bridge.link import Connected, LinkErrorKind, MessageReceived
from firmware_bridge.simulated_board.port import SimulatedPort
from firmware_bridge.wire import ResetCause, State
from tests.firmware_bridge.links import SHORT, Finder, Links, Listener


def test_silent_board_resumes(links: Links, listener: Listener, port: SimulatedPort) -> None:
    name = str(port.path)
    finder = Finder(name)
    link = links.start(None, silent_seconds=SHORT, find=finder.find)
    assert listener.next() == Connected(name, port.hello)
    link._hello_seconds = 0.5
    assert listener.next_error() == (LinkErrorKind.SILENT, name)
    finder.wait_for_three_searches()
    assert listener.rest() == []  # this board sends a HELLO each time, but never a STATE
    port.run()
    assert listener.next() == Connected(name, port.hello)
    assert isinstance(listener.next(), MessageReceived)


def test_unplug_and_replug(links: Links, listener: Listener, port: SimulatedPort) -> None:
    links.start(port.path)
    assert listener.next() == Connected(str(port.path), port.hello)
    port.unplug()
    assert listener.next_error() == (LinkErrorKind.UNPLUGGED, str(port.path))
    port.replug()
    assert listener.next() == Connected(str(port.path), port.hello)
    port.advance(20)
    assert listener.next() == MessageReceived(State(20, Image()))


def test_board_restart(links: Links, listener: Listener, port: SimulatedPort) -> None:
    links.start(port.path)
    assert listener.next() == Connected(str(port.path), port.hello)
    port.advance(20)
    port.restart(ResetCause.BROWN_OUT)
    port.advance(20)
    assert [listener.next() for _ in range(3)] == [
        MessageReceived(State(20, Image())),
        Connected(str(port.path), port.hello),
        MessageReceived(State(20, Image())),
    ]
    assert port.hello.reset_cause is ResetCause.BROWN_OUT
