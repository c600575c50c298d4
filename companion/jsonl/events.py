"""Events as plain data, derived from their dataclasses: no name is repeated here."""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import Enum
from typing import Any, Final

from companion.core.events import Event
from companion.jsonl.fields import write_board
from engine.board.geometry import SquareSet, name, squares_in
from engine.board.visibility import Private, Secret
from engine.game.actions import Correction
from firmware_bridge.image import Image

ALL: Final = "all"
SQUARE_FIELDS: Final = frozenset({"square", "source", "target", "piece", "other", "astray"})
"""Fields with the number of a square, or several."""
SET_FIELDS: Final = frozenset({"squares", "missing", "surplus", "changed", "removed", "wrong"})
"""Fields with a number that is a set of squares, or with several that are squares."""
NUMBER_FIELDS: Final = frozenset({"count", "ply", "red", "blue", "seconds"})
"""Fields with a number that is a plain number."""


def write_event(event: Event) -> dict[str, Any]:
    """Return an event as plain data, with the side that may read it."""
    told_to = event.owner.value if isinstance(event, Private) else ALL
    return {"to": told_to, "event": event_name(type(event)), **_write_fields(event)}


def event_name(kind: type) -> str:
    """Return the published name of a kind of event: `BoardLost` is ``board-lost``.

    A class that has been renamed since keeps its published name as `wire_name`.
    """
    if "wire_name" in vars(kind):
        return str(vars(kind)["wire_name"])
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


def field_names(kind: type) -> tuple[str, ...]:
    """Return the field names of a kind of event; its owner is written under `to`."""
    hidden = {"owner"} if issubclass(kind, Private) else set()
    return tuple(each.name for each in fields(kind) if each.name not in hidden)


def _write_fields(thing: Any) -> dict[str, Any]:
    return {each: _write(each, getattr(thing, each)) for each in field_names(type(thing))}


def _write(field: str, value: Any) -> Any:
    match value:
        case None | bool() | str():
            return value
        case Enum():
            return value.name.lower().replace("_", "-")
        case int():
            return _WRITERS[field](value)
        case tuple():
            return [_write("square" if field in _LISTS else field, each) for each in value]
        case Image():
            return write_board(value)
        case Secret():
            return {"sealed": True}
        case _:
            return _write_thing(value)


def _write_thing(value: Any) -> dict[str, Any]:
    """Write a value that is no event by itself; a mistake is written by its name."""
    kind = {"mistake": event_name(type(value))} if isinstance(value, Correction) else {}
    return {**kind, **_write_fields(value)}


def _write_squares(squares: SquareSet) -> list[str]:
    return [name(square) for square in squares_in(squares)]


_LISTS: Final = SQUARE_FIELDS | SET_FIELDS
_WRITERS: Final[Mapping[str, Callable[[int], Any]]] = {
    **dict.fromkeys(SQUARE_FIELDS, name),
    **dict.fromkeys(SET_FIELDS, _write_squares),
    **dict.fromkeys(NUMBER_FIELDS, int),
}
