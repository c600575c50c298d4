"""The seats and views of one table, as the phones' web server keeps them.

Every message from a stranger is refused in the same way, so that an attacker without the secret
learns nothing by trial and error.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.jsonl.untrusted import read_object
from companion.pads.encryption import COUNTER, KEY, TAG, UP_SIZE, DecryptionError
from companion.pads.listen_address import LETTERS
from companion.pads.protocols import Presence
from companion.pads.seat import PadResponse, PadSeat, PadSession
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


class MalformedMessageError(RefusedError):
    """A seated phone has sent a message that is not valid."""


@dataclass(frozen=True, eq=False)
class PageListener:
    """One stream to a page, which is identified by its session name."""

    side: Side
    name: bytes


class PadHub:
    """The two seats, and the public view. Not thread-safe."""

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
        """Score sheet of the last game that can no longer be resumed, by language."""
        self.stories: Mapping[str, bytes] = {}
        """Story of that game, by language."""

    # -- for the table

    def renew(self, side: Side, secret: bytes, token: bytes = b"") -> None:
        """Free a seat for a phone with another secret, and disconnect its phone.

        With `token`, the phone with this token has the seat already.
        """
        shown = self._seats[side].shown
        self._seats[side] = PadSeat(side, secret, self._draw, token)
        self._seats[side].show(shown)

    def presence(self, side: Side) -> Presence:
        """Return whether a phone has the seat of a side, and whether it receives the contents."""
        return self._seats[side].presence

    def token(self, side: Side) -> bytes:
        """Return the token of the phone that has a seat, or b"" if the seat is free."""
        return self._seats[side].token

    def was_heard(self, side: Side) -> bool:
        """Return whether the phone of a side has sent a message since the last call."""
        was_heard, self._seats[side].was_heard = self._seats[side].was_heard, False
        return was_heard

    def unsent(self) -> list[tuple[Side, Mapping[str, Any]]]:
        """Return the messages for the table since the last call."""
        said = [(side, each) for side, seat in self._seats.items() for each in seat.unsent]
        for seat in self._seats.values():
            seat.unsent.clear()
        return said

    def mark_read(self, side: Side, count: int) -> None:
        """Record that the table has read `count` messages of a side."""
        seat = self._seats[side]
        seat.unread = max(0, seat.unread - count)

    def show(self, side: Side, text: bytes) -> bool:
        """Set a pad's contents; return whether they have changed."""
        return self._seats[side].show(text)

    def show_everybody(self, text: bytes, delay: float) -> bool:
        """Set the spectators' view; return whether it has changed."""
        is_new = text != self._everybody[0]
        self._everybody = text, delay
        return is_new

    # -- for the web server

    def join(self, body: bytes, address: str) -> bytes:
        """Begin a session for a page at a network address, and return its name."""
        side = next((side for side, letter in LETTERS.items() if body[:1] == letter.encode()), None)
        by_code = _BY.get(body[1:2])
        if side is None or by_code is None or len(body) != JOIN_SIZE:
            raise RefusedError
        try:
            return self._seats[side].begin(body[2:], address, by_code=by_code)
        except DecryptionError as error:
            raise RefusedError from error

    def hear(self, body: bytes) -> bytes:
        """Handle a message from a page, and return the encrypted answer.

        A repeated message gets the same answer, because a network may duplicate messages.
        """
        side, session = self._find(body)
        answered = session.again(body[KEY:])
        if not answered:
            answer = json.dumps(self._take(side, session, body).answer).encode()
            answered = session.answer(body[KEY:], answer)
        return answered

    def listen(self, body: bytes) -> PageListener:
        """Register a page for updates, if it belongs to the phone that has the seat.

        A repeated message is refused. Otherwise an attacker could end a page's stream by repeating
        the message that has opened it.
        """
        side, session = self._find(body)
        if not self._take(side, session, body).is_let_in:
            raise RefusedError
        return PageListener(side, body[:KEY])

    def begin_stream(self, page: PageListener) -> None:
        """Record that a page receives updates."""
        self._seats[page.side].streams.add(page)

    def end_stream(self, page: PageListener) -> None:
        """Record that a page no longer receives updates."""
        self._seats[page.side].streams.discard(page)

    def next_for(self, page: PageListener, seen: int) -> tuple[int, bytes] | None:
        """Return a page's latest contents, as number and ciphertext; None if already seen.

        RefusedError if the page's session is no longer open.
        """
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

    def _find(self, body: bytes) -> tuple[Side, PadSession]:
        """Return the seat and the session of a message; RefusedError for an unknown session."""
        if len(body) == SAY_SIZE:
            for side, seat in self._seats.items():
                if session := seat.session(body[:KEY]):
                    return side, session
        raise RefusedError

    def _take(self, side: Side, session: PadSession, body: bytes) -> PadResponse:
        """Decrypt and handle a new message."""
        try:
            text = session.open(body[KEY:])
        except DecryptionError as error:
            raise RefusedError from error
        try:
            return self._seats[side].hear(body[:KEY], read_object(text))
        except ValueError as error:
            raise MalformedMessageError from error
