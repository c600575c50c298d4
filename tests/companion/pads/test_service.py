"""The network service is off by default.

The service serves only its own files, refuses cross-site requests, and limits the requests and
connections of each address.
"""

import errno
import logging
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from companion.pads import Certificate, ListenAddress, PadErrorKind, Pads, listen_address, service
from companion.pads.encryption import KEY, public_key
from companion.pads.pads import RESTARTS
from companion.pads.protocols import pad_error_text
from companion.pads.service import FILES, POLICY
from companion.speech.i18n import Language, codes
from engine.board.geometry import Side
from tests.companion.pads.conftest import Sit
from tests.companion.pads.pad_driver import HERE, PadDriver, pads_of
from tests.companion.pads.server_thread import in_thread
from tests.companion.web.certificates import make_certificate


@pytest.fixture
def driver() -> PadDriver:
    return PadDriver()


@pytest.fixture
def pads(driver: PadDriver) -> Iterator[Pads]:
    with pads_of(driver) as opened:
        yield opened


def host_of(pads: Pads) -> str:
    return urlsplit(pads.spectators_address).netloc


def ask(
    pads: Pads, path: str, method: str = "GET", body: bytes = b"", **headers: str
) -> HTTPResponse:
    """Send a request as a browser would, with additional headers."""
    host = host_of(pads)
    sent = {"Origin": f"http://{host}"} if method == "POST" else {}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    with closing(HTTPConnection(host)) as line:
        line.request(method, path, body, sent)
        answer = line.getresponse()
        answer.read()
        return answer


class TestWithoutPads:
    def test_no_server_modules_are_imported(self) -> None:
        program = (
            "import sys, companion.pads; print(*(each for each in"
            " ('starlette', 'uvicorn', 'nacl', 'anyio', 'asyncio') if each in sys.modules))"
        )
        result = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
        assert result.stdout == b"\n"

    def test_no_socket_before_opening(self, driver: PadDriver) -> None:
        pads = Pads(driver, lambda _: Language("en"), driver.clock)
        pads.tick()
        assert not pads.is_open
        assert not [each for each in threading.enumerate() if each.name == "pads"]

    def test_no_socket_after_closing(self, driver: PadDriver) -> None:
        with pads_of(driver) as pads:
            port = urlsplit(pads.spectators_address).port
            assert [each for each in threading.enumerate() if each.name == "pads"]
        assert not [each for each in threading.enumerate() if each.name == "pads"]
        with socket.socket() as line:
            assert line.connect_ex(("127.0.0.1", port or 0))

    def test_open_stream_does_not_block_closing(self, driver: PadDriver, sit: Sit) -> None:
        with pads_of(driver) as pads:
            red = sit(pads, Side.RED)
            red.join()
            red.listen()
            red.look()


