"""Send requests to a hall's pages over a real socket."""

import http.client
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from companion.hall.server.receiver import HallReceiver
from companion.hall.server.store import Store
from companion.hall.server.tables import Tables


@dataclass
class Answer:
    status: int
    headers: Mapping[str, str]
    text: str


@dataclass
class Browser:
    port: int
    cookie: str = ""
    address: str = "127.0.0.1"
    headers: dict[str, str] = field(default_factory=dict)

    def ask(
        self, method: str, path: str, form: Mapping[str, str] | str | None = None, **more: str
    ) -> Answer:
        source = (self.address, 0)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, source_address=source)
        headers = {"Origin": f"http://127.0.0.1:{self.port}", "Cookie": self.cookie, **more}
        body = urlencode(form) if isinstance(form, Mapping) else form
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        got = {name.lower(): value for name, value in response.getheaders()}
        cookies = [each.partition(";")[0] for each in response.headers.get_all("set-cookie", [])]
        self.cookie = "; ".join(cookies) or self.cookie
        return Answer(response.status, got, text)

    def sign_in(self, code: str) -> Answer:
        return self.ask("POST", "/sign-in", {"code": code})


@dataclass
class Pages:
    tables: Tables
    browser: Browser
    store: Store
    game: str
    receiver: HallReceiver


@contextmanager
def following(browser: Browser, path: str = "/stream") -> Iterator[Iterator[tuple[str, Any]]]:
    """Open a stream. Yield an iterator over its events, each with its type and data."""
    with closing(http.client.HTTPConnection("127.0.0.1", browser.port)) as connection:
        connection.request("GET", path, headers={"Cookie": browser.cookie})
        with connection.getresponse() as response:
            yield _events(response)


def _events(lines: Iterable[bytes]) -> Iterator[tuple[str, Any]]:
    kind = ""
    for line in lines:
        field_name, _, value = line.decode().rstrip().partition(": ")
        if field_name == "event":
            kind = value
        elif field_name == "data":
            yield kind, json.loads(value)
