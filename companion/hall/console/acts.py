"""What an arbiter can do at a table, as it stands just now."""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, Final

from companion.hall.feed.item import Stands
from companion.hall.server.tables import TableNow
from companion.speech.language import N_, Language
from engine.sides import Side

MINUTE: Final = 60


class UnknownActError(ValueError):
    """What was sent is none of an arbiter's acts."""


def read_act(form: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a form says, in the words of `boomboard table`; UnknownActError if nothing."""
    what, choice = form.get("what"), form.get("choice")
    sides = {side.value: side.value for side in Side}
    match what, choice:
        case (("let-stand" | "pause" | "go-on"), _):
            return {"what": what}
        case "settle", ("yes" | "no"):
            return {"what": what, "accepted": choice == "yes"}
        case "give-time", str() if choice in sides:
            return {"what": what, "side": choice, "seconds": MINUTE}
        case "forfeit", str() if choice in {**sides, "both": None}:
            return {"what": what, "side": sides.get(choice)}
    raise UnknownActError("this is none of an arbiter's acts")


def offered(table: TableNow, language: Language) -> str:
    """Write the buttons of what can be done now."""
    if table.item is None or table.item.is_over or not table.is_here:
        return ""
    buttons = "".join(_buttons(table, language))
    end = escape(language.text(N_("End the game")))
    ends = "".join(_ends(table, language))
    return f"<div>{buttons}</div><details><summary>{end}</summary><div>{ends}</div></details>"


def _buttons(table: TableNow, language: Language) -> Iterator[str]:
    assert table.item
    text = language.text
    match table.item.stands:
        case Stands.DISPUTE:
            yield _button(table, "settle", "yes", text(N_("The declaration counts.")))
            again = text(N_("The declaration does not count; declare again."))
            yield _button(table, "settle", "no", again)
        case Stands.VIOLATION:
            yield _button(table, "let-stand", "", text(N_("Let it stand")))
        case Stands.PAUSED:
            yield _button(table, "go-on", "", text(N_("Go on")))
    if table.item.stands is not Stands.PAUSED:
        yield _button(table, "pause", "", text(N_("Pause")))
    for side in Side:
        if side.value in table.item.left:
            time = language.duration(MINUTE)
            words = text(N_("{side}: {time} more"), side=language.side(side), time=time)
            yield _button(table, "give-time", side.value, words)


def _ends(table: TableNow, language: Language) -> Iterator[str]:
    for side in Side:
        words = language.text(N_("{side} wins"), side=language.side(side))
        yield _button(table, "forfeit", side.other.value, words)
    yield _button(table, "forfeit", "both", language.text(N_("Both have lost")))


def _button(table: TableNow, what: str, choice: str, words: str) -> str:
    fields = {"what": what, "choice": choice, "game": table.game}
    hidden = "".join(
        f'<input type="hidden" name="{name}" value="{escape(value)}">'
        for name, value in fields.items()
    )
    return (
        f'<form method="post" action="/tables/{table.name}/act">{hidden}'
        f"<button>{escape(words)}</button></form>"
    )
