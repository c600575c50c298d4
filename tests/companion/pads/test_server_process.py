"""The phones' web server runs in its own process, isolated from the game."""

import json
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from companion.pads import Certificate, ListenAddress, PadErrorKind, Pads, Presence
from companion.pads.pads import RESTARTS
from companion.pads.server_link import DESCRIPTORS, MOST_LINE, MOST_UNREAD, PadLink, ServerProcess
from companion.speech.i18n import Language
from engine.board.geometry import Side
from tests.companion.core.table_driver import attack
from tests.companion.pads.conftest import Sit
from tests.companion.pads.pad_driver import HERE, PadDriver, drawing
from tests.companion.pads.phone import Phone
from tests.companion.web.certificates import make_certificate


@pytest.fixture
def driver() -> PadDriver:
    begun = PadDriver.begun()
    assert isinstance(begun, PadDriver)
    begun.play("e4-e5 e7-e6")
    return begun


@pytest.fixture
def pads(driver: PadDriver) -> Iterator[Pads]:
    opened = Pads(driver, lambda _: Language("en"), driver.clock)
    yield opened
    opened.close()


def pid_of(pads: Pads) -> int:
    assert pads._link
    assert isinstance(pads._link._server, ServerProcess)
    return pads._link._server.pid


def kill(pads: Pads) -> None:
    """Kill the server, and wait for its replacement."""
    killed = pid_of(pads)
    os.kill(killed, signal.SIGKILL)
    while pid_of(pads) == killed:
        pads.tick()


class TestProcess:
    def test_both_phones_play(self, driver: PadDriver, pads: Pads, sit: Sit) -> None:
        pads.open(HERE)
        phones = {side: sit(pads, side) for side in Side}
        for phone in phones.values():
            phone.join()
            phone.listen()
            phone.look()
        assert {pads.presence(side) for side in Side} == {Presence.HERE}
        attack(driver)
        pads.tick()
        asked = phones[Side.RED].look()["asks"][0]
        phones[Side.RED].choose(next(c for c in asked["choices"] if c.get("rank") == "captain"))
        pads.tick()
        assert driver.table.conversation.declared == (Side.RED,)
        while not phones[Side.BLUE].look()["asks"]:
            pass

    def test_server_is_restarted(self, driver: PadDriver, pads: Pads, sit: Sit) -> None:
        pads.open(HERE)
        address = pads.address(Side.BLUE)
        red = sit(pads, Side.RED)
        red.join()
        red.listen()
        before = red.look()
        while pads.presence(Side.RED) is not Presence.HERE:
            pads.tick()
        kill(pads)
        assert pads.address(Side.BLUE) == address
        red.resume()
        red.listen()
        assert red.look() == before
        while pads.presence(Side.RED) is not Presence.HERE:
            pads.tick()
        stranger = Phone(pads.address(Side.RED))
        assert stranger.join() == {"seat": "taken"}
        assert sit(pads, Side.BLUE).join()["seat"] == "yours"

    def test_crash_loop_is_stopped(self, pads: Pads, sit: Sit) -> None:
        pads.open(HERE)
        port = urlsplit(pads.spectators_address).port or 0
        for _ in range(RESTARTS):
            kill(pads)
        os.kill(pid_of(pads), signal.SIGKILL)
        while pads.is_open:
            pads.tick()
        assert pads.error is PadErrorKind.STOPPED
        pads.open(ListenAddress("127.0.0.1", port))
        assert sit(pads, Side.RED).join()["seat"] == "yours"

    def test_server_ends_with_the_game(self, pads: Pads, sit: Sit) -> None:
        pads.open(HERE)
        sit(pads, Side.RED).join()
        assert pads._link
        pads._link._channel.close()  # the operating system does this when a process exits
        assert isinstance(pads._link._server, ServerProcess)
        assert pads._link._server._process.wait() == 0

    def test_silent_connections_do_not_affect_the_game(
        self, pads: Pads, sit: Sit, tmp_path: Path
    ) -> None:
        made = make_certificate(tmp_path)
        pads.open(ListenAddress("127.0.0.1", 0, Certificate(made.chain, made.key, "localhost")))
        port = urlsplit(pads.spectators_address).port or 0
        before = len(os.listdir("/proc/self/fd"))
        with ExitStack() as lines:
            for number in range(400):
                source = f"127.0.1.{1 + number % 250}", 0
                lines.enter_context(socket.create_connection(("127.0.0.1", port), None, source))
                pads.tick()
            assert pads.is_open
            assert len(os.listdir("/proc/self/fd")) - before == 400  # the clients' sockets
            assert len(os.listdir(f"/proc/{pid_of(pads)}/fd")) < DESCRIPTORS

    def test_game_has_priority(self, pads: Pads, sit: Sit) -> None:
        pads.open(HERE)
        sit(pads, Side.RED).join()
        process = Path(f"/proc/{pid_of(pads)}")
        limits = (process / "limits").read_text()
        assert f"Max open files            {DESCRIPTORS} " in limits
        assert int((process / "oom_score_adj").read_text()) > 0
        own, its = (os.getpriority(os.PRIO_PROCESS, pid) for pid in (0, pid_of(pads)))
        assert its > own or own == 19


