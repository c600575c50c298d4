"""Matches the pieces on the board with the pieces that the referee knows.

Sensors do not show ranks. If only one piece is missing, it must be the one on the new square. If
several are missing, one of them is assigned to each new square so that the total distance is
minimal. The assignment may be wrong, so it is shown to the players piece by piece.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from engine.board.geometry import LAKES, ONLY, WIDTH, Side, Square, SquareSet, set_of, squares_in
from engine.board.ranks import MOVABLE
from engine.game.actions import AdoptBoard, Relocation
from engine.game.corrections import find_adoption_error
from engine.game.position import Position
from engine.game.rulings import AdoptionError, AdoptionRejected
from firmware_bridge.image import Image, compare

# The Hungarian method assigns columns to rows at the minimum total cost. Each row in turn is
# assigned a column by the cheapest chain of exchanges with the rows that already have one. The row
# and column potentials make a shortest-path search for that chain possible.


def min_cost_assignment(costs: Sequence[Sequence[int]]) -> list[int]:
    """Return a different column for every row, at the minimum total cost.

    There must be at least as many columns as rows. The same costs always produce the same
    assignment.
    """
    width = len(costs[0]) if costs else 0
    holders: list[int | None] = [None] * width
    row_potentials, column_potentials = [0.0] * len(costs), [0.0] * width
    for row in range(len(costs)):
        _assign_row(row, costs, holders, row_potentials, column_potentials)
    found = [0] * len(costs)
    for column, holder in enumerate(holders):
        if holder is not None:
            found[holder] = column
    return found


def _assign_row(
    row: int,
    costs: Sequence[Sequence[int]],
    holders: list[int | None],
    row_potentials: list[float],
    column_potentials: list[float],
) -> None:
    """Assign a column to one more row. Other rows may exchange their columns."""
    width = len(column_potentials)
    best, came_from = [math.inf] * width, [-1] * width
    visited: list[int] = []
    free = set(range(width))
    current, last = row, -1
    while True:
        for column in free:
            cost = costs[current][column] - row_potentials[current] - column_potentials[column]
            if cost < best[column]:
                best[column], came_from[column] = cost, last
        column = min(free, key=lambda each: (best[each], each))
        step = best[column]
        row_potentials[row] += step
        for each in visited:
            holder = holders[each]
            assert holder is not None
            row_potentials[holder] += step
            column_potentials[each] -= step
        for each in free:
            best[each] -= step
        free.remove(column)
        visited.append(column)
        last = column
        holder = holders[column]
        if holder is None:
            break
        current = holder
    while last >= 0:
        before = came_from[last]
        holders[last] = row if before < 0 else holders[before]
        last = before


_UNMATCHED: Final = 1_000_000
"""Cost of leaving a square without a piece. It exceeds the total cost of all distances."""
_STEP: Final = 1_000
"""Cost of one square of distance. A smaller term is added to prefer several short moves to one long
move."""


@dataclass(frozen=True)
class BoardProposal:
    """The changes that turn the referee's position into the actual position on the board."""

    shifted: tuple[Relocation, ...]
    removed: SquareSet

    def board(self, to_move: Side) -> AdoptBoard:
        """Return the action that adopts the board with `to_move` as the side to move."""
        return AdoptBoard(self.shifted, self.removed, to_move)


Claimed: TypeAlias = BoardProposal | AdoptionRejected


def propose(position: Position, seen: Image) -> Claimed | None:
    """Return the changes that adopt the board, or the reason why it cannot be adopted.

    Return None if the image does not differ from the position.
    """
    board = position.board
    difference = compare(seen, Image(board.red, board.blue))
    if not difference:
        return None
    loose = [each for each in squares_in(difference.missing) if _may_shift(position, each)]
    places = list(squares_in(difference.surplus))
    costs = [
        [_cost(position, seen, piece, place) for piece in loose] + [_UNMATCHED] * len(places)
        for place in places
    ]
    taken, empty = [], []
    for place, costs_of_place, column in zip(
        places, costs, min_cost_assignment(costs), strict=True
    ):
        if costs_of_place[column] == _UNMATCHED:
            empty.append(place)
        else:
            taken.append(Relocation(loose[column], place))
    if empty:
        return _too_many(position, seen, difference.missing & ~set_of(loose), empty)
    left = difference.missing & ~set_of(shift.source for shift in taken)
    shifted = tuple(sorted(taken, key=lambda shift: shift.source))
    claim = BoardProposal(shifted, left)
    return find_adoption_error(position, claim.board(position.to_move)) or claim


def _may_shift(position: Position, square: Square) -> bool:
    return bool(position.ranks_at(square) & MOVABLE)


def _cost(position: Position, seen: Image, piece: Square, place: Square) -> int:
    """Return the cost of assigning a piece to a square, which grows with the distance."""
    if not _shows(position, seen, piece, place):
        return _UNMATCHED
    rows, columns = (abs(a - b) for a, b in zip(_where(piece), _where(place), strict=True))
    return _STEP * (rows + columns) + rows * rows + columns * columns


def _shows(position: Position, seen: Image, piece: Square, place: Square) -> bool:
    """Whether the piece now on `place` may be the one that stood on the square `piece`."""
    side = Side.RED if position.squares(Side.RED) & ONLY[piece] else Side.BLUE
    return bool((seen.of(side) | seen.unknown) & ~LAKES & ONLY[place])


def _where(square: Square) -> tuple[int, int]:
    return divmod(square, WIDTH)


def _too_many(
    position: Position, seen: Image, fixed: SquareSet, empty: list[Square]
) -> AdoptionRejected:
    """Return the reason why no piece can be assigned to the squares in `empty`.

    Either the board has more pieces than the referee knows of, or a missing piece in `fixed` can
    only be a bomb or the flag.
    """
    bombs = [
        each
        for each in squares_in(fixed)
        if any(_shows(position, seen, each, place) for place in empty)
    ]
    if bombs:
        return AdoptionRejected(AdoptionError.BOMB_OR_FLAG, set_of(bombs))
    return AdoptionRejected(AdoptionError.TOO_MANY, set_of(empty))
