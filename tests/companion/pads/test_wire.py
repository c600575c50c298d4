"""Compare the bytes that the server sends in two sessions that differ in Red's declarations."""

import socket
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest

from companion.pads import service
from engine.board.geometry import Side
from engine.board.ranks import Rank
from tests.companion.core.table_driver import attack
from tests.companion.pads.pad_driver import PadDriver, drawing, pads_of
from tests.companion.pads.phone import Phone
from tests.companion.pads.server_thread import in_thread


class Line:
    """A connection and everything received on it."""

    def __init__(self, host: str, request: str, body: bytes = b"") -> None:
        name, port = host.split(":")
        self.socket = socket.create_connection((name, int(port)))
        head = f"{request} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
        self.socket.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        self.heard = b""

    def wait_for(self, shown: int) -> None:
        """Wait until `shown` pages have been received."""
        while self.heard.count(b"data: ") < shown or not self.heard.endswith(b"\n\n\r\n"):
            self.heard += self.socket.recv(65536)

    def rest(self) -> bytes:
        """Wait until the connection is closed. Return all received bytes."""
        while part := self.socket.recv(65536):
            self.heard += part
        self.socket.close()
        return self.heard


def heard(rank: Rank, defends: Rank | None = None) -> dict[str, bytes]:
    """Declare a rank for Red's attacking piece.

    Return the bytes sent to Blue and to a spectator.
    """
    driver = PadDriver.begun()
    assert isinstance(driver, PadDriver)
    driver.play("e4-e5 e7-e6")
    start = in_thread(driver.clock, drawing(3))
    with pads_of(driver, draw=drawing(1), start=start) as pads, ExitStack() as stack:
        host = urlsplit(pads.spectators_address).netloc
        blue, red = (Phone(pads.address(side), drawing(2)) for side in (Side.BLUE, Side.RED))
        blue.join()
        red.join()
        lines = {
            "blue": Line(host, "POST /listen", blue.seal({})),
            "spectators": Line(host, "GET /watch/events"),
        }
        for line in lines.values():
            stack.callback(line.socket.close)
            line.wait_for(1)
        attack(driver)
        pads.tick()
        for line in lines.values():
            line.wait_for(2)
        red.choose({"say": {"do": "declare", "rank": rank.name.lower(), "mark": "1.4"}})
        pads.tick()
        assert driver.table.conversation.declared == (Side.RED,)
        for line in lines.values():
            line.wait_for(3)
        if defends:
            driver.declare(Side.BLUE, defends)
            pads.tick()
            for line in lines.values():
                line.wait_for(4)
        answer = blue.sent("/say", blue.seal({}))
        pads.close()
        return {"answer": answer, **{name: line.rest() for name, line in lines.items()}}


@pytest.fixture(autouse=True)
def _no_heartbeat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Suppress heartbeats, because their number depends on the computer's speed."""
    monkeypatch.setattr(service, "HEARTBEAT", 1e6)


def test_sent_bytes_do_not_depend_on_the_declaration() -> None:
    captain = heard(Rank.CAPTAIN)
    assert captain["blue"].count(b"data: ") == captain["spectators"].count(b"data: ") == 3
    assert heard(Rank.SPY) == captain


def test_sent_bytes_differ_after_the_reveal() -> None:
    captain, spy = (heard(rank, Rank.SERGEANT) for rank in (Rank.CAPTAIN, Rank.SPY))
    assert captain["blue"] != spy["blue"]
    assert b"captain" in captain["spectators"]
    assert {each: len(captain[each]) for each in ("answer", "blue")} == {
        each: len(spy[each]) for each in ("answer", "blue")
    }
