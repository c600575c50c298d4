"""What a board may tell beside its squares: when they changed, and which of them are faint."""

from collections.abc import Mapping
from typing import Any, Final

from companion.table.process.malformed import MalformedLineError
from engine.squares import Square, SquareSet, set_of, square

FINER: Final = ("moments", "faint")
"""The fields that a line may have besides a board."""


def read_moments(value: object, at: float) -> tuple[tuple[Square, float], ...]:
    """Return when squares were first seen as they are."""
    try:
        if not isinstance(value, Mapping):
            raise ValueError
        return tuple((_read_square(name), _read_moment(value[name], at)) for name in value)
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


def _read_square(name: Any) -> Square:
    if not isinstance(name, str):
        raise ValueError
    return square(name)


def _read_moment(value: Any, at: float) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not value <= at:
        raise ValueError
    return float(value)
