import os
import stat
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from threading import Event as Flag
from threading import Thread
from threading import enumerate as threads
from time import monotonic

import pytest
import serial
from serial.tools.list_ports import comports
from serial.tools.list_ports_common import ListPortInfo

from engine.sides import Side
from firmware_bridge import link as link_module
from firmware_bridge.image import Image
from firmware_bridge.link import (
    Connected,
    Event,
    Link,
    NotConnectedError,
    Received,
    Searching,
    Statistics,
    Trouble,
    TroubleKind,
    candidates,
    find_ports,
    try_port,
)
from firmware_bridge.virtual.board import VirtualBoard
from firmware_bridge.virtual.port import VirtualPort
from firmware_bridge.virtual.terminal import Terminal
from firmware_bridge.wire import (
    FROM_HOST,
    BadFrame,
    BoardKind,
    Decoder,
    Encoder,
    Fault,
    FaultCode,
    Hello,
    HostCommand,
    Identify,
    Lamps,
    Learn,
    LearnStep,
    LocalProtocolError,
    ResetCause,
    SendRaw,
    State,
    wrap,
)

LONG = 30.0
"""Seconds that no test waits, however slow the machine."""
SHORT = 0.02
NOBODY = 65534
HELLO = Hello((1, 0, 0), BoardKind.COLOURS, ResetCause.EXTERNAL, 7)


class Listener:
    """Keeps the events of a link until a test asks for them."""

    def __init__(self) -> None:
        self.queue: Queue[Event] = Queue()

    def next(self) -> Event:
        return self.queue.get(timeout=LONG)

    def next_trouble(self) -> tuple[TroubleKind, str | None]:
        event = self.next()
        assert isinstance(event, Trouble), event
        assert event.detail
        return event.kind, event.port

    def rest(self) -> list[Event]:
        found = []
        while not self.queue.empty():
            found.append(self.queue.get())
        return found


@pytest.fixture
def listener() -> Listener:
    return Listener()


class Links:
    """Makes links that try again at once and lose patience never, unless told otherwise."""

    def __init__(self, listener: Listener) -> None:
        self.listener = listener
        self.links: list[Link] = []

    def start(
        self,
        port: str | Path | None,
        hello_seconds: float = LONG,
        silent_seconds: float = LONG,
        find: Callable[[], list[str]] = find_ports,
    ) -> Link:
        link = Link(
            self.listener.queue.put,
            port if port is None else str(port),
            retry_seconds=SHORT,
            hello_seconds=hello_seconds,
            silent_seconds=silent_seconds,
            find=find,
        )
        self.links.append(link)
        link.start()
        assert self.listener.next() == Searching()
        return link


@pytest.fixture
def links(listener: Listener) -> Iterator[Links]:
    links = Links(listener)
    yield links
    for link in links.links:
        link.stop()


@contextmanager
def device(*answers: bytes) -> Iterator[str]:
    """A device that says its piece whenever it is sent something."""

    def answer(_: bytes) -> None:
        for each in answers:
            terminal.write(each, LONG)

    terminal = Terminal(answer)
    yield terminal.name
    terminal.close()


def encoded(*messages: Hello | State | Fault) -> bytes:
    encoder = Encoder()
    return b"".join(map(encoder.encode, messages))


# ---------------------------------------------------------------- which ports


def usb_port(name: str, vid: int | None, pid: int | None) -> ListPortInfo:
    port = ListPortInfo(name)
    port.vid, port.pid = vid, pid
    return port


