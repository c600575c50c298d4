"""Legal turns in a position, and the end of the game when none is left.

Turns are looked up in precomputed tables. The keys are the empty squares and opposing pieces next
to a piece. For a possible scout, the keys are the blocked squares in its row and column.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain, combinations
from typing import TYPE_CHECKING, Final, TypeVar

from engine.board.geometry import (
    ALL,
    BESIDE,
    LAKES,
    LINES,
    NEIGHBOURS,
    ONLY,
    SQUARES,
    WIDTH,
    Side,
    Square,
    SquareSet,
    set_of,
    squares_in,
)
from engine.board.ranks import MOVABLE, SCOUTS, Rank, RankSet, only_rank, ranks_in
from engine.game.actions import Attack, Infiltrate, Move, Turn
from engine.game.rulings import GameOver, Reason
from engine.rules import movement
from engine.rules.movement import RAYS, targets
from engine.rules.rules import Interpretation

if TYPE_CHECKING:  # `position` imports this module
    from engine.game.position import Position

T = TypeVar("T", Move, Attack)


def _straight(make: Callable[[Square, Square], T]) -> tuple[dict[Square, T], ...]:
    return tuple(
        {target: make(source, target) for target in sorted(chain.from_iterable(LINES[source]))}
        for source in SQUARES
    )


MOVES: Final = _straight(Move)
"""Moves, indexed by source and target."""
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
"""Single steps, indexed by source and by the set of target squares."""


class _ScoutMoveCache(dict[SquareSet, tuple[tuple[Move, ...], SquareSet]]):
    """A scout's moves along one row or column, and the squares that stop the scout.

    The keys are the blocked squares. Each entry is computed when it is first needed.
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
    """Attacks from one square, keyed by the set of targets.

    Each entry is computed when it is first needed.
    """

    def __init__(self, source: Square) -> None:
        super().__init__()
        self._source = source

    def __missing__(self, targets: SquareSet) -> tuple[Attack, ...]:
        made = ATTACKS[self._source]
        found = self[targets] = tuple(made[target] for target in squares_in(targets))
        return found


def _in_line(source: Square, step: int) -> tuple[SquareSet, _ScoutMoveCache]:
    """Return the other squares of a row or column, and a scout's moves along it."""
    rays = (ray for ray in RAYS[source] if abs(ray[0] - source) == step)
    squares = tuple(sorted(chain.from_iterable(rays)))
    return set_of(squares), _ScoutMoveCache(source, squares)


STEPS: Final = tuple(
    (BESIDE[source], STEP_MOVES[source], _AttackCache(source)) for source in SQUARES
)
"""For each source: the adjacent squares, the moves to any subset of these squares, and the attacks
on any subset."""
RUNS: Final = tuple((*_in_line(source, 1), *_in_line(source, WIDTH)) for source in SQUARES)
"""For each source: the other squares of its row, and a scout's moves in that row. Then the same for
its column."""


def legal_turns(position: "Position") -> list[Turn]:
    """List the turns of the side to move that no public fact rules out.

    Infiltrations come last, one for each rank that the target can have.
    """
    own, enemy, pieces = position.own, position.enemy, position.pieces
    blocked = own | enemy | LAKES
    empty = ALL & ~blocked
    ranks = position.own_player.deduction.ranks
    found: list[Turn] = []
    for source in squares_in(movement.has_free_neighbour(own)):
        possible = ranks[pieces[source]]
        if not possible & MOVABLE:
            continue
        beside, steps, attacks = STEPS[source]
        if possible & SCOUTS:
            row, along, column, across = RUNS[source]
            moves, stops = along[blocked & row]
            found += moves
            moves, others = across[blocked & column]
            found += moves
            attacked = (stops | others) & enemy
        else:
            found += steps[beside & empty]
            attacked = beside & enemy
        if attacked:
            found += attacks[attacked]
    found = _without_repetition(position, found)
    if position.edition.army.counts[Rank.INFILTRATOR]:
        found += _infiltrations(position)
    return found


def _infiltrations(position: "Position") -> Iterator[Infiltrate]:
    """Yield the infiltrations of the side to move, with every guess that may be right."""
    side, ranks = position.to_move, position.own_player.deduction.ranks
    obliged = position.obliged
    free = ALL if obliged is None else ONLY[obliged]
    for source in squares_in(position.own & side.other.home & free):
        if ranks[position.pieces[source]] >> Rank.INFILTRATOR & 1:
            for target in targets(position.enemy, side, source):
                yield from _guesses(source, target, position.ranks_at(target))


