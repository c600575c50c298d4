"""Endless chases: what counts as one, told from whole positions."""

from dataclasses import dataclass

from tests.engine.obvious.armies import Piece
from tests.engine.obvious.board import next_to
from tests.engine.obvious.two_squares import MadeMove


@dataclass(frozen=True)
class PlayedPly:
    """A completed move, attack or infiltration, and where every piece stood after it."""

    move: MadeMove
    attack: bool
    standing: dict[str, Piece]

    @property
    def infiltration(self) -> bool:
        return self.move.source == self.move.target


Chase = tuple[int, list[Piece]]
"""How many plies a chase lasts, and which pieces have evaded it."""


def go_on(chase: Chase, chaser: str, ply: PlayedPly, before: PlayedPly | None) -> Chase:
    """Do with the chase of one side what the rules say after a ply; `before` is the ply before."""
    length, evaders = chase
    move, side = ply.move, ply.move.piece.side
    if ply.infiltration:
        return 0, []
    if side != chaser:
        came_near = before and not before.infiltration and before.move.target
        if came_near and came_near in next_to(move.source):
            length, evaders = length + 1, [*evaders, move.piece]
        else:
            length, evaders = 0, []
    if ply.attack:
        length, evaders = 0, []
    if side == chaser:
        stands = ply.standing.get(move.target) is move.piece
        beside = [ply.standing.get(near) for near in next_to(move.target)]
        if stands and any(other and other.side != side for other in beside):
            return length + 1, evaders
        return 0, []
    return length, evaders
