"""Tests for identification: events before and after a board's HELLO."""

import os
import termios
from queue import Queue

import pytest

from engine.board.geometry import Side
from firmware_bridge.image import Image
from firmware_bridge.link import (
    Connected,
    LinkError,
    LinkErrorKind,
    MessageReceived,
    OtherProtocol,
    Statistics,
    connection,
)
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.port import PseudoTerminal, SimulatedPort
from firmware_bridge.wire import PROTOCOL, Encoder, Fault, FaultCode, State, build_frame
from tests.firmware_bridge.links import HELLO, SHORT, Links, Listener, device, encoded
from tests.timeouts import LONG


def test_hello_and_first_state(
    links: Links, listener: Listener, board: SimulatedBoard, port: SimulatedPort
) -> None:
    link = links.start(port.path)
    assert listener.next() == Connected(str(port.path), port.hello)
    board.stand(Side.RED, 0)
    port.advance(40)
    assert listener.next() == MessageReceived(State(20, Image(red=1), ((0, 20),)))
    assert listener.next() == MessageReceived(State(40, Image(red=1), ((0, 40),)))
    assert link.statistics == Statistics(received_bytes=19 + 2 * 38, frames=3)


def test_board_with_an_older_protocol(links: Links, listener: Listener) -> None:
    # Everything after an unknown HELLO is ignored.
    with device(build_frame(b"\x01\x00\x01old") + encoded(HELLO)) as name:
        link = links.start(name)
        other = OtherProtocol(theirs=1, ours=PROTOCOL)
        assert listener.next() == LinkError(LinkErrorKind.WRONG_FIRMWARE, name, other)
        link.stop()
    assert listener.rest() == []


def test_board_without_hello(links: Links, listener: Listener) -> None:
    data = encoded(State(20, Image()))
    with device(data) as name:
        links.start(name, gives_up_after=len(data))
        assert listener.next_error() == (LinkErrorKind.WRONG_FIRMWARE, name)


def test_foreign_device(links: Links, listener: Listener) -> None:
    data = b"Grbl 1.1h ['$' for help]\r\n"
    with device(data) as name:
        link = links.start(name, gives_up_after=len(data))
        error = listener.next()
        link.stop()
    assert isinstance(error, LinkError)
    assert error.kind is LinkErrorKind.GARBAGE
    assert "Grbl 1.1h" in str(error.detail)
    assert link.statistics.frames == 0


def test_silent_device(links: Links, listener: Listener) -> None:
    with device() as name:
        links.start(name, hello_seconds=SHORT)
        assert listener.next_error() == (LinkErrorKind.NO_ANSWER, name)


def test_port_that_blocks_writes(links: Links, listener: Listener) -> None:
    with device(encoded(HELLO)) as name:
        holder = os.open(name, os.O_RDWR | os.O_NOCTTY)
        termios.tcflow(holder, termios.TCOOFF)
        links.start(name)
        assert listener.next_error() == (LinkErrorKind.NO_ANSWER, name)
        termios.tcflow(holder, termios.TCOON)
        assert listener.next() == Connected(name, HELLO)
        os.close(holder)


def test_identify_is_repeated(
    links: Links, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "IDENTIFY_SECONDS", SHORT)
    questions: Queue[bytes] = Queue()

    def answer_the_third(question: bytes) -> None:
        questions.put(question)
        if questions.qsize() == 3:
            terminal.write(encoded(HELLO), LONG)

    terminal = PseudoTerminal(answer_the_third)
    links.start(terminal.name)
    assert listener.next() == Connected(terminal.name, HELLO)
    terminal.close()


def test_repeated_hello_is_one_connection(
    links: Links, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "IDENTIFY_SECONDS", LONG)
    state, fault = State(20, Image()), Fault(FaultCode.LOW_SUPPLY, None, 4600)
    with device(encoded(HELLO, HELLO, state, fault)) as name:
        links.start(name)
        heard = [listener.next() for _ in range(3)]
    assert heard == [Connected(name, HELLO), MessageReceived(state), MessageReceived(fault)]


def test_early_and_damaged_frames_are_dropped(links: Links, listener: Listener) -> None:
    before, hello, after = State(20, Image()), HELLO, State(40, Image(red=1))
    with device(b"half a frame\0" + encoded(before, hello) + b"noise\0" + encoded(after)) as name:
        link = links.start(name)
        assert [listener.next(), listener.next()] == [
            Connected(name, HELLO),
            MessageReceived(after),
        ]
    assert link.statistics.frames == 3
    assert link.statistics.bad_frames == 2


def test_lost_frames_are_counted(links: Links, listener: Listener) -> None:
    encoder = Encoder()
    hello = encoder.encode(HELLO)
    states = [encoder.encode(State(n, Image())) for n in range(5)]
    with device(hello + states[0] + states[4]) as name:
        link = links.start(name)
        assert [listener.next() for _ in range(3)][-1] == MessageReceived(State(4, Image()))
    assert link.statistics.lost == 3