def _without_repetition(position: "Position", found: list[Turn]) -> list[Turn]:
    """Remove the turns that a repetition rule or touch-move forbids."""
    run, pieces = position.own_run, position.pieces
    if (obliged := position.touched and position.obliged) is not None:
        found = [turn for turn in found if turn.source == obliged]
    # A chase cannot repeat a position before its third ply.
    plies, evaders = position.own_chase
    is_chasing = evaders and plies > 1
    if not is_chasing and not (run and run[4]):
        return found
    # Only the piece that moved last can have moved back and forth. Only a move to a square beside
    # an opposing piece continues a chase.
    latest = run[2] if run else None
    chased = movement.beside_any(position.enemy) if is_chasing else 0
    return [
        turn
        for turn in found
        if not (turn.source == latest or chased & ONLY[turn.target])
        or not position.find_repetition(
            position.to_move, pieces[turn.source], turn.source, turn.target
        )
    ]


def possible_turns(
    position: "Position", side: Side, *, repeating: bool = False
) -> Iterator[tuple[Square, Square]]:
    """Yield the turns that may be legal for a side, infiltrations last."""
    own, deduction = position.squares(side), position.player(side).deduction
    for source in squares_in(movement.has_free_neighbour(own)):
        yield from _possible_turns_of(position, side, source, repeating=repeating)
    if position.edition.army.counts[Rank.INFILTRATOR]:
        for source in squares_in(own):
            if deduction.possible(position.pieces[source]) >> Rank.INFILTRATOR & 1:
                for target in targets(position.squares(side.other), side, source):
                    yield source, target


def _possible_turns_of(
    position: "Position", side: Side, source: Square, *, repeating: bool = False
) -> Iterator[tuple[Square, Square]]:
    """Yield the moves and attacks that may be legal for the piece on a square."""
    own, enemy = position.squares(side), position.squares(side.other)
    deduction, piece = position.player(side).deduction, position.pieces[source]
    if not deduction.may_move(piece):
        return
    for target in movement.steps(own, source):
        if repeating or not position.find_repetition(side, piece, source, target):
            yield source, target
    if deduction.possible(piece) & SCOUTS:
        for target in movement.scout_targets(own, enemy, source):
            if repeating or not position.find_repetition(side, piece, source, target):
                yield source, target


def is_sure(position: "Position", side: Side, source: Square, target: Square) -> bool:
    """Whether a side's possible turn is legal for every rank that the piece can have."""
    ranks = position.player(side).deduction.possible(position.pieces[source])
    steps = BESIDE[source] & ONLY[target] and not ranks & ~MOVABLE
    return bool(steps) or only_rank(ranks) is not None


def has_movable_piece(position: "Position", side: Side) -> bool:
    """Whether any of a side's remaining pieces may be movable."""
    deduction, pieces = position.player(side).deduction, position.pieces
    run = position.run(side)
    if run and pieces[run[2]] == run[0] and deduction.may_move(run[0]):
        return True
    return any(deduction.may_move(pieces[square]) for square in squares_in(position.squares(side)))


@lru_cache(10_000)
def _guesses(source: Square, target: Square, ranks: RankSet) -> tuple[Infiltrate, ...]:
    return tuple(Infiltrate(source, target, rank) for rank in ranks_in(ranks))


def can_turn(position: "Position", source: Square) -> bool:
    """Whether the piece on `source` may have a legal turn. It must belong to the side to move."""
    return any(True for _ in _possible_turns_of(position, position.to_move, source))


def must_turn(position: "Position", source: Square) -> bool:
    """Whether public facts prove that the piece on a square has a legal move or attack."""
    side = position.to_move
    return any(
        is_sure(position, side, *turn) for turn in _possible_turns_of(position, side, source)
    )


def draw_without_move(position: "Position") -> GameOver:
    reading = None if position.edition.both_immobile_draw else Interpretation.BOTH_SHUT_IN
    return GameOver.by_rules(position.edition, None, Reason.BOTH_IMMOBILE, reading)


def end_without_move(position: "Position", *, proved: bool) -> GameOver:
    """Return the outcome if the side to move cannot move. This may be proved or only claimed."""
    stuck, opponent = position.to_move, position.to_move.other
    if not position.can_move(opponent):
        return draw_without_move(position)
    # The side may have turns left that only the repetition rules forbid.
    repeats = proved and any(True for _ in possible_turns(position, stuck, repeating=True))
    reading = Interpretation.REPETITION_LOSES if repeats else Interpretation.SHUT_IN_LOSES
    return GameOver.by_rules(position.edition, opponent, Reason.NO_LEGAL_MOVE, reading)
