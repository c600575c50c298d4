"""The seat of one player: its secret, the phone that has taken it, and its messages.

The secret on the screen works only once: the first phone that opens the address sends its own
token, which is the secret of all its later sessions. So a phone that reloads, sleeps or loses an
answer keeps its seat, and a second phone that has read the same code is refused.
"""

from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.pads.encryption import (
    ANSWER,
    ANSWER_SIZE,
    COUNTER,
    DOWN,
    DOWN_SIZE,
    KEY,
    UP,
    DecryptionError,
    SessionKeys,
    public_key,
)
from companion.pads.encryption import pad as padded
from companion.pads.listen_address import TOKEN, read_token
from companion.pads.page_data import PadAnswer
from companion.pads.protocols import Presence
from engine.board.geometry import Side

# Session of one page on a phone: its keys and message counters.
# Each message from a page carries an increasing counter. Repeated bytes get the same answer, as
# networks may duplicate messages. Older messages get no answer.

MOST: Final = 2**53 - 1
"""Largest counter of a page: JavaScript's largest safe integer."""


class PadSession:
    """Decrypts messages from a page and encrypts messages to it."""

    def __init__(self, keys: SessionKeys) -> None:
        self._keys = keys
        self._heard = -1
        self._latest = (b"", b"")
        self._shown = -1

    def again(self, body: bytes) -> bytes:
        """Return the earlier answer to exactly these bytes; empty if they are new."""
        return self._latest[1] if body == self._latest[0] else b""

    def open(self, body: bytes) -> bytes:
        """Decrypt a page's message; DecryptionError if it is old or not from this page."""
        counter = int.from_bytes(body[:COUNTER], "big")
        if not self._heard < counter <= MOST:
            raise DecryptionError("this message was sent before")
        text = self._keys.open(UP, counter, body[COUNTER:])
        self._heard = counter
        return text

    def answer(self, body: bytes, text: bytes) -> bytes:
        """Encrypt the answer to the latest message."""
        sealed = self._keys.seal(ANSWER, self._heard, padded(text, ANSWER_SIZE))
        self._latest = body, sealed
        return sealed

    def show(self, text: bytes) -> bytes:
        """Encrypt the next contents of the page, preceded by their counter."""
        self._shown += 1
        sealed = self._keys.seal(DOWN, self._shown, padded(text, DOWN_SIZE))
        return self._shown.to_bytes(COUNTER, "big") + sealed


ASKED: Final = 1024
"""Maximum number of sessions that have not sent a message yet, about 1 KB each."""
ASKED_PER_ADDRESS: Final = 2
"""Maximum number of those sessions for one address. All addresses of a Wi-Fi network with 254
addresses together cannot fill the seat, so their requests push no phone out."""
OPEN: Final = 4
"""Maximum number of open pages of one phone."""
REMEMBERED: Final = 64
"""Number of message identifiers kept to detect duplicates."""
WAITING: Final = 16
"""Maximum number of messages that the table has not read yet."""


@dataclass(frozen=True)
class _Begun:
    """A session that has not sent a message yet."""

    session: PadSession
    address: str


@dataclass(frozen=True)
class PadResponse:
    """Result of a message: the answer, and whether the page may listen from now on."""

    answer: PadAnswer
    is_let_in: bool


class PadSeat:
    """Server-side state of one player's pad. Not thread-safe; contains no ranks."""

    def __init__(
        self,
        side: Side,
        secret: bytes,
        draw: Callable[[int], bytes],
        token: bytes = b"",
    ) -> None:
        """Create a seat, which the first phone with `secret` takes, or the phone with `token`."""
        self.side, self.secret = side, secret
        self.unsent: deque[Mapping[str, Any]] = deque()
        """The player's messages that have not been sent to the table yet, oldest first."""
        self.unread = 0
        """Number of messages that the table has not read yet."""
        self.shown = b""
        """Contents of the pad, not encrypted yet."""
        self.version = 0
        """Version of the contents, incremented by every change; 0 without contents."""
        self.streams: set[object] = set()
        """The open streams to this seat's pages."""
        self.token = token
        """The token of the phone that has the seat, or empty."""
        self.was_heard = False
        """Whether the phone has sent a message; reset by the reader."""
        self._draw = draw
        self._begun: OrderedDict[bytes, _Begun] = OrderedDict()
        self._open: OrderedDict[bytes, PadSession] = OrderedDict()
        self._taken: OrderedDict[str, None] = OrderedDict()

    @property
    def presence(self) -> Presence:
        """Whether a phone has the seat, and whether it receives the contents."""
        if not self.token:
            return Presence.NOBODY
        return Presence.HERE if self.streams else Presence.AWAY

    def show(self, text: bytes) -> bool:
        """Set the contents of the pad; return whether they have changed."""
        if text == self.shown:
            return False
        self.shown = text
        self.version += 1
        return True

    def begin(self, pads_key: bytes, address: str, *, by_code: bool) -> bytes:
        """Begin a session and return its name, which is the table's public key.

        DecryptionError when resuming by token before any phone has sent a token.
        """
        secret = self.secret if by_code else self.token
        if not secret:
            raise DecryptionError("no phone has this seat")
        own = self._draw(KEY)
        name = public_key(own)
        keys = SessionKeys(secret, self.side, own, pads_key=pads_key, tables_key=name)
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
        """Handle a decrypted message of a session of this seat; ValueError if it is malformed."""
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
        """Admit a page by its phone's token, if the seat is free or belongs to that phone."""
        token = read_token(message.get("token"))
        if self.token and token != self.token:
            return False
        self.token = token
        self._open[name] = self._begun.pop(name).session
        if len(self._open) > OPEN:
            self._open.popitem(last=False)
        return True

    def _take(self, message: Mapping[str, Any]) -> bool:
        """Queue a player's message once; return False if the queue is full."""
        number, say = message.get("id"), message["say"]
        if not isinstance(number, str) or len(number) != TOKEN or not isinstance(say, dict):
            raise ValueError("a message must have an id and a command")
        if number in self._taken:
            return True
        if self.unread >= WAITING:
            return False
        self.unsent.append(say)
        self.unread += 1
        self._taken[number] = None
        if len(self._taken) > REMEMBERED:
            self._taken.popitem(last=False)
        return True
