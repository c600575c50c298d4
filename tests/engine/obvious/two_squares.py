"""The two-squares rule, in our words and in those of the federation."""

from dataclasses import dataclass

from tests.engine.obvious.armies import Piece
from tests.engine.obvious.board import SQUARES, crossed, path


@dataclass(frozen=True)
class MadeMove:
    """A move or an attack that was made; an infiltrator that stays goes from its square to it."""

    piece: Piece
    source: str
    target: str


def goes_to_and_fro(
    own_moves: list[MadeMove], piece: Piece, source: str, target: str, limit: int
) -> bool:
    """Whether the proposed move crosses a border once more than is allowed in a row.

    Walk back over the player's own latest moves while they chain: each was made by this piece and
    ended where the next began. Count how many of them crossed the border without a gap.
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
    """Whether the proposed move breaks the rule as the federation words it.

    A piece may not move more than `limit` times without a stop between the same two squares. A
    scout's move starts on its starting square and every square it steps over, and ends on its
    final square and every square it steps over.
    """
    series = [*own_moves[-limit:], MadeMove(piece, source, target)]
    if len(series) <= limit or any(move.piece is not piece for move in series):
        return False
    starts = [path(move.source, move.target)[:-1] for move in series]
    ends = [path(move.source, move.target)[1:] for move in series]
    for one in SQUARES:
        for other in SQUARES:
            there_and_back = [
                (one, other) if n % 2 == 0 else (other, one) for n in range(limit + 1)
            ]
            if one != other and all(
                a in start and b in end
                for (a, b), start, end in zip(there_and_back, starts, ends, strict=True)
            ):
                return True
    return False
