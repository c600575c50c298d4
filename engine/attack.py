"""An attack between its opening and its result: who still has to declare what."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.ranks import Rank, RankSet
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import Square


@dataclass
class OpenedAttack:
    """An attack that waits for declarations."""

    source: Square
    target: Square
    possible: Mapping[Side, RankSet] = field(repr=False)
    """The ranks that the piece of each side can have, the attacker first; also by what was not
    named aloud."""
    proved: Mapping[Side, Secret[Rank]]
    """The ranks that are not asked for: proved to everybody, or declared before by this piece."""
    regular: bool = True
    """Whether its way to the target is allowed, so that it tells something about the attacker."""
    declared: dict[Side, Secret[Rank]] = field(default_factory=dict)
    disputed: Secret[Rank] | None = None
    """The declaration that a player stays by though it was proved impossible."""

    @property
    def awaited(self) -> tuple[Side, ...]:
        """The sides that still have to declare, the attacker first."""
        answered = {*self.proved, *self.declared}
        return tuple(side for side in self.possible if side not in answered)

    def rank(self, side: Side) -> Rank:
        """The rank of a side's piece, when it is no longer awaited."""
        return (self.declared.get(side) or self.proved[side]).unseal()
