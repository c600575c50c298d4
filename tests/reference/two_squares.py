"""Both forms of the two-squares rule, each implemented twice independently.

According to the rulebooks, a piece may not move too often between the same two squares. According
to the federation's rules, a piece may not cross the same square edge too often. A scout therefore
cannot evade the rule with longer moves.
"""

from dataclasses import dataclass

from tests.reference.board import crossed, path
from tests.reference.pieces import Piece


@dataclass(frozen=True)
class MadeMove:
    """A move or an attack. A guess counts as a move from a square to itself."""

    piece: Piece
    source: str
    target: str


# The rule in the rulebooks


def shuttles(own_moves: list[MadeMove], piece: Piece, source: str, target: str, limit: int) -> bool:
    """Whether a move would exceed the limit on consecutive moves between two squares.

    Count the player's moves, beginning with the latest one. Stop at a move by another piece or
    between other squares.
    """
    count = 0
    for move in reversed(own_moves):
        there = (move.source, move.target) == (source, target)
        back = (move.target, move.source) == (source, target)
        if move.piece is not piece or not (there or back):
            break
        count += 1
    return source != target and count >= limit


def shuttles_in_other_words(
    own_moves: list[MadeMove], piece: Piece, source: str, target: str, limit: int
) -> bool:
    """Whether the piece's last `limit + 1` turns would all begin and end on the same two
    squares."""
    last_moves = [*own_moves, MadeMove(piece, source, target)][-(limit + 1) :]
    pieces = {move.piece for move in last_moves}
    ends = {frozenset([move.source, move.target]) for move in last_moves}
    squares = {square for move in last_moves for square in (move.source, move.target)}
    return len(last_moves) == limit + 1 and len(pieces) == len(ends) == 1 and len(squares) == 2


# The federation's rule


def moves_to_and_fro(
    own_moves: list[MadeMove], piece: Piece, source: str, target: str, limit: int
) -> bool:
    """Whether a move would exceed the limit on consecutive crossings of a square edge.

    Go back over the player's moves. Stop at a move by another piece, or at a move that did not end
    where the next one began. Count the uninterrupted crossings of each square edge.
    """
    for border in crossed(source, target):
        count = 0
        began = source
        for move in reversed(own_moves):
            if move.piece is not piece or move.target != began:
                break
            if border not in crossed(move.source, move.target):
                break
            count += 1
            began = move.source
        if count >= limit:
            return True
    return False


def goes_between_two_squares(
    own_moves: list[MadeMove], piece: Piece, source: str, target: str, limit: int
) -> bool:
    """Whether a move would break the rule as the federation words it.

    A piece may not move more than `limit` times in a row between the same two squares. A scout's
    move counts as starting and ending on every square that it passes.
    """
    series = [*own_moves[-limit:], MadeMove(piece, source, target)]
    if len(series) <= limit or any(move.piece is not piece for move in series):
        return False
    starts = [path(move.source, move.target)[:-1] for move in series]
    ends = [path(move.source, move.target)[1:] for move in series]
    for one in starts[0]:
        for other in ends[0]:
            there_and_back = [
                (one, other) if n % 2 == 0 else (other, one) for n in range(limit + 1)
            ]
            if one != other and all(
                a in start and b in end
                for (a, b), start, end in zip(there_and_back, starts, ends, strict=True)
            ):
                return True
    return False
