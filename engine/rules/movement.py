"""Movement of pieces, guesses by the infiltrator, and combat (docs/rules.md).

The referee does not know ranks, so a move is checked against the set of ranks that a piece could
still have. The move is allowed if any of these ranks allows it. In combat, both ranks are known.
"""

from collections.abc import Iterator
from enum import Enum
from functools import cache
from typing import Final

from engine.board.geometry import (
    ALL,
    BESIDE,
    BETWEEN,
    LAKES,
    NEIGHBOURS,
    ONLY,
    SQUARES,
    WIDTH,
    Side,
    Square,
    SquareSet,
    line,
    set_of,
    squares_in,
)
from engine.board.ranks import MOVABLE, SCOUTS, Rank, RankSet, rank_set
from engine.rules.rules import ViolationKind

_FIRST_COLUMN: Final = set_of(range(0, WIDTH * WIDTH, WIDTH))
_LAST_COLUMN: Final = _FIRST_COLUMN << WIDTH - 1
LAND: Final[SquareSet] = ALL & ~LAKES
"""Squares on which a piece can be placed."""


def _fault_or_path(source: Square, target: Square) -> ViolationKind | SquareSet:
    """Return the terrain rule that a move violates, or the squares between source and target."""
    between = BETWEEN[source][target]
    if between is None:
        return ViolationKind.NOT_STRAIGHT
    if LAKES >> target & 1:
        return ViolationKind.INTO_LAKE
    return ViolationKind.ACROSS_LAKE if between & LAKES else between


_WAYS: Final = tuple(
    {target: way for target in SQUARES if isinstance(way := _fault_or_path(source, target), int)}
    for source in SQUARES
)
"""Squares between source and target, for every move that the terrain permits."""


def find_fault(
    own: SquareSet, enemy: SquareSet, source: Square, target: Square, ranks: RankSet
) -> ViolationKind | None:
    """Return the violation committed by a move or attack, or None if the turn is legal.

    `own` and `enemy` are the squares occupied by the moving side and its opponent. `ranks` are the
    ranks that the piece could still have. A move onto an opposing piece is an attack. IMMOBILE
    takes precedence over all other violations.
    """
    if not ranks & MOVABLE:
        return ViolationKind.IMMOBILE
    between = _WAYS[source].get(target)
    if between is None:
        fault = _fault_or_path(source, target)
        assert isinstance(fault, ViolationKind)
        return fault
    if own & ONLY[target]:
        return ViolationKind.ONTO_OWN_PIECE
    if not between:
        return None
    if between & (own | enemy):
        return ViolationKind.PIECE_IN_THE_WAY
    return None if ranks & SCOUTS else ViolationKind.TOO_FAR


def find_owner_fault(own: SquareSet, enemy: SquareSet, source: Square) -> ViolationKind | None:
    """Return the violation if the moving side has no piece on a square, otherwise None."""
    if own & ONLY[source]:
        return None
    return ViolationKind.NOT_YOUR_PIECE if enemy & ONLY[source] else ViolationKind.NO_PIECE


def could_go(own: SquareSet, enemy: SquareSet, source: Square, target: Square) -> bool:
    """Whether a piece could make this move or attack if it had the right rank."""
    return find_fault(own, enemy, source, target, SCOUTS) is None


def is_long_move(source: Square, target: Square) -> bool:
    """Whether the move is longer than one square and therefore proves that the piece is a scout."""
    return target not in NEIGHBOURS[source]


def beside_any(squares: SquareSet) -> SquareSet:
    """Return every square beside one of `squares`. The result may have bits above bit 99."""
    up_and_down = squares << WIDTH | squares >> WIDTH
    return up_and_down | (squares & ~_LAST_COLUMN) << 1 | (squares & ~_FIRST_COLUMN) >> 1


def has_free_neighbour(own: SquareSet) -> SquareSet:
    """Return the squares from which a movable piece could make a single step."""
    return own & beside_any(LAND & ~own)


def _onward(source: Square) -> tuple[SquareSet, ...]:
    return tuple(
        BESIDE[target] & LAND & ~(ONLY[source] | (BETWEEN[source][target] or 0))
        for target in SQUARES
    )


ONWARD: Final[tuple[tuple[SquareSet, ...], ...]] = tuple(map(_onward, SQUARES))
"""``ONWARD[a][b]``: after a move from a to b, the squares beside b that are not on the way back."""


def _ahead(source: Square, neighbour: Square) -> tuple[Square, ...]:
    """Return the squares in one direction, up to the edge of the board."""
    ahead, step = [neighbour], neighbour - source
    while ahead[-1] + step in NEIGHBOURS[ahead[-1]]:
        ahead.append(ahead[-1] + step)
    return tuple(ahead)


