"""Exchanges messages between the network thread and the table's thread, under one lock.

No thread holds the lock while it waits. Every invalid message is refused in the same way, so that
an attacker without the secret learns nothing by trial and error.
"""

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.pads.encryption import COUNTER, KEY, TAG, UP_SIZE, DecryptionError
from companion.pads.listen_address import LETTERS
from companion.pads.protocols import Presence
from companion.pads.seat import PadSeat
from engine.board.geometry import Side

JOIN_SIZE: Final = 2 + KEY
"""Size of a join request: the letter of a seat, the kind of secret, and a public key."""
SAY_SIZE: Final = KEY + COUNTER + TAG + UP_SIZE
"""Size of a message: the name of a session, a counter, and the ciphertext."""
_BY: Final = {b"c": True, b"t": False}
"""By the kind in a join request: True if the secret is the screen's code, False if a phone's
token."""


class RefusedError(Exception):
    """The message does not come from the phone that has this seat."""


@dataclass(frozen=True)
class PageListener:
    """A page that listens for updates, identified by its session name."""

    side: Side
    name: bytes


class PadHub:
    """The two seats, and the public view."""

    def __init__(self, draw: Callable[[int], bytes], clock: Callable[[], float]) -> None:
        """Create two free seats."""
        self._draw, self._clock = draw, clock
        self._lock = threading.Lock()
        self._seats = {side: PadSeat(side, draw, clock) for side in Side}
        self._everybody = b"", 0.0
        """Public view, and its delay in seconds."""
        self.sheets: Mapping[str, str] = {}
        """Score sheet of the last game that can no longer be resumed, by language."""
        self.stories: Mapping[str, bytes] = {}
        """Story of that game, by language."""

    # -- for the thread of the screens

    def code(self, side: Side) -> str:
        """Return the fragment of a seat's address."""
        with self._lock:
            return self._seats[side].code

    def renew(self, side: Side) -> None:
        """Reset a seat and disconnect its phone."""
        with self._lock:
            shown = self._seats[side].shown
            self._seats[side] = PadSeat(side, self._draw, self._clock)
            self._seats[side].show(shown)

    def presence(self, side: Side) -> Presence:
        """Whether the phone of a side is connected."""
        with self._lock:
            return self._seats[side].presence

    def take(self) -> list[tuple[Side, Mapping[str, Any]]]:
        """Return the messages received since the last call, and remove them."""
        with self._lock:
            said = [(side, each) for side, seat in self._seats.items() for each in seat.said]
            for seat in self._seats.values():
                seat.said.clear()
        return said

    def show(self, side: Side, text: bytes) -> bool:
        """Set a pad's contents; return whether they have changed."""
        with self._lock:
            return self._seats[side].show(text)

    def show_everybody(self, text: bytes, delay: float) -> bool:
        """Set the spectators' view; return whether it has changed."""
        is_new = text != self._everybody[0]
        self._everybody = text, delay
        return is_new

    # -- for the thread of the network

    def join(self, body: bytes) -> bytes:
        """Begin a session and return its name."""
        side = next((side for side, letter in LETTERS.items() if body[:1] == letter.encode()), None)
        by_code = _BY.get(body[1:2])
        if side is None or by_code is None or len(body) != JOIN_SIZE:
            raise RefusedError
        with self._lock:
            try:
                return self._seats[side].begin(body[2:], by_code=by_code)
            except DecryptionError as error:
                raise RefusedError from error

    def hear(self, body: bytes) -> bytes:
        """Handle a message from a page, and return the encrypted answer."""
        return self._hear(body)[0]

    def listen(self, body: bytes) -> PageListener:
        """Register a page for updates, if it belongs to the phone that has the seat."""
        return self._hear(body)[1]

    def next_for(self, page: PageListener, seen: int) -> tuple[int, bytes] | None:
        """Return a page's latest contents, as number and ciphertext; None if already seen.

        RefusedError if the page's session is no longer open.
        """
        with self._lock:
            seat = self._seats[page.side]
            session = seat.session(page.name) if seat.is_open(page.name) else None
            if session is None:
                raise RefusedError
            if seat.version in (0, seen):  # 0 means no contents yet
                return None
            now = b'{"now":%.3f,"shows":%d,"state":' % (self._clock(), seat.version)
            return seat.version, session.show(now + seat.shown + b"}")

    def next_for_everybody(self, seen: bytes) -> tuple[bytes, bytes] | None:
        """Return the spectators' latest view, without and with its time; None if already seen."""
        text, delay = self._everybody
        if text == seen:
            return None
        return text, b'{"now":%.3f,"state":' % (self._clock() - delay) + text + b"}"

    def _hear(self, body: bytes) -> tuple[bytes, PageListener]:
        if len(body) != SAY_SIZE:
            raise RefusedError
        name, rest = body[:KEY], body[KEY:]
        with self._lock:
            for side, seat in self._seats.items():
                session = seat.session(name)
                if session is None:
                    continue
                if answered := session.again(rest):
                    return answered, PageListener(side, name)
                try:
                    message = json.loads(session.open(rest))
                    heard = seat.hear(name, message if isinstance(message, dict) else {})
                except ValueError as error:  # includes DecryptionError and JSON errors
                    raise RefusedError from error
                answer = json.dumps(heard.answer).encode()
                return session.answer(rest, answer), PageListener(side, name)
        raise RefusedError
