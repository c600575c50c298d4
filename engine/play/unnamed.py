"""Ranks that were declared under silent defence and stayed unnamed.

They are known to the referee and to their owner. Whatever everybody hears must be the same
whichever rank it is: so the rules are judged by public facts alone, and what the sealed rank says
besides is told to its owner.
"""

from engine.legality.board import Piece
from engine.play import advance
from engine.play.position import Position
from engine.play.rulings import Contradiction


def drop_if_disproved(
    position: Position, piece: Piece
) -> tuple[Position, tuple[Contradiction, ...]]:
    """Forget the unnamed rank of a piece whose turn has just shown that it cannot be true.

    Its owner has lied or moves the wrong piece, and is told so; everybody else has seen a legal
    turn. When the piece fights again, its owner is asked anew.
    """
    side = position.to_move.other
    player = position.player(side)
    sealed = player.unnamed.get(piece)
    proof = sealed and player.dossier.refute(piece, sealed.unseal(), attacks=False)
    if not proof:
        return position, ()
    kept = {other: rank for other, rank in player.unnamed.items() if other != piece}
    contradiction = Contradiction(side, proof, position.edition.cite(proof.ground.rule))
    return advance.set_right(position, side, player.keeping(kept)), (contradiction,)
