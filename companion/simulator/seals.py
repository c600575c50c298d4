"""What simulated people seal before a game with sealed armies, and open in it.

Their salts are not random: a game that is taken up has to find them again, and simulated people
have nothing to hide from anybody who can look into the program.
"""

from collections.abc import Mapping

from engine.knowledge.pledge import SALT_BYTES, Opening, Pledge
from engine.legality.board import Piece
from engine.ranks import Rank
from engine.sides import Side


def opening(piece: Piece, rank: Rank) -> Opening:
    """Return the opening of a piece."""
    return Opening(rank, piece.to_bytes(SALT_BYTES, "big").hex())


def pledge(side: Side, ranks: Mapping[Piece, Rank]) -> Pledge:
    """Return the pledge of a side whose pieces have these ranks."""
    return Pledge.of(side, {piece: opening(piece, rank) for piece, rank in ranks.items()})
