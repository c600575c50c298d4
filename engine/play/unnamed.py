"""Ranks that were declared under silent defence and stayed unnamed.

They are known to the referee and to their owner. Whatever everybody hears must be the same
whichever rank it is: so the rules are judged by public facts alone, and what the sealed rank says
besides is told to its owner. Even whether the owner is asked again follows from public facts: a
player who was asked only because the sealed rank has turned out to be a lie would be known to have
lied.
"""

from engine.legality.board import Piece
from engine.play.player import Player
from engine.play.position import Position
from engine.play.rulings import Contradiction
from engine.ranks import Rank
from engine.secrecy import Secret


def answer_of(player: Player, piece: Piece) -> Secret[Rank] | None:
    """Return the sealed rank with which a piece answers, None if its owner is to be asked.

    A piece that has shown something new by its own turn since is asked again, whether or not that
    disproves what it had declared.
    """
    sealed = player.sealed.get(piece)
    return sealed if sealed and not player.dossier.has_moved_after_winning(piece) else None


def tell_if_disproved(before: Position, after: Position, piece: Piece) -> tuple[Contradiction, ...]:
    """Tell the owner if a turn of a piece has just shown that its sealed rank cannot be true.

    The owner has lied or moves the wrong piece; everybody else has seen a legal turn.
    """
    side = after.to_move.other
    if piece not in before.player(side).sealed or piece not in before.player(side).unnamed:
        return ()
    sealed = before.player(side).unnamed[piece]
    proof = after.player(side).dossier.refute(piece, sealed.unseal(), attacks=False)
    if proof is None:
        return ()
    return (Contradiction(side, proof, after.edition.cite(proof.ground.rule)),)
