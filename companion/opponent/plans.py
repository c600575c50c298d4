"""Long-term goals: for each of our ranks, a map of how attractive every square is.

A square is worth the best expected gain among all targets, discounted by its distance from the
target. A piece that moves uphill on the map of its rank approaches a target.
"""

from collections.abc import Mapping, Sequence
from math import log
from typing import Final

from companion.opponent.battlefield import Cell, EnemyPiece, OwnPiece
from companion.opponent.behaviour import LAND
from engine.board.geometry import Square
from engine.board.ranks import IMMOBILE

_DISCOUNT: Final = 0.87
"""Factor per step of distance. Chosen by judgement, not measured."""
_LEVELS: Final = 72
_STEP: Final = -log(_DISCOUNT)
_LEVEL_VALUE: Final = tuple(_DISCOUNT ** (_LEVELS - level) * 1000 for level in range(_LEVELS + 1))
"""Worth of each level; the highest level is worth a gain of 1000."""
_LEAST: Final = _LEVEL_VALUE[0]
_DETOUR: Final = 2
"""Levels lost if one of our movable pieces is in the way, because it has to step aside."""


def _level(gain: float) -> int:
    if gain <= _LEAST:
        return 0
    return min(_LEVELS, _LEVELS + round(log(gain / 1000) / _STEP))


def attraction(cells: Sequence[Cell], targets: Mapping[Square, float]) -> list[float]:
    """Return the worth of every square, given the expected gains on some squares."""
    levels = [0] * len(cells)
    # Levels of squares with our own movable pieces, which need no detour around themselves.
    standing = [0] * len(cells)
    buckets: list[list[Square]] = [[] for _ in range(_LEVELS + 1)]
    for square, gain in targets.items():
        if level := _level(gain):
            buckets[level].append(square)
    for level in range(_LEVELS, 1, -1):
        for square in buckets[level]:
            if levels[square] >= level:
                continue
            levels[square] = level
            for at in LAND[square]:
                onward = level - 1
                if levels[at] >= onward:
                    continue
                met = cells[at]
                if met is None:
                    buckets[onward].append(at)
                elif isinstance(met, OwnPiece) and not IMMOBILE >> met.rank & 1:
                    standing[at] = max(standing[at], onward)
                    buckets[max(0, onward - _DETOUR)].append(at)
    return [_LEVEL_VALUE[level] if level else 0.0 for level in map(max, levels, standing)]


def targets_of(
    piece: OwnPiece, cells: Sequence[Cell], bounties: Mapping[Square, float]
) -> dict[Square, float]:
    """Return the expected gain of a piece on the square of each worthwhile target."""
    found = {}
    for square, met in enumerate(cells):
        if not isinstance(met, EnemyPiece):
            continue
        hit = met.attacked_by(piece)
        gain = hit.gain + hit.win * bounties.get(square, 0.0)
        if gain > 0:
            found[square] = gain * (1 - _ESCAPE * met.mobile)
    return found


_ESCAPE: Final = 0.6
"""Share of the gain that is lost because a movable target will run away."""

_FEAR: Final = (0.0, 0.3, 0.22, 0.15, 0.1, 0.06)
"""Share of the expected loss that a square costs, by its distance from a dangerous enemy piece. The
search sees the losses of the next turns. The fear of a square avoids dead ends, in which a piece
would be hunted down later.
Chosen by judgement, not measured."""


def fear(piece: OwnPiece, cells: Sequence[Cell]) -> dict[Square, float]:
    """Return how much a piece avoids the squares near enemy pieces that would beat it."""
    found: dict[Square, float] = {}
    for square, met in enumerate(cells):
        if not isinstance(met, EnemyPiece) or not met.mobile:
            continue
        danger = -met.attacking(piece).gain * met.mobile
        if danger < _LEAST_DANGER:
            continue
        reached, front = {square}, [square]
        for share in _FEAR[1:]:
            onward = []
            for at in front:
                for near in LAND[at]:
                    if near not in reached:
                        reached.add(near)
                        found[near] = max(found.get(near, 0.0), danger * share)
                        if cells[near] is None:
                            onward.append(near)
            front = onward
    return found


_LEAST_DANGER: Final = 10.0
