"""The words between tables and hall: topics, and the small messages besides the items.

All of it is told in docs/hall.md. A table writes below its own name and nowhere else; the broker's
access list sees to that.
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
"""From a table: what has happened, in order."""
PRESENCE: Final = "presence"
"""From a table, retained: whether it is there. Its last will says that it is not."""
ANSWERS: Final = "answers"
"""From a table: what became of an order."""
RECEIVED: Final = "received"
"""To a table: how far the hall has its games."""
ORDERS: Final = "orders"
"""To a table: what an arbiter has decided, signed."""

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}", re.ASCII)
_KEY: Final = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/[1-9]\d{0,17}", re.ASCII)
MOST_NUMBER: Final = 2**53


def check_name(name: object) -> str:
    """Return the name of a table or a hall; ValueError if it is none."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name: take small letters, digits and hyphens, 40 at most")
    return name


def topic(table: str, what: str) -> str:
    """Return the topic of a table for something; ``+`` stands for all tables."""
    return f"{ROOT}/{table}/{what}"


def read_topic(text: str) -> tuple[str, str]:
    """Return the table and what a topic is about; ValueError if it is none of ours."""
    root, _, rest = text.removeprefix(f"{ROOT}/").partition("/")
    return check_name(root), rest


def game_key(begun: str, game: int) -> str:
    """Return what tells a game of a table from all others, also of a file that was begun anew."""
    return f"{begun}/{game}"


@dataclass(frozen=True)
class Told:
    """An item on its way."""

    game: str
    """The `game_key`."""
    item: Item
    text: str
    """The item as it is written and kept."""


def write_told(game: str, item_text: str) -> bytes:
    """Return an item as it is sent."""
    return f"{game}\n{item_text}".encode()


def read_told(payload: bytes) -> Told:
    """Return what `write_told` has written; ValueError if it is something else."""
    game, _, text = payload.decode().partition("\n")
    item = read_item(text)
    return Told(_check_key(game), item, write_item(item))


@dataclass(frozen=True)
class Received:
    """How far the hall has some games of a table."""

    games: Mapping[str, int]
    """By `game_key` the number of the last item, without a gap before it."""
    is_all: bool
    """Whether the hall has no other games of this table."""


def write_received(received: Received) -> bytes:
    """Return it as it is sent."""
    return json.dumps({"games": dict(received.games), "all": received.is_all}).encode()


def read_received(payload: bytes) -> Received:
    """Return what `write_received` has written; ValueError if it is something else."""
    plain = _object(payload, "games", "all")
    games = plain["games"]
    if not isinstance(games, dict) or not isinstance(plain["all"], bool):
        raise ValueError("this does not say what was received")
    return Received({_check_key(key): _number(games[key]) for key in games}, plain["all"])


def write_presence(*, is_here: bool) -> bytes:
    """Return whether a table is there, as it is sent."""
    return json.dumps({"here": is_here}).encode()


def read_presence(payload: bytes) -> bool:
    """Return what `write_presence` has written; ValueError if it is something else."""
    here = _object(payload, "here")["here"]
    if not isinstance(here, bool):
        raise ValueError("a table is there or it is not")
    return here


@dataclass(frozen=True)
class Answer:
    """What became of an order."""

    number: int
    taken: bool
    """Whether it was put to the table; what the table made of it comes as an item."""


def write_answer(answer: Answer) -> bytes:
    """Return it as it is sent."""
    return json.dumps({"number": answer.number, "taken": answer.taken}).encode()


def read_answer(payload: bytes) -> Answer:
    """Return what `write_answer` has written; ValueError if it is something else."""
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
