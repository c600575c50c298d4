"""One page that a phone has open: its keys, and how far it has counted.

What a page says carries a counter that grows. The same bytes again, as networks double them, get
the same answer; anything older gets none.
"""

from typing import Final

from companion.pads.sealing import (
    ANSWER,
    ANSWER_SIZE,
    COUNTER,
    DOWN,
    DOWN_SIZE,
    UP,
    Keys,
    SealError,
)
from companion.pads.sealing import pad as padded

MOST: Final = 2**53 - 1
"""The largest number that a page can count to."""


class Session:
    """What a page says is opened here, and what it is told is sealed."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._heard = -1
        self._latest = (b"", b"")
        self._shown = -1

    def again(self, body: bytes) -> bytes:
        """The answer that these very bytes got before; empty if they are new."""
        return self._latest[1] if body == self._latest[0] else b""

    def open(self, body: bytes) -> bytes:
        """Open what the page says; SealError if it is old, or not from this page."""
        counter = int.from_bytes(body[:COUNTER], "big")
        if not self._heard < counter <= MOST:
            raise SealError("this was said before")
        text = self._keys.open(UP, counter, body[COUNTER:])
        self._heard = counter
        return text

    def answer(self, body: bytes, text: bytes) -> bytes:
        """Seal the answer to what was opened last."""
        sealed = self._keys.seal(ANSWER, self._heard, padded(text, ANSWER_SIZE))
        self._latest = body, sealed
        return sealed

    def show(self, text: bytes) -> bytes:
        """Seal what the page is to show next, with its counter before it."""
        self._shown += 1
        sealed = self._keys.seal(DOWN, self._shown, padded(text, DOWN_SIZE))
        return self._shown.to_bytes(COUNTER, "big") + sealed
