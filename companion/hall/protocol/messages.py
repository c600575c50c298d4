"""Messages between tables and hall: topics, and all small messages except the feed items.

docs/hall.md describes them all. A table publishes below its own name and nowhere else; the broker's
access list enforces that.
"""

import base64
import binascii
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from companion.hall.protocol.feed_item import Item, read_item, read_object, write_item

ROOT: Final = "boomboard/tables"
ITEMS: Final = "items"
"""From a table: the events of its games, in order."""
PRESENCE: Final = "presence"
"""From a table, retained: whether it is online. Its MQTT will reports that it is not."""
ANSWERS: Final = "answers"
"""From a table: whether it accepted an order."""
RECEIVED: Final = "received"
"""To a table: how many items of each game the hall has."""
ORDERS: Final = "orders"
"""To a table: an arbiter's signed decisions."""

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}", re.ASCII)
_KEY: Final = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/[1-9]\d{0,17}", re.ASCII)
MOST_NUMBER: Final = 2**53


def check_name(name: object) -> str:
    """Return the name of a table or a hall; ValueError if it is not valid."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name: take small letters, digits and hyphens, 40 at most")
    return name


def topic(table: str, what: str) -> str:
    """Return the topic of a table for a kind of message; the table ``+`` matches all tables."""
    return f"{ROOT}/{table}/{what}"


def read_topic(text: str) -> tuple[str, str]:
    """Return the table and the kind of message of a topic; ValueError for a foreign topic."""
    root, _, rest = text.removeprefix(f"{ROOT}/").partition("/")
    return check_name(root), rest


def game_key(begun: str, game: int) -> str:
    """Return the unique key of a game of a table; a recreated database file gives other keys."""
    return f"{begun}/{game}"


@dataclass(frozen=True)
class Told:
    """A feed item as a message."""

    game: str
    """The game's `game_key`."""
    item: Item
    text: str
    """The item as it is encoded and stored."""


def write_told(game: str, item_text: str) -> bytes:
    """Encode an item for sending."""
    return f"{game}\n{item_text}".encode()


def read_told(payload: bytes) -> Told:
    """Decode the message of `write_told`; ValueError if it is malformed."""
    game, _, text = payload.decode().partition("\n")
    item = read_item(text)
    return Told(_check_key(game), item, write_item(item))


@dataclass(frozen=True)
class Received:
    """The hall's confirmation: how many items of some games of a table it has."""

    games: Mapping[str, int]
    """By `game_key`, the number of the last item received without a gap."""
    is_all: bool
    """Whether the message covers all games of this table that the hall has."""


def write_received(received: Received) -> bytes:
    """Encode a confirmation for sending."""
    return json.dumps({"games": dict(received.games), "all": received.is_all}).encode()


def read_received(payload: bytes) -> Received:
    """Decode the message of `write_received`; ValueError if it is malformed."""
    plain = _object(payload, "games", "all")
    games = plain["games"]
    if not isinstance(games, dict) or not isinstance(plain["all"], bool):
        raise ValueError("this does not say what was received")
    return Received({_check_key(key): _number(games[key]) for key in games}, plain["all"])


def write_presence(*, is_here: bool) -> bytes:
    """Encode whether a table is online."""
    return json.dumps({"here": is_here}).encode()


def read_presence(payload: bytes) -> bool:
    """Decode the message of `write_presence`; ValueError if it is malformed."""
    here = _object(payload, "here")["here"]
    if not isinstance(here, bool):
        raise ValueError("a table is there or it is not")
    return here


@dataclass(frozen=True)
class Answer:
    """A table's reply to an order."""

    number: int
    taken: bool
    """Whether the order was passed to the table; the result follows as an item."""


def write_answer(answer: Answer) -> bytes:
    """Encode a reply for sending."""
    return json.dumps({"number": answer.number, "taken": answer.taken}).encode()


def read_answer(payload: bytes) -> Answer:
    """Decode the message of `write_answer`; ValueError if it is malformed."""
    plain = _object(payload, "number", "taken")
    if not isinstance(plain["taken"], bool):
        raise ValueError("an order was taken or it was not")
    return Answer(_number(plain["number"]), plain["taken"])


def _object(payload: bytes, *fields: str) -> dict[str, Any]:
    plain = read_object(payload)
    if plain.keys() != set(fields):
        raise ValueError("a message has these fields and no others: " + ", ".join(fields))
    return plain


def _number(value: object) -> int:
    if type(value) is not int or not 0 <= value <= MOST_NUMBER:
        raise ValueError(f"{value!r} is no number")
    return value


def _check_key(text: object) -> str:
    if not isinstance(text, str) or not _KEY.fullmatch(text):
        raise ValueError("no game is called so")
    return text


# An arbiter's remote decisions: signed by the hall, each for one table and one game, valid once.
#
# The table knows the hall's public key. Each order has a higher number than all orders before it,
# and the table remembers the highest, so an order is accepted once. Therefore neither the broker
# nor another table can forge a decision, and a recorded order cannot be replayed.

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