class TestErrors:
    def test_busy_port(self, driver: PadDriver) -> None:
        pads = Pads(driver, lambda _: Language("en"), driver.clock)
        with socket.create_server(("127.0.0.1", 0)) as other:
            pads.open(ListenAddress("127.0.0.1", other.getsockname()[1]))
        assert pads.error is PadErrorKind.PORT_TAKEN
        assert not pads.is_open

    def test_foreign_address(self, driver: PadDriver) -> None:
        pads = Pads(driver, lambda _: Language("en"), driver.clock)
        pads.open(ListenAddress("192.0.2.7", 0))
        assert pads.error is PadErrorKind.NO_SUCH_ADDRESS

    def test_computer_without_a_network(
        self, driver: PadDriver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def unreachable() -> str:
            raise OSError(errno.ENETUNREACH, "Network is unreachable")

        monkeypatch.setattr(listen_address, "own_address", unreachable)
        pads = Pads(driver, lambda _: Language("en"), driver.clock)
        pads.open(ListenAddress(port=0))
        assert pads.error is PadErrorKind.NO_NETWORK
        assert not pads.is_open

    def test_system_without_network_permission(
        self, driver: PadDriver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def forbidden(*_: object, **__: object) -> socket.socket:
            raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")

        monkeypatch.setattr(socket, "create_server", forbidden)
        pads = Pads(driver, lambda _: Language("en"), driver.clock)
        pads.open(ListenAddress("127.0.0.1", 0))
        assert pads.error is PadErrorKind.SHUT_OUT

    def test_address_without_a_default_route(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(listen_address, "_SOMEWHERE", ("255.255.255.255", 9))  # forbidden
        addresses = {listen_address.address_of(name) for _, name in socket.if_nameindex()}
        outside = addresses - {"", "127.0.0.1"}
        if outside:
            assert listen_address.own_address() in outside
        else:
            with pytest.raises(OSError, match="denied"):
                listen_address.own_address()
        assert listen_address.address_of("lo") == "127.0.0.1"
        assert listen_address.address_of("nothing0") == ""

    def test_invalid_certificate(self, driver: PadDriver, tmp_path: Path) -> None:
        pads = Pads(driver, lambda _: Language("en"), driver.clock)
        chain = tmp_path / "chain.pem"
        chain.write_text("nothing")
        for file in (chain, tmp_path / "not there"):
            pads.open(ListenAddress("127.0.0.1", 0, Certificate(file, chain, "board.example")))
            assert pads.error is PadErrorKind.CERTIFICATE

    def test_crash_loop_is_reported(self, pads: Pads) -> None:
        for _ in range(RESTARTS + 1):
            assert pads.is_open
            assert pads._link
            pads._link.stop()
            pads.tick()
        assert pads.error is PadErrorKind.STOPPED
        assert not pads.is_open

    def test_errors_in_every_language(self) -> None:
        for language in map(Language, codes()):
            texts = {pad_error_text(each, 80, language) for each in PadErrorKind}
            assert len(texts) == len(PadErrorKind)

    def test_pads_open_after_an_error(self, driver: PadDriver) -> None:
        pads = Pads(driver, lambda _: Language("en"), driver.clock)
        pads.open(ListenAddress("192.0.2.7", 0))
        pads.open(HERE)
        assert pads.is_open
        assert pads.error is None
        pads.close()


class TestRequests:
    def test_responses_have_strict_headers(self, pads: Pads) -> None:
        for path in (*FILES, "/texts/de", "/nothing", "/sheet/en", "/story/en", "/texts/xx"):
            answer = ask(pads, path)
            expected = POLICY.headers
            assert {name: answer.headers[name] for name in expected} == expected

    def test_files_are_served(self, pads: Pads) -> None:
        assert {ask(pads, path).status for path in FILES} == {200}

    @pytest.mark.parametrize("host", ["evil.example", "evil.example:{}", "127.0.0.1:1"])
    def test_other_hosts_are_refused(self, pads: Pads, host: str) -> None:
        port = urlsplit(pads.spectators_address).port
        assert ask(pads, "/", Host=host.format(port)).status == 421

    @pytest.mark.parametrize(
        ("origin", "status"),
        [("http://{host}", 200), ("http://evil.example", 403), ("null", 403), ("", 403)],
    )
    def test_cross_site_requests_are_refused(self, pads: Pads, origin: str, status: int) -> None:
        body = b"rc" + public_key(b"x" * KEY)
        sent = {"Origin": origin.replace("{host}", host_of(pads))}
        assert ask(pads, "/join", "POST", body, **sent).status == status

    @pytest.mark.parametrize("path", ["/join", "/say", "/listen"])
    @pytest.mark.parametrize("size", [0, 1, 33, 34, 35, 568, 100_000])
    def test_unsealed_messages_are_refused(self, pads: Pads, path: str, size: int) -> None:
        status = 413 if size > POLICY.body_size else 403
        assert ask(pads, path, "POST", bytes(size)).status == status

    @pytest.mark.parametrize(
        "path", ["/../pads.py", "/%2e%2e/pads.py", "/texts/../x", "/page/pad.js"]
    )
    def test_no_other_files_are_served(self, pads: Pads, path: str) -> None:
        assert ask(pads, path).status == 404


class TestStreamsOfSpectators:
    def test_limit_per_address_of_pads(self, pads: Pads) -> None:
        with ExitStack() as lines:
            watched = [watch(pads, lines, 2) for _ in range(service.SPECTATORS_PER_ADDRESS + 2)]
            assert [each.status for each in watched] == [200] * 4 + [503] * 2
            assert watch(pads, lines, 3).status == 200

    def test_limit_of_simultaneous_requests(self, pads: Pads) -> None:
        with ExitStack() as lines, ThreadPoolExecutor(20) as threads:
            addresses = [2 + number % 40 for number in range(80)]
            watched = list(threads.map(lambda address: watch(pads, lines, address), addresses))
            open_ones = [each for each in watched if each.status == 200]
            assert len(open_ones) == service.SPECTATORS
            # A new address takes over a slot from an address that has two connections.
            assert watch(pads, lines, 99).status == 200
            assert watch(pads, lines, 2).status == 503


def watch(pads: Pads, lines: ExitStack, address: int) -> HTTPResponse:
    """Open the spectators' stream from the loopback address that ends in `address`."""
    host, port = host_of(pads).split(":")
    connection = HTTPConnection(host, int(port), source_address=(f"127.0.0.{address}", 0))
    line = lines.enter_context(closing(connection))
    line.request("GET", "/watch/events")
    answer = lines.enter_context(line.getresponse())
    assert answer.readline()
    return answer


def test_secrets_are_not_logged(
    driver: PadDriver, sit: Sit, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG), pads_of(driver) as pads:
        red = sit(pads, Side.RED)
        red.join()
        red.listen()
        red.look()
        ask(pads, "/say", "POST", bytes(568))
        code = urlsplit(pads.address(Side.RED)).fragment
    assert code not in caplog.text
    assert red.token not in caplog.text
    assert not [each for each in caplog.records if each.name.startswith("uvicorn")]


def test_tls_with_a_certificate(driver: PadDriver, tmp_path: Path) -> None:
    made = make_certificate(tmp_path)
    start = in_thread(driver.clock)
    pads = Pads(driver, lambda _: Language("en"), driver.clock, start=start)
    pads.open(ListenAddress("127.0.0.1", 0, Certificate(made.chain, made.key, "localhost")))
    try:
        found = urlsplit(pads.address(Side.RED))
        assert found.scheme == "https"
        context = ssl.create_default_context(cafile=made.chain)
        with (
            socket.create_connection(("127.0.0.1", found.port or 0)) as plain,
            context.wrap_socket(plain, server_hostname="localhost") as line,
        ):
            line.sendall(f"GET /watch HTTP/1.1\r\nHost: {found.netloc}\r\n\r\n".encode())
            assert line.recv(12) == b"HTTP/1.1 200"
    finally:
        pads.close()
