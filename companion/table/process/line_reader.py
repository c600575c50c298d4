"""Parsing of a line into an input of the table."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from companion.table.inputs import (
    BoardComplains,
    BoardFound,
    BoardLost,
    BoardSeen,
    Input,
    TimePassed,
)
from companion.table.process.board_text import read_board
from companion.table.process.finer import FINER, read_faint, read_moments
from companion.table.process.malformed import MalformedLineError
from companion.table.process.places import read_places
from companion.table.process.said_words import read_said
from companion.table.table import Table
from engine.board.geometry import SQUARES, name


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
        return BoardComplains(at, None)
    is_square = isinstance(where, str) and where in _SQUARES
    if not is_square or not isinstance(is_dying, bool) or told:
        raise MalformedLineError(
            '"complains" is {"square": "e4"}, with "dying": true or without, or {"square": null}.'
        )
    return BoardComplains(at, _SQUARES[where], is_dying=is_dying)


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
