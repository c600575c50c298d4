"""Precomputed moves and attacks for every square.

Legal moves are found by lookup: by the free and the opposing squares next to a piece, and for a
scout by the blocked squares in each direction.
"""

from collections.abc import Callable
from itertools import chain, combinations
from typing import Final, TypeVar

from engine.board.geometry import LINES, NEIGHBOURS, SQUARES, Square, SquareSet, set_of
from engine.game.actions import Attack, Move
from engine.rules.movement import RAYS, scout_path

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
STEP_ATTACKS: Final = tuple(map(_to_any, ATTACKS, NEIGHBOURS))


class _ScoutMoveCache(dict[SquareSet, tuple[tuple[Move, ...], SquareSet, Attack]]):
    """Long moves, target square of the long attack, and the attack; by the blocked squares ahead.

    The target square is an empty set if no piece can be reached from afar. Each case is computed
    once.
    """

    def __init__(self, source: Square, ray: tuple[Square, ...]) -> None:
        super().__init__()
        self._source, self._ray = source, ray

    def __missing__(self, blocked: SquareSet) -> tuple[tuple[Move, ...], SquareSet, Attack]:
        free, stop = scout_path(self._ray, blocked)
        moves = tuple(MOVES[self._source][target] for target in free[1:])
        met = 1 << stop if stop is not None and free else 0
        attack = ATTACKS[self._source][self._ray[-1] if stop is None else stop]
        found = self[blocked] = moves, met, attack
        return found


SCOUT_MOVES: Final = tuple(
    tuple((set_of(ray), _ScoutMoveCache(source, ray)) for ray in RAYS[source] if len(ray) > 1)
    for source in SQUARES
)
"""By source and direction: the squares ahead, and a scout's moves beyond one step."""
