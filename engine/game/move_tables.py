"""Precomputed moves and attacks for every square.

Legal moves are found by lookup: by the free and the opposing squares next to a piece, and for a
piece that may be a scout by the blocked squares in its row and in its column.
"""

from collections.abc import Callable
from itertools import chain, combinations
from typing import Final, TypeVar

from engine.board.geometry import (
    BESIDE,
    LINES,
    NEIGHBOURS,
    ONLY,
    SQUARES,
    WIDTH,
    Square,
    SquareSet,
    set_of,
    squares_in,
)
from engine.game.actions import Attack, Move
from engine.rules.movement import RAYS

T = TypeVar("T", Move, Attack)


def _straight(make: Callable[[Square, Square], T]) -> tuple[dict[Square, T], ...]:
    return tuple(
        {target: make(source, target) for target in sorted(chain.from_iterable(LINES[source]))}
        for source in SQUARES
    )


MOVES: Final = _straight(Move)
"""Moves, by source and target."""
ATTACKS: Final = _straight(Attack)


def _to_any(
    made: dict[Square, T], neighbours: tuple[Square, ...]
) -> dict[SquareSet, tuple[T, ...]]:
    return {
        set_of(chosen): tuple(made[target] for target in sorted(chosen))
        for count in range(len(neighbours) + 1)
        for chosen in combinations(neighbours, count)
    }


STEP_MOVES: Final = tuple(map(_to_any, MOVES, NEIGHBOURS))
"""Single steps, by source and the set of target squares."""


class _ScoutMoveCache(dict[SquareSet, tuple[tuple[Move, ...], SquareSet]]):
    """Moves of a scout along one line, and the squares that stop it, by the line's blocked squares.

    Each case is computed once.
    """

    def __init__(self, source: Square, squares: tuple[Square, ...]) -> None:
        super().__init__()
        self._moves = tuple(MOVES[source][target] for target in squares)
        self._number = {square: number for number, square in enumerate(squares)}
        self._below = set_of(square for square in squares if square < source)

    def __missing__(self, blocked: SquareSet) -> tuple[tuple[Move, ...], SquareSet]:
        below = blocked & self._below
        above = blocked ^ below
        first, last, stops = 0, len(self._moves), 0
        if below:
            stop = below.bit_length() - 1
            first, stops = self._number[stop] + 1, ONLY[stop]
        if above:
            nearest = above & -above
            last, stops = self._number[nearest.bit_length() - 1], stops | nearest
        found = self[blocked] = self._moves[first:last], stops
        return found


class _AttackCache(dict[SquareSet, tuple[Attack, ...]]):
    """Attacks of one piece, by the set of their targets. Each case is computed once."""

    def __init__(self, source: Square) -> None:
        super().__init__()
        self._source = source

    def __missing__(self, targets: SquareSet) -> tuple[Attack, ...]:
        made = ATTACKS[self._source]
        found = self[targets] = tuple(made[target] for target in squares_in(targets))
        return found


def _in_line(source: Square, step: int) -> tuple[SquareSet, _ScoutMoveCache]:
    """Return the other squares of a row or column, and the moves of a scout in it."""
    rays = (ray for ray in RAYS[source] if abs(ray[0] - source) == step)
    squares = tuple(sorted(chain.from_iterable(rays)))
    return set_of(squares), _ScoutMoveCache(source, squares)


STEPS: Final = tuple(
    (BESIDE[source], STEP_MOVES[source], _AttackCache(source)) for source in SQUARES
)
"""By source: the squares beside it, the moves onto a set of these, and the attacks on any set."""
RUNS: Final = tuple((*_in_line(source, 1), *_in_line(source, WIDTH)) for source in SQUARES)
"""By source: the other squares of its row, a scout's moves in that row, and likewise its column."""
