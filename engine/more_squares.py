"""The more-squares rule (RULES §6; ISF game rules, art. 11): no endless chase.

A piece that is next to where the opponent has just moved, and moves away, evades. A player whose
piece stops next to an opposing one threatens. As long as one side threatens with every move and the
other evades with every move, a chase is running. The chaser may not threaten a piece that has
evaded in this chase if that leads to a position, by the identity of the pieces, that has stood on
the board during the chase. Taking back the own move of just before is always allowed.

Ranks play no part in it.
"""

from dataclasses import dataclass, field

from engine.board import Board, Piece
from engine.sides import Side
from engine.squares import BESIDE, NEIGHBOURS, Square, squares_in

_BITS = 8
"""For each piece; more than twice the widest way on the board, so that no two positions agree."""


@dataclass
class _Chase:
    """The running chase of one side: how many plies it lasts and which pieces have evaded it."""

    plies: int = 0
    evaders: set[Piece] = field(default_factory=set)

    def end(self) -> None:
        self.plies = 0
        self.evaders.clear()


class MoreSquares:
    """Watches both sides for a chase that comes back to where it has been."""

    def __init__(self) -> None:
        """Start watching at the beginning of a game."""
        self._chases = {side: _Chase() for side in Side}
        self._last: dict[Side, tuple[Square, Square] | None] = dict.fromkeys(Side)
        # One number says where every piece stands: its square at the place of its identity. Only
        # the way from the start is counted, so that the start itself need not be known.
        self._position = 0
        self._positions: list[int] = [0]
        """The positions after every ply; attacks leave gaps in what can recur, but are kept."""

    def repeated(
        self, board: Board, side: Side, piece: Piece, source: Square, target: Square
    ) -> int | None:
        """Say how many plies ago the position that a move leads to has stood, if that forbids it.

        The move goes to an empty square and is allowed by all other rules.
        """
        chase = self._chases[side]
        if chase.plies < 2 or not chase.evaders or self._last[side] == (target, source):
            return None
        threatened = squares_in(BESIDE[target] & board.of(side.other))
        if chase.evaders.isdisjoint(map(board.piece_at, threatened)):
            return None
        position = _carried(self._position, piece, source, target)
        for plies_ago in range(1, chase.plies):
            if self._positions[-1 - plies_ago] == position:
                return plies_ago
        return None

    def record(
        self, board: Board, side: Side, piece: Piece, move: tuple[Square, Square], *, attack: bool
    ) -> None:
        """Take a completed move or attack; `board` shows what came of it."""
        source, target = move
        opponent = side.other
        chased, own = self._chases[opponent], self._chases[side]
        before = self._last[opponent]
        if before and before[1] in NEIGHBOURS[source]:
            chased.plies += 1
            chased.evaders.add(piece)
        else:
            chased.end()
        if attack:
            chased.end()
            own.end()
        survives = board.of(side) >> target & 1
        if survives and BESIDE[target] & board.of(opponent):
            own.plies += 1
        else:
            own.end()
        self._last[side] = move
        self._position = _carried(self._position, piece, source, target)
        self._positions.append(self._position)

    def interrupt(self, side: Side) -> None:
        """Note a turn of a side in which no piece moved; like an attack it ends every chase."""
        for chase in self._chases.values():
            chase.end()
        self._last[side] = None
        self._positions.append(self._position)


def _carried(position: int, piece: Piece, source: Square, target: Square) -> int:
    return position + (target - source << _BITS * piece)
