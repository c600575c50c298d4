"""Belief about the enemy's hidden ranks.

Each hidden piece has a weight for each rank: how often people put the rank on its place, times the
evidence of its behaviour, if public facts leave the rank possible. The weights are then balanced
(Sinkhorn's algorithm) until every piece has one rank and every rank is as frequent as in the
remaining army.
"""

from collections.abc import Sequence
from operator import mul
from typing import Final

from companion.opponent.behaviour import LAND, Behaviour
from companion.opponent.knowledge import Knowledge
from companion.opponent.setup_choice import of_side, place_weight
from companion.opponent.valuation import RANKS
from engine.board.board import Piece
from engine.board.geometry import Square, SquareSet
from engine.board.ranks import IMMOBILE, Rank, RankSet, only_rank

_ROUNDS: Final = 8
"""Rounds of balancing. After eight the frequencies differ by less than 1 %."""
_RARE: Final = 5
"""Added to every frequency (in 1/10,000), so that no possible rank is ever excluded."""
_PATIENCE: Final = 70.0
"""Number of enemy turns after which a piece that could have moved, but did not, is twice as likely
to be a bomb or the flag. Chosen by judgement, not measured."""
_BESIDE_BOMB: Final = 3.0
"""Factor for the flag beside a piece that proved to be a bomb. Most people enclose the flag in
bombs. Chosen by judgement, not measured separately."""
_BESIDE_OTHER: Final = 0.4
"""Factor for the flag beside a piece that proved not to be a bomb. Chosen by judgement, not
measured separately."""


def estimate(
    knowledge: Knowledge, behaviour: Behaviour, left: Sequence[int], memory: int | None, reads: bool
) -> dict[Square, tuple[float, ...]]:
    """Return the probability of each rank for every enemy piece.

    Args:
        knowledge: What the side knows.
        behaviour: Evidence from the history.
        left: Number of enemy pieces of each rank that have not fallen.
        memory: Number of turns after which a revealed rank is forgotten, or None.
        reads: Whether the evidence from behaviour is used.
    """
    enemy = knowledge.side.other
    chances: dict[Square, tuple[float, ...]] = {}
    counts = [float(count) for count in left]
    hidden: list[Square] = []
    rows: list[list[float]] = []
    for square, piece in knowledge.pieces.items():
        if square in knowledge.state.ranks or not _is_of(knowledge, square):
            continue
        possible = knowledge.state.possible[square]
        if memory is not None:
            possible = _remembered(possible, behaviour, piece, memory)
        known = only_rank(possible)
        if known is not None:
            chances[square] = _CERTAIN[known]
            counts[known] -= 1
            continue
        hidden.append(square)
        place = of_side(piece, enemy) if 0 <= of_side(piece, enemy) < 40 else 0
        row = [
            float(place_weight(place, rank) + _RARE) if possible >> rank & 1 else 0.0
            for rank in Rank
        ]
        if reads:
            _apply_behaviour(row, knowledge, behaviour, square, piece)
        rows.append(row)
    balanced = balance(rows, [max(count, 0.0) for count in counts])
    chances.update(zip(hidden, balanced, strict=True))
    return chances


_CERTAIN: Final = tuple(tuple(float(rank == each) for each in Rank) for rank in Rank)


def _is_of(knowledge: Knowledge, square: Square) -> bool:
    """Whether the piece on a square belongs to the enemy."""
    return knowledge.side.other.home >> knowledge.pieces[square] & 1 == 1


def _remembered(possible: RankSet, behaviour: Behaviour, piece: int, memory: int) -> RankSet:
    """Return the possible ranks of a piece, ignoring proofs that are older than the memory."""
    if only_rank(possible) is None:
        return possible
    age = behaviour.turns - behaviour.shown_at.get(piece, behaviour.turns)
    if age <= memory:
        return possible
    ranks = (1 << len(RANKS)) - 1
    return ranks & ~IMMOBILE if piece in behaviour.moved else ranks


def _apply_behaviour(
    row: list[float], knowledge: Knowledge, behaviour: Behaviour, square: Square, piece: int
) -> None:
    factors = behaviour.factors.get(piece)
    if factors is not None:
        row[:] = map(mul, row, factors)
    if piece not in behaviour.moved:
        row[Rank.FLAG] *= _flag_factor(behaviour, piece, knowledge.side.other.home)
    if piece not in behaviour.moved and any(at not in knowledge.pieces for at in LAND[square]):
        immobile = 1 + min(behaviour.enemy_turns, 150) / _PATIENCE
        row[Rank.BOMB] *= immobile
        row[Rank.FLAG] *= immobile


def _flag_factor(behaviour: Behaviour, piece: Piece, home: SquareSet) -> float:
    """Return how much the pieces set up beside a piece raise or lower the chance of a flag."""
    factor = 1.0
    for at in LAND[piece]:
        if not home >> at & 1:
            continue
        rank = behaviour.shown.get(at)
        if rank is Rank.BOMB:
            factor *= _BESIDE_BOMB
        elif rank is not None or at in behaviour.moved:
            factor *= _BESIDE_OTHER
    return factor


def balance(rows: Sequence[Sequence[float]], counts: Sequence[float]) -> list[tuple[float, ...]]:
    """Scale a matrix so that each row sums to 1 and each column, if possible, to its count."""
    if not rows:
        return []
    columns = [*zip(*rows, strict=True)]
    by_row, by_column = [1.0] * len(rows), [1.0] * len(counts)
    for _ in range(_ROUNDS):
        for rank, column in enumerate(columns):
            total = sum(map(mul, column, by_row))
            by_column[rank] = counts[rank] / total if total > 0 else 0.0
        for number, row in enumerate(rows):
            total = sum(map(mul, row, by_column))
            by_row[number] = 1 / total if total > 0 else 0.0
    found = []
    for row, factor in zip(rows, by_row, strict=True):
        scaled = tuple(weight * factor for weight in map(mul, row, by_column))
        found.append(scaled if factor else _spread(row))
    return found


def _spread(row: Sequence[float]) -> tuple[float, ...]:
    """Return a row that contradicts the counts, scaled to sum to 1."""
    total = sum(row) or 1.0
    return tuple(weight / total for weight in row)
