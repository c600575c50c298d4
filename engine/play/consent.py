"""What both players agree about the board: it is right, and the referee takes it over.

Consent says where the pieces stand and whose turn it is, and nothing about ranks. So it cannot put
a piece elsewhere that everybody knows to be a bomb or the flag: those never move, and the referee
would have to forget what was shown. Nor can a known flag leave the board, as its loss is the end of
a game; who has lost it resigns.
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
    """Take over what the players agree on, unless it cannot be so."""
    position = moment.position
    if refused := find_obstacle(position, action):
        return moment, (refused,)
    accepted = advance.accept(position, action.shifted, action.removed, action.to_move)
    told = BoardAccepted(action.shifted, action.removed, action.to_move)
    after, rulings = settled(accepted)
    return after, (told, *rulings)


def find_obstacle(position: Position, board: AcceptBoard) -> BoardRefused | None:
    """Say why a board cannot be taken over, None if it can.

    Raises OutOfPhaseError if no board can be meant by it.
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
    """Every piece has one place, and every place one piece."""
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
