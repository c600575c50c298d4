"""The infiltrator's guess (the Nordic rulebook).

On a square in the opponent's four rows it may, as its whole turn, guess the rank of an opposing
piece one or two squares away. The piece is removed if the guess is right; the infiltrator stays.
"""

from collections.abc import Iterator
from typing import Final

from engine.ranks import Rank, RankSet
from engine.rulebook.faults import Fault
from engine.sides import Side
from engine.squares import Square, SquareSet, line, squares_in

_INFILTRATOR: Final[RankSet] = 1 << Rank.INFILTRATOR
_REACH: Final = 2
"""Squares, in a straight line; pieces in between do not matter."""


def find_infiltration_fault(
    enemy: SquareSet, side: Side, source: Square, target: Square, ranks: RankSet
) -> Fault | None:
    """Return the fault that forbids this infiltration by a piece of `side`, None if it is legal.

    `enemy` are the squares of the opposing pieces; `ranks` are those that the piece may have.
    """
    if not ranks & _INFILTRATOR:
        return Fault.NO_INFILTRATOR
    if not side.other.home >> source & 1:
        return Fault.NOT_IN_ENEMY_ROWS
    if not enemy >> target & 1:
        return Fault.NOBODY_THERE
    return None if _is_near(source, target) else Fault.OUT_OF_REACH


def targets(enemy: SquareSet, side: Side, source: Square) -> Iterator[Square]:
    """Yield the pieces that an infiltrator of `side` on this square could infiltrate."""
    if side.other.home >> source & 1:
        for target in squares_in(enemy):
            if _is_near(source, target):
                yield target


def _is_near(source: Square, target: Square) -> bool:
    way = line(source, target)
    return way is not None and len(way) <= _REACH
