"""Events as plain data: their dataclasses state the format, and no name is repeated here."""

from collections.abc import Mapping
from typing import Any, Final

from companion.codec import from_plain, tag_of, to_plain
from companion.core.events import Event
from engine.board.visibility import Private

ALL: Final = "all"


def write_event(event: Event) -> dict[str, Any]:
    """Return an event as plain data, with the side that may read it."""
    fields = to_plain(event)
    owner = fields.pop("owner") if isinstance(event, Private) else ALL
    return {"to": owner, "event": tag_of(type(event)), **fields}


def read_public_event(plain: Mapping[str, Any], kinds: Any) -> Any:
    """Return a public event of a union under the tag `event`; ValueError if it is none of these."""
    fields = dict(plain)
    if fields.pop("to", ALL) != ALL:
        raise ValueError('"to" of a public event must be all; found another side')
    return from_plain(fields, kinds, "the event")
