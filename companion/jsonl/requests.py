"""Parses a line into an input of the table."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final

from companion.codec import Form, MalformedError, Named, checked, from_plain, to_plain
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
from engine.board.geometry import WIDTH, Square, SquareSet
from firmware_bridge.image import Image
from firmware_bridge.localization.localize import PieceLocation


@dataclass(frozen=True)
class FrameDetails:
    """Details of a frame in addition to its squares: change times, and uncertain squares."""

    moments: Annotated[Mapping[Square, float], Named(omits_default=True)] = field(
        default_factory=dict
    )
    faint: Annotated[SquareSet, Named(omits_default=True)] = 0


def write_details(moments: Iterable[tuple[Square, float]], faint: SquareSet) -> dict[str, Any]:
    """Return the optional fields of a line with a board, without empty fields."""
    plain: dict[str, Any] = to_plain(FrameDetails(dict(moments), faint))
    return plain


def _place(values: tuple[float, float, float]) -> PieceLocation:
    column, row, within = values
    if not (-1 < column < WIDTH and -1 < row < WIDTH and 0 <= within < WIDTH):
        raise ValueError
    return PieceLocation(column, row, within)


_PLACE: Final = Form(
    "a list of column, row and uncertainty, such as [4, 4.5, 0.1]",
    "places",
    _place,
    lambda place: (place.column, place.row, place.within),
    tuple[float, float, float],
)


@dataclass(frozen=True)
class Places:
    """Places where the board senses a piece of each side between squares."""

    red: Annotated[PieceLocation, _PLACE] | None
    blue: Annotated[PieceLocation, _PLACE] | None


@dataclass(frozen=True)
class BoardFault:
    """A fault that the board reports."""

    square: Square | None
    dying: Annotated[bool, Named(omits_default=True)] = False


@dataclass(frozen=True)
class Colours:
    """Capabilities of a connected board."""

    colours: bool


def read_line(line: Mapping[str, Any], before: float, table: Table) -> Input:
    """Return the input of a line; `before` is the time of the previous line.

    MalformedError if the line violates the contract.
    """
    at = read_at(line.get("at"), before)
    details = {name: line[name] for name in line if name in DETAILS}
    kinds = [kind for kind in line if kind != "at" and kind not in details]
    if len(kinds) != 1 or kinds[0] not in KINDS:
        raise MalformedError(f'A line must have "at" and exactly one of {", ".join(KINDS)}')
    (kind,) = kinds
    expected, make = KINDS[kind]
    given = make(at, from_plain(line[kind], expected, f'"{kind}"'), table)
    if not details:
        return given
    if not isinstance(given, BoardSeen):
        raise MalformedError(f'Only a "board" may have {" and ".join(DETAILS)}')
    finer = from_plain(details, FrameDetails)
    if any(moment > at for moment in finer.moments.values()):
        raise MalformedError('"moments" must not be after "at"; found a later one')
    moments = tuple((where, float(moment)) for where, moment in finer.moments.items())
    return replace(given, moments=moments, faint=finer.faint)


def read_at(value: Any, before: float) -> float:
    """Return the time of a line, but never a time before `before`."""
    if type(value) in (int, float) and before <= value <= _LATEST:
        return float(value)
    raise MalformedError(f'"at" must be a number of seconds, not less than {before}')


def _report_fault(at: float, fault: BoardFault, _: Table) -> Input:
    if fault.square is None and fault.dying:
        raise MalformedError('"dying" of "complains" must belong to a square; found null')
    return BoardFaultReported(at, fault.square, is_dying=fault.dying)


DETAILS: Final = ("moments", "faint")
"""Optional fields of a line with a board."""
_LATEST: Final = 2.0**53
"""Above this value, a float cannot represent differences of one second."""
_TRUE: Final = Annotated[bool, checked(bool, bool, "true")]

KINDS: Final[Mapping[str, tuple[Any, Callable[[float, Any, Table], Input]]]] = {
    "board": (Image, lambda at, image, _: BoardSeen(at, image)),
    "found": (Colours, lambda at, seen, _: BoardFound(at, sees_colours=seen.colours)),
    "lost": (_TRUE, lambda at, *_: BoardLost(at)),
    "complains": (BoardFault, _report_fault),
    "feels": (Places, lambda at, felt, _: PieceLocated(at, felt.red, felt.blue)),
    "time": (_TRUE, lambda at, *_: TimePassed(at)),
    "say": (Mapping[str, Any], read_said),
}
"""By distinguishing field, the kinds of lines: the field's type and its input function."""
