"""The two repetition rules: two-squares and more-squares.

Under the two-squares rule, no piece may move back and forth endlessly. The rule has two forms, and
an edition selects one of them (`TwoSquaresForm`). Under most rulebooks, a piece may move between
the same two squares at most LIMIT times in a row. A third square is always allowed. Under the ISF's
rules, a piece may cross the edge between two neighbouring squares at most LIMIT times in a row. A
scout's long move is therefore forbidden even if only part of its path repeats.

"In a row" refers to a player's latest moves, if the same piece made all of them. Every move has a
trace: the pair of squares that it joins, or the edges that it crosses. Both forms then reduce to
one test: the traces of the latest LIMIT moves and of the next move must have nothing in common. An
attack counts as a move.

Under the more-squares rule (ISF game rules, art. 11), no chase may continue endlessly. A piece
evades if it is next to the square to which the opponent has just moved, and moves away. A player
threatens a piece by stopping next to it. A chase lasts as long as one side makes a threat with
every move and the other side evades with every move. The chaser may not threaten a piece that has
evaded in this chase if the move repeats a position of the chase. In a repeated position, every
individual piece is on the same square. The chaser may always reverse the move it has just made.

A captured piece threatens nothing. A piece that moves away from the square where an attacker fell
therefore does not evade. An attack ends every chase, and may begin a new one. Ranks are irrelevant
to this rule.
"""

from collections.abc import Iterator
from itertools import chain, pairwise, starmap
from typing import Final, TypeAlias

from engine.board.board import NO_PIECE, Piece, Pieces, PieceSet
from engine.board.geometry import LINES, NEIGHBOURS, SQUARES, Square
from engine.rules.editions import Edition, TwoSquaresForm
from engine.rules.movement import is_long_move
from engine.rules.rules import Interpretation, Violation, ViolationKind

Run: TypeAlias = tuple[Piece, Square, Square, bool, "Run | None"]
"""The latest moves of the piece that a player moved last, as a linked list. Each entry has the
piece, the source, the target, whether the move was an attack, and the entry of the move before."""
Trace: TypeAlias = int
"""Trace of a move. Each bit of the int represents a pair of squares, or an edge."""
Traces: TypeAlias = tuple[tuple[Trace, ...], ...]
"""Traces of all moves, indexed by source and target."""


def _number_pairs() -> Iterator[tuple[Square, Square]]:
    for source in SQUARES:
        for target in sorted(chain.from_iterable(LINES[source])):
            if source < target:
                yield source, target


_PAIRS: Final = tuple(_number_pairs())
"""All pairs of squares in the same row or column."""
_PAIR: Final = {pair: 1 << number for number, pair in enumerate(_PAIRS)}


def _joined(one: Square, other: Square) -> Trace:
    return _PAIR[min(one, other), max(one, other)]


def _joins(source: Square) -> tuple[Trace, ...]:
    """For each target square, return the trace of a move there: the two squares that it joins."""
    traces = [0] * len(SQUARES)
    for target in chain.from_iterable(LINES[source]):
        traces[target] = _joined(source, target)
    return tuple(traces)


def _crosses(source: Square) -> tuple[Trace, ...]:
    """For each target square, return the trace of a move there: the edges that it crosses."""
    traces = [0] * len(SQUARES)
    for ahead in LINES[source]:
        crossed: Trace = 0
        for one, other in pairwise((source, *ahead)):
            crossed |= _joined(one, other)
            traces[other] = crossed
    return tuple(traces)


TRACES: Final[dict[TwoSquaresForm, Traces]] = {
    TwoSquaresForm.SAME_SQUARES: tuple(map(_joins, SQUARES)),
    TwoSquaresForm.SAME_BORDER: tuple(map(_crosses, SQUARES)),
}
"""Traces for each form of the rule."""


