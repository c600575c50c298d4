"""An arbiter's remote decisions: signed by the hall, each for one table and one game, valid once.

The table knows the hall's public key. Each order has a higher number than all orders before it, and
the table remembers the highest, so an order is accepted once. Therefore neither the broker nor
another table can forge a decision, and a recorded order cannot be replayed.
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
"""Commands that an arbiter can order, named as in `boomboard table`."""
MOST_BYTES: Final = 4096


class ForgedOrderError(ValueError):
    """An order that is malformed or not signed by the hall for this table."""


@dataclass(frozen=True)
class Order:
    """An arbiter's decision."""

    table: str
    game: str
    """Key of the only game for which the order is valid."""
    number: int
    author: str
    act: Mapping[str, Any]
    """The command, as in “say” of `boomboard table`."""


def sign_order(order: Order, key: SigningKey) -> bytes:
    """Return the signed order, ready to send."""
    body = json.dumps(asdict(order), sort_keys=True)
    signature = base64.b64encode(key.sign(body.encode()).signature).decode()
    return json.dumps({"body": body, "signature": signature}).encode()


def read_order(payload: bytes, key: VerifyKey, table: str) -> Order:
    """Verify and return the hall's order for this table; ForgedOrderError if it is invalid."""
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
