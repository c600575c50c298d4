"""Codec for the initial state of a table; the actions are separate, since they contain ranks."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.table.beginning import Beginning
from companion.table.saved_state import read_saved_state, write_saved_state
from engine.game.actions import Action
from engine.records.serialization import (
    read_action,
    read_clock,
    read_control,
    read_edition,
    write_action,
    write_clock,
    write_control,
    write_edition,
)


def write_beginning(beginning: Beginning) -> dict[str, Any]:
    """Encode an initial state without its actions, which contain ranks."""
    return {
        "edition": write_edition(beginning.edition),
        "seed": beginning.seed,
        "control": write_control(beginning.control),
        "clock": write_clock(beginning.clock) if beginning.clock else None,
        "saved": write_saved_state(beginning.saved),
    }


def write_actions(actions: Sequence[Action]) -> list[dict[str, str]]:
    """Encode the actions with which a game is resumed, including all ranks."""
    return [write_action(action) for action in actions]


def read_beginning(plain: Mapping[str, Any], actions: Sequence[Mapping[str, Any]]) -> Beginning:
    """Decode an initial state; ValueError, TypeError or KeyError if it is malformed."""
    return Beginning(
        read_edition(plain["edition"]),
        int(plain["seed"]),
        read_control(plain["control"]),
        tuple(map(read_action, actions)),
        read_clock(plain["clock"]) if plain["clock"] else None,
        read_saved_state(plain["saved"]),
    )
