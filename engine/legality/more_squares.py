"""The more-squares rule (ISF game rules, art. 11): no endless chase.

A piece that is next to where the opponent has just moved, and moves away, evades. A player whose
piece stops next to an opposing one threatens. As long as one side threatens with every move and the
other evades with every move, a chase is running. The chaser may not threaten a piece that has
evaded in this chase if that leads to a position, by the identity of the pieces, that has stood on
the board during the chase. Taking back the chaser's own move of just before is always allowed.

A piece that has fallen threatens nobody: whoever moves away from where an attacker fell does not
evade. An attack ends every chase, and may begin one. Ranks play no part in it.
"""

from typing import Final, NamedTuple, TypeAlias

from engine.legality.board import Board, PieceSet
from engine.sides import Side
from engine.squares import BESIDE, Square, squares_in

_RED = Side.RED

Past: TypeAlias = tuple[bytes | bytearray, ...]
"""The pieces on every square after each of the latest plies, as far back as a chase has run."""


class Chase(NamedTuple):
    """One player's running chase."""

    plies: int
    """How many plies of either side it lasts; 0 if none is running."""
    evaders: PieceSet
    """The opposing pieces that have evaded."""


NO_CHASE: Final = Chase(0, 0)
NEW_CHASE: Final = Chase(1, 0)
"""That of a player whose attack has come to stand next to an opposing piece."""


def repeated(board: Board, side: Side, chase: Chase, past: Past, way: tuple[Square, Square]) -> int:
    """Say how many plies ago the position that a move leads to has stood, if that forbids it; or 0.

    The move goes to an empty square, is allowed by all other rules, and does not take back the
    chaser's latest one.
    """
    source, target = way
    if chase.plies < 2 or not chase.evaders & _threatened(board, side, target):
        return 0
    position = board.shifted(source, target).pieces
    for plies_ago in range(1, chase.plies):
        if past[-1 - plies_ago] == position:
            return plies_ago
    return 0


def continued(
    board: Board, side: Side, own: Chase, other: Chase, target: Square, *, evades: bool
) -> tuple[Chase, Chase]:
    """Return both players' chases after a move of `side` to an empty square, its own first.

    `board` shows what came of it; `evades` says that the piece moved away from a threat.
    """
    evader = 1 << board.pieces[target]
    other = Chase(other.plies + 1, other.evaders | evader) if evades else NO_CHASE
    threatens = BESIDE[target] & (board.blue if side is _RED else board.red)
    return (Chase(own.plies + 1, own.evaders) if threatens else NO_CHASE), other


def _threatened(board: Board, side: Side, square: Square) -> PieceSet:
    """The opposing pieces next to a square."""
    pieces = 0
    for beside in squares_in(BESIDE[square] & board.of(side.other)):
        pieces |= 1 << board.pieces[beside]
    return pieces