def test_adapters_of_nanos_and_their_clones_are_candidates() -> None:
    ports = [
        usb_port("/dev/ttyUSB2", 0x1A86, 0x7523),  # CH340
        usb_port("/dev/ttyACM1", 0x1A86, 0x55D4),  # CH9102
        usb_port("/dev/ttyUSB0", 0x0403, 0x6001),  # FTDI
        usb_port("/dev/ttyUSB1", 0x10C4, 0xEA60),  # CP210x
        usb_port("/dev/ttyACM0", 0x2341, 0x0043),  # Arduino
        usb_port("/dev/ttyACM2", 0x2A03, 0x0001),  # Arduino, the other company
        usb_port("/dev/ttyUSB3", 0x0403, 0x6015),  # another chip of FTDI
        usb_port("/dev/ttyUSB4", 0x067B, 0x7523),  # somebody else's
        usb_port("/dev/ttyS0", None, None),  # no USB
    ]
    assert candidates(ports) == [
        "/dev/ttyACM0",
        "/dev/ttyACM1",
        "/dev/ttyACM2",
        "/dev/ttyUSB0",
        "/dev/ttyUSB1",
        "/dev/ttyUSB2",
    ]


def test_the_ports_of_this_computer_are_asked_for() -> None:
    assert set(find_ports()) <= {port.device for port in comports()}


class Finder:
    """Finds the ports that a test says are there, and lets it wait for further searches."""

    def __init__(self, *ports: str) -> None:
        self.ports = list(ports)
        self.searches: Queue[None] = Queue()

    def find(self) -> list[str]:
        self.searches.put(None)
        return list(self.ports)

    def wait_for_three_searches(self) -> None:
        while not self.searches.empty():
            self.searches.get()
        for _ in range(3):
            self.searches.get(timeout=LONG)


def test_no_board_is_said_once(links: Links, listener: Listener) -> None:
    finder = Finder()
    links.start(None, find=finder.find)
    assert listener.next_trouble() == (TroubleKind.NO_BOARD, None)
    finder.wait_for_three_searches()
    assert listener.rest() == []


def test_a_search_that_fails_finds_no_board(links: Links, listener: Listener) -> None:
    def find() -> list[str]:
        raise OSError("the adapter has just gone")

    links.start(None, find=find)
    assert listener.next() == Trouble(TroubleKind.NO_BOARD, None, "the adapter has just gone")


def test_the_search_goes_from_port_to_port_until_a_board_answers(
    links: Links, listener: Listener, port: VirtualPort
) -> None:
    finder = Finder("/dev/no-such-port")
    links.start(None, find=finder.find)
    assert listener.next_trouble() == (TroubleKind.NO_SUCH_PORT, "/dev/no-such-port")
    finder.wait_for_three_searches()
    finder.ports.append(str(port.path))
    assert listener.next() == Connected(str(port.path), port.hello)


def test_a_board_found_elsewhere_after_unplugging(
    links: Links, listener: Listener, port: VirtualPort
) -> None:
    finder = Finder(str(port.path))
    link = links.start(None, find=finder.find)
    assert listener.next() == Connected(str(port.path), port.hello)
    finder.ports.clear()
    port.unplug()
    assert listener.next_trouble() == (TroubleKind.UNPLUGGED, str(port.path))
    finder.wait_for_three_searches()
    assert listener.rest() == []  # that there is no board follows
    with VirtualPort(VirtualBoard(BoardKind.PRESENCE)) as other:
        finder.ports.append(str(other.path))
        assert listener.next() == Connected(str(other.path), other.hello)
        link.stop()


# ---------------------------------------------------------------- opening


def test_a_port_that_appears_later(links: Links, listener: Listener, tmp_path: Path) -> None:
    path = tmp_path / "board"
    links.start(path)
    assert listener.next_trouble() == (TroubleKind.NO_SUCH_PORT, str(path))
    with VirtualPort(VirtualBoard(), tmp_path) as port:
        assert listener.next() == Connected(str(path), port.hello)


@pytest.mark.parametrize("name", ["/dev/null", "/", "nul\0byte"])
def test_what_is_no_serial_port(links: Links, listener: Listener, name: str) -> None:
    links.start(name)
    assert listener.next_trouble() == (TroubleKind.NO_SUCH_PORT, name)


def test_a_port_that_another_program_has(
    links: Links, listener: Listener, port: VirtualPort
) -> None:
    with serial.Serial(str(port.path), exclusive=True):
        links.start(port.path)
        assert listener.next_trouble() == (TroubleKind.BUSY, str(port.path))
    assert listener.next() == Connected(str(port.path), port.hello)


