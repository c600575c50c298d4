"""What the infiltrator can do besides moving and attacking (rules.md §8, the Nordic rulebook).

Standing in the opponent's four rows it may, as its whole turn, guess the rank of an opposing piece
one or two squares away. The piece is removed if the guess is right; the infiltrator stays.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from engine.board import Board, Piece
from engine.ranks import Rank, RankSet
from engine.rules import Fault
from engine.sides import Side
from engine.squares import Square, line, squares_in

_INFILTRATOR: Final[RankSet] = 1 << Rank.INFILTRATOR
_REACH: Final = 2
"""Squares, in a straight line; what stands between is no hindrance."""


@dataclass(frozen=True)
class OpenedInfiltration:
    """A guess that waits for its answer."""

    source: Square
    target: Square
    guess: Rank


def find_fault(
    board: Board,
    side: Side,
    source: Square,
    target: Square,
    possible: Callable[[Piece], RankSet],
) -> Fault | None:
    """Say what forbids this infiltration by `side`, None if nothing does.

    `possible` tells the ranks that a piece may still have.
    """
    if board.side_at(source) is None:
        return Fault.NO_PIECE
    if board.side_at(source) is not side:
        return Fault.NOT_YOUR_PIECE
    if not possible(board.piece_at(source)) & _INFILTRATOR:
        return Fault.NO_INFILTRATOR
    if not side.other.home >> source & 1:
        return Fault.NOT_IN_ENEMY_ROWS
    if board.side_at(target) is not side.other:
        return Fault.NOBODY_THERE
    if not _is_near(source, target):
        return Fault.OUT_OF_REACH
    return None


def targets(board: Board, side: Side, source: Square) -> Iterator[Square]:
    """Give the pieces that an infiltrator of `side` on this square could infiltrate."""
    if side.other.home >> source & 1:
        for target in squares_in(board.of(side.other)):
            if _is_near(source, target):
                yield target


def _is_near(source: Square, target: Square) -> bool:
    way = line(source, target)
    return way is not None and len(way) <= _REACH
