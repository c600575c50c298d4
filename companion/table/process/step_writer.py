"""From what came of an input to a line."""

from typing import Any

from companion.table.process.asks import list_asks
from companion.table.process.board_text import write_board
from companion.table.process.event_writer import write_event
from companion.table.process.state_name import state_of
from companion.table.table import Step, Table
from engine.games.notation import write_action
from engine.play.actions import Action, Declare, Insist
from engine.play.moment import Phase
from engine.sides import Side
from firmware_bridge.image import ARMIES, Image


def write_step(table: Table, at: float, step: Step) -> dict[str, Any]:
    """Return what came of an input, and how the table stands after it."""
    return {
        "at": at,
        "due": table.due,
        "state": state_of(table),
        "to_move": table.referee.to_move.value,
        "plies": table.referee.plies,
        "asks": list_asks(table),
        "actions": [write_accepted(action) for action in step.actions],
        "events": [write_event(event) for event in step.events],
        "must_show": write_board(_must_show(table)),
    }


def _must_show(table: Table) -> Image:
    """What has to stand; while setting up, whatever the players choose: armies that fill rows."""
    if table.referee.phase is not Phase.SETUP:
        return table.expected
    fills_its_rows = table.referee.edition.army.size == Side.RED.home.bit_count()
    return ARMIES if fills_its_rows else Image()


def write_accepted(action: Action) -> dict[str, Any]:
    """Return an accepted action as everybody may read it: what was sealed stays sealed."""
    match action:
        case Declare():
            return {"do": "declare", "side": action.rank.owner.value, "sealed": True}
        case Insist():
            return {"do": "insist", "side": action.rank.owner.value, "sealed": True}
        case _:
            return {**write_action(action)}
