"""Connection limits: idle connections give way to new ones."""

import os
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from companion.hall.console import console
from companion.pads import service
from companion.web.security import Rate, SitePolicy
from companion.web.server import HEADER_SIZE, Members, ServerConfig
from tests.campaigns import RARE
from tests.companion.web.certificates import make_certificate
from tests.companion.web.site import ends, serving

POLICIES = {"pads": service.POLICY, "hall": console.POLICY}
ROOMY = SitePolicy(
    requests=Rate(burst=9_999, a_second=0),
    body_size=99,
    connections=99,
    arrivals=Rate(burst=9_999, a_second=0),
)
STRANGER, ANOTHER, MEMBER = "127.0.0.2", "127.0.0.3", "127.0.0.4"


@dataclass
class Site:
    port: int
    arrived: threading.Event
    """Set when a request to /slow arrives."""
    released: threading.Event
    """Releases the requests to /slow."""

    def connect(self, address: str = STRANGER) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), source_address=(address, 0))

    def asked(self, line: socket.socket, path: str = "/") -> socket.socket:
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        return line

    def answers(self, line: socket.socket) -> bool:
        try:
            return self.asked(line).recv(12) == b"HTTP/1.1 200"
        except (BrokenPipeError, ConnectionResetError):
            return False


Serve = Callable[..., Site]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Function that serves an app under a policy. `MEMBER` is the address of a member."""
    with ExitStack() as stack:

        def site(policy: SitePolicy, **options: Any) -> Site:
            members, arrived, released = Members(1), threading.Event(), threading.Event()
            members.add(MEMBER)

            def slow(_: Request) -> PlainTextResponse:
                arrived.set()
                released.wait()
                return PlainTextResponse("")

            routes = [Route("/", lambda _: PlainTextResponse("")), Route("/slow", slow)]
            app = Starlette(routes=routes)
            config = ServerConfig(app, policy, members=members, host="", port=0, **options)
            port = stack.enter_context(serving(config))
            stack.callback(released.set)
            return Site(port, arrived, released)

        yield site


@pytest.fixture
def lines() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


class TestNumber:
    def test_new_connection_replaces_the_oldest_idle_one(
        self, serve: Serve, lines: ExitStack
    ) -> None:
        site = serve(replace(ROOMY, connections=3))
        first, *others = [lines.enter_context(site.connect()) for _ in range(4)]
        assert ends(first)
        assert all(site.answers(each) for each in others)

    def test_busy_connection_is_kept(self, serve: Serve, lines: ExitStack) -> None:
        site = serve(replace(ROOMY, connections=3))
        first = site.asked(lines.enter_context(site.connect()), "/slow")
        site.arrived.wait()
        second = lines.enter_context(site.connect())
        for _ in range(3):
            lines.enter_context(site.connect())
        assert ends(second)
        site.released.set()
        assert first.recv(12) == b"HTTP/1.1 200"

    def test_limit_per_address(self, serve: Serve, lines: ExitStack) -> None:
        site = serve(replace(ROOMY, connections_per_address=2))
        other = lines.enter_context(site.connect(ANOTHER))
        first, *_ = [lines.enter_context(site.connect()) for _ in range(3)]
        assert ends(first)
        assert site.answers(other)

    def test_member_places_are_reserved(self, serve: Serve, lines: ExitStack) -> None:
        site = serve(replace(ROOMY, connections=4, reserved=2))
        member = lines.enter_context(site.connect(MEMBER))
        strangers = [lines.enter_context(site.connect()) for _ in range(6)]
        assert all(ends(each) for each in strangers[:4])
        assert all(site.answers(each) for each in (*strangers[4:], member))

    def test_rate_of_new_connections(self, serve: Serve, lines: ExitStack) -> None:
        site = serve(replace(ROOMY, arrivals=Rate(burst=3, a_second=0)))
        early = [lines.enter_context(site.connect()) for _ in range(3)]
        assert ends(lines.enter_context(site.connect()))
        assert all(site.answers(each) for each in early)
        assert site.answers(lines.enter_context(site.connect(ANOTHER)))


class TestSilence:
    @RARE
    def test_silent_connections_take_few_descriptors(
        self, serve: Serve, lines: ExitStack, tmp_path: Path
    ) -> None:
        made = make_certificate(tmp_path)
        site = serve(ROOMY, certificate=str(made.chain), key=str(made.key))
        before = len(os.listdir("/proc/self/fd"))
        for number in range(300):
            lines.enter_context(site.connect(f"127.0.1.{1 + number % 250}"))
        context = ssl.create_default_context(cafile=str(made.chain))
        with context.wrap_socket(site.connect(ANOTHER), server_hostname="localhost") as line:
            assert site.answers(line)
            # By now, the gate has handled every connection. This process holds both ends of each:
            # the 301 sockets of the guests, and at most ROOMY.connections sockets of the server.
            assert len(os.listdir("/proc/self/fd")) - before <= 301 + ROOMY.connections

    def test_handshake_timeout(self, serve: Serve, lines: ExitStack, tmp_path: Path) -> None:
        made = make_certificate(tmp_path)
        policy = replace(ROOMY, request_seconds=0.05)
        site = serve(policy, certificate=str(made.chain), key=str(made.key))
        assert ends(lines.enter_context(site.connect()))

    @pytest.mark.parametrize("name", POLICIES)
    @pytest.mark.parametrize(
        "sent",
        [
            "",
            "GET / HT",
            "POST / HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nContent-Length: 9\r\n\r\nab",
        ],
    )
    def test_request_timeout(self, serve: Serve, name: str, sent: str) -> None:
        site = serve(replace(POLICIES[name], request_seconds=0.05))
        with site.connect() as line:
            line.sendall(sent.format(f"127.0.0.1:{site.port}").encode())
            assert ends(line)

    def test_timeout_of_a_second_request(self, serve: Serve) -> None:
        site = serve(replace(ROOMY, request_seconds=0.05))
        with site.connect() as line:
            assert site.answers(line)
            line.sendall(b"GET / HT")
            assert ends(line)

    def test_endless_headers(self, serve: Serve) -> None:
        site = serve(ROOMY)
        with site.connect() as line:
            line.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * 3 * HEADER_SIZE)
            assert ends(line)
