"""Every move and attack that the board has room for, made once and for all."""

from collections.abc import Callable
from itertools import combinations
from typing import Final, TypeVar

from engine.play.actions import Attack, Move
from engine.squares import NEIGHBOURS, SQUARES, Square, SquareSet, line, set_of

T = TypeVar("T", Move, Attack)


def _straight(make: Callable[[Square, Square], T]) -> tuple[dict[Square, T], ...]:
    return tuple(
        {target: make(source, target) for target in SQUARES if line(source, target)}
        for source in SQUARES
    )


MOVES: Final = _straight(Move)
"""By source and target."""
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
"""By source and the set of neighbouring squares: the moves onto them."""
STEP_ATTACKS: Final = tuple(map(_to_any, ATTACKS, NEIGHBOURS))
