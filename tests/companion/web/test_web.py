"""Test each site's security layer over a real socket."""

import asyncio
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from email.message import Message
from http.client import HTTPConnection

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import Message as Event
from starlette.types import Receive, Scope, Send

from companion.hall.console import console
from companion.pads import service
from companion.web import security
from companion.web.server import ServerConfig
from tests.companion.web.site import ends, serving

POLICIES = {"pads": service.POLICY, "hall": console.POLICY}


async def echo(request: Request) -> PlainTextResponse:
    return PlainTextResponse(await request.body())


APP = Starlette(routes=[Route("/", echo, methods=["GET", "POST", "PUT", "DELETE"])])


NONE: Mapping[str, str] = {}
SAME, CROSS = {"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "cross-site"}
OWN = {"Origin": "{}"}


@dataclass
class Answer:
    status: int
    headers: Message
    body: bytes


@dataclass
class Site:
    port: int
    policy: security.SitePolicy

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self,
        headers: Mapping[str, str] = NONE,
        method: str = "GET",
        body: bytes = b"",
        source: str = "127.0.0.1",
    ) -> Answer:
        """Send a request from an address. In headers, {} is replaced with the site's origin."""
        sent = {name: value.format(self.origin) for name, value in headers.items()}
        with closing(HTTPConnection("127.0.0.1", self.port, source_address=(source, 0))) as line:
            line.request(method, "/", body, sent)
            answer = line.getresponse()
            return Answer(answer.status, answer.headers, answer.read())

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port))


Serve = Callable[[security.SitePolicy], Site]


@pytest.fixture(scope="module")
def serve() -> Iterator[Serve]:
    """Function that serves an app under a policy. Only a numeric host name is accepted."""
    with ExitStack() as stack:

        def site(policy: security.SitePolicy) -> Site:
            def is_own_host(host: str) -> bool:
                return host.startswith("127.0.0.1:")

            config = ServerConfig(APP, policy, is_own_host, host="127.0.0.1", port=0)
            return Site(stack.enter_context(serving(config)), policy)

        yield site


@pytest.fixture(scope="module", params=POLICIES)
def site(request: pytest.FixtureRequest, serve: Serve) -> Site:
    """One site has the pads' policy, and the other has the hall's. Both have higher rate limits
    than usual."""
    many = security.Rate(burst=10_000, a_second=10_000)
    return serve(replace(POLICIES[request.param], requests=many, arrivals=many))


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        (SAME, 200),
        ({**CROSS, "Sec-Fetch-Mode": "navigate"}, 200),
        ({**CROSS, "Sec-Fetch-Mode": "no-cors"}, 403),
        (CROSS, 403),
        ({"Host": "evil.example"}, 421),
        ({"Host": ""}, 421),
    ],
)
def test_reading(site: Site, headers: dict[str, str], status: int) -> None:
    assert site.ask(headers).status == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (OWN, 200),
        ({**OWN, **SAME}, 200),
        ({**OWN, "Sec-Fetch-Site": "same-site"}, 403),
        ({**OWN, "Sec-Fetch-Site": "none"}, 403),
        ({**OWN, **CROSS, "Sec-Fetch-Mode": "navigate"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "https://127.0.0.1"}, 403),
        ({"Origin": "null"}, 403),
        ({}, 403),
    ],
)
def test_writing(site: Site, headers: dict[str, str], status: int) -> None:
    answer = site.ask(headers, "POST", b"text")
    assert answer.status == status
    assert (answer.body == b"text") is (status == 200)


def test_form_without_origin(site: Site) -> None:
    status = 200 if site.policy.has_forms else 403
    assert site.ask({"Origin": "null", **SAME}, "POST").status == status


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE"])
def test_other_methods(site: Site, method: str) -> None:
    assert site.ask(OWN, method).status == 405


def test_headers_of_every_response(site: Site) -> None:
    for headers in ({}, CROSS, {"Host": "evil.example"}):
        answer = site.ask(headers)
        expected = site.policy.headers
        assert {name: answer.headers[name] for name in expected} == expected
        assert not {"Server", "Date"} & {*answer.headers}
    content = site.policy.headers["Content-Security-Policy"]
    assert content.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "inline" not in content


def test_refusal_closes_the_connection(site: Site) -> None:
    for headers, status in ((CROSS, 403), ({"Host": "evil.example"}, 421)):
        answer = site.ask(headers)
        assert answer.body.decode() == security.REFUSALS[status]
        assert answer.headers["Connection"] == "close"


def post(*events: Event, origin: str = "http://board") -> tuple[list[Event], list[Event]]:
    """Pass a request to an app as the server does. Return the events that the app receives and
    sends."""
    arriving, received, sent = iter(events), list[Event](), list[Event]()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        received.extend([await receive(), await receive()])
        await PlainTextResponse("done")(scope, receive, send)

    async def receive() -> Event:
        return next(arriving)

    async def send(event: Event) -> None:
        sent.append(event)

    headers = [(b"host", b"board"), (b"origin", origin.encode())]
    scope = {"type": "http", "method": "POST", "scheme": "http", "headers": headers}
    asyncio.run(security.SecurityMiddleware(app, service.POLICY, bool)(scope, receive, send))
    return received, sent


def test_request_without_a_host_is_refused() -> None:
    sent = list[Event]()

    async def receive() -> Event:
        raise AssertionError("the body of a refused request was read")

    async def send(event: Event) -> None:
        sent.append(event)

    middleware = security.SecurityMiddleware(
        APP, service.POLICY, security.own_hosts("http", 80, ["localhost"])
    )
    scope = {"type": "http", "method": "GET", "scheme": "http", "headers": []}
    asyncio.run(middleware(scope, receive, send))
    assert sent[0]["status"] == 421


