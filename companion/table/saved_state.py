"""What a table has to know again after a restart, besides the accepted actions and the clock."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.table.arbiter_call import read_call, write_call
from companion.table.sayings import CallArbiter
from engine.squares import SquareSet, names, set_of, square


@dataclass(frozen=True)
class SavedState:
    """Is kept together with the actions; a game of before it was kept has the values below."""

    unread: bool = False
    """Whether the ranks of the latest combat may still be read. Once they are closed they must not
    be shown again (rules.md §10), whatever somebody lifts, and however often the plug is pulled."""
    clearing: bool = False
    """Whether the board has not shown yet what a combat or a right guess has left to clear up."""
    doubted: SquareSet = 0
    """The squares about which the board is not believed."""
    paused: bool = False
    """Whether the players have let the game stand still."""
    call: CallArbiter | None = None
    """By whom an arbiter is called who has not answered yet."""


BLANK: Final = SavedState()
"""That of a new game."""


def write_saved_state(saved: SavedState) -> dict[str, Any]:
    """Return what is saved as plain data."""
    return {
        "unread": saved.unread,
        "clearing": saved.clearing,
        "doubted": names(saved.doubted),
        "paused": saved.paused,
        "call": write_call(saved.call),
    }


def read_saved_state(plain: Mapping[str, Any]) -> SavedState:
    """Return what `write_saved_state` has written; ValueError if it is something else."""
    whole = {**write_saved_state(BLANK), **plain}
    for key, value in whole.items():
        if type(value) is not type(write_saved_state(BLANK).get(key)):
            raise ValueError(f"{key!r} with {value!r} is nothing that a table remembers")
    doubted = set_of(map(square, whole["doubted"].split()))
    call = read_call(whole["call"])
    return SavedState(whole["unread"], whole["clearing"], doubted, whole["paused"], call)
