"""A side as plain data, or null where no side is meant, or both are."""

from typing import Any

from engine.sides import Side


def write_side_or_null(side: Side | None) -> str | None:
    """Return a side as plain data."""
    return side.value if side else None


def read_side_or_null(plain: Any) -> Side | None:
    """Return what `write_side_or_null` has written; ValueError if it is something else."""
    return None if plain is None else Side(plain)
