"""Replaces an arbiter's browser: signs in, follows the event stream of the arbiters' page, and
records the times at which events arrive."""

import html
import http.client
import json
import re
import selectors
import socket
import threading
import time
from contextlib import closing, suppress
from typing import Final
from urllib.parse import urlencode

from companion.hall.console.sse import OPEN_PER_SESSION

_CARD: Final = re.compile(r'id="card-([a-z0-9-]+)".*?data-item="([^"]*) (\d+)"', re.DOTALL)


def sign_in(port: int, code: str, source: str = "127.0.0.1") -> str:
    """Sign in with an arbiter's code from the IP address `source`. Return the cookie."""
    headers = {
        "Origin": f"http://127.0.0.1:{port}",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    connection = http.client.HTTPConnection("127.0.0.1", port, 30, (source, 0))
    with closing(connection):
        connection.request("POST", "/sign-in", urlencode({"code": code}), headers)
        response = connection.getresponse()
        cookie = (response.getheader("Set-Cookie") or "").partition(";")[0]
        response.close()
    if response.status != 303:
        raise OSError(f"the hall refused the arbiter's sign-in: {response.status}")
    return cookie


class OpenPages:
    """Several open pages that show all tables. They ignore what they receive."""

    def __init__(self, port: int, code: str, count: int) -> None:
        self._selector = selectors.DefaultSelector()
        for number in range(count):
            session, is_full = divmod(number, OPEN_PER_SESSION)
            if not is_full:
                source = f"127.0.0.{session + 2}"
                cookie = sign_in(port, code, source)
            line = socket.create_connection(("127.0.0.1", port), 30, (source, 0))
            host = f"Host: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n"
            line.sendall(f"GET /stream HTTP/1.1\r\n{host}".encode())
            self._selector.register(line, selectors.EVENT_READ)
        threading.Thread(target=self._run, daemon=True).start()

    @property
    def count(self) -> int:
        return len(self._selector.get_map())

    def _run(self) -> None:
        while self.count:
            time.sleep(0.02)  # batch small events
            for key, _ in self._selector.select():
                assert isinstance(key.fileobj, socket.socket)
                with suppress(OSError):
                    if key.fileobj.recv(2**20):
                        continue
                self._selector.unregister(key.fileobj)
                key.fileobj.close()


class Page:
    """Client for the all-tables page.

    It runs in its own thread, and reconnects when the hall is back.
    """

    def __init__(self, port: int, code: str) -> None:
        self._port, self._code = port, code
        self.received_at: dict[str, list[tuple[str, int, float]]] = {}
        """For each item shown: the table, the game, the item's sequence number, and the time at
        which the page showed the item."""
        self.pulses: list[tuple[float, float]] = []
        """For each heartbeat that reports no failure: the time at which it arrived, and the time
        until which, it says, the page is complete."""
        self.stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Close the page. The call blocks until the hall stops or sends an event."""
        self.stopping.set()
        self._thread.join()

    def _run(self) -> None:
        while not self.stopping.is_set():
            with suppress(OSError, http.client.HTTPException):
                self._follow(sign_in(self._port, self._code))
            self.stopping.wait(0.5)

    def _follow(self, cookie: str) -> None:
        with closing(http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)) as connection:
            connection.request("GET", "/stream", headers={"Cookie": cookie})
            with connection.getresponse() as response:
                self._read(response)

    def _read(self, response: http.client.HTTPResponse) -> None:
        while not self.stopping.is_set():
            line = response.readline()
            if not line:
                return
            if line.startswith(b"data: "):
                now = time.monotonic()
                update = json.loads(line[6:])
                if "complete_until" in update and "<p>" not in update["problem"]:
                    self.pulses.append((now, update["complete_until"]))
                for card in update.get("parts", {}).values():
                    found = _CARD.search(card)
                    if found and found[3] != "0":
                        seen = self.received_at.setdefault(found[1], [])
                        seen.append((html.unescape(found[2]), int(found[3]), now))
