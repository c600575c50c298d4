"""Validation of the setup of two armies before the first move.

All faults are reported together, so that the players can correct all of them at once.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine.board.geometry import LAKES, Side, Square, SquareSet, set_of
from engine.board.ranks import Army, Rank
from engine.rules.editions import Edition
from engine.rules.rules import Rule, Violation, ViolationKind


@dataclass(frozen=True)
class Placed:
    """A piece that was set up, with its rank if known."""

    square: Square
    side: Side
    rank: Rank | None = None


def find_faults(edition: Edition, pieces: Sequence[Placed]) -> tuple[Violation, ...]:
    """Return all faults of a setup, or an empty tuple if both armies are set up correctly."""
    citation = edition.cite(Rule.SETUP)
    found = []
    for side in Side:
        army = [piece for piece in pieces if piece.side is side]
        squares, count = set_of(piece.square for piece in army), len(army)
        if count != edition.army_of(side).size:
            found.append(Violation(ViolationKind.WRONG_COUNT, squares, citation, count, side))
        elif wrong := _find_wrong_ranks(edition.army_of(side), army):
            found.append(Violation(ViolationKind.WRONG_ARMY, wrong, citation, count, side))
        if outside := squares & ~side.home & ~LAKES:
            found.append(Violation(ViolationKind.OUTSIDE_HOME, outside, citation, side=side))
    if drowned := set_of(piece.square for piece in pieces) & LAKES:
        found.append(Violation(ViolationKind.ON_LAKE, drowned, citation))
    standing = Counter(piece.square for piece in pieces)
    if shared := set_of(square for square, count in standing.items() if count > 1):
        found.append(Violation(ViolationKind.SHARED_SQUARE, shared, citation))
    return tuple(found)


def _find_wrong_ranks(army: Army, pieces: Sequence[Placed]) -> SquareSet:
    """Return the squares of the pieces whose rank occurs too often or too rarely in an army."""
    counts = Counter(piece.rank for piece in pieces)
    if None in counts:
        return 0
    return set_of(
        piece.square
        for piece in pieces
        if piece.rank is not None and counts[piece.rank] != army.counts[piece.rank]
    )
