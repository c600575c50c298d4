"""Messages between tables and hall: topics, and all small messages except the feed items.

docs/hall.md describes them all. A table publishes below its own name and nowhere else; the broker's
access list enforces that.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.hall.feed.foreign_json import read_object
from companion.hall.feed.item import Item, read_item, write_item

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