LEFT: Event = {"type": "http.disconnect"}


class TestBodies:
    def test_body_in_parts_arrives_complete(self) -> None:
        parts: list[Event] = [
            {"type": "http.request", "body": b"one, ", "more_body": True},
            {"type": "http.request", "more_body": True},
            {"type": "http.request", "body": b"two"},
        ]
        received, sent = post(*parts, LEFT)
        assert received == [
            {"type": "http.request", "body": b"one, two", "more_body": False},
            LEFT,
        ]
        assert sent[0]["status"] == 200

    def test_refusal_does_not_wait_for_the_body(self) -> None:
        received, sent = post(origin="http://evil.example")
        assert received == []
        assert sent[0]["status"] == 403

    def test_app_gets_no_incomplete_body(self) -> None:
        part: Event = {"type": "http.request", "body": b"one, ", "more_body": True}
        assert post(part, LEFT) == ([], [])

    @pytest.mark.parametrize(("beyond", "status"), [(-1, 200), (0, 200), (1, 413), (100_000, 413)])
    def test_size(self, site: Site, beyond: int, status: int) -> None:
        body = bytes(site.policy.body_size + beyond)
        assert site.ask(OWN, "POST", body).status == status

    @pytest.mark.parametrize("length", ["", "Content-Length: 10\r\n"])
    def test_chunked_body_is_counted(self, site: Site, length: str) -> None:
        head = (
            f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nOrigin: {site.origin}\r\n"
            f"{length}Transfer-Encoding: chunked\r\n\r\n"
        )
        size = site.policy.body_size
        with site.connect() as line:
            line.sendall(head.encode())
            for _ in range(2):  # the body never ends
                line.sendall(b"%x\r\n%s\r\n" % (size, bytes(size)))
            assert line.recv(12) == b"HTTP/1.1 413"
            assert ends(line)

    def test_connection_closed_in_a_body(
        self, site: Site, caplog: pytest.LogCaptureFixture
    ) -> None:
        with site.connect() as line:
            line.sendall(
                f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nOrigin: {site.origin}\r\n"
                "Content-Length: 10\r\n\r\n12345".encode()
            )
        assert site.ask().status == 200
        assert not caplog.records


class TestRates:
    def test_request_rate_per_address(self) -> None:
        now = 0.0
        rate = security.RateLimiter(security.Rate(burst=120, a_second=20), lambda: now)
        assert all(rate.allows("10.0.0.1") for _ in range(120))
        assert not rate.allows("10.0.0.1")
        assert rate.allows("10.0.0.2")
        now += 1
        assert sum(rate.allows("10.0.0.1") for _ in range(120)) == 20

    def test_number_of_known_addresses(self) -> None:
        rate = security.RateLimiter(security.Rate(burst=1, a_second=1), lambda: 0.0)
        for number in range(2 * security.KNOWN):
            rate.allows(f"10.0.{number // 256}.{number % 256}")
        assert len(rate._left) == security.KNOWN

    def test_longest_unused_address_is_forgotten(self) -> None:
        rate = security.RateLimiter(security.Rate(burst=1, a_second=1), lambda: 0.0)
        addresses = [f"10.0.{number // 256}.{number % 256}" for number in range(security.KNOWN + 1)]
        assert all(rate.allows(each) for each in addresses[: security.KNOWN])
        assert not rate.allows(addresses[0])
        assert rate.allows(addresses[security.KNOWN])
        assert not rate.allows(addresses[0])
        assert rate.allows(addresses[1])

    @pytest.mark.parametrize("name", POLICIES)
    def test_rate_limit_answer(self, serve: Serve, name: str) -> None:
        site = serve(replace(POLICIES[name], requests=security.Rate(burst=3, a_second=0)))
        assert [site.ask().status for _ in range(4)] == [200, 200, 200, 429]
        assert site.ask(source="127.0.0.2").status == 200


@pytest.mark.parametrize(
    ("scheme", "port", "host", "is_own"),
    [
        ("http", 80, "10.0.0.5", True),
        ("http", 80, "localhost", True),
        ("http", 80, "[fe80::1]", True),
        ("http", 443, "10.0.0.5", False),
        ("https", 443, "10.0.0.5", True),
        ("https", 443, "[fe80::1]", True),
        ("https", 80, "10.0.0.5", False),
    ],
)
def test_host_without_a_port_has_the_usual_one(
    scheme: str, port: int, host: str, *, is_own: bool
) -> None:
    assert security.own_hosts(scheme, port, ["localhost"])(host) is is_own


@pytest.mark.parametrize(
    ("host", "is_own"),
    [
        ("10.0.0.5:8017", True),
        ("[fe80::1]:8017", True),
        ("localhost:8017", True),
        ("10.0.0.5", False),
        ("evil.example:8017", False),
        ("10.0.0.5.evil.example:8017", False),
        ("", False),
        (":8017", False),
    ],
)
def test_allowed_hosts(host: str, is_own: bool) -> None:
    assert security.own_hosts("http", 8017, ["localhost"])(host) is is_own


def test_web_sockets_are_closed() -> None:
    """The socket is closed before its first message."""
    middleware = security.SecurityMiddleware(APP, service.POLICY, bool)
    reached = middleware({"type": "websocket"}, None, None)  # type: ignore[arg-type]
    with pytest.raises(StopIteration):
        reached.send(None)
