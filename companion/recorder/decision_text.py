"""Short texts of decisions, for the command's output and the pictures."""

from collections.abc import Mapping
from typing import Any

from companion.recorder.replayer import Decision
from companion.table.process.event_writer import write_event
from companion.table.process.step_writer import write_accepted


def headline(decision: Decision) -> str:
    """Return a decision as one line: ``accepted: e4-e5``, ``question: rank-asked red``."""
    if decision.action:
        return f"{decision.kind.value}: {action_text(write_accepted(decision.action))}"
    told = write_event(decision.events[0])
    if told["event"] == "contradiction":
        return f"{decision.kind.value}: what {told['to']} has declared, in private"
    who = f" {told['to']}" if told["to"] != "all" else ""
    return f"{decision.kind.value}: {event_text(told)}{who}"


def action_text(plain: Mapping[str, Any]) -> str:
    """Return an accepted action in a word or two: ``e4-e5``, ``declare red``."""
    if "source" in plain:
        joint = "x" if plain["do"] == "attack" else "-"
        way = f"{plain['source']}{joint}{plain['target']}"
        return way if plain["do"] in ("move", "attack") else f"{plain['do']} {way}"
    rest = [plain[key] for key in ("side", "square", "mistake") if key in plain]
    if plain["do"] == "place-armies":
        rest = []
    return " ".join([plain["do"], *rest])


def event_text(plain: Mapping[str, Any]) -> str:
    """Return a decision's event in a word or two: ``course-asked e4-e5 or e4-e6``."""
    told = plain["event"]
    if told == "violation":
        return f"{plain['fault']} {' '.join(plain['squares'])}"
    if "source" in plain:
        return f"{told} {plain['source']}x{plain['target']}"
    ways = plain.get("courses") or plain.get("attacks")
    if ways:
        return f"{told} {' or '.join(ways)}"
    if "difference" in plain:
        off = dict.fromkeys(plain["difference"]["missing"] + plain["difference"]["surplus"])
        return f"{told} {' '.join(off)}"
    return " ".join([told, *(plain[key] for key in ("side", "awaited", "square") if key in plain)])