def test_a_port_that_we_may_not_open(links: Links, listener: Listener, port: VirtualPort) -> None:
    terminal = port.path.resolve()
    mode = stat.S_IMODE(terminal.stat().st_mode)
    terminal.chmod(0)
    user = os.geteuid()
    if user == 0:  # who may open everything
        os.seteuid(NOBODY)
    try:
        links.start(terminal)
        assert listener.next_trouble() == (TroubleKind.NO_PERMISSION, str(terminal))
    finally:
        os.seteuid(user)
        terminal.chmod(mode)
    assert listener.next() == Connected(str(terminal), port.hello)


def test_a_port_is_tried_for_somebody_else(port: VirtualPort) -> None:
    assert try_port(str(port.path)) is None
    with serial.Serial(str(port.path), exclusive=True):
        trouble = try_port(str(port.path))
        assert trouble
        assert trouble.kind is TroubleKind.BUSY
    assert try_port(str(port.path)) is None, "nothing is kept"
    trouble = try_port("/dev/no-such-port")
    assert trouble
    assert (trouble.kind, trouble.port) == (TroubleKind.NO_SUCH_PORT, "/dev/no-such-port")


# ---------------------------------------------------------------- who is there?


def test_a_board_says_who_it_is_and_what_it_sees(
    links: Links, listener: Listener, board: VirtualBoard, port: VirtualPort
) -> None:
    link = links.start(port.path)
    assert listener.next() == Connected(str(port.path), port.hello)
    board.stand(Side.RED, 0)
    port.advance(40)
    assert listener.next() == Received(State(20, Image(red=1)))
    assert listener.next() == Received(State(40, Image(red=1)))
    assert link.statistics == Statistics(received_bytes=14 + 2 * 35, frames=3)


def test_a_board_of_another_protocol(links: Links, listener: Listener) -> None:
    # What it says after that is not for us to understand.
    with device(wrap(b"\x01\x00\x02new") + encoded(HELLO)) as name:
        link = links.start(name)
        assert listener.next_trouble() == (TroubleKind.WRONG_FIRMWARE, name)
        link.stop()
    assert listener.rest() == []


def test_a_board_that_never_says_who_it_is(links: Links, listener: Listener) -> None:
    with device(encoded(State(20, Image()))) as name:
        links.start(name, hello_seconds=0.5)
        assert listener.next_trouble() == (TroubleKind.WRONG_FIRMWARE, name)


def test_something_that_talks_otherwise(links: Links, listener: Listener) -> None:
    with device(b"Grbl 1.1h ['$' for help]\r\n") as name:
        link = links.start(name, hello_seconds=0.5)
        trouble = listener.next()
        link.stop()
    assert isinstance(trouble, Trouble)
    assert trouble.kind is TroubleKind.GARBAGE
    assert "Grbl 1.1h" in trouble.detail
    assert link.statistics.frames == 0


def test_something_that_says_nothing(links: Links, listener: Listener) -> None:
    with device() as name:
        links.start(name, hello_seconds=SHORT)
        assert listener.next_trouble() == (TroubleKind.NO_ANSWER, name)


def test_a_port_that_takes_nothing(links: Links, listener: Listener) -> None:
    with device(encoded(HELLO)) as name:
        holder = os.open(name, os.O_RDWR | os.O_NOCTTY)
        termios.tcflow(holder, termios.TCOOFF)
        links.start(name)
        assert listener.next_trouble() == (TroubleKind.NO_ANSWER, name)
        termios.tcflow(holder, termios.TCOON)
        assert listener.next() == Connected(name, HELLO)
        os.close(holder)


def test_the_question_is_repeated(
    links: Links, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_module, "IDENTIFY_SECONDS", SHORT)
    questions: Queue[bytes] = Queue()

    def answer_the_third(question: bytes) -> None:
        questions.put(question)
        if questions.qsize() == 3:
            terminal.write(encoded(HELLO), LONG)

    terminal = Terminal(answer_the_third)
    links.start(terminal.name)
    assert listener.next() == Connected(terminal.name, HELLO)
    terminal.close()


