"""The two-squares rule (rules.md §5).

A piece may not cross the same border between two neighbouring squares more than LIMIT times in a
row. "In a row" means: in the own latest moves without a gap, all made by this piece. So only the
borders that the latest move crossed can have a count at all, and the count of each is one more than
the latest move found there. That is the whole bookkeeping, for single steps and scouts alike.
"""

from dataclasses import dataclass, field

from engine.board import Piece
from engine.sides import Side
from engine.squares import Border, Square, borders


@dataclass
class _Chain:
    """The running to and fro of one side: whose it is and how often each border was crossed."""

    piece: Piece | None = None
    crossed: dict[Border, int] = field(default_factory=dict)

    def break_off(self) -> None:
        self.piece = None
        self.crossed = {}


class TwoSquares:
    """Counts how often in a row the piece that each side moved last has crossed a border."""

    def __init__(self, limit: int) -> None:
        """Allow `limit` crossings of a border in a row."""
        self._limit = limit
        self._chains = {side: _Chain() for side in Side}

    def worn_out(self, side: Side, piece: Piece, source: Square, target: Square) -> Border | None:
        """Return the first border of the proposed move that may not be crossed again, or None."""
        chain = self._chains[side]
        if chain.piece != piece:
            return None
        for border in borders(source, target):
            if chain.crossed.get(border, 0) >= self._limit:
                return border
        return None

    def record(self, side: Side, piece: Piece, source: Square, target: Square) -> None:
        """Count a move or attack that was made; an attack counts like a move."""
        chain = self._chains[side]
        before = chain.crossed if chain.piece == piece else {}
        chain.crossed = {}
        for border in borders(source, target):
            chain.crossed[border] = before.get(border, 0) + 1
        chain.piece = piece

    def interrupt(self, side: Side) -> None:
        """Note a turn in which the side went from no square to another in a straight line."""
        self._chains[side].break_off()
