"""How pieces go from one square to another (docs/rules.md).

The referee does not know ranks, so movement is asked for the set of ranks that a piece may still
have: a way is open to the piece if one of them allows it.
"""

from collections.abc import Iterator
from typing import Final

from engine.ranks import MOVABLE, SCOUTS, RankSet
from engine.rulebook.faults import Fault
from engine.squares import (
    ALL,
    BESIDE,
    BETWEEN,
    LAKES,
    NEIGHBOURS,
    ONLY,
    SQUARES,
    WIDTH,
    Square,
    SquareSet,
    set_of,
    squares_in,
)

_FIRST_COLUMN: Final = set_of(range(0, WIDTH * WIDTH, WIDTH))
_LAST_COLUMN: Final = _FIRST_COLUMN << WIDTH - 1
LAND: Final[SquareSet] = ALL & ~LAKES
"""Every square on which a piece can stand."""


def _by_ground(source: Square, target: Square) -> Fault | SquareSet:
    """Say what in the ground forbids a way, else which squares lie between."""
    between = BETWEEN[source][target]
    if between is None:
        return Fault.NOT_STRAIGHT
    if LAKES >> target & 1:
        return Fault.INTO_LAKE
    return Fault.ACROSS_LAKE if between & LAKES else between


_WAYS: Final = tuple(
    {target: way for target in SQUARES if isinstance(way := _by_ground(source, target), int)}
    for source in SQUARES
)
"""By source and target: the squares between them, where the ground allows the way."""


def find_fault(
    own: SquareSet, enemy: SquareSet, source: Square, target: Square, ranks: RankSet
) -> Fault | None:
    """Say what forbids this move or attack by a piece of its owner, None if nothing does.

    `own` and `enemy` are the squares on which the pieces of the moving side and of the other one
    stand. Onto an opposing piece means an attack. `ranks` are those that the piece may still have.
    A bomb or flag is named as such before anything else that may be wrong with its move.
    """
    if not ranks & MOVABLE:
        return Fault.IMMOBILE
    between = _WAYS[source].get(target)
    if between is None:
        fault = _by_ground(source, target)
        assert isinstance(fault, Fault)
        return fault
    if own & ONLY[target]:
        return Fault.ONTO_OWN_PIECE
    if not between:
        return None
    if between & (own | enemy):
        return Fault.PIECE_IN_THE_WAY
    return None if ranks & SCOUTS else Fault.TOO_FAR


def find_owner_fault(own: SquareSet, enemy: SquareSet, source: Square) -> Fault | None:
    """Say why the moving side has no piece to move on a square, None if it has one."""
    if own & ONLY[source]:
        return None
    return Fault.NOT_YOUR_PIECE if enemy & ONLY[source] else Fault.NO_PIECE


def could_go(own: SquareSet, enemy: SquareSet, source: Square, target: Square) -> bool:
    """Whether a piece of some rank could move or attack this way."""
    return find_fault(own, enemy, source, target, SCOUTS) is None


def is_long_move(source: Square, target: Square) -> bool:
    """Whether the way is longer than one square and so proves a scout."""
    return target not in NEIGHBOURS[source]


def with_room(own: SquareSet) -> SquareSet:
    """The squares from which a piece could make a single step, if it can move at all."""
    free = LAND & ~own
    return own & (
        free << WIDTH | free >> WIDTH | (free & ~_LAST_COLUMN) << 1 | (free & ~_FIRST_COLUMN) >> 1
    )


class _Rays(dict[SquareSet, tuple[tuple[Square, ...], Square | None]]):
    """What a scout finds in one direction, by what blocks it there: reckoned once for each case.

    The far squares that it can go to, beyond its neighbour, and the first blocked square.
    """

    def __init__(self, way: tuple[Square, ...]) -> None:
        super().__init__()
        self._way = way

    def __missing__(self, blocked: SquareSet) -> tuple[tuple[Square, ...], Square | None]:
        reached = []
        first = None
        for square in self._way:
            if blocked >> square & 1:
                first = square
                break
            reached.append(square)
        found = self[blocked] = tuple(reached[1:]), first
        return found


def _ahead(source: Square, neighbour: Square) -> tuple[Square, ...]:
    """The squares in one direction, up to the edge of the board."""
    way, step = [neighbour], neighbour - source
    while way[-1] + step in NEIGHBOURS[way[-1]]:
        way.append(way[-1] + step)
    return tuple(way)


_RAYS: Final = tuple(
    tuple(
        (set_of(way), _Rays(way))
        for way in (_ahead(square, neighbour) for neighbour in NEIGHBOURS[square])
    )
    for square in range(WIDTH * WIDTH)
)
"""For every square and direction: the squares ahead, and what a scout finds there."""


def long_moves(
    own: SquareSet, enemy: SquareSet, source: Square
) -> tuple[list[Square], list[Square]]:
    """List where a scout can move further than one square, and what it can attack from afar."""
    blocked = own | enemy | LAKES
    beside = BESIDE[source]
    moves: list[Square] = []
    attacks: list[Square] = []
    for ahead, found in _RAYS[source]:
        reached, first = found[blocked & ahead]
        if reached:
            moves += reached
        if first is not None and enemy >> first & 1 and not beside >> first & 1:
            attacks.append(first)
    return moves, attacks


def reach(own: SquareSet, enemy: SquareSet, source: Square) -> list[Square]:
    """List where a scout on `source` could go, and what it could attack."""
    moves, attacks = long_moves(own, enemy, source)
    return [*steps(own, source), *moves, *attacks]


def steps(own: SquareSet, source: Square) -> Iterator[Square]:
    """Give the squares that a piece has room to step onto or to attack from beside them."""
    return squares_in(BESIDE[source] & LAND & ~own)
