"""The more-squares rule (rules.md §6; ISF game rules, art. 11): no endless chase.

A piece that is next to where the opponent has just moved, and moves away, evades. A player whose
piece stops next to an opposing one threatens. As long as one side threatens with every move and the
other evades with every move, a chase is running. The chaser may not threaten a piece that has
evaded in this chase if that leads to a position, by the identity of the pieces, that has stood on
the board during the chase. Taking back the own move of just before is always allowed.

Ranks play no part in it.
"""

from dataclasses import dataclass, field
from typing import Final

from engine.board import Board, Piece
from engine.sides import Side
from engine.squares import BESIDE, NEIGHBOURS, SQUARES, Square, squares_in

_BITS = 8
"""For each piece; more than twice the widest way on the board, so that no two positions agree."""
_STEP: Final = tuple(1 << _BITS * piece for piece in SQUARES)
"""What a position grows by when a piece goes one square further."""


@dataclass
class _Chaser:
    """One side: its latest move, how many plies its chase lasts and which pieces have evaded it."""

    last: tuple[Square, Square] | None = None
    plies: int = 0
    evaders: set[Piece] = field(default_factory=set)

    def give_up(self) -> None:
        if self.plies:
            self.plies = 0
            self.evaders.clear()


class MoreSquares:
    """Watches both sides for a chase that comes back to where it has been."""

    def __init__(self) -> None:
        """Start watching at the beginning of a game."""
        self._chasers = {side: _Chaser() for side in Side}
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
        chaser = self._chasers[side]
        if chaser.plies < 2 or not chaser.evaders or chaser.last == (target, source):
            return None
        threatened = squares_in(BESIDE[target] & board.of(side.other))
        if chaser.evaders.isdisjoint(map(board.piece_at, threatened)):
            return None
        position = self._position + (target - source) * _STEP[piece]
        for plies_ago in range(1, chaser.plies):
            if self._positions[-1 - plies_ago] == position:
                return plies_ago
        return None

    def record(
        self, board: Board, side: Side, piece: Piece, move: tuple[Square, Square], *, attack: bool
    ) -> None:
        """Take a completed move or attack; `board` shows what came of it."""
        source, target = move
        opponent = side.other
        own, chaser = self._chasers[side], self._chasers[opponent]
        if chaser.last and chaser.last[1] in NEIGHBOURS[source] and not attack:
            chaser.plies += 1
            chaser.evaders.add(piece)
        else:
            chaser.give_up()
        if attack:
            own.give_up()
        survives = board.of(side) >> target & 1
        if survives and BESIDE[target] & board.of(opponent):
            own.plies += 1
        else:
            own.give_up()
        own.last = move
        self._position += (target - source) * _STEP[piece]
        self._positions.append(self._position)

    def interrupt(self, side: Side) -> None:
        """Note a turn of a side in which no piece moved; like an attack it ends every chase."""
        for chaser in self._chasers.values():
            chaser.give_up()
        self._chasers[side].last = None
        self._positions.append(self._position)
