"""What a board may tell beside its squares: when they changed, and which of them are faint."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from companion.table.process.malformed import MalformedLineError
from engine.squares import Square, SquareSet, name, set_of, square, squares_in

FINER: Final = ("moments", "faint")
"""The fields that a line may have besides a board."""


def read_moments(value: object, at: float) -> tuple[tuple[Square, float], ...]:
    """Return when squares were first seen as they are."""
    try:
        if not isinstance(value, Mapping):
            raise ValueError
        return tuple((_read_square(each), _read_moment(value[each], at)) for each in value)
    except ValueError:
        raise MalformedLineError(
            '"moments" is an object of squares, each with a number of seconds not after "at".'
        ) from None


def read_faint(value: object) -> SquareSet:
    """Return the squares that a board is not sure of."""
    try:
        if not isinstance(value, list):
            raise ValueError
        return set_of(map(_read_square, value))
    except ValueError:
        raise MalformedLineError('"faint" is a list of squares.') from None


def write_finer(moments: Iterable[tuple[Square, float]], faint: SquareSet) -> dict[str, Any]:
    """Return the fields that a line has besides a board, as far as there is anything to tell."""
    fields = {"moments": {name(each): moment for each, moment in moments}, **write_faint(faint)}
    return {field: told for field, told in fields.items() if told}


def write_faint(faint: SquareSet) -> dict[str, list[str]]:
    """Return the squares that a board is not sure of as a field, if there are any."""
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
