"""Measure of how well each player bluffed: how many ranks the opponent had to consider possible.

The number of ranks that a piece can have follows from the deduction, so the measure is exact:

    ranks(position) = sum of the possible ranks of all pieces of a side on the board / their number
    average         = mean of ranks(position) over the positions before each turn and at the end

If nothing is known about a side, the value is the number of ranks in its army, 12 in the classic
game. If everything is known, the value is 1. Only pieces on the board count, so the measure does
not depend on how many pieces are lost. docs/review.md explains the measure to players.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.analysis.game_review import GameReview
from engine.board.board import Piece
from engine.board.geometry import Side
from engine.board.ranks import MOVABLE, Rank, only_rank
from engine.game.position import Position


@dataclass(frozen=True)
class KeptSecret:
    """The piece of a side that moved for the longest time without its rank being known."""

    rank: Rank
    plies: int
    """Number of plies from its first move until its rank could be known, or until the end."""
    is_out: bool
    """Whether its rank could be known in the end."""


@dataclass(frozen=True)
class BluffReview:
    """The secrecy of one side's ranks during a game."""

    side: Side
    curve: tuple[float, ...]
    """Mean number of possible ranks per piece on the board: before each turn, and at the end."""
    hidden: int
    """Number of its pieces on the board at the end whose rank could not be known."""
    left: int
    """Number of its pieces on the board at the end."""
    secret: KeptSecret | None
    """The best-kept secret. None if no piece of a known rank has moved and then kept its secret for
    at least two plies."""

    @property
    def average(self) -> float:
        """Mean of the curve: how many ranks the opponent had to consider per piece."""
        return sum(self.curve) / len(self.curve)

    @property
    def stages(self) -> tuple[float, float, float]:
        """The curve at the beginning, halfway through the game, and at the end."""
        return self.curve[0], self.curve[len(self.curve) // 2], self.curve[-1]


def review_bluffs(review: GameReview) -> dict[Side, BluffReview]:
    """Return the measures of both sides; ValueError if the game has no turn."""
    if not review.turns:
        raise ValueError("the game has no turn")
    positions = [*review.positions]
    return {side: _review(review, positions, side) for side in Side}


def _review(review: GameReview, positions: Sequence[Position], side: Side) -> BluffReview:
    counts = _ranks_left(positions[-1], side)
    return BluffReview(
        side,
        tuple(_mean(_ranks_left(position, side)) for position in positions),
        hidden=sum(count > 1 for count in counts),
        left=len(counts),
        secret=_best_kept(review, positions, side),
    )


def _ranks_left(position: Position, side: Side) -> list[int]:
    """Return the number of possible ranks of each piece of a side on the board."""
    ranks = position.player(side).deduction.ranks
    return [ranks[piece].bit_count() for piece in position.board.standing(side)]


def _mean(counts: Sequence[int]) -> float:
    return sum(counts) / len(counts) if counts else 1.0


def _best_kept(review: GameReview, positions: Sequence[Position], side: Side) -> KeptSecret | None:
    """Return the secret that lasted longest; in a tie, the secret of the highest rank."""
    moved: dict[Piece, int] = {}
    known: dict[Piece, int] = {}
    for position in positions:
        deduction = position.player(side).deduction
        for piece in deduction.moved:
            moved.setdefault(piece, position.plies)
            if piece not in known and only_rank(deduction.possible(piece)) is not None:
                known[piece] = position.plies
    end = positions[-1].plies
    secrets = [
        KeptSecret(rank, known.get(piece, end) - since, piece in known)
        for piece, since in moved.items()
        if (rank := review.rank(piece)) is not None and MOVABLE >> rank & 1
    ]
    best = max(secrets, key=lambda secret: (secret.plies, secret.rank), default=None)
    return best if best and best.plies > 1 else None
