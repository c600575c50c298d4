"""The seats and views of one table, in the phones' web server.

Each seat has a secret, at most one phone, and a queue of that phone's messages. The secret on
the screen works only once: the first phone that opens the address sends its own token, which is the
secret for all its later sessions. A phone that reloads, sleeps or misses an answer therefore keeps
its seat, and a second phone that has read the same code is rejected.

All messages from strangers are rejected identically, so an attacker without the secret learns
nothing by trial and error.
"""

import json
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.jsonl.untrusted import read_object
from companion.pads import encryption
from companion.pads.listen_address import LETTERS, TOKEN, read_token
from companion.pads.page_data import PadAnswer
from companion.pads.protocols import Presence
from engine.board.geometry import Side

# The messages from a page are numbered by an increasing counter. Since networks may duplicate
# messages, a repeat of the latest message gets the same answer. Older messages are not answered.

MOST: Final = 2**53 - 1
"""Largest counter that a page can use: JavaScript's largest safe integer."""


class PadSession:
    """Decrypts messages from a page, and encrypts messages to that page."""

    def __init__(self, keys: encryption.SessionKeys) -> None:
        self._keys = keys
        self._heard = -1
        self._latest = (b"", b"")
        self._shown = -1

    def again(self, body: bytes) -> bytes:
        """Return the earlier answer to exactly these bytes, or b"" if the bytes are new."""
        return self._latest[1] if body == self._latest[0] else b""

    def open(self, body: bytes) -> bytes:
        """Decrypt a page's message. Raise DecryptionError if it is old or from another session."""
        counter = int.from_bytes(body[: encryption.COUNTER], "big")
        if not self._heard < counter <= MOST:
            raise encryption.DecryptionError("the message was already received")
        text = self._keys.open(encryption.UP, counter, body[encryption.COUNTER :])
        self._heard = counter
        return text

    def answer(self, body: bytes, text: bytes) -> bytes:
        """Encrypt the answer to the latest message, and remember the answer."""
        sealed = self._keys.seal(
            encryption.ANSWER, self._heard, encryption.pad(text, encryption.ANSWER_SIZE)
        )
        self._latest = body, sealed
        return sealed

    def show(self, text: bytes) -> bytes:
        """Encrypt the next content of the page, preceded by its counter."""
        self._shown += 1
        sealed = self._keys.seal(
            encryption.DOWN, self._shown, encryption.pad(text, encryption.DOWN_SIZE)
        )
        return self._shown.to_bytes(encryption.COUNTER, "big") + sealed


ASKED: Final = 1024
"""Maximum number of sessions that have not sent a message. Each takes about 1 KB."""
ASKED_PER_ADDRESS: Final = 2
"""Maximum number of sessions per address that have not sent a message. Even if all 254 addresses of
a Wi-Fi network request sessions, they can neither exhaust the seat's sessions nor displace a
phone."""
OPEN: Final = 4
"""Maximum number of open pages per phone."""
REMEMBERED: Final = 64
"""Number of message identifiers kept to detect duplicates."""
WAITING: Final = 16
"""Maximum number of messages that may wait for the table to read them."""


@dataclass(frozen=True)
class _Begun:
    """A session that has not sent a message."""

    session: PadSession
    address: str


@dataclass(frozen=True)
class PadResponse:
    """Result of handling a message: the reply, and whether the page may now receive events."""

    answer: PadAnswer
    is_let_in: bool


