"""Pieces and their owners."""

from dataclasses import dataclass


@dataclass(eq=False)
class Piece:
    """A piece. Two different pieces are never equal, even if they have the same rank."""

    side: str
    rank: str


Standing = dict[str, Piece]
"""The piece on each occupied square."""


def other_side(side: str) -> str:
    return "blue" if side == "red" else "red"
