"""Events as plain data: their dataclasses state the format, and no name is repeated here.

An event is an object with the side that may read it under `to`, its published name under `event`,
and its fields. They are written by the codec, as everything is: ranks, sides and reasons by their
names, squares by theirs, a set of squares as a list, a board as 100 characters.
"""

from collections.abc import Mapping
from typing import Any, Final

from companion.codec import MalformedError, field_names, from_plain, to_plain
from companion.core.events import Event
from engine.board.visibility import Private
from engine.records.serialization import published_name

ALL: Final = "all"
"""Written under `to` for an event that everybody may read."""


def write_event(event: Event) -> dict[str, Any]:
    """Return an event as plain data, with the side that may read it."""
    fields = to_plain(event)
    to = fields.pop("owner") if isinstance(event, Private) else ALL
    return {"to": to, "event": published_name(type(event)), **fields}


def event_fields(kind: type) -> list[str]:
    """Return the field names of a kind of event; its owner is written under `to`."""
    hidden = {"owner"} if issubclass(kind, Private) else set()
    return [name for name in field_names(kind) if name not in hidden]


def read_public_event(plain: Mapping[str, Any], kinds: Any) -> Any:
    """Return the event that `write_event` has written; MalformedError for anything else.

    `kinds` is a union of public events under the tag `event`.
    """
    fields = dict(plain)
    if fields.pop("to", ALL) != ALL:
        raise MalformedError('"to" of the event must be all; found something else')
    return from_plain(fields, kinds, "the event")
