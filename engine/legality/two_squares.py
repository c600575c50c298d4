"""The two-squares rule: no piece moves back and forth endlessly.

It has two forms, and an edition selects one of them (`Recurrence`). By the rulebooks a piece may
move between the same two squares at most LIMIT times in a row; a third square is always free. By
the ISF it may cross the border between two neighbouring squares at most LIMIT times in a row, so
that only a part of a scout's long move may be forbidden.

"In a row" means: in that player's latest moves, all made by this piece. Every move has a trace: the
pair of squares it joins, or the borders it crosses. Both forms then reduce to one test: the
intersection of the traces of the latest LIMIT moves must not occur in the next one. An attack
counts like a move.
"""

from collections.abc import Iterator
from itertools import chain, pairwise
from typing import Final, TypeAlias

from engine.legality.board import Piece
from engine.rulebook.editions import Recurrence
from engine.squares import LINES, SQUARES, Square

Run: TypeAlias = tuple[Piece, Square, Square, bool, "Run | None"]
"""A player's latest moves as a linked list: the piece, source, target, whether it was an attack,
and the preceding move if this piece made that too."""
Trace: TypeAlias = int
"""Trace of a move: a set of pairs or of borders as one int."""
Traces: TypeAlias = tuple[tuple[Trace, ...], ...]
"""Trace of a move, by source and target."""


def _number_pairs() -> Iterator[tuple[Square, Square]]:
    for source in SQUARES:
        for target in sorted(chain.from_iterable(LINES[source])):
            if source < target:
                yield source, target


_PAIRS: Final = tuple(_number_pairs())
"""All pairs of squares in one row or column."""
_PAIR: Final = {pair: 1 << number for number, pair in enumerate(_PAIRS)}
"""One bit for each pair."""


def _joined(one: Square, other: Square) -> Trace:
    return _PAIR[min(one, other), max(one, other)]


def _joins(source: Square) -> tuple[Trace, ...]:
    """For every target, the pair of squares that a move joins."""
    traces = [0] * len(SQUARES)
    for target in chain.from_iterable(LINES[source]):
        traces[target] = _joined(source, target)
    return tuple(traces)


def _crosses(source: Square) -> tuple[Trace, ...]:
    """For every target, the borders that a move crosses."""
    traces = [0] * len(SQUARES)
    for ahead in LINES[source]:
        crossed: Trace = 0
        for one, other in pairwise((source, *ahead)):
            crossed |= _joined(one, other)
            traces[other] = crossed
    return tuple(traces)


TRACES: Final[dict[Recurrence, Traces]] = {
    Recurrence.SAME_SQUARES: tuple(map(_joins, SQUARES)),
    Recurrence.SAME_BORDER: tuple(map(_crosses, SQUARES)),
}
"""Traces for each form of the rule."""


def worn_out(run: Run, limit: int, source: Square, target: Square, traces: Traces) -> Trace:
    """Return the common trace of the latest `limit` moves of a piece and its next one.

    0 if the next one is legal.
    """
    common, before = traces[source][target], run
    for _ in range(limit - 1):
        common &= traces[before[1]][before[2]]
        if not common or before[4] is None:
            return 0
        before = before[4]
    return common & traces[before[1]][before[2]]


def latest(run: Run | None, limit: int) -> tuple[tuple[Square, Square, bool], ...]:
    """List the part of a run that the rule can still count, the latest move first."""
    moves: list[tuple[Square, Square, bool]] = []
    while run and len(moves) < limit:
        moves.append(run[1:4])
        run = run[4]
    return tuple(moves)


def squares_of(trace: Trace) -> tuple[Square, Square]:
    """Return the two squares of the first pair or border in a trace."""
    return _PAIRS[(trace & -trace).bit_length() - 1]