class Hostile:
    """A server under an attacker's control, as seen by the game."""

    is_running = True

    def __init__(self, channel: socket.socket) -> None:
        self.channel = channel

    def stop(self) -> None:
        self.channel.close()


@pytest.fixture
def link() -> Iterator[PadLink]:
    def start(channel: socket.socket, _: socket.socket, __: object) -> Hostile:
        return Hostile(channel.dup())

    made = PadLink(start, socket.create_server(("127.0.0.1", 0)), None, drawing(), lambda: 0.0)
    yield made
    made.stop()


def channel_of(link: PadLink) -> socket.socket:
    assert isinstance(link._server, Hostile)
    return link._server.channel


class TestHostileServer:
    @pytest.mark.parametrize(
        "sent",
        [
            b"nonsense\n",
            b"[]\n",
            b"{}\n",
            b'{"say": {}, "side": "green", "number": 1}\n',
            b'{"say": {}, "side": "red", "number": []}{\n',
            b'{"presence": "here", "side": "red", "number": 1}\n',
            b'{"presence": 1, "heard": true, "side": "red", "number": 1}\n',
            b'{"say": {"x": ' + b"[" * 900 + b"]" * 900 + b'}, "side": "red", "number": 1}\n',
            b"x" * (MOST_LINE + 1),
            b'{"say": {}, "side": "red", "number": 1}\n' * (MOST_UNREAD + 1),
            b"\xff\xfe\n",
            b'{"taken": "short", "side": "red", "number": 1}\n',
        ],
    )
    def test_invalid_messages_stop_the_server(self, link: PadLink, sent: bytes) -> None:
        channel_of(link).sendall(sent)
        link.take()
        assert not link.is_running
        assert link.has_misbehaved
        assert link.take() == []

    def test_messages_of_a_revoked_phone_are_dropped(self, link: PadLink) -> None:
        message = {"say": {"do": "ready"}, "side": "red", "number": 1}
        channel_of(link).sendall(json.dumps(message).encode() + b"\n")
        link.presence(Side.RED)
        link.renew(Side.RED)
        channel_of(link).sendall(json.dumps(message).encode() + b"\n")
        assert link.take() == []
        channel_of(link).sendall(json.dumps({**message, "number": 2}).encode() + b"\n")
        assert link.take() == [(Side.RED, {"do": "ready"})]

    def test_stalled_server_keeps_only_the_latest_views(self, link: PadLink) -> None:
        for number in range(2_000):
            link.show(Side.RED, b"%d " % number + b"x" * 5_000)
        assert sum(map(len, link._unsent.values())) < 20_000
        channel = channel_of(link)
        channel.setblocking(False)
        received = b""
        while b'"text": "1999 ' not in received:
            link.take()
            received += channel.recv(65_536)
        assert link.is_running