def test_two_answers_to_two_questions_are_one_connection(
    links: Links, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_module, "IDENTIFY_SECONDS", LONG)
    state, fault = State(20, Image()), Fault(FaultCode.LOW_SUPPLY, None, 4600)
    with device(encoded(HELLO, HELLO, state, fault)) as name:
        links.start(name)
        heard = [listener.next() for _ in range(3)]
    assert heard == [Connected(name, HELLO), Received(state), Received(fault)]


def test_frames_before_the_hello_and_damaged_ones_are_not_passed_on(
    links: Links, listener: Listener
) -> None:
    before, hello, after = State(20, Image()), HELLO, State(40, Image(red=1))
    with device(b"half a frame\0" + encoded(before, hello) + b"noise\0" + encoded(after)) as name:
        link = links.start(name)
        assert [listener.next(), listener.next()] == [Connected(name, HELLO), Received(after)]
    assert link.statistics.frames == 3
    assert link.statistics.bad_frames == 2


def test_lost_frames_are_counted(links: Links, listener: Listener) -> None:
    encoder = Encoder()
    hello = encoder.encode(HELLO)
    states = [encoder.encode(State(n, Image())) for n in range(5)]
    with device(hello + states[0] + states[4]) as name:
        link = links.start(name)
        assert [listener.next() for _ in range(3)][-1] == Received(State(4, Image()))
    assert link.statistics.lost == 3


# ---------------------------------------------------------------- commands


@contextmanager
def listening_board() -> Iterator[tuple[str, Queue[HostCommand | BadFrame]]]:
    """A board that answers every IDENTIFY, and a queue of what else it is told."""
    heard: Queue[HostCommand | BadFrame] = Queue()
    decoder, encoder = Decoder(FROM_HOST), Encoder()

    def hear(data: bytes) -> None:
        for found in decoder.receive(data):
            if found == Identify():
                terminal.write(encoder.encode(HELLO), LONG)
            else:
                heard.put(found)
        assert decoder.lost == 0

    terminal = Terminal(hear)
    yield terminal.name, heard
    terminal.close()


def test_commands_reach_the_board_in_their_order(links: Links, listener: Listener) -> None:
    commands: list[HostCommand] = [SendRaw(), Lamps(1 << 34), *map(Learn, LearnStep)]
    with listening_board() as (name, heard):
        link = links.start(name)
        assert listener.next() == Connected(name, HELLO)
        for command in commands:
            link.send(command)
        assert [heard.get(timeout=LONG) for _ in commands] == commands


def test_whoever_asks_is_told_also_if_nothing_has_changed(
    links: Links, listener: Listener, port: VirtualPort
) -> None:
    link = links.start(port.path)
    for _ in range(3):
        assert listener.next() == Connected(str(port.path), port.hello)
        link.send(Identify())


def test_commands_of_many_threads_all_arrive_whole(links: Links, listener: Listener) -> None:
    def light(first: int) -> None:
        for square in range(first, 100, 4):
            link.send(Lamps(1 << square))

    with listening_board() as (name, heard):
        link = links.start(name)
        assert listener.next() == Connected(name, HELLO)
        for first in range(4):
            Thread(target=light, args=(first,)).start()
        arrived = [heard.get(timeout=LONG) for _ in range(100)]
        assert all(isinstance(each, Lamps) for each in arrived)
        assert set(arrived) == {Lamps(1 << square) for square in range(100)}


def test_a_command_that_cannot_be_sent_is_our_mistake(links: Links, listener: Listener) -> None:
    with listening_board() as (name, heard):
        link = links.start(name)
        assert listener.next() == Connected(name, HELLO)
        with pytest.raises(LocalProtocolError):
            link.send(Lamps(1 << 100))
        link.send(SendRaw())
        assert heard.get(timeout=LONG) == SendRaw()


