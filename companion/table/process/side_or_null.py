"""A side as plain data, or null for no side, or for both."""

from typing import Any

from engine.board.geometry import Side


def write_side_or_null(side: Side | None) -> str | None:
    """Return a side as plain data."""
    return side.value if side else None


def read_side_or_null(plain: Any) -> Side | None:
    """Parse the output of `write_side_or_null`; ValueError if it is malformed."""
    return None if plain is None else Side(plain)
