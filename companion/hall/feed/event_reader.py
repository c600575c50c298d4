"""Decoder for events: the inverse of `companion.table.process.event_writer`.

With it the hall can announce a table's events in any language. Only public events are decoded.
"""

from collections.abc import Mapping
from dataclasses import is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from companion.store.notes import Note, read_note
from companion.table.process.event_writer import (
    SET_FIELDS,
    SQUARE_FIELDS,
    event_name,
    field_names,
)
from engine.board.geometry import set_of, square
from engine.board.visibility import Public
from engine.game.actions import Exchanged, NoLongMove, WrongRank
from engine.game.rulings import Ruling

_RULINGS: Final = {event_name(kind): kind for kind in get_args(Ruling) if issubclass(kind, Public)}
_NOTES: Final = frozenset(event_name(kind) for kind in get_args(Note))
_MISTAKES: Final = {event_name(kind): kind for kind in (WrongRank, Exchanged, NoLongMove)}


def read_event(plain: Mapping[str, Any]) -> Public:
    """Decode a public event; ValueError if it is malformed or not public."""
    called = str(plain.get("event"))
    if called not in _NOTES | _RULINGS.keys():
        raise ValueError(f"no event is called {called!r}")
    try:
        if called in _NOTES:
            return read_note(plain)
        read: Public = _thing(_RULINGS[called], plain)
    except (AttributeError, KeyError, TypeError) as wrong:
        raise ValueError(f"the event {called!r} is incomplete: {wrong}") from None
    return read


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    hints = get_type_hints(kind)
    return {field: hints[field] for field in field_names(kind)}


def _thing(kind: type, plain: Mapping[str, Any]) -> Any:
    """Decode an object; KeyError if a field is missing."""
    return kind(**{field: _read(field, hint, plain[field]) for field, hint in _hints(kind).items()})


def _read(field: str, hint: Any, value: Any) -> Any:
    kinds = get_args(hint) if isinstance(hint, UnionType) or get_origin(hint) is Union else (hint,)
    if value is None and type(None) in kinds:
        return None
    if field == "mistake":
        return _thing(_MISTAKES[value["mistake"]], value)
    kind = kinds[0]
    if get_origin(kind) is tuple:
        (inner, *_) = get_args(kind)
        named = "square" if field in SQUARE_FIELDS | SET_FIELDS else field
        return tuple(_read(named, inner, each) for each in value)
    if isinstance(kind, type) and is_dataclass(kind):
        return _thing(kind, value)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind[value.upper().replace("-", "_")]
    if field in SET_FIELDS:
        return set_of(map(square, value))
    if field in SQUARE_FIELDS:
        return square(value)
    if type(value) is not kind:
        raise TypeError(f"{field!r} is something else")
    return value
