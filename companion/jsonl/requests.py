"""Parsing of a line into an input of the table."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from companion.core.inputs import (
    BoardFaultReported,
    BoardFound,
    BoardLost,
    BoardSeen,
    Input,
    PieceLocated,
    TimePassed,
)
from companion.core.table import Table
from companion.jsonl.commands import read_said
from companion.jsonl.fields import MalformedLineError, read_board
from engine.board.geometry import (
    SQUARES,
    WIDTH,
    Square,
    SquareSet,
    name,
    set_of,
    square,
    squares_in,
)
from firmware_bridge.localization.localize import PieceLocation

# Details of a frame in addition to its squares: times of changes, and uncertain squares.

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


# Places where the board feels a piece between squares, as plain data and back.

_SIDES: Final = {"red", "blue"}


def write_places(felt: PieceLocated) -> dict[str, list[float] | None]:
    """Return the place of each side: column and row, counted from 0, and the uncertainty."""
    return {"red": _write(felt.red), "blue": _write(felt.blue)}


def read_places(at: float, plain: Any) -> PieceLocated:
    """Return the input that was written; ValueError or TypeError if it is malformed."""
    if not isinstance(plain, Mapping) or set(plain) != _SIDES:
        raise ValueError("other sides than red and blue")
    return PieceLocated(at, _read(plain["red"]), _read(plain["blue"]))


def _write(place: PieceLocation | None) -> list[float] | None:
    return [place.column, place.row, place.within] if place else None


def _read(plain: Any) -> PieceLocation | None:
    if plain is None:
        return None
    if not isinstance(plain, list):
        raise TypeError("a place that is no list")
    column, row, within = plain
    for each in (column, row, within):
        if isinstance(each, bool) or not isinstance(each, int | float):
            raise TypeError("a place that is no number")
    if not (-1 < column < WIDTH and -1 < row < WIDTH and 0 <= within < WIDTH):
        raise ValueError("a place beside the board")
    return PieceLocation(column, row, within)


def read_line(line: Mapping[str, Any], before: float, table: Table) -> Input:
    """Return the input of a line; `before` is the time of the line before.

    MalformedLineError if it violates the contract.
    """
    at = read_at(line.get("at"), before)
    finer = [field for field in line if field in FINER]
    kinds = [kind for kind in line if kind != "at" and kind not in finer]
    if len(kinds) != 1 or kinds[0] not in _READERS:
        raise MalformedLineError(f'A line has "at" and exactly one of {", ".join(_READERS)}.')
    (kind,) = kinds
    given = _READERS[kind](at, line[kind], table)
    if not finer:
        return given
    if not isinstance(given, BoardSeen):
        raise MalformedLineError(f'Only a "board" is told with {" and ".join(finer)}.')
    moments = read_moments(line.get("moments", {}), at)
    return replace(given, moments=moments, faint=read_faint(line.get("faint", [])))


def read_at(value: Any, before: float) -> float:
    """Return the time of a line."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number and before <= value <= _LATEST:
        return float(value)
    raise MalformedLineError(f'"at" is a number of seconds, not less than {before}.')


_SQUARES: Final = {name(square): square for square in SQUARES}
_LATEST: Final = 2.0**53
"""From here on a float cannot resolve differences of a second."""


def _read_found(at: float, value: object, _: Table) -> Input:
    colours = value.get("colours") if isinstance(value, Mapping) and len(value) == 1 else None
    if not isinstance(colours, bool):
        raise MalformedLineError('"found" is {"colours": true} or {"colours": false}.')
    return BoardFound(at, sees_colours=colours)


def _read_complains(at: float, value: object, _: Table) -> Input:
    told = dict(value) if isinstance(value, Mapping) else {}
    where, is_dying = told.pop("square", ""), told.pop("dying", False)
    if where is None and is_dying is False and not told:
        return BoardFaultReported(at, None)
    is_square = isinstance(where, str) and where in _SQUARES
    if not is_square or not isinstance(is_dying, bool) or told:
        raise MalformedLineError(
            '"complains" is {"square": "e4"}, with "dying": true or without, or {"square": null}.'
        )
    return BoardFaultReported(at, _SQUARES[where], is_dying=is_dying)


def _read_feels(at: float, value: Any, _: Table) -> Input:
    try:
        return read_places(at, value)
    except (TypeError, ValueError):
        raise MalformedLineError('"feels" is {"red": [4, 4.5, 0.1], "blue": null}.') from None


def _must_be_true(kind: str, make: Callable[[float], Input]) -> Callable[..., Input]:
    def read(at: float, value: object, _: Table) -> Input:
        if value is not True:
            raise MalformedLineError(f'"{kind}" is true.')
        return make(at)

    return read


_READERS: Final[Mapping[str, Callable[[float, Any, Table], Input]]] = {
    "board": lambda at, value, _: BoardSeen(at, read_board(value)),
    "found": _read_found,
    "lost": _must_be_true("lost", BoardLost),
    "complains": _read_complains,
    "feels": _read_feels,
    "time": _must_be_true("time", TimePassed),
    "say": read_said,
}
