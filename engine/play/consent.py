"""Adopting the real board by agreement of both players.

The agreement covers the squares of the pieces and the side to move, but no ranks. It therefore
cannot move a piece that is publicly known to be a bomb or the flag: those never move, and the
referee would have to drop a revealed rank. Nor can a known flag leave the board, as its loss ends a
game; its owner resigns instead.
"""

from collections import Counter

from engine.play import advance
from engine.play.actions import AcceptBoard
from engine.play.moment import Judgement, Moment, OutOfPhaseError, settled
from engine.play.position import Position
from engine.play.rulings import BoardAccepted, BoardRefused, Obstacle
from engine.ranks import MOVABLE, Rank
from engine.squares import LAKES, set_of, squares_in


def accept_board(moment: Moment, action: AcceptBoard) -> Judgement:
    """Adopt the board that the players agree on, unless it is impossible."""
    position = moment.position
    if refused := find_obstacle(position, action):
        return moment, (refused,)
    accepted = advance.accept(position, action.shifted, action.removed, action.to_move)
    told = BoardAccepted(action.shifted, action.removed, action.to_move)
    after, rulings = settled(accepted)
    return after, (told, *rulings)


def find_obstacle(position: Position, board: AcceptBoard) -> BoardRefused | None:
    """Return the reason why a board cannot be adopted, None if it can.

    Raises OutOfPhaseError if no board can look like this.
    """
    _check(position, board)
    immobile = set_of(
        shift.source for shift in board.shifted if not position.ranks_at(shift.source) & MOVABLE
    )
    if immobile:
        return BoardRefused(Obstacle.BOMB_OR_FLAG, immobile)
    flags = set_of(
        square
        for square in squares_in(board.removed)
        if position.ranks_at(square) == 1 << Rank.FLAG
    )
    return BoardRefused(Obstacle.FLAG, flags) if flags else None


def _check(position: Position, board: AcceptBoard) -> None:
    """Check that every piece has one square, and every square one piece."""
    occupied = position.own | position.enemy
    sources = Counter(shift.source for shift in board.shifted)
    sources.update(squares_in(board.removed))
    targets = Counter(shift.target for shift in board.shifted)
    left, taken = set_of(sources), set_of(targets)
    twice = max((*sources.values(), *targets.values()), default=1) > 1
    if twice or left & ~occupied or taken & (occupied & ~left | LAKES):
        raise OutOfPhaseError("no board can look like that")
    is_same = not left and board.to_move is position.to_move
    if is_same or any(shift.source == shift.target for shift in board.shifted):
        raise OutOfPhaseError("the referee has that already")
