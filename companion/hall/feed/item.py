"""One item of a game: what a row of its journal has told everybody, and how the game stands then.

An item holds all that a page shows of its moment, so whoever has the latest one need not have those
before it.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any, Final

from companion.table.arbiter_call import read_call, write_call
from companion.table.sayings import CallArbiter

MOST_BYTES: Final = 16 * 2**10
"""No item is longer; the longest, an acceptance of a whole board, has a quarter of it."""


class Stands(Enum):
    """What keeps a game from going on, the worst first."""

    DISPUTE = "dispute"
    VIOLATION = "violation"
    DISTURBED = "disturbed"
    NO_BOARD = "no-board"
    PAUSED = "paused"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Item:
    """What is told of one row of the journal."""

    number: int
    """Counted from 1 in each game, without a gap."""
    at: float
    """When, in seconds on the table's clock."""
    events: tuple[Mapping[str, Any], ...]
    """What was told to everybody, as `boomboard table` writes it."""
    board: str
    """Who stands where, as 100 characters."""
    phase: str
    to_move: str
    plies: int
    stands: Stands
    call: CallArbiter | None
    """Who calls an arbiter, None while nobody does."""
    left: Mapping[str, float]
    """Seconds left on each clock that there is: red, blue, whole, setup."""
    running: tuple[str, ...]
    """The clocks that run."""
    outcome: Mapping[str, Any] | None
    """How the game has ended, None while it goes on."""
    began: Mapping[str, Any] | None = None
    """What is known of the game at its beginning; in the first item only."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None


def write_item(item: Item) -> str:
    """Return an item as one line of JSON, the same for the same item."""
    plain = {**asdict(item), "stands": item.stands.value, "call": write_call(item.call)}
    return json.dumps(plain, separators=(",", ":"), sort_keys=True)


def read_item(text: str | bytes) -> Item:
    """Return what `write_item` has written; ValueError if it is something else."""
    if len(text) > MOST_BYTES:
        raise ValueError("the item is too long")
    plain = json.loads(text)
    if not isinstance(plain, dict) or plain.keys() != _TYPES.keys():
        raise ValueError("an item has these fields and no others: " + ", ".join(_TYPES))
    for field, types in _TYPES.items():
        if not isinstance(plain[field], types) or isinstance(plain[field], bool):
            raise ValueError(f"{field!r} of an item is something else")
    if plain["number"] < 1 or len(plain["board"]) != 100:
        raise ValueError("an item has a number of at least 1, and a board of 100 squares")
    if not all(isinstance(event, dict) for event in plain["events"]):
        raise ValueError("an event is an object")
    if not all(type(seconds) in (int, float) for seconds in plain["left"].values()):
        raise ValueError("a clock shows seconds")
    return Item(
        **{
            **plain,
            "events": tuple(plain["events"]),
            "stands": Stands(plain["stands"]),
            "call": read_call(plain["call"]),
            "running": tuple(map(str, plain["running"])),
        }
    )


_TYPES: Final[Mapping[str, type | tuple[type, ...]]] = {
    "number": int,
    "at": (int, float),
    "events": list,
    "board": str,
    "phase": str,
    "to_move": str,
    "plies": int,
    "stands": str,
    "call": str,
    "left": dict,
    "running": list,
    "outcome": (dict, type(None)),
    "began": (dict, type(None)),
}
