"""Who beats whom (RULES §7)."""

from enum import Enum

from engine.ranks import Rank


class Result(Enum):
    """How an attack ends."""

    ATTACKER_WINS = "attacker-wins"
    """The defender is removed and the attacker takes its square."""
    DEFENDER_WINS = "defender-wins"
    """The attacker is removed and the defender stays where it is."""
    BOTH_FALL = "both-fall"
    """Equal ranks: both pieces are removed."""


_EXCEPTIONS = {
    (Rank.SPY, Rank.MARSHAL): Result.ATTACKER_WINS,
    (Rank.MINER, Rank.BOMB): Result.ATTACKER_WINS,
}


def resolve(attacker: Rank, defender: Rank) -> Result:
    """Return the result of an attack; whether flag or bomb may attack at all is not asked here.

    The numbers of `Rank` already say most of it: the flag is below everything and loses to every
    attacker, a bomb is above everything and stands against all but the miner.
    """
    if attacker == defender:
        return Result.BOTH_FALL
    by_number = Result.ATTACKER_WINS if attacker > defender else Result.DEFENDER_WINS
    return _EXCEPTIONS.get((attacker, defender), by_number)


def is_boom(attacker: Rank, defender: Rank) -> bool:
    """Whether the attack is announced with the cry "Boom!": a bomb that is not defused."""
    return defender is Rank.BOMB and attacker is not Rank.MINER
