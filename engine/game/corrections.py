"""Corrections to the referee's records.

An arbiter can correct a mistake, or the players can agree that the actual board is right.

An arbiter's correction changes the known facts from then on. The possible ranks are derived again,
and the pieces whose possible ranks change are announced. Earlier decisions still stand.
"""

from collections import Counter

from engine.board import OutOfPhaseError
from engine.board.board import Piece
from engine.board.geometry import LAKES, Side, SquareSet, set_of, squares_in
from engine.board.ranks import MOVABLE, Rank
from engine.game import position_updates, rulings
from engine.game.actions import AdoptBoard, Correction, NotAScout, RankCorrection, SwapCorrection
from engine.game.game_state import GameState, Judgement, after_turn
from engine.game.handle_attacks import count_fallen
from engine.game.position import Position


def can_correct(position: Position, mistake: Correction) -> bool:
    sides = [_side_of(position, piece) for piece in _pieces(mistake)]
    side = sides[0]
    if side is None or any(other is not side for other in sides):
        return False
    deduction = position.player(side).deduction
    match mistake:
        case RankCorrection():
            return deduction.is_revealed(mistake.piece)
        case SwapCorrection():
            return mistake.piece != mistake.other
        case NotAScout():
            return deduction.has_long_move(mistake.piece)


def correct(state: GameState, mistake: Correction) -> Judgement:
    """Apply a correction, or reject it and return the proof that it is impossible."""
    position = state.position
    if not can_correct(position, mistake):
        raise OutOfPhaseError("a mistake that can be corrected in this position", mistake)
    side = _side_of(position, _pieces(mistake)[0])
    assert side
    corrected = _corrected(position, side, mistake)
    if isinstance(corrected, rulings.CorrectionRefused):
        return state, (corrected,)
    squares = tuple(_square(corrected, piece) for piece in _pieces(mistake))
    ruling = rulings.Corrected(mistake, squares, _find_changed(position, corrected, side))
    after, consequences = after_turn(corrected)
    return after, (ruling, *consequences)


def _corrected(
    position: Position, side: Side, mistake: Correction
) -> Position | rulings.CorrectionRefused:
    player = position.player(side)
    match mistake:
        case RankCorrection(piece, rank):
            proof = player.deduction.without_revealed(piece).refute(piece, rank, attacks=False)
            proof = count_fallen(player, proof)
            if proof:
                citation = position.edition.cite(proof.ground.rule)
                return rulings.CorrectionRefused(_square(position, piece), proof, citation)
            deduction = player.deduction.with_correction(piece, rank, ply=position.plies)
            return position_updates.with_player(position, side, player.with_deduction(deduction))
        case NotAScout(piece):
            deduction = player.deduction.without_long_move(piece)
            return position_updates.with_player(position, side, player.with_deduction(deduction))
        case SwapCorrection(piece, other):
            return position_updates.exchange(
                position, _square(position, piece), _square(position, other)
            )


def _pieces(mistake: Correction) -> tuple[Piece, ...]:
    match mistake:
        case SwapCorrection(piece, other):
            return piece, other
    return (mistake.piece,)


def _side_of(position: Position, piece: Piece) -> Side | None:
    """Return the owner of a piece, or None if the piece is off the board."""
    square = position.find(piece)
    return None if square is None else position.board.side_at(square)


def _square(position: Position, piece: Piece) -> int:
    square = position.find(piece)
    assert square is not None
    return square


def _find_changed(before: Position, after: Position, side: Side) -> SquareSet:
    return set_of(
        square
        for square in squares_in(before.squares(side))
        if before.ranks_at(square) != after.ranks_at(square)
    )


def accept_board(state: GameState, action: AdoptBoard) -> Judgement:
    """Adopt the board on which the players agree, unless it is impossible.

    The agreement covers the squares of the pieces and the side to move, but no ranks. It therefore
    cannot move a piece that is publicly known to be a bomb or the flag. Bombs and flags never move,
    so the referee would have to drop a revealed rank. A known flag cannot leave the board either,
    because the loss of a flag ends a game. The owner of the flag should resign instead.
    """
    position = state.position
    if refused := find_adoption_error(position, action):
        return state, (refused,)
    accepted = position_updates.accept(position, action.shifted, action.removed, action.to_move)
    ruling = rulings.BoardAdopted(action.shifted, action.removed, action.to_move)
    after, consequences = after_turn(accepted)
    return after, (ruling, *consequences)


def find_adoption_error(position: Position, board: AdoptBoard) -> rulings.AdoptionRejected | None:
    """Return the reason why a board cannot be adopted, or None if it can be.

    Raises OutOfPhaseError if the described board is impossible.
    """
    _check(position, board)
    immobile = set_of(
        shift.source for shift in board.shifted if not position.ranks_at(shift.source) & MOVABLE
    )
    if immobile:
        return rulings.AdoptionRejected(rulings.AdoptionError.BOMB_OR_FLAG, immobile)
    flags = set_of(
        square
        for square in squares_in(board.removed)
        if position.ranks_at(square) == 1 << Rank.FLAG
    )
    return rulings.AdoptionRejected(rulings.AdoptionError.FLAG, flags) if flags else None


def _check(position: Position, board: AdoptBoard) -> None:
    """Check that every piece has exactly one square, and no square has two pieces."""
    occupied = position.own | position.enemy
    sources = Counter(shift.source for shift in board.shifted)
    sources.update(squares_in(board.removed))
    targets = Counter(shift.target for shift in board.shifted)
    left, taken = set_of(sources), set_of(targets)
    twice = max((*sources.values(), *targets.values()), default=1) > 1
    if twice or left & ~occupied or taken & (occupied & ~left | LAKES):
        raise OutOfPhaseError("one square for each piece, and one piece on each square", board)
    is_same = not left and board.to_move is position.to_move
    if is_same or any(shift.source == shift.target for shift in board.shifted):
        raise OutOfPhaseError("a board that differs from the referee's position", board)
