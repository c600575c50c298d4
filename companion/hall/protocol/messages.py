"""Topics and messages between the tables and the hall. `feed` encodes the feed items.

docs/hall.md describes the exchange. The broker's access list allows a table to publish only to
topics under its own name.
"""

import base64
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeAlias

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from companion.codec import Named, checked, from_plain, limited, matching, to_plain
from companion.hall.protocol.feed import Item, Seconds, read_item, write_item
from companion.jsonl.untrusted import read_object

ROOT: Final = "boomboard/tables"
ITEMS: Final = "items"
"""Message from a table: the items of its games, in order."""
PRESENCE: Final = "presence"
"""Message from a table: whether the table is online. If the connection is lost, the broker sends
"offline" for the table (its MQTT will)."""
ANSWERS: Final = "answers"
"""Message from a table: whether an order took effect."""
RECEIVED: Final = "received"
"""Message to a table: how many items of each game the hall has."""
ORDERS: Final = "orders"
"""Message to a table: an arbiter's signed decisions."""

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}", re.ASCII)
MOST_NUMBER: Final = 2**53
MOST_KEY: Final = 40
"""Maximum length of a game's key."""
_Number: TypeAlias = Annotated[int, limited(0, MOST_NUMBER)]
_Key: TypeAlias = Annotated[
    str, matching(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/[1-9]\d{0,17}", "the key of a game")
]


def check_name(name: object) -> str:
    """Return `name` if it is a valid name of a table or hall. Raise ValueError otherwise."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ValueError(
            f"{name!r} is not a valid name: use at most 40 lower-case letters, digits and hyphens"
        )
    return name


def topic(table: str, what: str) -> str:
    """Return a table's topic for a message type. The table ``+`` matches all tables."""
    return f"{ROOT}/{table}/{what}"


def read_topic(text: str) -> tuple[str, str]:
    """Return the table and the message type of a topic. Raise ValueError for any other topic."""
    if not text.startswith(f"{ROOT}/"):
        raise ValueError(f"expected a topic below {ROOT}, found {text[:60]!r}")
    table, _, rest = text.removeprefix(f"{ROOT}/").partition("/")
    return check_name(table), rest


def game_key(begun: str, game: int) -> str:
    """Return a key that stays unique even if the table's database file is recreated."""
    return f"{begun}/{game}"


@dataclass(frozen=True)
class ItemMessage:
    """A feed item as a message."""

    game: str
    """Key of the game, as returned by `game_key`."""
    item: Item
    text: str
    """The encoded item, as it is stored."""


def write_item_message(game: str, item_text: str) -> bytes:
    return f"{game}\n{item_text}".encode()


def read_item_message(payload: bytes) -> ItemMessage:
    """Decode a message from `write_item_message`. Raise ValueError if it is malformed."""
    game, _, text = payload.decode().partition("\n")
    item = read_item(text)
    return ItemMessage(from_plain(game, _Key, "the game"), item, write_item(item))


GAMES_PER_RECEIPT: Final = 500
"""Maximum number of games in one confirmation. With 60 bytes per game, a confirmation takes at most
half of the 64 KB that the broker accepts."""
_Bound: TypeAlias = Annotated[
    str, checked(str, lambda text: len(text) <= MOST_KEY, f"at most {MOST_KEY} characters")
]


@dataclass(frozen=True)
class KeyRange:
    """A range of game keys in lexicographic order."""

    since: _Bound
    """First key of the range."""
    until: _Bound
    """First key after the range, or empty if the range has no end."""

    def __contains__(self, key: str) -> bool:
        return self.since <= key and (not self.until or key < self.until)


@dataclass(frozen=True)
class Receipt:
    """Confirms to a table how many items of each game the hall has stored."""

    games: Mapping[_Key, _Number]
    """Number of items stored for each game, up to the first gap, keyed by `game_key`."""
    covers: KeyRange | None = None
    """Range of keys for which the confirmation lists all games, or None for a partial one."""


def receipts(lengths: Mapping[str, int]) -> Iterator[Receipt]:
    """Yield confirmations that together cover all games of a table.

    `lengths` maps the key of each game to its number of items.
    """
    keys = sorted(lengths)
    parts = [keys[at : at + GAMES_PER_RECEIPT] for at in range(0, len(keys), GAMES_PER_RECEIPT)]
    starts = ["", *(part[0] for part in parts[1:])]
    for part, since, until in zip(parts or [[]], starts, [*starts[1:], ""], strict=True):
        yield Receipt({key: lengths[key] for key in part}, KeyRange(since, until))


def write_received(received: Receipt) -> bytes:
    return json.dumps(to_plain(received)).encode()


def read_received(payload: bytes) -> Receipt:
    """Decode a message from `write_received`. Raise ValueError if it is malformed."""
    received: Receipt = from_plain(read_object(payload), Receipt, "the confirmation")
    return received


RENEWAL_SECONDS: Final = 10.0
"""Interval at which a table renews its lease, in seconds."""
LEASE_SECONDS: Final = 30.0
"""Time in seconds after which a table that has not renewed its lease is considered lost. The time
allows for two lost renewals."""


@dataclass(frozen=True)
class TablePresence:
    """A table's report that it is online until its lease ends, or that it is going offline."""

    is_here: Annotated[bool, Named("here")]
    clock: Annotated[Seconds | None, Named(omits_default=True)] = None
    """Time on the table's clock, in seconds since 1970, when the table renewed its lease. None in
    the retained report that a table sends on a new connection. That report also asks the hall how
    many items it has."""


def write_presence(presence: TablePresence) -> bytes:
    return json.dumps(to_plain(presence)).encode()


def read_presence(payload: bytes) -> TablePresence:
    """Decode a message from `write_presence`. Raise ValueError if it is malformed."""
    presence: TablePresence = from_plain(read_object(payload), TablePresence, "the presence")
    return presence


@dataclass(frozen=True)
class OrderReply:
    """A table's reply to an order."""

    number: _Number
    taken: bool
    """Whether the order took effect and was saved by the table."""


def write_answer(answer: OrderReply) -> bytes:
    return json.dumps(to_plain(answer)).encode()


def read_answer(payload: bytes) -> OrderReply:
    """Decode a message from `write_answer`. Raise ValueError if it is malformed."""
    answer: OrderReply = from_plain(read_object(payload), OrderReply, "the answer")
    return answer


# Orders are an arbiter's remote decisions. The hall signs each order for one table and one game.
# Since the table knows the hall's public key, neither the broker nor another table can forge an
# order. Order numbers increase, and the table stores the highest one, so no order is accepted
# twice.

COMMANDS: Final = frozenset(
    {"answer-call", "let-stand", "settle", "give-time", "forfeit", "reopen", "pause", "go-on"}
)
"""Names of the commands that an arbiter can give. `boomboard table` uses the same names."""
MOST_BYTES: Final = 4096


class ForgedOrderError(ValueError):
    """The order is malformed, or the hall has not signed it for this table."""


@dataclass(frozen=True)
class Order:
    """An arbiter's decision."""

    table: str
    game: str
    """Key of the game to which the order applies."""
    number: _Number
    author: str
    act: Annotated[
        Mapping[str, Any],
        checked(
            Mapping[str, Any], lambda act: str(act.get("what")) in COMMANDS, "an arbiter's act"
        ),
    ]
    """The command, in the format of “say” in `boomboard table`."""


@dataclass(frozen=True)
class _SignedOrder:
    body: str
    """The order as JSON."""
    signature: str
    """Signature of the body, in base64."""


def sign_order(order: Order, key: SigningKey) -> bytes:
    """Sign an order and encode it for sending."""
    body = json.dumps(to_plain(order), sort_keys=True)
    signature = base64.b64encode(key.sign(body.encode()).signature).decode()
    return json.dumps(to_plain(_SignedOrder(body, signature))).encode()


def read_order(payload: bytes, key: VerifyKey, table: str) -> Order:
    """Verify an order from the hall for this table.

    Raise ForgedOrderError if the order is malformed, not signed by the hall, or for another table.
    """
    try:
        if len(payload) > MOST_BYTES:
            raise ValueError("it is too long")
        signed: _SignedOrder = from_plain(read_object(payload), _SignedOrder, "the message")
        body = signed.body.encode()
        key.verify(body, base64.b64decode(signed.signature, validate=True))
        order: Order = from_plain(read_object(body), Order, "the order")
    except (BadSignatureError, ValueError) as error:
        raise ForgedOrderError(f"an order was rejected: {error}") from None
    if order.table != table:
        raise ForgedOrderError(f"{table} has received an order for {order.table}")
    return order
