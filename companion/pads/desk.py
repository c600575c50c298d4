"""Where phones and table meet: two threads, and no lock is held while one waits.

Whatever is wrong with what comes from the network, it is refused in the same way: nobody without
the secret learns anything by trying.
"""

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.pads.address import LETTERS
from companion.pads.presence import Presence
from companion.pads.sealing import COUNTER, KEY, TAG, UP_SIZE, SealError
from companion.pads.seat import Seat
from engine.sides import Side

JOIN_SIZE: Final = 2 + KEY
"""The letter of a seat, how it is taken, and a public key."""
SAY_SIZE: Final = KEY + COUNTER + TAG + UP_SIZE
"""The name of a session, a counter, and what is sealed."""
_BY: Final = {b"c": True, b"t": False}
"""Whether by the code on the screen, or by the token that a phone has said."""


class RefusedError(Exception):
    """Something was not said by the phone that has this seat."""


@dataclass(frozen=True)
class Listening:
    """A page that wants to be shown things, by the name of its session."""

    side: Side
    name: bytes


class Desk:
    """The two seats, and what everybody may see."""

    def __init__(self, draw: Callable[[int], bytes], clock: Callable[[], float]) -> None:
        """Set out two free seats."""
        self._draw, self._clock = draw, clock
        self._lock = threading.Lock()
        self._seats = {side: Seat(side, draw, clock) for side in Side}
        self._everybody = b"", 0.0
        """What spectators see, and how many seconds later they see it."""
        self.sheets: Mapping[str, str] = {}
        """The score sheet of the game that is over for good, by language."""

    # -- for the thread of the screens

    def code(self, side: Side) -> str:
        """The fragment of the address of a seat."""
        with self._lock:
            return self._seats[side].code

    def renew(self, side: Side) -> None:
        """Begin a seat anew: the phone that had it is out."""
        with self._lock:
            shown = self._seats[side].shown
            self._seats[side] = Seat(side, self._draw, self._clock)
            self._seats[side].show(shown)

    def presence(self, side: Side) -> Presence:
        """Whether the phone of a side is there."""
        with self._lock:
            return self._seats[side].presence

    def take(self) -> list[tuple[Side, Mapping[str, Any]]]:
        """Return what was said since the last call, and forget it."""
        with self._lock:
            said = [(side, each) for side, seat in self._seats.items() for each in seat.said]
            for seat in self._seats.values():
                seat.said.clear()
        return said

    def show(self, side: Side, text: bytes) -> bool:
        """Have a pad show something; return whether that differs from before."""
        with self._lock:
            return self._seats[side].show(text)

    def show_everybody(self, text: bytes, delay: float) -> bool:
        """Have spectators see something; return whether that differs from before."""
        is_new = text != self._everybody[0]
        self._everybody = text, delay
        return is_new

    # -- for the thread of the network

    def join(self, body: bytes) -> bytes:
        """Begin a session; its name is the answer."""
        side = next((side for side, letter in LETTERS.items() if body[:1] == letter.encode()), None)
        by_code = _BY.get(body[1:2])
        if side is None or by_code is None or len(body) != JOIN_SIZE:
            raise RefusedError
        with self._lock:
            try:
                return self._seats[side].begin(body[2:], by_code=by_code)
            except SealError as error:
                raise RefusedError from error

    def hear(self, body: bytes) -> bytes:
        """Take what a page says, and return the sealed answer."""
        return self._hear(body)[0]

    def listen(self, body: bytes) -> Listening:
        """Let a page be shown things, if it belongs to the phone that has the seat."""
        return self._hear(body)[1]

    def next_for(self, page: Listening, seen: int) -> tuple[int, bytes] | None:
        """Return what a page has to show now, with its number and sealed; None if it has seen that.

        RefusedError once the page is out.
        """
        with self._lock:
            seat = self._seats[page.side]
            session = seat.session(page.name) if seat.is_open(page.name) else None
            if session is None:
                raise RefusedError
            if seat.version in (0, seen):  # at 0 there is nothing to show yet
                return None
            now = b'{"now":%.3f,"shows":%d,"state":' % (self._clock(), seat.version)
            return seat.version, session.show(now + seat.shown + b"}")

    def next_for_everybody(self, seen: bytes) -> tuple[bytes, bytes] | None:
        """Return what spectators see now, also with its moment; None if they have seen that."""
        text, delay = self._everybody
        if text == seen:
            return None
        return text, b'{"now":%.3f,"state":' % (self._clock() - delay) + text + b"}"

    def _hear(self, body: bytes) -> tuple[bytes, Listening]:
        if len(body) != SAY_SIZE:
            raise RefusedError
        name, rest = body[:KEY], body[KEY:]
        with self._lock:
            for side, seat in self._seats.items():
                session = seat.session(name)
                if session is None:
                    continue
                if answered := session.again(rest):
                    return answered, Listening(side, name)
                try:
                    message = json.loads(session.open(rest))
                    heard = seat.hear(name, message if isinstance(message, dict) else {})
                except ValueError as error:  # a SealError is one, and so is what is no JSON
                    raise RefusedError from error
                answer = json.dumps(heard.answer).encode()
                return session.answer(rest, answer), Listening(side, name)
        raise RefusedError
