"""Whether two armies stand as they have to before the first move (RULES §2).

All faults are found at once, so that players mend a setup in one go.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine.editions import Edition
from engine.ranks import Rank
from engine.rules import Fault
from engine.rulings import Violation
from engine.sides import Side
from engine.squares import LAKES, Square, SquareSet, set_of


@dataclass(frozen=True)
class Placed:
    """A piece that was set up, with its rank where that is known."""

    square: Square
    side: Side
    rank: Rank | None = None


def find_faults(edition: Edition, pieces: Sequence[Placed]) -> tuple[Violation, ...]:
    """Say everything that is wrong with a setup; nothing if both armies stand as they have to."""
    found: list[tuple[Fault, SquareSet]] = []
    for side in Side:
        army = [piece for piece in pieces if piece.side is side]
        squares = set_of(piece.square for piece in army)
        if len(army) != edition.army.size:
            found.append((Fault.WRONG_COUNT, squares))
        else:
            found.append((Fault.WRONG_ARMY, _of_wrong_ranks(edition, army)))
        found.append((Fault.OUTSIDE_HOME, squares & ~side.home & ~LAKES))
    found.append((Fault.ON_LAKE, set_of(piece.square for piece in pieces) & LAKES))
    standing = Counter(piece.square for piece in pieces)
    found.append((Fault.SHARED_SQUARE, set_of(s for s, count in standing.items() if count > 1)))
    return tuple(
        Violation(fault, squares, edition.cite(fault.rule))
        for fault, squares in found
        if squares or fault is Fault.WRONG_COUNT
    )


def _of_wrong_ranks(edition: Edition, army: Sequence[Placed]) -> SquareSet:
    """Find the pieces of the ranks that an army has too often or too seldom."""
    counts = Counter(piece.rank for piece in army)
    if None in counts:
        return 0
    return set_of(
        piece.square
        for piece in army
        if piece.rank is not None and counts[piece.rank] != edition.army.counts[piece.rank]
    )
