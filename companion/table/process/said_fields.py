"""The fields of commands, each with its allowed values."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from companion.table.process.malformed import MalformedLineError
from companion.table.process.side_or_null import read_side_or_null
from engine.board.geometry import SQUARES, Side, name
from engine.board.ranks import Rank
from engine.records.serialization import write_rank

Values: TypeAlias = Mapping[str, Any]
"""The values of some fields, converted for the table: sides, ranks, squares, truth values."""


@dataclass(frozen=True)
class Field:
    """A field and the parser of its value, which raises ValueError if it is not allowed."""

    name: str
    read: Callable[[object], Any]
    allowed: str
    """The allowed values, as a text."""
    may_be_missing: bool = False
    """Whether it can be left out, which is the same as null."""


def read_fields(said: Mapping[str, Any], fields: Sequence[Field], word: str) -> Values:
    """Return the values of the fields of a command, which must be given, and no others."""
    allowed = dict.fromkeys(["what", "side", *(field.name for field in fields)])
    if not said.keys() <= allowed.keys():
        listed = ", ".join(f'"{field}"' for field in allowed)
        raise MalformedLineError(f'"{word}" has the fields {listed} and no others.')
    if not any(field.name == "side" for field in fields):
        _read_field(_ANYBODY, said, word)
    return {field.name: _read_field(field, said, word) for field in fields}


def _read_field(field: Field, said: Mapping[str, Any], word: str) -> Any:
    try:
        if field.name not in said and not field.may_be_missing:
            raise ValueError
        return field.read(said.get(field.name))
    except ValueError:
        raise MalformedLineError(f'"{field.name}" of "{word}" is {field.allowed}.') from None


def _one_of(values: Mapping[str, Any]) -> Callable[[object], Any]:
    def read(value: object) -> Any:
        if not isinstance(value, str) or value not in values:
            raise ValueError
        return values[value]

    return read


def _read_yes_or_no(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _read_number(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError
    return value


def _read_seconds(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError
    return value


def _squares(field: str) -> Field:
    return Field(field, _one_of(_SQUARES), "the name of a square, such as e4")


def _yes_or_no(field: str) -> Field:
    return Field(field, _read_yes_or_no, "true or false")


_SQUARES: Final = {name(square): square for square in SQUARES}
_RANKS: Final = {write_rank(rank): rank for rank in Rank}
_read_side: Final = _one_of({side.value: side for side in Side})
_ANYBODY: Final = Field("side", read_side_or_null, '"red", "blue" or null', may_be_missing=True)
"""The side that gives a command, where that makes no difference: it may be left out."""

SIDE: Final = Field("side", _read_side, '"red" or "blue"')
SIDE_OR_BOTH: Final = Field("side", read_side_or_null, '"red" or "blue", or null for both')
TO_MOVE: Final = Field("to_move", _read_side, '"red" or "blue"')
RANK: Final = Field("rank", _one_of(_RANKS), f"one of {', '.join(_RANKS)}")
SOURCE: Final = _squares("source")
TARGET: Final = _squares("target")
SQUARE: Final = _squares("square")
OTHER: Final = _squares("other")
ABLE: Final = _yes_or_no("able")
RIGHT: Final = _yes_or_no("right")
ACCEPTED: Final = _yes_or_no("accepted")
DOUBTED: Final = _yes_or_no("doubted")
ANSWER: Final = Field("answer", _read_number, "the number of an answer, counted from 0")
SECONDS: Final = Field("seconds", _read_seconds, "a whole number, less than 0 to take time")
