"""Events as plain data. The events' dataclasses define the format, so no name is repeated here.

An event is an object with three parts: `to` is the side that may read it, `event` is its published
name, and its fields follow. The name is derived from the class name, or is the class's `wire_name`;
docs/commands.md lists all names. Events are written by the codec, like all plain data: ranks,
sides, reasons and squares by their names, a set of squares as a list, a board as 100 characters.
"""

from collections.abc import Mapping
from typing import Any, Final

from companion.codec import MalformedError, field_names, from_plain, to_plain
from companion.core.events import Event
from engine.board.visibility import Private
from engine.records.serialization import published_name

ALL: Final = "all"
"""Value of `to` for an event that everybody may read."""


def write_event(event: Event) -> dict[str, Any]:
    """Return an event as plain data, with the side that may read it."""
    fields = to_plain(event)
    to = fields.pop("owner") if isinstance(event, Private) else ALL
    return {"to": to, "event": published_name(type(event)), **fields}


def event_fields(kind: type) -> list[str]:
    """Return the field names of a kind of event, without its owner, who is written as `to`."""
    hidden = {"owner"} if issubclass(kind, Private) else set()
    return [name for name in field_names(kind) if name not in hidden]


def read_public_event(plain: Mapping[str, Any], kinds: Any) -> Any:
    """Decode the output of `write_event`; MalformedError for anything else.

    `kinds` is a union of public event classes, tagged by the field `event`.
    """
    fields = dict(plain)
    if fields.pop("to", ALL) != ALL:
        raise MalformedError('"to" of the event must be all; found another value')
    return from_plain(fields, kinds, "the event")
