"""Phone in Python, with the real encryption over a real socket."""

import base64
import json
import secrets
from collections.abc import Callable, Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPResponse
from typing import Any
from urllib.parse import urlsplit

from companion.pads import encryption
from companion.pads.listen_address import LETTERS, read_token, write_token
from engine.board.geometry import Side

Draw = Callable[[int], bytes]


class GoneError(Exception):
    """The table no longer knows this session."""


class Phone:
    def __init__(
        self,
        address: str,
        draw: Draw = secrets.token_bytes,
        timeout: float | None = None,
        source: str = "",
    ) -> None:
        """Open the page at `address`. `source` is the phone's network address."""
        parts = urlsplit(address)
        self._source = (source, 0) if source else None
        self.host, self.draw, self._timeout = parts.netloc, draw, timeout
        self.side = next(side for side in Side if LETTERS[side] == parts.fragment[0])
        self.secret = read_token(parts.fragment[1:])
        self.token = write_token(draw(16))
        self.bodies: list[bytes] = []
        """Everything that was sent, in encrypted form."""
        self.answers: list[bytes] = []
        self.frames: list[bytes] = []
        """Everything that was received for display, in encrypted form."""
        self._stream: tuple[HTTPConnection, HTTPResponse] | None = None

    def post(self, path: str, body: bytes) -> tuple[HTTPConnection, HTTPResponse]:
        line = HTTPConnection(self.host, timeout=self._timeout, source_address=self._source)
        try:
            line.request("POST", path, body, {"Origin": f"http://{self.host}"})
            return line, line.getresponse()
        except BaseException:
            line.close()
            raise

    def sent(self, path: str, body: bytes) -> bytes:
        line, answer = self.post(path, body)
        with closing(line):
            text = answer.read()
        if answer.status != 200:
            raise GoneError(answer.status)
        return text

    def begin(self, *, by_code: bool) -> None:
        own = self.draw(encryption.KEY)
        pads_key = encryption.public_key(own)
        way = LETTERS[self.side].encode() + (b"c" if by_code else b"t")
        self.name = self.sent("/join", way + pads_key)
        secret = self.secret if by_code else read_token(self.token)
        self.keys = encryption.SessionKeys(
            secret, self.side, own, pads_key=pads_key, tables_key=self.name
        )
        self.counter, self.shown = 0, -1

    def join(self) -> Mapping[str, Any]:
        """Use the code to take the seat. Return the reply."""
        self.begin(by_code=True)
        return self.send({"token": self.token})

    def resume(self) -> Mapping[str, Any]:
        self.leave()
        self.begin(by_code=False)
        return self.send({"token": self.token})

    def seal(self, message: Mapping[str, Any]) -> bytes:
        return self.seal_text(json.dumps(message).encode())

    def seal_text(self, text: bytes) -> bytes:
        """Encrypt any text, even an invalid message."""
        text = encryption.pad(text, encryption.UP_SIZE)
        counter, self.counter = self.counter, self.counter + 1
        self.bodies.append(
            self.name
            + counter.to_bytes(encryption.COUNTER, "big")
            + self.keys.seal(encryption.UP, counter, text)
        )
        return self.bodies[-1]

    def send(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        return self.opened(self.sent("/say", self.seal(message)))

    def opened(self, sealed: bytes) -> Mapping[str, Any]:
        self.answers.append(sealed)
        answer: dict[str, Any] = json.loads(
            self.keys.open(encryption.ANSWER, self.counter - 1, sealed)
        )
        return answer

    def choose(self, choice: Mapping[str, Any], number: str = "") -> Mapping[str, Any]:
        return self.send({"id": number or write_token(self.draw(16)), "say": choice["say"]})

    def listen(self) -> None:
        self.leave()
        line, answer = self.post("/listen", self.seal({}))
        if answer.status != 200:
            line.close()
            raise GoneError(answer.status)
        self._stream = line, answer

    def next_frame(self) -> bytes:
        """Wait for the next page. Return it encrypted."""
        assert self._stream
        while line := self._stream[1].readline():
            if line.startswith(b"data: "):
                self.frames.append(base64.b64decode(line[6:]))
                return self.frames[-1]
        raise GoneError

    def look(self) -> dict[str, Any]:
        """Wait for the next page. Return it decrypted."""
        frame = self.next_frame()
        counter = int.from_bytes(frame[: encryption.COUNTER], "big")
        assert counter > self.shown
        self.shown = counter
        state: dict[str, Any] = json.loads(
            self.keys.open(encryption.DOWN, counter, frame[encryption.COUNTER :])
        )["state"]
        return state

    def leave(self) -> None:
        if self._stream:
            for end in reversed(self._stream):
                end.close()
            self._stream = None
