"""Ranks that were declared under silent defence and stayed unnamed.

They are known to the referee and to their owner. All public rulings must be the same whichever rank
it is: therefore turns are judged by public facts alone, and consequences of the secret rank are
reported to its owner. Even whether the owner is asked again follows from public facts: otherwise, a
player who was asked only because the secret rank turned out to be a lie would be exposed.
"""

from engine.legality.board import Piece
from engine.play.player import Player
from engine.play.position import Position
from engine.play.rulings import Contradiction
from engine.ranks import Rank
from engine.secrecy import Secret


def answer_of(player: Player, piece: Piece) -> Secret[Rank] | None:
    """Return the secret rank declared for a piece, None if its owner has to be asked.

    The owner is asked again if a turn of the piece has revealed something new since, whether or not
    that disproves the declaration.
    """
    sealed = player.sealed.get(piece)
    return sealed if sealed and not player.dossier.has_moved_after_winning(piece) else None


def tell_if_disproved(before: Position, after: Position, piece: Piece) -> tuple[Contradiction, ...]:
    """Notify the owner if a turn of a piece has disproved its secret rank.

    The owner has lied or moves the wrong piece; to the opponent the turn is legal.
    """
    side = after.to_move.other
    if piece not in before.player(side).sealed or piece not in before.player(side).unnamed:
        return ()
    sealed = before.player(side).unnamed[piece]
    proof = after.player(side).dossier.refute(piece, sealed.unseal(), attacks=False)
    if proof is None:
        return ()
    return (Contradiction(side, proof, after.edition.cite(proof.ground.rule)),)
