"""How messages between a pad and its table are sealed, so that nobody who listens can read them.

Both ends know a secret that was passed by light, from a screen to a camera. Each draws a key pair
for this session alone, and the keys of the session follow from the secret and from what only these
two pairs share: recorded messages stay closed even to somebody who learns the secret afterwards.

A session has three keys: for what the pad says (UP), for the answer to that (ANSWER), and for what
the table shows (DOWN). The seat, the direction and both public keys are in each of them, and the
nonce is a counter. So a message opens at this seat, in this direction, in this session and at this
place, and nowhere else. All messages of one direction are of one length.
"""

import hashlib
from typing import Final

from nacl.bindings import (
    crypto_scalarmult,
    crypto_scalarmult_base,
    crypto_secretbox,
    crypto_secretbox_open,
)
from nacl.exceptions import CryptoError

from engine.sides import Side

SECRET: Final = 16
"""The bytes of a secret: 128 bits."""
KEY: Final = 32
COUNTER: Final = 8
TAG: Final = 16
UP_SIZE: Final = 4096
"""The size of what a pad says, before it is sealed: the longest word opens a whole army."""
ANSWER_SIZE: Final = 512
"""The size of the answer to that, before it is sealed."""
DOWN_SIZE: Final = 8192
"""The size of what a pad is shown, before it is sealed."""
UP, ANSWER, DOWN = b"up", b"answer", b"down"
_LABEL: Final = b"boomboard pad 1 "
_NONCE: Final = 24


class SealError(ValueError):
    """Something was sealed with another key or for another place, or was changed on the way."""


def pad(text: bytes, size: int) -> bytes:
    """Make a text as long as all others of its direction; ValueError if it is longer."""
    if len(text) > size:
        raise ValueError(f"{len(text)} bytes are more than {size}")
    return text.ljust(size)


def session_key(
    secret: bytes, side: Side, direction: bytes, shared: bytes, pads_key: bytes, tables_key: bytes
) -> bytes:
    """Derive the key of one direction; `pads_key` and `tables_key` are the public ones."""
    label = _LABEL + side.value.encode() + b" " + direction + b" "
    return hashlib.sha512(label + secret + shared + pads_key + tables_key).digest()[:KEY]


def public_key(own: bytes) -> bytes:
    """Return the public key of a private one."""
    return bytes(crypto_scalarmult_base(own))


class Keys:
    """The keys of one session, at either end."""

    def __init__(
        self, secret: bytes, side: Side, own: bytes, *, pads_key: bytes, tables_key: bytes
    ) -> None:
        """Derive them from this end's private key and both public ones.

        SealError if the other end's public key is not valid.
        """
        other = tables_key if public_key(own) == pads_key else pads_key
        try:
            shared = bytes(crypto_scalarmult(own, other))
        except CryptoError as error:
            raise SealError("that is no public key") from error
        self._keys = {
            direction: session_key(secret, side, direction, shared, pads_key, tables_key)
            for direction in (UP, ANSWER, DOWN)
        }

    def seal(self, direction: bytes, counter: int, text: bytes) -> bytes:
        """Seal a text; no counter may be used twice in one direction."""
        return bytes(crypto_secretbox(text, _nonce(counter), self._keys[direction]))

    def open(self, direction: bytes, counter: int, sealed: bytes) -> bytes:
        """Open what was sealed for this direction and place; else SealError."""
        try:
            return bytes(crypto_secretbox_open(sealed, _nonce(counter), self._keys[direction]))
        except CryptoError as error:
            raise SealError("this was not sealed for here") from error


def _nonce(counter: int) -> bytes:
    return counter.to_bytes(_NONCE, "big")