def test_without_a_board_nothing_can_be_sent(
    links: Links, listener: Listener, port: VirtualPort
) -> None:
    link = Link(listener.queue.put, "/dev/no-such-port")
    with pytest.raises(NotConnectedError):
        link.send(SendRaw())
    link = links.start(port.path)
    assert listener.next() == Connected(str(port.path), port.hello)
    port.unplug()
    assert listener.next_trouble() == (TroubleKind.UNPLUGGED, str(port.path))
    with pytest.raises(NotConnectedError):
        link.send(SendRaw())
    port.replug()
    assert listener.next() == Connected(str(port.path), port.hello)
    link.send(SendRaw())
    link.stop()
    with pytest.raises(NotConnectedError):
        link.send(SendRaw())


def test_a_device_that_has_not_said_who_it_is_is_told_nothing(
    links: Links, listener: Listener
) -> None:
    asked = Flag()
    terminal = Terminal(lambda _: asked.set())
    link = links.start(terminal.name)
    assert asked.wait(LONG)
    with pytest.raises(NotConnectedError):
        link.send(SendRaw())
    link.stop()
    terminal.close()


# ---------------------------------------------------------------- losing it and getting it back


def test_a_board_that_falls_silent_and_goes_on(
    links: Links, listener: Listener, port: VirtualPort
) -> None:
    name = str(port.path)
    finder = Finder(name)
    links.start(None, hello_seconds=0.5, silent_seconds=SHORT, find=finder.find)
    assert listener.next() == Connected(name, port.hello)
    assert listener.next_trouble() == (TroubleKind.SILENT, name)
    finder.wait_for_three_searches()
    assert listener.rest() == []  # it says HELLO every time and still shows nothing
    port.run()
    assert listener.next() == Connected(name, port.hello)
    assert isinstance(listener.next(), Received)


def test_unplugged_and_plugged_in_again(
    links: Links, listener: Listener, port: VirtualPort
) -> None:
    links.start(port.path)
    assert listener.next() == Connected(str(port.path), port.hello)
    port.unplug()
    assert listener.next_trouble() == (TroubleKind.UNPLUGGED, str(port.path))
    port.replug()
    assert listener.next() == Connected(str(port.path), port.hello)
    port.advance(20)
    assert listener.next() == Received(State(20, Image()))


def test_a_restart_in_the_middle(links: Links, listener: Listener, port: VirtualPort) -> None:
    links.start(port.path)
    assert listener.next() == Connected(str(port.path), port.hello)
    port.advance(20)
    port.restart(ResetCause.BROWN_OUT)
    port.advance(20)
    assert [listener.next() for _ in range(3)] == [
        Received(State(20, Image())),
        Connected(str(port.path), port.hello),
        Received(State(20, Image())),
    ]
    assert port.hello.reset_cause is ResetCause.BROWN_OUT


# ---------------------------------------------------------------- the thread


@pytest.mark.parametrize("name", ["/dev/no-such-port", None])
def test_stopping_is_prompt(listener: Listener, port: VirtualPort, name: str | None) -> None:
    link = Link(listener.queue.put, name or str(port.path), retry_seconds=LONG)
    with link:
        assert listener.next() == Searching()
        assert isinstance(listener.next(), Trouble | Connected)
        begun = monotonic()
    assert monotonic() - begun < 0.3
    assert link._thread not in threads()


def test_stopping_before_the_start_or_twice_is_nothing(listener: Listener) -> None:
    link = Link(listener.queue.put, "/dev/no-such-port")
    link.stop()
    link.start()
    link.stop()
    link.stop()
    assert listener.rest() == []


def test_a_listener_may_stop_the_link() -> None:
    heard: Queue[Event] = Queue()

    def listen(event: Event) -> None:
        heard.put(event)
        link.stop()

    link = Link(listen, "/dev/no-such-port")
    link.start()
    assert heard.get(timeout=LONG) == Searching()
    link._thread.join(LONG)
    assert heard.empty()


def test_a_listener_that_fails_is_logged_and_called_again(
    caplog: pytest.LogCaptureFixture, port: VirtualPort
) -> None:
    connected = Flag()

    def listen(event: Event) -> None:
        if isinstance(event, Connected):
            connected.set()
        raise RuntimeError("out of order")

    with Link(listen, str(port.path)):
        assert connected.wait(LONG)
    assert "out of order" in caplog.text
