"""Session of one page of a phone: its keys and message counters.

Each message of a page carries an increasing counter. The same bytes again, as networks may
duplicate them, get the same answer; older messages get none.
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
"""Largest counter of a page."""


class Session:
    """Decrypts a page's messages and encrypts those to it."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._heard = -1
        self._latest = (b"", b"")
        self._shown = -1

    def again(self, body: bytes) -> bytes:
        """The earlier answer to exactly these bytes; empty if they are new."""
        return self._latest[1] if body == self._latest[0] else b""

    def open(self, body: bytes) -> bytes:
        """Decrypt a page's message; SealError if it is old, or not from this page."""
        counter = int.from_bytes(body[:COUNTER], "big")
        if not self._heard < counter <= MOST:
            raise SealError("this was said before")
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