def exhausted_trace(run: Run, limit: int, source: Square, target: Square, traces: Traces) -> Trace:
    """Return what the traces of a piece's latest `limit` moves and of its next move have in common.

    Return 0 if they have nothing in common, or if the piece has made fewer than `limit` moves. The
    next move is then legal.
    """
    common, before = traces[source][target], run
    for _ in range(limit - 1):
        common &= traces[before[1]][before[2]]
        if not common or before[4] is None:
            return 0
        before = before[4]
    return common & traces[before[1]][before[2]]


def recent_moves(run: Run | None, limit: int) -> tuple[tuple[Square, Square, bool], ...]:
    """Return the moves of a run that still count for the rule, most recent first."""
    moves: list[tuple[Square, Square, bool]] = []
    while run and len(moves) < limit:
        moves.append(run[1:4])
        run = run[4]
    return tuple(moves)


def squares_of(trace: Trace) -> tuple[Square, Square]:
    """Return the first pair of squares in a trace, or the two squares at its first edge."""
    return _PAIRS[(trace & -trace).bit_length() - 1]


Chase: TypeAlias = tuple[int, PieceSet]
"""One player's current chase: its length, and the opposing pieces that have evaded the chaser. The
length counts the plies of both sides, and is 0 if there is no chase."""
Past: TypeAlias = tuple[Pieces, "Past | None"]
"""Linked list of the pieces after each ply, from the latest ply back to the start of a chase."""

NO_CHASE: Final[Chase] = (0, 0)
NEW_CHASE: Final[Chase] = (1, 0)
"""Chase of a player who has just threatened a piece and was not chasing before."""


def plies_since_repeat(
    pieces: Pieces, chase: Chase, past: Past | None, source: Square, target: Square
) -> int:
    """Return how many plies ago a move's resulting position occurred, or 0 if the move is legal.

    `pieces` is the position before the move. The move goes to an empty square, is allowed by all
    other rules, and does not reverse the chaser's latest move.
    """
    plies, evaders = chase
    if plies < 2 or not any(evaders >> pieces[beside] & 1 for beside in NEIGHBOURS[target]):
        return 0
    position = bytearray(pieces)
    position[target], position[source] = position[source], NO_PIECE
    for plies_ago in range(1, plies):
        past = past and past[1]
        if past and past[0] == position:
            return plies_ago
    return 0


def recent_positions(past: Past | None, plies: int) -> tuple[bytes, ...]:
    """List the positions after the latest plies, most recent first."""
    found: list[bytes] = []
    while past and len(found) < plies:
        found.append(bytes(past[0]))
        past = past[1]
    return tuple(found)


def repeated_moves(
    violation: Violation, run: Run | None, past: Past | None
) -> list[tuple[Square, Square]]:
    """List the moves that make the next turn break a repetition rule.

    Under the two-squares rule, these are moves of the piece. Under the more-squares rule, they are
    the moves of both sides since the repeated position. The most recent move is first. The list is
    empty if another rule is broken. `run` belongs to the side to move.
    """
    if violation.fault is ViolationKind.TO_AND_FRO:
        return [(source, target) for source, target, _ in recent_moves(run, violation.count)]
    if violation.fault is not ViolationKind.CHASE_REPEATS:
        return []
    moves = []
    for later, earlier in pairwise(recent_positions(past, violation.count + 1)):
        target = next(at for at in SQUARES if later[at] not in (NO_PIECE, earlier[at]))
        moves.append((earlier.index(later[target]), target))
    return moves


def reading_of_run(
    edition: Edition, run: Run, source: Square, target: Square, *, attacks: bool
) -> Interpretation | None:
    """Return the interpretation on which a violation of the two-squares rule depends, if any.

    `attacks` is True if the next turn, from `source` to `target`, is an attack.
    """
    counted = recent_moves(run, edition.two_squares_limit)
    attacks = attacks or any(attack for *_, attack in counted)
    if attacks and Interpretation.ATTACK_IS_A_MOVE in edition.readings:
        return Interpretation.ATTACK_IS_A_MOVE
    made = ((source, target), *((start, end) for start, end, _ in counted))
    return Interpretation.SCOUT_BORDERS if any(starmap(is_long_move, made)) else None
