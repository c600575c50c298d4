"""Combat results (docs/rules.md)."""

from enum import Enum
from functools import cache
from typing import Final

from engine.board.ranks import Rank, RankSet, rank_set


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
"""The numbers already cover most cases: the flag is below every rank and loses to every attacker, a
bomb is above every rank and withstands all except the miner."""


@cache  # a few hundred pairs, needed at every attack
def resolve(attacker: Rank, defender: Rank, *, aggressor_advantage: bool = False) -> CombatResult:
    """Return the result of an attack; whether a flag or bomb may attack is not checked here.

    Every piece that attacks the infiltrator wins, even the spy. When the infiltrator attacks, it
    fights like any rank 1.
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
    """Return the ranks of the defenders against which an attack has this result."""
    return rank_set(
        rank
        for rank in Rank
        if resolve(attacker, rank, aggressor_advantage=aggressor_advantage) is result
    )


def is_boom(attacker: Rank, defender: Rank) -> bool:
    """Whether the attack is announced with the cry "Boom!": a bomb that is not defused."""
    return defender is Rank.BOMB and attacker is not Rank.MINER
