"""What stands on the board, as pieces that the referee knows: which of them is which.

A sensor sees no faces. Where one piece is missing and one stands somewhere new, it is that one.
Where there are several, each new place takes a missing piece so that all together have gone the
least far. That may be wrong, so the players are told piece by piece what is taken for what.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from companion.table.pairing import pair
from engine.play.actions import AcceptBoard, Shift
from engine.play.consent import find_obstacle
from engine.play.position import Position
from engine.play.rulings import BoardRefused, Obstacle
from engine.ranks import MOVABLE
from engine.sides import Side
from engine.squares import LAKES, ONLY, WIDTH, Square, SquareSet, set_of, squares_in
from firmware_bridge.difference import compare
from firmware_bridge.image import Image

_NOBODY: Final = 1_000_000
"""What it costs to have no piece for a place: more than all that pieces could ever go."""
_STEP: Final = 1_000
"""What a step costs. Where that leaves a choice, nobody goes far so that another may stay near."""


@dataclass(frozen=True)
class Claim:
    """The board is right: these pieces stand elsewhere, and those are off the board."""

    shifted: tuple[Shift, ...]
    removed: SquareSet

    def board(self, to_move: Side) -> AcceptBoard:
        """Return the action that it is with the side whose turn it is said to be."""
        return AcceptBoard(self.shifted, self.removed, to_move)


Claimed: TypeAlias = Claim | BoardRefused


def read_claim(position: Position, seen: Image) -> Claimed | None:
    """Say what would be taken over, or why it cannot be; None if the referee has it like that."""
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
    """How far a piece has gone, if it is the one that stands on a place."""
    if not _shows(position, seen, piece, place):
        return _NOBODY
    rows, columns = (abs(a - b) for a, b in zip(_where(piece), _where(place), strict=True))
    return _STEP * (rows + columns) + rows * rows + columns * columns


def _shows(position: Position, seen: Image, piece: Square, place: Square) -> bool:
    """Whether what is seen on a place can be the piece that was on a square."""
    side = Side.RED if position.squares(Side.RED) & ONLY[piece] else Side.BLUE
    return bool((seen.of(side) | seen.unknown) & ~LAKES & ONLY[place])


def _where(square: Square) -> tuple[int, int]:
    return divmod(square, WIDTH)


def _too_many(
    position: Position, seen: Image, fixed: SquareSet, empty: list[Square]
) -> BoardRefused:
    """Say what stands in the way if there is nobody for some places.

    That may be because those who are missing can only be bombs or the flag.
    """
    bombs = [
        each
        for each in squares_in(fixed)
        if any(_shows(position, seen, each, place) for place in empty)
    ]
    if bombs:
        return BoardRefused(Obstacle.BOMB_OR_FLAG, set_of(bombs))
    return BoardRefused(Obstacle.TOO_MANY, set_of(empty))
