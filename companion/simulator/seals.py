"""The army commitments of simulated players before a game with sealed armies, and their openings.

The salts are not random: a resumed game has to reproduce them, and simulated players need no
secrecy from a reader of the program.
"""

from collections.abc import Mapping

from engine.board.board import Piece
from engine.board.geometry import Side
from engine.board.ranks import Rank
from engine.deduction.commitment import SALT_BYTES, Opening, Pledge


def opening(piece: Piece, rank: Rank) -> Opening:
    return Opening(rank, piece.to_bytes(SALT_BYTES, "big").hex())


def pledge(side: Side, ranks: Mapping[Piece, Rank]) -> Pledge:
    """Return the army commitment of a side whose pieces have these ranks."""
    return Pledge.of(side, {piece: opening(piece, rank) for piece, rank in ranks.items()})
