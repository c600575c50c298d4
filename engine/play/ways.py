"""Every move and attack that the board has room for, made once and for all.

Listing what is legal is looking it up: by the free and the opposing squares beside a piece, and for
a scout by what is blocked in each direction.
"""

from collections.abc import Callable
from itertools import chain, combinations
from typing import Final, TypeVar

from engine.legality.movement import RAYS, run
from engine.play.actions import Attack, Move
from engine.squares import LINES, NEIGHBOURS, SQUARES, Square, SquareSet, set_of

T = TypeVar("T", Move, Attack)


def _straight(make: Callable[[Square, Square], T]) -> tuple[dict[Square, T], ...]:
    return tuple(
        {target: make(source, target) for target in sorted(chain.from_iterable(LINES[source]))}
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


class _LongWays(dict[SquareSet, tuple[tuple[Move, ...], SquareSet, Attack]]):
    """By what is blocked ahead: the long moves, the square that a long attack meets, the attack.

    That square is an empty set if nothing can be met from afar. Each case is reckoned once.
    """

    def __init__(self, source: Square, ray: tuple[Square, ...]) -> None:
        super().__init__()
        self._source, self._ray = source, ray

    def __missing__(self, blocked: SquareSet) -> tuple[tuple[Move, ...], SquareSet, Attack]:
        free, stop = run(self._ray, blocked)
        moves = tuple(MOVES[self._source][target] for target in free[1:])
        met = 1 << stop if stop is not None and free else 0
        attack = ATTACKS[self._source][self._ray[-1] if stop is None else stop]
        found = self[blocked] = moves, met, attack
        return found


LONG_WAYS: Final = tuple(
    tuple((set_of(ray), _LongWays(source, ray)) for ray in RAYS[source] if len(ray) > 1)
    for source in SQUARES
)
"""By source and direction: the squares ahead, and what a scout can do there beyond one step."""
