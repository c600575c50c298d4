"""Comparison of all observable output of two tables."""

from typing import Any

from companion.devices import edge_lamps
from companion.recorder import outcome_sum
from companion.simulator.soak.claim import BrokenClaimError, Claim
from companion.speech.announcer import Announcer
from companion.table import Step, Table
from engine.board.geometry import Side
from engine.board.visibility import Private, Public


def check_alike(
    claim: Claim,
    one: tuple[Table, Step],
    other: tuple[Table, Step],
    announcer: Announcer,
    eyes: tuple[Side, ...],
) -> None:
    """Compare the output of two tables, both the public one and that for these sides."""
    ours, theirs = (_outward(table, step, announcer, eyes) for table, step in (one, other))
    for what, seen in ours.items():
        if seen != theirs[what]:
            raise BrokenClaimError(claim, f"{what}: {seen!r}, and of the other {theirs[what]!r}")


def _outward(
    table: Table, step: Step, announcer: Announcer, eyes: tuple[Side, ...]
) -> dict[str, Any]:
    private = [event for event in step.events if isinstance(event, Private)]
    talk = table.conversation
    return {
        "lamps": edge_lamps.lit(edge_lamps.look(table)),
        "told": outcome_sum.write_public(step.events),
        "said": [announcer.sentence(each) for each in step.events if isinstance(each, Public)],
        "written": outcome_sum.write_actions_told(step),
        "seen": (table.view, table.state, table.must_show, table.ready),
        "offered": (talk.draw_offer, talk.take_back_offer, talk.declared),
        "clock": (step.clock, table.due),
        "saved": step.saved,
        "private": [event for event in private if event.owner in eyes],
    }
