"""The wooden pieces, and whose they are."""

from dataclasses import dataclass


@dataclass(eq=False)
class Piece:
    """One wooden piece. Two of the same rank are still two."""

    side: str
    rank: str


Standing = dict[str, Piece]
"""Which piece stands on which square."""


def other_side(side: str) -> str:
    """Return the opponent."""
    return "blue" if side == "red" else "red"
