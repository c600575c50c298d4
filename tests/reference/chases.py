"""The more-squares rule, with threats, evasions, and the positions that a chase must not repeat.

No counters are kept: every query examines all plies again.
"""

from dataclasses import dataclass
from typing import NamedTuple

from tests.reference.board import next_to
from tests.reference.pieces import Piece, Standing
from tests.reference.two_squares import MadeMove


@dataclass(frozen=True)
class PlayedPly:
    """Completed turn, with the positions before and after it."""

    move: MadeMove
    before: Standing
    after: Standing

    @property
    def side(self) -> str:
        return self.move.piece.side

    @property
    def infiltration(self) -> bool:
        return self.move.source == self.move.target

    @property
    def attack(self) -> bool:
        return not self.infiltration and self.move.target in self.before


class Chase(NamedTuple):
    """A side's current chase. It has no plies if the side is not chasing."""

    plies: list[PlayedPly]
    evaders: list[Piece]
    """Enemy pieces that moved away, with one entry for each evasion."""


def threatened_by(ply: PlayedPly) -> list[Piece]:
    """Return the enemy pieces next to the piece that moved.

    An attacker that has fallen threatens no piece. Neither does an infiltrator that has guessed,
    because it has not moved.
    """
    piece, square = ply.move.piece, ply.move.target
    if ply.infiltration or ply.after.get(square) is not piece:
        return []
    beside = [ply.after[near] for near in next_to(square) if near in ply.after]
    return [other for other in beside if other.side != piece.side]


def evades(ply: PlayedPly, directly_before: PlayedPly) -> bool:
    """Whether a ply moves a piece away immediately after it has been threatened."""
    if ply.infiltration or ply.attack:
        return False
    return ply.move.piece in threatened_by(directly_before)


def chase_by(chaser: str, plies: list[PlayedPly]) -> Chase:
    """Return a side's current chase.

    Go back through the plies. Stop at a ply of the chaser that threatens no piece, or at a ply of
    the opponent that does not evade. An attack ends any earlier chase and may begin a new one.
    """
    found: list[PlayedPly] = []
    for number in reversed(range(len(plies))):
        ply = plies[number]
        if ply.side == chaser:
            belongs = bool(threatened_by(ply))
        else:
            belongs = number > 0 and evades(ply, plies[number - 1])
        if not belongs:
            break
        found.insert(0, ply)
        if ply.attack:
            break
    return Chase(found, [ply.move.piece for ply in found if ply.side != chaser])


def chases_endlessly(plies: list[PlayedPly], standing: Standing, source: str, target: str) -> bool:
    """Whether a move threatens an evader again and repeats a position of the same chase."""
    piece = standing[source]
    beside = [standing[near] for near in next_to(target) if near in standing]
    threatened = [other for other in beside if other.side != piece.side]
    if target in standing or not threatened or _takes_back(plies, piece, source, target):
        return False
    chase = chase_by(piece.side, plies)
    if not any(other in chase.evaders for other in threatened):
        return False
    resulting = {square: other for square, other in standing.items() if square != source}
    resulting[target] = piece
    return any(ply.after == resulting for ply in chase.plies)


def _takes_back(plies: list[PlayedPly], piece: Piece, source: str, target: str) -> bool:
    """Whether a move reverses the player's preceding move."""
    own = (ply.move for ply in reversed(plies) if ply.side == piece.side)
    return next(own, None) == MadeMove(piece, target, source)
