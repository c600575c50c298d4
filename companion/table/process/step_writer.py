"""Conversion of the result of an input to a line."""

from typing import Any, Final

from companion.table.process.asks import list_asks
from companion.table.process.board_text import write_board
from companion.table.process.event_writer import write_event
from companion.table.state import Over
from companion.table.table import Step, Table
from engine.game.actions import Action
from engine.records.serialization import Plain, write_action

NO_BOARD: Final = "no-board"
PAUSED: Final = "paused"
_OPENING: Final = ("rank", "salt")
_SECRET: Final = {"declare": _OPENING, "insist": _OPENING, "answer-guess": _OPENING}


def write_step(table: Table, at: float, step: Step) -> dict[str, Any]:
    """Return the result of an input, and the state of the table after it."""
    return {
        "at": at,
        "due": table.due,
        "state": _state(table),
        "to_move": table.referee.to_move.value,
        "plies": table.referee.plies,
        "asks": list_asks(table),
        "actions": [write_accepted(action) for action in step.actions],
        "events": [write_event(event) for event in step.events],
        "must_show": write_board(table.must_show),
    }


def _state(table: Table) -> str:
    """Return the state of the game, or that it is stopped: by a pause, or without a board."""
    if not (table.is_connected or isinstance(table.state, Over)):
        return NO_BOARD
    return PAUSED if table.is_paused else table.state.name


def write_accepted(action: Action) -> dict[str, Any]:
    """Return an accepted action as it is public: what was sealed stays sealed."""
    public, secret = part(write_action(action))
    return {**public, "sealed": True} if secret else {**public}


def part(plain: Plain) -> tuple[Plain, Plain]:
    """Split an action, as plain data, into its public part and the part for the referee alone.

    The openings that prove an army are public once they are accepted.
    """
    secret = {key: plain[key] for key in _SECRET.get(plain["do"], ()) if key in plain}
    return {key: value for key, value in plain.items() if key not in secret}, secret
