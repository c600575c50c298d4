"""From what came of an input to a line."""

from typing import Any, Final

from companion.table.process.asks import list_asks
from companion.table.process.board_text import write_board
from companion.table.process.event_writer import write_event
from companion.table.state import Over
from companion.table.table import Step, Table
from engine.games.notation import write_action
from engine.play.actions import Action, Declare, Insist

NO_BOARD: Final = "no-board"
PAUSED: Final = "paused"


def write_step(table: Table, at: float, step: Step) -> dict[str, Any]:
    """Return what came of an input, and how the table stands after it."""
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
    """Say where the game is, or that it stands still: for a pause, or for want of a board."""
    if not (table.is_connected or isinstance(table.state, Over)):
        return NO_BOARD
    return PAUSED if table.is_paused else table.state.name


def write_accepted(action: Action) -> dict[str, Any]:
    """Return an accepted action as everybody may read it: what was sealed stays sealed."""
    match action:
        case Declare():
            return {"do": "declare", "side": action.rank.owner.value, "sealed": True}
        case Insist():
            return {"do": "insist", "side": action.rank.owner.value, "sealed": True}
        case _:
            return {**write_action(action)}
