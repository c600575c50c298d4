"""Worth of ranks, and combat results as tables of one edition.

One point is a tenth of a scout. All values were chosen by judgement, not measured, unless a comment
says otherwise: the league showed no difference beyond noise for moderate changes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from engine.board.ranks import Army, Rank
from engine.rules.combat import CombatResult, resolve
from engine.rules.editions import Edition

RANKS: Final = range(len(Rank))
Results: TypeAlias = tuple[tuple[int, ...], ...]
"""Result by the attacker's and the defender's rank: 1 the attacker wins, -1 it falls, 0 both
fall."""

FLAG_VALUE: Final = 500.0
"""Worth of a flag: more than any single exchange, but not so much that a 2 % chance of capturing it
would justify the loss of a captain."""
_BASE: Final = {
    Rank.FLAG: FLAG_VALUE,
    Rank.SPY: 28.0,
    Rank.SCOUT: 10.0,
    Rank.MINER: 24.0,
    Rank.SERGEANT: 14.0,
    Rank.LIEUTENANT: 21.0,
    Rank.CAPTAIN: 33.0,
    Rank.MAJOR: 58.0,
    Rank.COLONEL: 95.0,
    Rank.GENERAL: 180.0,
    Rank.MARSHAL: 300.0,
    Rank.BOMB: 16.0,
    Rank.INFILTRATOR: 40.0,
}
_SECRET: Final = {
    Rank.SPY: 20.0,
    Rank.SCOUT: 1.0,
    Rank.MINER: 4.0,
    Rank.SERGEANT: 1.0,
    Rank.LIEUTENANT: 2.0,
    Rank.CAPTAIN: 4.0,
    Rank.MAJOR: 3.0,
    Rank.COLONEL: 6.0,
    Rank.GENERAL: 10.0,
    Rank.MARSHAL: 14.0,
    Rank.BOMB: 5.0,
    Rank.INFILTRATOR: 12.0,
}
SECRETS: Final[tuple[float, ...]] = tuple(_SECRET.get(rank, 0.0) for rank in Rank)
"""Price of showing a rank for the first time."""


def combat_results(edition: Edition) -> Results:
    """Return the results of all attacks in an edition."""
    return _results(edition.aggressor_advantage)


@cache
def _results(aggressor_advantage: bool) -> Results:
    codes = {CombatResult.ATTACKER_WINS: 1, CombatResult.DEFENDER_WINS: -1}
    return tuple(
        tuple(
            codes.get(resolve(one, other, aggressor_advantage=aggressor_advantage), 0)
            for other in Rank
        )
        for one in Rank
    )


@dataclass(frozen=True)
class Worth:
    """Worth of the ranks of both armies in one position."""

    own: tuple[float, ...]
    enemy: tuple[float, ...]


def remaining(army: Army, captured: Mapping[Rank, int]) -> tuple[int, ...]:
    """Return how many pieces of each rank have not fallen."""
    return tuple(army.counts.get(rank, 0) - captured.get(rank, 0) for rank in Rank)


def find_worth(own: tuple[int, ...], enemy: tuple[int, ...]) -> Worth:
    """Return the worth of the ranks, given how many of each are left in both armies."""
    return Worth(_army_worth(own, enemy), _army_worth(enemy, own))


def _army_worth(own: tuple[int, ...], enemy: tuple[int, ...]) -> tuple[float, ...]:
    values = [_BASE[rank] for rank in Rank]
    if not enemy[Rank.MARSHAL]:
        values[Rank.SPY] = 6.0  # nothing is left for it to hunt
    if enemy[Rank.BOMB]:
        # The last miners decide the game, because most flags are enclosed in bombs: in 65 of 68
        # games that were not won against PeterNLewis, no miner was left at the end. Compared
        # with 70, 45, 30 and 24, these values made no difference beyond noise.
        scarce = {1: 160.0, 2: 95.0, 3: 55.0, 4: 35.0}
        values[Rank.MINER] = scarce.get(own[Rank.MINER], values[Rank.MINER])
    else:
        values[Rank.MINER] = 12.0
    _promote(values, own, enemy)
    return tuple(values)


def _promote(values: list[float], own: tuple[int, ...], enemy: tuple[int, ...]) -> None:
    """Raise the worth of the ranks that no rank of the other army can beat."""
    top = max((rank for rank in range(Rank.SCOUT, Rank.MARSHAL + 1) if enemy[rank]), default=0)
    best = _BASE[Rank.MARSHAL]
    for rank in range(Rank.SERGEANT, Rank.MARSHAL):
        if own[rank] and rank > top:
            # Invincible pieces decide the game, but several of them share the work.
            values[rank] = max(values[rank], 0.7 * best / own[rank])
        elif own[rank] and rank == top and enemy[rank]:
            values[rank] = max(values[rank], 0.5 * best / own[rank])