RAYS: Final = tuple(
    tuple(_ahead(square, neighbour) for neighbour in NEIGHBOURS[square]) for square in SQUARES
)
"""For every square and direction: the squares ahead, nearest first."""


def scout_path(
    ray: tuple[Square, ...], blocked: SquareSet
) -> tuple[tuple[Square, ...], Square | None]:
    """Return the squares a scout can reach in one direction, and the blocking square, if any."""
    for number, square in enumerate(ray):
        if blocked >> square & 1:
            return ray[:number], square
    return ray, None


def scout_targets(own: SquareSet, enemy: SquareSet, source: Square) -> Iterator[Square]:
    """Yield the squares that a scout on `source` could move to or attack."""
    for ray in RAYS[source]:
        free, stop = scout_path(ray, own | enemy | LAKES)
        yield from free
        if stop is not None and enemy >> stop & 1:
            yield stop


def steps(own: SquareSet, source: Square) -> Iterator[Square]:
    """Yield the adjacent squares that a piece could step onto or attack."""
    return squares_in(BESIDE[source] & LAND & ~own)


_INFILTRATOR: Final[RankSet] = 1 << Rank.INFILTRATOR
_REACH: Final = 2
"""Range of a guess, in squares along a straight line. Pieces in between do not block it."""


def find_infiltration_fault(
    enemy: SquareSet, side: Side, source: Square, target: Square, ranks: RankSet
) -> ViolationKind | None:
    """Return the violation committed by an infiltration, or None if it is legal.

    Under the Nordic rulebook, an infiltrator in the opponent's four rows may guess the rank of an
    opposing piece one or two squares away. The guess takes up the whole turn. If it is right, the
    opposing piece is removed. In any case, the infiltrator stays on its square.

    `enemy` contains the squares of the opposing pieces, and `ranks` contains the ranks that the
    piece on `source` may have.
    """
    if not ranks & _INFILTRATOR:
        return ViolationKind.NO_INFILTRATOR
    if not side.other.home >> source & 1:
        return ViolationKind.NOT_IN_ENEMY_ROWS
    if not enemy >> target & 1:
        return ViolationKind.NO_PIECE_THERE
    return None if _is_near(source, target) else ViolationKind.OUT_OF_REACH


def targets(enemy: SquareSet, side: Side, source: Square) -> Iterator[Square]:
    """Yield the squares that an infiltrator of `side` on `source` could infiltrate."""
    if side.other.home >> source & 1:
        for target in squares_in(enemy):
            if _is_near(source, target):
                yield target


def _is_near(source: Square, target: Square) -> bool:
    way = line(source, target)
    return way is not None and len(way) <= _REACH


class CombatResult(Enum):
    """Result of an attack."""

    ATTACKER_WINS = "attacker-wins"
    """The defender is removed and the attacker takes its square."""
    DEFENDER_WINS = "defender-wins"
    """The attacker is removed and the defender stays where it is."""
    BOTH_FALL = "both-fall"
    """Equal ranks: both pieces are removed."""


_ATTACKER_ALWAYS_WINS: Final = {(Rank.SPY, Rank.MARSHAL), (Rank.MINER, Rank.BOMB)}
_STRENGTH: Final = {rank: int(rank) for rank in Rank} | {Rank.INFILTRATOR: 1}
"""Combat strength of each rank. The flag has the lowest number, and loses to every attacker. The
bomb has the highest number, and loses only to the miner."""


@cache  # There are only a few hundred pairs, and every attack looks one up.
def resolve(attacker: Rank, defender: Rank, *, aggressor_advantage: bool = False) -> CombatResult:
    """Return the result of an attack. Does not check whether a flag or bomb may attack.

    Every piece that attacks the infiltrator wins, even the spy. When the infiltrator attacks, its
    strength is 1.
    """
    if (attacker, defender) in _ATTACKER_ALWAYS_WINS or defender is Rank.INFILTRATOR:
        return CombatResult.ATTACKER_WINS
    strength, resistance = _STRENGTH[attacker], _STRENGTH[defender]
    if strength == resistance:
        return CombatResult.ATTACKER_WINS if aggressor_advantage else CombatResult.BOTH_FALL
    return CombatResult.ATTACKER_WINS if strength > resistance else CombatResult.DEFENDER_WINS


def defenders(
    attacker: Rank, result: CombatResult, *, aggressor_advantage: bool = False
) -> RankSet:
    """Return the defending ranks against which an attack has this result."""
    return rank_set(
        rank
        for rank in Rank
        if resolve(attacker, rank, aggressor_advantage=aggressor_advantage) is result
    )


def is_boom(attacker: Rank, defender: Rank) -> bool:
    """Whether the attack is announced with "Boom!" because it hits a bomb that explodes."""
    return defender is Rank.BOMB and attacker is not Rank.MINER
