"""One feed item of a game: the public events of a journal row, and the state of the game after it.

An item holds all that a page shows at that time, so the latest one is enough without those before
it.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any, Final

from companion.codec import from_plain
from companion.core.conversation import read_call, write_call
from companion.core.inputs import CallArbiter
from companion.storage.game_rows import Players
from engine.board.geometry import Side

# Parser for untrusted JSON: accepts an object of plain values only.


def read_object(text: str | bytes) -> dict[str, Any]:
    """Return the object in a text; ValueError for all else, however it is malformed."""
    try:
        plain = json.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested deeper than anything of ours") from error
    if not isinstance(plain, dict):
        raise ValueError("it is no object")
    return plain


LAST_NUMBER: Final = 2**31 - 1
"""The largest integer that every database can store."""
MOST_SECONDS: Final = 1e11
"""Upper limit for clock and time values, in seconds; no real clock reaches it."""
MOST_BYTES: Final = 16 * 2**10
"""Maximum size of an item, in bytes; the longest real one, an acceptance of a whole board, has a
quarter of it."""


class Stands(Enum):
    """Reasons why a game cannot go on, the worst first."""

    DISPUTE = "dispute"
    VIOLATION = "violation"
    DISTURBED = "disturbed"
    NO_BOARD = "no-board"
    PAUSED = "paused"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Item:
    """Public content of one journal row."""

    number: int
    """Counted from 1 in each game, without a gap."""
    at: float
    """Time on the table's clock, in seconds."""
    events: tuple[Mapping[str, Any], ...]
    """The public events, as `boomboard table` encodes them."""
    board: str
    """The board as 100 characters."""
    phase: str
    to_move: str
    plies: int
    stands: Stands
    call: CallArbiter | None
    """The pending call for an arbiter, or None."""
    left: Mapping[str, float]
    """Seconds left on each clock in use: red, blue, whole, setup."""
    running: tuple[str, ...]
    """The running clocks."""
    outcome: Mapping[str, Any] | None
    """Result of the game, or None while it is in progress."""
    began: Mapping[str, Any] | None = None
    """Facts about the game known at its start; in the first item only."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None


def write_item(item: Item) -> str:
    """Encode an item as one line of JSON; equal items give equal lines."""
    plain = {**asdict(item), "stands": item.stands.value, "call": write_call(item.call)}
    return json.dumps(plain, separators=(",", ":"), sort_keys=True)


def read_item(text: str | bytes) -> Item:
    """Decode the line of `write_item`; ValueError if it is malformed."""
    if len(text) > MOST_BYTES:
        raise ValueError("the item is too long")
    plain = read_object(text)
    _check(plain)
    return Item(
        **{
            **plain,
            "events": tuple(plain["events"]),
            "stands": Stands(plain["stands"]),
            "call": read_call(plain["call"]),
            "running": tuple(map(str, plain["running"])),
        }
    )


def _check(plain: Mapping[str, Any]) -> None:
    """Check that pages can show all of it; ValueError if not."""
    if plain.keys() != _TYPES.keys():
        raise ValueError("an item has these fields and no others: " + ", ".join(_TYPES))
    for field, types in _TYPES.items():
        if not isinstance(plain[field], types) or isinstance(plain[field], bool):
            raise ValueError(f"{field!r} of an item is something else")
    if not 1 <= plain["number"] <= LAST_NUMBER or not 0 <= plain["plies"] <= LAST_NUMBER:
        raise ValueError("items are counted from 1, and plies from 0")
    if len(plain["board"]) != 100:
        raise ValueError("a board has 100 squares")
    if not all(isinstance(event, dict) for event in plain["events"]):
        raise ValueError("an event is an object")
    if not all(map(_is_seconds, (plain["at"], *plain["left"].values()))):
        raise ValueError("a clock shows seconds")
    Side(plain["to_move"])
    if plain["began"] is not None:
        names = plain["began"].get("players")
        if not isinstance(names, dict):
            raise ValueError("a game has players, if only without names")
        from_plain(names, Players, "the players")


def _is_seconds(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) <= MOST_SECONDS


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