class PadSeat:
    """Server-side state of one player's pad. Not thread-safe. Contains no ranks."""

    def __init__(
        self,
        side: Side,
        secret: bytes,
        draw: Callable[[int], bytes],
        token: bytes = b"",
    ) -> None:
        """Create a seat.

        It belongs to the phone with `token`, or else to the first phone with `secret`.
        """
        self.side, self.secret = side, secret
        self.unsent: deque[Mapping[str, Any]] = deque()
        """The player's messages that have not been sent to the table yet, oldest first."""
        self.unread = 0
        """Number of messages that the table has not read yet."""
        self.shown = b""
        """Content of the pad, before encryption."""
        self.version = 0
        """Version of the content. Every change increments it; 0 means that there is no content."""
        self.streams: set[object] = set()
        """The open streams to this seat's pages."""
        self.token = token
        """Token of the phone that has the seat, or empty."""
        self.was_heard = False
        """Whether the phone has sent a message since the reader last reset this flag."""
        self._draw = draw
        self._begun: OrderedDict[bytes, _Begun] = OrderedDict()
        self._open: OrderedDict[bytes, PadSession] = OrderedDict()
        self._taken: OrderedDict[str, None] = OrderedDict()

    @property
    def presence(self) -> Presence:
        if not self.token:
            return Presence.ABSENT
        return Presence.HERE if self.streams else Presence.AWAY

    def show(self, text: bytes) -> bool:
        """Set the content of the pad, and return whether it has changed."""
        if text == self.shown:
            return False
        self.shown = text
        self.version += 1
        return True

    def begin(self, pads_key: bytes, address: str, *, by_code: bool) -> bytes:
        """Begin a session, and return its name, which is the table's public key.

        Raise DecryptionError if `by_code` is False but no phone has this seat.
        """
        secret = self.secret if by_code else self.token
        if not secret:
            raise encryption.DecryptionError("no phone has this seat")
        own = self._draw(encryption.KEY)
        name = encryption.public_key(own)
        keys = encryption.SessionKeys(secret, self.side, own, pads_key=pads_key, tables_key=name)
        own_names = [name for name, each in self._begun.items() if each.address == address]
        if len(own_names) >= ASKED_PER_ADDRESS:
            del self._begun[own_names[0]]
        self._begun[name] = _Begun(PadSession(keys), address)
        if len(self._begun) > ASKED:
            self._begun.popitem(last=False)
        return name

    def session(self, name: bytes) -> PadSession | None:
        begun = self._begun.get(name)
        return begun.session if begun else self._open.get(name)

    def is_open(self, name: bytes) -> bool:
        """Whether a session has proved that it belongs to this seat's phone."""
        return name in self._open

    def hear(self, name: bytes, message: Mapping[str, Any]) -> PadResponse:
        """Handle a decrypted message from a session of this seat.

        Raise ValueError if the message is malformed.
        """
        if name in self._open:
            self._open.move_to_end(name)
        elif not self._let_in(name, message):
            return PadResponse({"seat": "taken"}, is_let_in=False)
        self.was_heard = True
        answer: PadAnswer = {"seat": "yours"}
        if "say" in message:
            answer["taken"] = self._take(message)
        answer["shows"] = self.version
        return PadResponse(answer, is_let_in=True)

    def _let_in(self, name: bytes, message: Mapping[str, Any]) -> bool:
        """Admit a page if the seat is free or already belongs to the phone that shows the page.

        Return False otherwise.
        """
        token = read_token(message.get("token"))
        if self.token and token != self.token:
            return False
        self.token = token
        self._open[name] = self._begun.pop(name).session
        if len(self._open) > OPEN:
            self._open.popitem(last=False)
        return True

    def _take(self, message: Mapping[str, Any]) -> bool:
        """Queue a player's message, ignoring duplicates. Return False if the queue is full."""
        number, command = message.get("id"), message["say"]
        if not isinstance(number, str) or len(number) != TOKEN or not isinstance(command, dict):
            raise ValueError("the message has no valid id or no valid command")
        if number in self._taken:
            return True
        if self.unread >= WAITING:
            return False
        self.unsent.append(command)
        self.unread += 1
        self._taken[number] = None
        if len(self._taken) > REMEMBERED:
            self._taken.popitem(last=False)
        return True


JOIN_SIZE: Final = 2 + encryption.KEY
"""Size of a join request: the letter of a seat, the type of secret, and a public key."""
COMMAND_SIZE: Final = encryption.KEY + encryption.COUNTER + encryption.TAG + encryption.UP_SIZE
"""Size of a message: the name of a session, a counter, and the ciphertext."""
_BY: Final = {b"c": True, b"t": False}
"""Types of secret in a join request: the screen's code (True) or a phone's token (False)."""


class RefusedError(Exception):
    """The message does not come from the phone that has this seat."""


class MalformedMessageError(RefusedError):
    """The phone in the seat has sent an invalid message."""


@dataclass(frozen=True, eq=False)
class PageListener:
    """A stream to a page. The page is identified by the name of its session."""

    side: Side
    name: bytes


