"""Actions that an arbiter can take at a table in its present state."""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, Final

from companion.hall.feed.item import Item, Stands
from companion.hall.server.tables import TableNow
from companion.speech.language import N_, Language
from engine.board.geometry import Side

MINUTE: Final = 60


class UnknownActError(ValueError):
    """A form that encodes none of an arbiter's actions."""


def read_act(form: Mapping[str, Any]) -> dict[str, Any]:
    """Return the command in a form, named as in `boomboard table`, or raise UnknownActError."""
    what, choice = form.get("what"), form.get("choice")
    sides = {side.value: side.value for side in Side}
    match what, choice:
        case (("answer-call" | "let-stand" | "pause" | "go-on"), _):
            return {"what": what}
        case "settle", ("yes" | "no"):
            return {"what": what, "accepted": choice == "yes"}
        case "give-time", str() if choice in sides:
            return {"what": what, "side": choice, "seconds": MINUTE}
        case "forfeit", str() if choice in {**sides, "both": None}:
            return {"what": what, "side": sides.get(choice)}
    raise UnknownActError("this is none of an arbiter's acts")


def act_words(said: Mapping[str, Any], language: Language) -> str:
    """Return the label of an action, as on its button."""
    text = language.text
    match said.get("what"):
        case "answer-call":
            return text(N_("I am coming"))
        case "let-stand":
            return text(N_("Let it stand"))
        case "settle" if said.get("accepted"):
            return text(N_("The declaration counts."))
        case "settle":
            return text(N_("The declaration does not count; declare again."))
        case "give-time":
            side, time = Side(said["side"]), language.duration(int(said["seconds"]))
            return text(N_("{side}: {time} more"), side=language.side(side), time=time)
        case "forfeit" if said.get("side"):
            return text(N_("{side} wins"), side=language.side(Side(said["side"]).other))
        case "forfeit":
            return text(N_("Both have lost"))
        case "go-on":
            return text(N_("Go on"))
        case _:
            return text(N_("Pause"))


def offered(table: TableNow, language: Language) -> str:
    """Render the buttons of all actions that are available now."""
    if table.item is None or not table.is_here:
        return ""
    buttons = "".join(_button(table, *each, language) for each in _choices(table.item))
    if table.item.is_over:
        return f"<div>{buttons}</div>"
    ends = "".join(_button(table, "forfeit", side, language) for side in ("blue", "red", "both"))
    end = escape(language.text(N_("End the game")))
    return f"<div>{buttons}</div><details><summary>{end}</summary><div>{ends}</div></details>"


def _choices(item: Item) -> Iterator[tuple[str, str]]:
    if item.call:
        yield "answer-call", ""
    if item.is_over:
        return
    match item.stands:
        case Stands.DISPUTE:
            yield from (("settle", "yes"), ("settle", "no"))
        case Stands.VIOLATION:
            yield "let-stand", ""
    yield ("go-on" if item.stands is Stands.PAUSED else "pause"), ""
    yield from (("give-time", side.value) for side in Side if side.value in item.left)


def _button(table: TableNow, what: str, choice: str, language: Language) -> str:
    fields = {"what": what, "choice": choice, "game": table.game}
    words = act_words(read_act(fields), language)
    hidden = "".join(
        f'<input type="hidden" name="{name}" value="{escape(value)}">'
        for name, value in fields.items()
    )
    return (
        f'<form method="post" action="/tables/{table.name}/act">{hidden}'
        f"<button>{escape(words)}</button></form>"
    )
