"""What simulated people seal before a game with sealed armies, and open in it.

Their numbers are not drawn by chance: a game that is taken up has to find them again, and
simulated people have nothing to hide from whoever can look into the program.
"""

from collections.abc import Mapping

from engine.knowledge.pledge import SALT_BYTES, Opening, Pledge
from engine.legality.board import Piece
from engine.ranks import Rank
from engine.sides import Side


def opening(piece: Piece, rank: Rank) -> Opening:
    """Return what opens the seal of a piece."""
    return Opening(rank, piece.to_bytes(SALT_BYTES, "big").hex())


def pledge(side: Side, ranks: Mapping[Piece, Rank]) -> Pledge:
    """Return what a side seals, whose pieces have these ranks."""
    return Pledge.of(side, {piece: opening(piece, rank) for piece, rank in ranks.items()})