class PadHub:
    """The two seats and the public view. Not thread-safe."""

    def __init__(
        self,
        secrets: Mapping[Side, bytes],
        draw: Callable[[int], bytes],
        clock: Callable[[], float],
    ) -> None:
        """Create two free seats; `draw` returns random bytes, and `clock` is the table's clock."""
        self._draw, self._clock = draw, clock
        self._seats = {side: PadSeat(side, secrets[side], draw) for side in Side}
        self._everybody = b"", 0.0
        """Public view, and its delay in seconds."""
        self.sheets: Mapping[str, str] = {}
        """Score sheet of the latest game that can no longer be resumed, keyed by language."""
        self.stories: Mapping[str, bytes] = {}
        """Story of the latest game that can no longer be resumed, as JSON, keyed by language."""

    # -- for the table

    def renew(self, side: Side, secret: bytes, token: bytes = b"") -> None:
        """Disconnect the phone in a seat, and free the seat for a phone with a new secret.

        If `token` is given, the seat is not free: it belongs to the phone with this token.
        """
        shown = self._seats[side].shown
        self._seats[side] = PadSeat(side, secret, self._draw, token)
        self._seats[side].show(shown)

    def presence(self, side: Side) -> Presence:
        """Return whether a phone is in a side's seat, and whether it is receiving data."""
        return self._seats[side].presence

    def token(self, side: Side) -> bytes:
        """Return the token of the phone that has a seat, or b"" if the seat is free."""
        return self._seats[side].token

    def was_heard(self, side: Side) -> bool:
        """Return whether a side's phone has sent a message since the last call."""
        was_heard, self._seats[side].was_heard = self._seats[side].was_heard, False
        return was_heard

    def unsent(self) -> list[tuple[Side, Mapping[str, Any]]]:
        """Return the messages for the table that have arrived since the last call."""
        messages = [(side, each) for side, seat in self._seats.items() for each in seat.unsent]
        for seat in self._seats.values():
            seat.unsent.clear()
        return messages

    def mark_read(self, side: Side, count: int) -> None:
        seat = self._seats[side]
        seat.unread = max(0, seat.unread - count)

    def show(self, side: Side, text: bytes) -> bool:
        """Set a pad's content, and return whether it has changed."""
        return self._seats[side].show(text)

    def show_everybody(self, text: bytes, delay: float) -> bool:
        """Set the spectators' view, and return whether it has changed."""
        is_new = text != self._everybody[0]
        self._everybody = text, delay
        return is_new

    # -- for the web server

    def join(self, body: bytes, address: str) -> bytes:
        """Begin a session for a page at a network address, and return the session's name."""
        side = next((side for side, letter in LETTERS.items() if body[:1] == letter.encode()), None)
        by_code = _BY.get(body[1:2])
        if side is None or by_code is None or len(body) != JOIN_SIZE:
            raise RefusedError
        try:
            return self._seats[side].begin(body[2:], address, by_code=by_code)
        except encryption.DecryptionError as error:
            raise RefusedError from error

    def hear(self, body: bytes) -> bytes:
        """Handle a message from a page, and return the encrypted answer.

        A repeated message gets the same answer, because a network may duplicate messages.
        """
        side, session = self._find(body)
        answered = session.again(body[encryption.KEY :])
        if not answered:
            answer = json.dumps(self._take(side, session, body).answer).encode()
            answered = session.answer(body[encryption.KEY :], answer)
        return answered

    def listen(self, body: bytes) -> PageListener:
        """Register a page for updates, if it belongs to the phone that has the seat.

        A repeated message is rejected. Otherwise, an attacker could end a page's stream by
        repeating the message that opened it.
        """
        side, session = self._find(body)
        if not self._take(side, session, body).is_let_in:
            raise RefusedError
        return PageListener(side, body[: encryption.KEY])

    def begin_stream(self, page: PageListener) -> None:
        self._seats[page.side].streams.add(page)

    def end_stream(self, page: PageListener) -> None:
        self._seats[page.side].streams.discard(page)

    def next_for(self, page: PageListener, seen: int) -> tuple[int, bytes] | None:
        """Return the version and ciphertext of a page's content, or None if the page is up to date.

        Raise RefusedError if the page's session is no longer open.
        """
        seat = self._seats[page.side]
        session = seat.session(page.name) if seat.is_open(page.name) else None
        if session is None:
            raise RefusedError
        if seat.version in (0, seen):  # 0 means no content
            return None
        now = b'{"now":%.3f,"shows":%d,"state":' % (self._clock(), seat.version)
        return seat.version, session.show(now + seat.shown + b"}")

    def next_for_everybody(self, seen: bytes) -> tuple[bytes, bytes] | None:
        """Return the spectators' view in two forms, without and with the time.

        Return None if the view equals `seen`.
        """
        text, delay = self._everybody
        if text == seen:
            return None
        return text, b'{"now":%.3f,"state":' % (self._clock() - delay) + text + b"}"

    def _find(self, body: bytes) -> tuple[Side, PadSession]:
        """Return a message's seat and session. Raise RefusedError for an unknown session."""
        if len(body) == COMMAND_SIZE:
            for side, seat in self._seats.items():
                if session := seat.session(body[: encryption.KEY]):
                    return side, session
        raise RefusedError

    def _take(self, side: Side, session: PadSession, body: bytes) -> PadResponse:
        try:
            text = session.open(body[encryption.KEY :])
        except encryption.DecryptionError as error:
            raise RefusedError from error
        try:
            return self._seats[side].hear(body[: encryption.KEY], read_object(text))
        except ValueError as error:
            raise MalformedMessageError from error
