"""Persistent state of a table, in addition to the accepted actions and the clock."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.table.arbiter_call import read_call, write_call
from companion.table.sayings import CallArbiter
from engine.board.geometry import SquareSet, names, set_of, square


@dataclass(frozen=True)
class SavedState:
    """Is saved together with the actions; games from older versions have the defaults below."""

    unread: bool = False
    """Whether the ranks of the latest combat may still be read. Once they are closed they must not
    be shown again (rules.md §10), whichever pieces are lifted, and however often power is lost."""
    clearing: bool = False
    """Whether the board has not yet shown the result of a combat or a right guess."""
    doubted: SquareSet = 0
    """The squares that the players ignore."""
    paused: bool = False
    """Whether the players have paused the game."""
    call: CallArbiter | None = None
    """The call of an arbiter who has not answered yet."""


BLANK: Final = SavedState()
"""The state of a new game."""


def write_saved_state(saved: SavedState) -> dict[str, Any]:
    """Return the state as plain data."""
    return {
        "unread": saved.unread,
        "clearing": saved.clearing,
        "doubted": names(saved.doubted),
        "paused": saved.paused,
        "call": write_call(saved.call),
    }


def read_saved_state(plain: Mapping[str, Any]) -> SavedState:
    """Parse the output of `write_saved_state`; ValueError if it is malformed."""
    whole = {**write_saved_state(BLANK), **plain}
    for key, value in whole.items():
        if type(value) is not type(write_saved_state(BLANK).get(key)):
            raise ValueError(f"{key!r} with {value!r} is nothing that a table remembers")
    doubted = set_of(map(square, whole["doubted"].split()))
    call = read_call(whole["call"])
    return SavedState(whole["unread"], whole["clearing"], doubted, whole["paused"], call)
