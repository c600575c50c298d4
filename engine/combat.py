"""Who beats whom (rules.md §7)."""

from enum import Enum
from typing import Final

from engine.ranks import Rank


class Result(Enum):
    """How an attack ends."""

    ATTACKER_WINS = "attacker-wins"
    """The defender is removed and the attacker takes its square."""
    DEFENDER_WINS = "defender-wins"
    """The attacker is removed and the defender stays where it is."""
    BOTH_FALL = "both-fall"
    """Equal ranks: both pieces are removed."""


_EXCEPTIONS: Final = {
    (Rank.SPY, Rank.MARSHAL): Result.ATTACKER_WINS,
    (Rank.MINER, Rank.BOMB): Result.ATTACKER_WINS,
}
_STRENGTH: Final = {rank: int(rank) for rank in Rank} | {Rank.INFILTRATOR: 1}
"""The numbers already say most of it: the flag is below everything and loses to every attacker, a
bomb is above everything and stands against all but the miner."""


def resolve(attacker: Rank, defender: Rank, *, aggressor_advantage: bool = False) -> Result:
    """Return the result of an attack; whether flag or bomb may attack at all is not asked here."""
    strength, resistance = _STRENGTH[attacker], _STRENGTH[defender]
    if strength == resistance:
        return Result.ATTACKER_WINS if aggressor_advantage else Result.BOTH_FALL
    by_number = Result.ATTACKER_WINS if strength > resistance else Result.DEFENDER_WINS
    return _EXCEPTIONS.get((attacker, defender), by_number)


def is_boom(attacker: Rank, defender: Rank) -> bool:
    """Whether the attack is announced with the cry "Boom!": a bomb that is not defused."""
    return defender is Rank.BOMB and attacker is not Rank.MINER
