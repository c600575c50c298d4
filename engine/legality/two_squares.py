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
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from engine.legality.board import Piece
from engine.rulebook.editions import Recurrence
from engine.squares import SQUARES, Square, line

Trace: TypeAlias = int
"""What a move leaves behind: a set of pairs or of borders as one int."""


class Streak(NamedTuple):
    """A player's latest moves in a row by one piece, the latest first, LIMIT of them at most."""

    piece: Piece | None
    traces: tuple[Trace, ...]
    attacks: tuple[bool, ...]
    """Which of these moves were attacks."""


NO_STREAK: Final = Streak(None, (), ())
"""That of a player who has not moved, or whose latest turn was no move."""


def _number_pairs() -> Iterator[tuple[Square, Square]]:
    for source in SQUARES:
        for target in SQUARES[source + 1 :]:
            if line(source, target):
                yield source, target


_PAIR: Final = {pair: 1 << number for number, pair in enumerate(_number_pairs())}
"""A bit for each two squares of one row or column."""


def _joined(source: Square, target: Square) -> Trace:
    return _PAIR.get((min(source, target), max(source, target)), 0)


def _crossed(source: Square, target: Square) -> Trace:
    stops = [source, *(line(source, target) or ())]
    return sum(_joined(one, other) for one, other in pairwise(stops))


TRACES: Final = {
    Recurrence.SAME_SQUARES: [[_joined(a, b) for b in SQUARES] for a in SQUARES],
    Recurrence.SAME_BORDER: [[_crossed(a, b) for b in SQUARES] for a in SQUARES],
}
"""By form, source and target: the trace of a move."""


def worn_out(streak: Streak, limit: int, piece: Piece, trace: Trace) -> Trace:
    """Return what the latest LIMIT moves and the proposed one have in common; 0 if it is legal."""
    if piece != streak.piece or len(streak.traces) < limit:
        return 0
    for before in streak.traces:
        trace &= before
    return trace


def extended(streak: Streak, limit: int, piece: Piece, trace: Trace, *, attack: bool) -> Streak:
    """Return the streak after a move or attack."""
    if piece != streak.piece:
        return Streak(piece, (trace,), (attack,))
    keep = limit - 1
    return Streak(piece, (trace, *streak.traces[:keep]), (attack, *streak.attacks[:keep]))


def squares_of(trace: Trace) -> tuple[Square, Square]:
    """Name the two squares of the first pair or border in a trace."""
    return next(pair for pair, bit in _PAIR.items() if trace & bit)
