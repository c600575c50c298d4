"""What an arbiter decides from afar: signed by the hall, for one table, one game and one time.

The table knows the hall's public key. An order counts once: each has a number above all before it,
and the table remembers the highest. So neither the broker nor another table can decide anything,
and nothing that was recorded can be played again.
"""

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from companion.hall.feed.foreign_json import read_object

WORDS: Final = frozenset(
    {"answer-call", "let-stand", "settle", "give-time", "forfeit", "pause", "go-on"}
)
"""What can be ordered, in the words of `boomboard table`."""
MOST_BYTES: Final = 4096


class ForgedOrderError(ValueError):
    """An order that the hall has not signed for this table, or that makes no sense."""


@dataclass(frozen=True)
class Order:
    """An act of an arbiter."""

    table: str
    game: str
    """For which game; no other will do."""
    number: int
    author: str
    act: Mapping[str, Any]
    """What is said, as “say” of `boomboard table`."""


def sign_order(order: Order, key: SigningKey) -> bytes:
    """Return an order as it is sent."""
    body = json.dumps(asdict(order), sort_keys=True)
    signature = base64.b64encode(key.sign(body.encode()).signature).decode()
    return json.dumps({"body": body, "signature": signature}).encode()


def read_order(payload: bytes, key: VerifyKey, table: str) -> Order:
    """Return an order that the hall has signed for this table; else ForgedOrderError."""
    try:
        if len(payload) > MOST_BYTES:
            raise ValueError("it is too long")
        plain = read_object(payload)
        body = str(plain["body"]).encode()
        key.verify(body, base64.b64decode(plain["signature"], validate=True))
        order = Order(**read_object(body))
    except (BadSignatureError, binascii.Error, KeyError, TypeError, ValueError) as error:
        raise ForgedOrderError(f"an order was not signed by the hall: {error}") from None
    if order.table != table:
        raise ForgedOrderError(f"an order for {order.table} has come to {table}")
    if not isinstance(order.act, dict) or order.act.get("what") not in WORDS:
        raise ForgedOrderError("an order is none of an arbiter's acts")
    return order
