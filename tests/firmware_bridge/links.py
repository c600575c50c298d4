"""Links to be tested, a listener for their events, and simulated devices."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue

from firmware_bridge import wire
from firmware_bridge.link import (
    BoardLink,
    Event,
    LinkError,
    LinkErrorKind,
    PortSearch,
    Searching,
    find_ports,
)
from firmware_bridge.simulated_board.port import PseudoTerminal
from tests.timeouts import LONG

SHORT = 0.02
HELLO = wire.Hello((1, 0, 0), wire.BoardKind.COLOURS, wire.ResetCause.EXTERNAL, 7)


class Listener:
    def __init__(self) -> None:
        self.queue: Queue[Event] = Queue()

    def next(self) -> Event:
        return self.queue.get()

    def next_error(self) -> tuple[LinkErrorKind, str | None]:
        event = self.next()
        assert isinstance(event, LinkError), event
        assert event.detail
        return event.kind, event.port

    def rest(self) -> list[Event]:
        found = []
        while not self.queue.empty():
            found.append(self.queue.get())
        return found


class Links:
    """Creates links that retry immediately and, by default, never time out."""

    def __init__(self, listener: Listener) -> None:
        self.listener = listener
        self.links: list[BoardLink] = []

    def start(
        self,
        port: str | Path | None,
        hello_seconds: float = LONG,
        silent_seconds: float = LONG,
        find: Callable[[], list[str]] = find_ports,
        gives_up_after: int = 0,
    ) -> BoardLink:
        """Start a link.

        If `gives_up_after` is not 0, the link stops waiting for HELLO after that many bytes.
        """
        heard = 0

        def count(data: bytes) -> None:
            nonlocal heard
            heard += len(data)
            if gives_up_after and heard >= gives_up_after:
                link._hello_seconds = 0.0

        link = BoardLink(
            self.listener.queue.put,
            port if port is None else str(port),
            retry_seconds=SHORT,
            hello_seconds=hello_seconds,
            silent_seconds=silent_seconds,
            search=PortSearch(find=find),
            record=count,
        )
        self.links.append(link)
        link.start()
        assert self.listener.next() == Searching()
        return link


@contextmanager
def device(*answers: bytes) -> Iterator[str]:
    """Simulate a device that sends all its answers whenever it receives any bytes."""

    def answer(_: bytes) -> None:
        for each in answers:
            terminal.write(each, LONG)

    terminal = PseudoTerminal(answer)
    yield terminal.name
    terminal.close()


def encoded(*messages: wire.Hello | wire.State | wire.Fault) -> bytes:
    encoder = wire.Encoder()
    return b"".join(map(encoder.encode, messages))


class Finder:
    """Port finder that returns the ports set by a test. The test can wait until the link has
    searched again."""

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
            self.searches.get()


@contextmanager
def listening_board() -> Iterator[tuple[str, Queue[wire.HostCommand | wire.BadFrame]]]:
    """Simulate a board that answers every IDENTIFY.

    Yield the board's port and a queue in which all other commands are placed.
    """
    heard: Queue[wire.HostCommand | wire.BadFrame] = Queue()
    decoder, encoder = wire.Decoder(wire.FROM_HOST), wire.Encoder()

    def hear(data: bytes) -> None:
        for found in decoder.receive(data):
            if found == wire.Identify():
                terminal.write(encoder.encode(HELLO), LONG)
            else:
                heard.put(found)
        assert decoder.lost == 0

    terminal = PseudoTerminal(hear)
    yield terminal.name, heard
    terminal.close()
