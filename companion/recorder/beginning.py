"""What a table began with as plain data, the actions apart: ranks are in those."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.table.beginning import Beginning
from companion.table.saved_state import read_saved_state, write_saved_state
from engine.games.notation import (
    read_action,
    read_clock,
    read_control,
    read_edition,
    write_action,
    write_clock,
    write_control,
    write_edition,
)
from engine.play.actions import Action


def write_beginning(beginning: Beginning) -> dict[str, Any]:
    """Return a beginning as plain data, but for its actions: ranks are in those."""
    return {
        "edition": write_edition(beginning.edition),
        "seed": beginning.seed,
        "control": write_control(beginning.control),
        "clock": write_clock(beginning.clock) if beginning.clock else None,
        "saved": write_saved_state(beginning.saved),
    }


def write_actions(actions: Sequence[Action]) -> list[dict[str, str]]:
    """Return the actions with which a game is taken up, every rank in them."""
    return [write_action(action) for action in actions]


def read_beginning(plain: Mapping[str, Any], actions: Sequence[Mapping[str, Any]]) -> Beginning:
    """Return what was written; ValueError, TypeError or KeyError if it is something else."""
    return Beginning(
        read_edition(plain["edition"]),
        int(plain["seed"]),
        read_control(plain["control"]),
        tuple(map(read_action, actions)),
        read_clock(plain["clock"]) if plain["clock"] else None,
        read_saved_state(plain["saved"]),
    )
