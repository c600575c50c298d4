"""One feed item of a game: the public events of a journal row, and the state of the game after it.

An item contains everything that a page shows after it, so the latest item is sufficient.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Final, TypeAlias

from companion.codec import Form, Named, checked, from_plain, limited, one_of, to_plain
from companion.core.game_options import read_call, write_call
from companion.core.inputs import CallArbiter
from companion.jsonl.untrusted import read_object
from companion.storage.game_rows import PlayerNames
from engine.board.geometry import Side
from engine.game.clocks import Limit
from engine.game.game_state import Phase
from engine.records.transcript import SealState

LAST_NUMBER: Final = 2**31 - 1
"""The largest integer that every database can store."""
MOST_SECONDS: Final = 1e11
"""Upper limit for clock and time values, in seconds; no real clock reaches it."""
MOST_BYTES: Final = 16 * 2**10
"""Maximum size of an item, in bytes. The longest real item, an acceptance of a whole board, has a
quarter of this size."""


class Stands(Enum):
    """Reasons why a game cannot continue, the most serious first."""

    DISPUTE = "dispute"
    VIOLATION = "violation"
    DISTURBED = "disturbed"
    NO_BOARD = "no-board"
    NOTHING = "nothing"


def _is_seconds(value: float) -> bool:
    return abs(value) <= MOST_SECONDS


Seconds: TypeAlias = Annotated[
    float, checked(float, _is_seconds, "a number of seconds", "numbers of seconds")
]
_Limit: TypeAlias = Annotated[str, one_of(*(limit.value for limit in Limit))]
_Call: TypeAlias = Annotated[
    CallArbiter | None, Form("red, blue, both or an empty text", "calls", read_call, write_call)
]


@dataclass(frozen=True)
class Began:
    """Facts about a game that are known at its start."""

    at: str
    edition: Mapping[str, Any]
    control: Mapping[str, Any]
    players: PlayerNames


@dataclass(frozen=True)
class ItemSeals:
    """The sealed armies of a game."""

    words: Annotated[str, checked(str, lambda words: len(words) <= 80, "at most 80 characters")]
    """Four words and a code that identify the seals with which the game began."""
    red: Annotated[SealState | None, Named(omits_default=True)] = None
    """State of a side's seals, or None if it has not sealed its army."""
    blue: Annotated[SealState | None, Named(omits_default=True)] = None

    @property
    def states(self) -> Mapping[Side, SealState]:
        """The state of each side that has sealed its army."""
        found = {Side.RED: self.red, Side.BLUE: self.blue}
        return {side: state for side, state in found.items() if state}


@dataclass(frozen=True)
class Item:
    """Public content of one journal row. The annotations define the format."""

    number: Annotated[int, limited(1, LAST_NUMBER)]
    """Item number, counted from 1 in each game without gaps."""
    at: Seconds
    """Time on the table's clock."""
    events: tuple[Mapping[str, Any], ...]
    """The public events, encoded as by `boomboard table`; an older hall may not know all of these
    events."""
    board: Annotated[str, checked(str, lambda board: len(board) == 100, "100 characters")]
    phase: Phase
    to_move: Side
    plies: Annotated[int, limited(0, LAST_NUMBER)]
    stands: Stands
    is_paused: Annotated[bool, Named("paused")]
    """Whether the game is paused, whatever else is wrong."""
    call: _Call
    """The pending call for an arbiter, or None."""
    left: Mapping[_Limit, Seconds]
    """Seconds left on each clock in use."""
    running: tuple[_Limit, ...]
    """The running clocks."""
    outcome: Mapping[str, Any] | None
    """Result of the game as an event, or None while it is in progress."""
    began: Began | None = None
    """Facts about the game; only in the first item."""
    seals: Annotated[ItemSeals | None, Named(omits_default=True)] = None
    """The sealed armies, from the item in which the armies are placed."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None


def write_item(item: Item) -> str:
    """Encode an item as one line of JSON; equal items give equal lines."""
    return json.dumps(to_plain(item), separators=(",", ":"), sort_keys=True)


def read_item(text: str | bytes) -> Item:
    """Decode a line from `write_item`; ValueError if it is malformed."""
    if len(text) > MOST_BYTES:
        raise ValueError("the item is too long")
    item: Item = from_plain(read_object(text), Item, "the item")
    return item
