"""Encryption of the messages between a pad and its table.

Both ends share a secret, which the phone has read from the screen with its camera. Each end
generates a key pair for one session. The session keys are derived from the secret and from the
Diffie-Hellman shared secret of the two key pairs, so recorded messages stay private even if the
screen's secret leaks later (forward secrecy).

A session has three keys: for messages from the pad (UP), for the answers (ANSWER), and for the
views sent by the table (DOWN). Each key is derived from the seat, the direction and both public
keys, and the nonce is a counter. A message can therefore only be decrypted for its own seat,
direction, session and position. All messages in one direction have the same length.
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

from engine.board.geometry import Side

SECRET: Final = 16
"""Length of a secret in bytes: 128 bits."""
KEY: Final = 32
COUNTER: Final = 8
TAG: Final = 16
UP_SIZE: Final = 4096
"""Size of a pad's message before encryption, in bytes. The longest message opens the commitments of
a whole army."""
ANSWER_SIZE: Final = 512
"""Size of an answer before encryption, in bytes."""
DOWN_SIZE: Final = 8192
"""Size of a pad's view before encryption, in bytes."""
UP, ANSWER, DOWN = b"up", b"answer", b"down"
_LABEL: Final = b"boomboard pad 1 "
_NONCE: Final = 24


class DecryptionError(ValueError):
    """The message was modified, or it was encrypted with a different key or counter."""


def pad(text: bytes, size: int) -> bytes:
    """Pad a message to the given size. Raise ValueError if it is too long."""
    if len(text) > size:
        raise ValueError(f"expected at most {size} bytes, found {len(text)}")
    return text.ljust(size)


def session_key(
    secret: bytes, side: Side, direction: bytes, shared: bytes, pads_key: bytes, tables_key: bytes
) -> bytes:
    """Derive the key for one direction; `pads_key` and `tables_key` are the public keys."""
    label = _LABEL + side.value.encode() + b" " + direction + b" "
    return hashlib.sha512(label + secret + shared + pads_key + tables_key).digest()[:KEY]


def public_key(own: bytes) -> bytes:
    return bytes(crypto_scalarmult_base(own))


class SessionKeys:
    """The keys of one session, as held by either end."""

    def __init__(
        self, secret: bytes, side: Side, own: bytes, *, pads_key: bytes, tables_key: bytes
    ) -> None:
        """Derive the keys from this end's private key and both public keys.

        Raise DecryptionError if the other end's public key is invalid.
        """
        other = tables_key if public_key(own) == pads_key else pads_key
        try:
            shared = bytes(crypto_scalarmult(own, other))
        except CryptoError as error:
            raise DecryptionError("the public key is invalid") from error
        self._keys = {
            direction: session_key(secret, side, direction, shared, pads_key, tables_key)
            for direction in (UP, ANSWER, DOWN)
        }

    def seal(self, direction: bytes, counter: int, text: bytes) -> bytes:
        """Encrypt a message. A counter must not be used twice in one direction."""
        return bytes(crypto_secretbox(text, _nonce(counter), self._keys[direction]))

    def open(self, direction: bytes, counter: int, sealed: bytes) -> bytes:
        """Decrypt the message with this direction and counter. Raise DecryptionError on failure."""
        try:
            return bytes(crypto_secretbox_open(sealed, _nonce(counter), self._keys[direction]))
        except CryptoError as error:
            raise DecryptionError("the message was not encrypted for this session") from error


def _nonce(counter: int) -> bytes:
    return counter.to_bytes(_NONCE, "big")
