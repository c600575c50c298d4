"""Places where the board feels a piece between squares, as plain data and back."""

from collections.abc import Mapping
from typing import Any, Final

from companion.table.inputs import BoardFeels
from engine.board.geometry import WIDTH
from firmware_bridge.localization.localize import Place

_SIDES: Final = {"red", "blue"}


def write_places(felt: BoardFeels) -> dict[str, list[float] | None]:
    """Return the place of each side: column and row, counted from 0, and the uncertainty."""
    return {"red": _write(felt.red), "blue": _write(felt.blue)}


def read_places(at: float, plain: Any) -> BoardFeels:
    """Return the input that was written; ValueError or TypeError if it is malformed."""
    if not isinstance(plain, Mapping) or set(plain) != _SIDES:
        raise ValueError("other sides than red and blue")
    return BoardFeels(at, _read(plain["red"]), _read(plain["blue"]))


def _write(place: Place | None) -> list[float] | None:
    return [place.column, place.row, place.within] if place else None


def _read(plain: Any) -> Place | None:
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
    return Place(column, row, within)
