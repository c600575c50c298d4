"""Pieces and their owners."""

from dataclasses import dataclass


@dataclass(eq=False)
class Piece:
    """A piece. Two pieces of the same rank are different objects."""

    side: str
    rank: str


Standing = dict[str, Piece]
"""Piece on every occupied square."""


def other_side(side: str) -> str:
    """Return the opponent."""
    return "blue" if side == "red" else "red"
