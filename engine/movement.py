"""Whether a piece could go from one square to another (rules.md §4).

The referee does not know ranks, so movement is asked for a set of ranks that the piece may still
have: the move is possible if one of them allows it.
"""

from collections.abc import Callable, Iterator
from typing import Final

from engine.board import Board, Piece
from engine.ranks import IMMOBILE, RUNNERS, RankSet
from engine.rules import Fault
from engine.sides import Side
from engine.squares import (
    ALL,
    BETWEEN,
    LAKES,
    NEIGHBOURS,
    WIDTH,
    Square,
    SquareSet,
    set_of,
)

_FIRST_COLUMN: Final = set_of(range(0, WIDTH * WIDTH, WIDTH))
_LAST_COLUMN: Final = _FIRST_COLUMN << WIDTH - 1
_STEPS: Final = ((WIDTH, ALL), (-WIDTH, ALL), (1, ALL & ~_LAST_COLUMN), (-1, ALL & ~_FIRST_COLUMN))
"""How far the next square is in each direction, and from which squares there is one."""


def find_fault(
    board: Board,
    side: Side,
    source: Square,
    target: Square,
    possible: Callable[[Piece], RankSet],
) -> Fault | None:
    """Say what forbids this move or attack by `side`, None if nothing does.

    Onto an opposing piece means an attack. `possible` tells the ranks that a piece may still have.
    A bomb or flag is named as such before anything else that may be wrong with its move.
    """
    own = board.of(side)
    if not own >> source & 1:
        return Fault.NOT_YOUR_PIECE if board.occupied >> source & 1 else Fault.NO_PIECE
    ranks = possible(board.piece_at(source))
    if not ranks & ~IMMOBILE:
        return Fault.IMMOBILE
    between = BETWEEN[source][target]
    if between is None:
        return Fault.NOT_STRAIGHT
    if LAKES >> target & 1:
        return Fault.INTO_LAKE
    if own >> target & 1:
        return Fault.ONTO_OWN_PIECE
    return _find_fault_between(board, between, ranks) if between else None


def _find_fault_between(board: Board, between: SquareSet, ranks: RankSet) -> Fault | None:
    """Say what forbids a run over these squares."""
    if between & LAKES:
        return Fault.ACROSS_LAKE
    if between & board.occupied:
        return Fault.PIECE_IN_THE_WAY
    return None if ranks & RUNNERS else Fault.TOO_FAR


def could_go(board: Board, side: Side, source: Square, target: Square) -> bool:
    """Whether a piece of some rank could move or attack this way."""
    return find_fault(board, side, source, target, lambda _: RUNNERS) is None


def is_run(source: Square, target: Square) -> bool:
    """Whether the move is longer than one square and so proves a scout (rules.md §4)."""
    return target not in NEIGHBOURS[source]


def reach(board: Board, source: Square) -> Iterator[Square]:
    """Give the squares that a scout on `source` could go to or attack, whatever stands there is."""
    own = board.side_at(source)
    for neighbour in NEIGHBOURS[source]:
        step = neighbour - source
        target = neighbour
        while not LAKES >> target & 1 and board.side_at(target) is not own:
            yield target
            onward = target + step
            if board.side_at(target) or onward not in NEIGHBOURS[target]:
                break
            target = onward


def steps(board: Board, side: Side) -> Iterator[tuple[Square, Square]]:
    """Give the single steps and attacks, source and target, that a side's pieces have room for."""
    own = board.of(side)
    free = ALL & ~(own | LAKES)
    for step, starts in _STEPS:
        from_here = own & starts
        targets = free & (from_here << step if step > 0 else from_here >> -step)
        while targets:
            lowest = targets & -targets
            target = lowest.bit_length() - 1
            yield target - step, target
            targets ^= lowest
