"""Actions that an arbiter can take at a table, and their buttons."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.hall.protocol.feed import Item, Stands
from companion.hall.server.tables import URGENT, TableStatus
from companion.speech.i18n import N_, Language
from engine.board.geometry import Side
from engine.game.rulings import Reason

MINUTE: Final = 60
ATTEND: Final = "attend"
"""Action by which an arbiter takes charge of a table. No order is sent to the table."""


class UnknownActError(ValueError):
    """The form does not contain a valid action."""


def read_act(form: Mapping[str, Any]) -> dict[str, Any]:
    """Return the command that a form contains, under its name in `boomboard table`.

    `ATTEND` is not a command: it only shows the other arbiters who has taken charge of a table.
    Raise UnknownActError if the form contains no valid action.
    """
    what, choice = form.get("what"), form.get("choice")
    sides = {side.value: side.value for side in Side}
    match what, choice:
        case (("answer-call" | "let-stand" | "pause" | "go-on" | "reopen" | "attend"), _):
            return {"what": what}
        case "settle", ("yes" | "no"):
            return {"what": what, "accepted": choice == "yes"}
        case "give-time", str() if choice in sides:
            return {"what": what, "side": choice, "seconds": MINUTE}
        case "forfeit", str() if choice in {**sides, "both": None}:
            return {"what": what, "side": sides.get(choice)}
    raise UnknownActError("the form does not contain an arbiter's action")


def act_text(act: Mapping[str, Any], language: Language) -> str:
    """Return the text on the button for an action."""
    text = language.text
    match act.get("what"):
        case "answer-call" | "attend":
            return text(N_("On my way"))
        case "let-stand":
            return text(N_("Allow it"))
        case "settle" if act.get("accepted"):
            return text(N_("The declaration counts."))
        case "settle":
            return text(N_("The declaration does not count. Declare again."))
        case "give-time":
            side, time = Side(act["side"]), language.duration(int(act["seconds"]))
            return text(N_("{side}: {time} more"), side=language.side(side), time=time)
        case "forfeit" if act.get("side"):
            return text(N_("{side} wins"), side=language.side(Side(act["side"]).other))
        case "forfeit":
            return text(N_("Both lose"))
        case "reopen":
            return text(N_("Reopen the game"))
        case "go-on":
            return text(N_("Continue"))
        case _:
            return text(N_("Pause"))


@dataclass(frozen=True)
class ActButton:
    """A button for an action, with the fields of its form."""

    what: str
    choice: str
    words: str


def available_acts(table: TableStatus, language: Language, now: float) -> list[ActButton]:
    """Return the actions available at `now`, a time on the monotonic clock."""
    if table.item is None:
        return []
    choices = list(_choices(table.item)) if table.is_here(now) else []
    if table.urgency(now) in URGENT and not table.item.call:
        choices.insert(0, (ATTEND, ""))
    return [act_button(*each, language) for each in choices]


def available_ends(table: TableStatus, language: Language, now: float) -> list[ActButton]:
    """Return the actions that end the game, if the game can be ended.

    `now` is a time on the monotonic clock.
    """
    if table.item is None or not table.is_here(now) or table.item.is_over:
        return []
    return [act_button("forfeit", side, language) for side in ("blue", "red", "both")]


def _choices(item: Item) -> Iterator[tuple[str, str]]:
    if item.call:
        yield "answer-call", ""
    if item.is_over:
        if item.outcome and item.outcome.get("reason") == Reason.FORFEIT.value:
            yield "reopen", ""
        return
    match item.stands:
        case Stands.DISPUTE:
            yield from (("settle", "yes"), ("settle", "no"))
        case Stands.VIOLATION:
            yield "let-stand", ""
    yield ("go-on" if item.is_paused else "pause"), ""
    yield from (("give-time", side.value) for side in Side if side.value in item.left)


def act_button(what: str, choice: str, language: Language) -> ActButton:
    return ActButton(what, choice, act_text(read_act({"what": what, "choice": choice}), language))
