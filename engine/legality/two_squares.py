"""The two-squares rule: no piece goes to and fro without end.

It has two forms, and an edition says which is its own (`Recurrence`). By the rulebooks a piece may
move between the same two squares at most LIMIT times in a row; a third square is always free. By
the ISF it may cross the border between two neighbouring squares at most LIMIT times in a row, so
that only a part of a scout's long move may be forbidden.

"In a row" means: in that player's latest moves, all made by this piece. Every move leaves a trace:
the pair of squares it joins, or the borders it crosses. So both forms say the same thing: what the
latest LIMIT moves have in common must not be in the next one. An attack counts like a move.
"""

from collections.abc import Iterator
from itertools import chain, pairwise
from typing import Final, TypeAlias

from engine.legality.board import Piece
from engine.rulebook.editions import Recurrence
from engine.squares import LINES, SQUARES, Square

Run: TypeAlias = tuple[Piece, Square, Square, bool, "Run | None"]
"""A player's latest move, the way of a linked list: the piece, from where, where to, whether it was
an attack, and the move before it if this piece made that too."""
Trace: TypeAlias = int
"""What a move leaves behind: a set of pairs or of borders as one int."""
Traces: TypeAlias = tuple[tuple[Trace, ...], ...]
"""By source and target: the trace of a move."""


def _number_pairs() -> Iterator[tuple[Square, Square]]:
    for source in SQUARES:
        for target in sorted(chain.from_iterable(LINES[source])):
            if source < target:
                yield source, target


_PAIRS: Final = tuple(_number_pairs())
"""Each two squares of one row or column."""
_PAIR: Final = {pair: 1 << number for number, pair in enumerate(_PAIRS)}
"""A bit for each of them."""


def _joined(one: Square, other: Square) -> Trace:
    return _PAIR[min(one, other), max(one, other)]


def _joins(source: Square) -> tuple[Trace, ...]:
    """By target: the pair of squares that a move joins."""
    traces = [0] * len(SQUARES)
    for target in chain.from_iterable(LINES[source]):
        traces[target] = _joined(source, target)
    return tuple(traces)


def _crosses(source: Square) -> tuple[Trace, ...]:
    """By target: the borders that a move crosses."""
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
"""For each form of the rule."""


def worn_out(run: Run, limit: int, source: Square, target: Square, traces: Traces) -> Trace:
    """Return what the latest `limit` moves of a piece and its next one have in common.

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
    """List as much of a run as the rule can still count, the latest move first."""
    moves: list[tuple[Square, Square, bool]] = []
    while run and len(moves) < limit:
        moves.append(run[1:4])
        run = run[4]
    return tuple(moves)


def squares_of(trace: Trace) -> tuple[Square, Square]:
    """Name the two squares of the first pair or border in a trace."""
    return _PAIRS[(trace & -trace).bit_length() - 1]
