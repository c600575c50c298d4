"""An arbiter's corrections of the referee's records.

A correction changes what is known from here on: the proofs are derived again, and the pieces whose
possible ranks change are published. Earlier decisions remain.
"""

from engine.legality.board import Piece
from engine.play import advance
from engine.play.actions import Exchanged, Mistake, NoLongMove, WrongRank
from engine.play.attacks import count_fallen
from engine.play.moment import Judgement, Moment, OutOfPhaseError, settled
from engine.play.position import Position
from engine.play.rulings import Corrected, CorrectionRefused
from engine.sides import Side
from engine.squares import SquareSet, set_of, squares_in


def can_correct(position: Position, mistake: Mistake) -> bool:
    """Whether a mistake can have been made in this position."""
    sides = [_side_of(position, piece) for piece in _pieces(mistake)]
    side = sides[0]
    if side is None or any(other is not side for other in sides):
        return False
    dossier = position.player(side).dossier
    match mistake:
        case WrongRank():
            return dossier.is_revealed(mistake.piece)
        case Exchanged():
            return mistake.piece != mistake.other
        case NoLongMove():
            return dossier.has_long_move(mistake.piece)


def correct(moment: Moment, mistake: Mistake) -> Judgement:
    """Apply a correction; it is refused with the proof if it is impossible."""
    position = moment.position
    if not can_correct(position, mistake):
        raise OutOfPhaseError("nothing of the kind has been taken down")
    side = _side_of(position, _pieces(mistake)[0])
    assert side
    corrected = _corrected(position, side, mistake)
    if isinstance(corrected, CorrectionRefused):
        return moment, (corrected,)
    squares = tuple(_square(corrected, piece) for piece in _pieces(mistake))
    told = Corrected(mistake, squares, _find_changed(position, corrected, side))
    after, rulings = settled(corrected)
    return after, (told, *rulings)


def _corrected(position: Position, side: Side, mistake: Mistake) -> Position | CorrectionRefused:
    player = position.player(side)
    match mistake:
        case WrongRank(piece, rank):
            proof = player.dossier.forgetting_shown(piece).refute(piece, rank, attacks=False)
            proof = count_fallen(player, proof)
            if proof:
                citation = position.edition.cite(proof.ground.rule)
                return CorrectionRefused(_square(position, piece), proof, citation)
            dossier = player.dossier.correcting(piece, rank, ply=position.plies)
            return advance.set_right(position, side, player.knowing(dossier))
        case NoLongMove(piece):
            dossier = player.dossier.forgetting_long_move(piece)
            return advance.set_right(position, side, player.knowing(dossier))
        case Exchanged(piece, other):
            return advance.exchange(position, _square(position, piece), _square(position, other))


def _pieces(mistake: Mistake) -> tuple[Piece, ...]:
    match mistake:
        case Exchanged(piece, other):
            return piece, other
    return (mistake.piece,)


def _side_of(position: Position, piece: Piece) -> Side | None:
    """Return the owner of a piece, None if the piece is off the board."""
    square = position.find(piece)
    return None if square is None else position.board.side_at(square)


def _square(position: Position, piece: Piece) -> int:
    square = position.find(piece)
    assert square is not None
    return square


def _find_changed(before: Position, after: Position, side: Side) -> SquareSet:
    """Return the squares whose possible ranks differ between the two positions."""
    return set_of(
        square
        for square in squares_in(before.squares(side))
        if before.ranks_at(square) != after.ranks_at(square)
    )
