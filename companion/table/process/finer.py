"""Details of a frame in addition to its squares: times of changes, and uncertain squares."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from companion.table.process.malformed import MalformedLineError
from engine.board.geometry import Square, SquareSet, name, set_of, square, squares_in

FINER: Final = ("moments", "faint")
"""Optional fields of a line with a board."""


def read_moments(value: object, at: float) -> tuple[tuple[Square, float], ...]:
    """Return the times at which squares were first seen in their present state."""
    try:
        if not isinstance(value, Mapping):
            raise ValueError
        return tuple((_read_square(each), _read_moment(value[each], at)) for each in value)
    except ValueError:
        raise MalformedLineError(
            '"moments" is an object of squares, each with a number of seconds not after "at".'
        ) from None


def read_faint(value: object) -> SquareSet:
    """Return the squares with an uncertain reading."""
    try:
        if not isinstance(value, list):
            raise ValueError
        return set_of(map(_read_square, value))
    except ValueError:
        raise MalformedLineError('"faint" is a list of squares.') from None


def write_finer(moments: Iterable[tuple[Square, float]], faint: SquareSet) -> dict[str, Any]:
    """Return the optional fields of a line with a board, without empty ones."""
    fields = {"moments": {name(each): moment for each, moment in moments}, **write_faint(faint)}
    return {field: told for field, told in fields.items() if told}


def write_faint(faint: SquareSet) -> dict[str, list[str]]:
    """Return the squares with an uncertain reading as a field, if there are any."""
    return {"faint": [name(each) for each in squares_in(faint)]} if faint else {}


def _read_square(text: Any) -> Square:
    if not isinstance(text, str):
        raise ValueError
    return square(text)


def _read_moment(value: Any, at: float) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not value <= at:
        raise ValueError
    return float(value)
