"""Matching of the pieces on the board to the pieces that the referee knows.

Sensors do not see ranks. Where one piece is missing and one is on a new square, they are the same.
Where there are several, each new square is assigned a missing piece so that the total distance is
least. That may be wrong, so the players are shown the assignment piece by piece.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from companion.table.pairing import pair
from engine.board.geometry import LAKES, ONLY, WIDTH, Side, Square, SquareSet, set_of, squares_in
from engine.board.ranks import MOVABLE
from engine.game.actions import AcceptBoard, Shift
from engine.game.corrections import find_obstacle
from engine.game.position import Position
from engine.game.rulings import BoardRefused, Obstacle
from firmware_bridge.image import Image, compare

_NOBODY: Final = 1_000_000
"""Cost of a place without a piece: more than the total distance that all pieces could move."""
_STEP: Final = 1_000
"""Cost of one square of distance. Among equal totals, the assignment without long single moves
wins."""


@dataclass(frozen=True)
class Claim:
    """Claim that the board is right: these pieces are on other squares, those are off the board."""

    shifted: tuple[Shift, ...]
    removed: SquareSet

    def board(self, to_move: Side) -> AcceptBoard:
        """Return the action that adopts the board with this side to move."""
        return AcceptBoard(self.shifted, self.removed, to_move)


Claimed: TypeAlias = Claim | BoardRefused


def read_claim(position: Position, seen: Image) -> Claimed | None:
    """Return the changes to adopt, or why they cannot be; None if the referee's position agrees."""
    board = position.board
    difference = compare(seen, Image(board.red, board.blue))
    if not difference:
        return None
    loose = [each for each in squares_in(difference.missing) if _may_shift(position, each)]
    places = list(squares_in(difference.surplus))
    costs = [
        [_cost(position, seen, piece, place) for piece in loose] + [_NOBODY] * len(places)
        for place in places
    ]
    taken, empty = [], []
    for place, costs_of_place, column in zip(places, costs, pair(costs), strict=True):
        if costs_of_place[column] == _NOBODY:
            empty.append(place)
        else:
            taken.append(Shift(loose[column], place))
    if empty:
        return _too_many(position, seen, difference.missing & ~set_of(loose), empty)
    left = difference.missing & ~set_of(shift.source for shift in taken)
    shifted = tuple(sorted(taken, key=lambda shift: shift.source))
    claim = Claim(shifted, left)
    return find_obstacle(position, claim.board(position.to_move)) or claim


def _may_shift(position: Position, square: Square) -> bool:
    return bool(position.ranks_at(square) & MOVABLE)


def _cost(position: Position, seen: Image, piece: Square, place: Square) -> int:
    """Return the cost of assigning a piece to a place, from the distance between them."""
    if not _shows(position, seen, piece, place):
        return _NOBODY
    rows, columns = (abs(a - b) for a, b in zip(_where(piece), _where(place), strict=True))
    return _STEP * (rows + columns) + rows * rows + columns * columns


def _shows(position: Position, seen: Image, piece: Square, place: Square) -> bool:
    """Whether the piece seen on a place may be the one that was on a square."""
    side = Side.RED if position.squares(Side.RED) & ONLY[piece] else Side.BLUE
    return bool((seen.of(side) | seen.unknown) & ~LAKES & ONLY[place])


def _where(square: Square) -> tuple[int, int]:
    return divmod(square, WIDTH)


def _too_many(
    position: Position, seen: Image, fixed: SquareSet, empty: list[Square]
) -> BoardRefused:
    """Return why some places have no piece to be assigned to them.

    One reason is that the missing pieces can only be bombs or the flag.
    """
    bombs = [
        each
        for each in squares_in(fixed)
        if any(_shows(position, seen, each, place) for place in empty)
    ]
    if bombs:
        return BoardRefused(Obstacle.BOMB_OR_FLAG, set_of(bombs))
    return BoardRefused(Obstacle.TOO_MANY, set_of(empty))
