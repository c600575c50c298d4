"""What can be open between two plies: an attack, a guess, or the question whether a side can move.

All are values: what goes on returns another one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from engine.ranks import Rank, RankSet
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import Square


@dataclass(frozen=True)
class OpenedAttack:
    """An attack that waits for declarations."""

    attacker: Side
    source: Square
    target: Square
    possible: Mapping[Side, RankSet] = field(repr=False)
    """The ranks that the piece of each side can have, the attacker first; also by what was not
    named aloud."""
    proved: Mapping[Side, Secret[Rank]]
    """The ranks that are not asked for: proved to everybody, or declared before by a defender."""
    regular: bool = True
    """Whether its way to the target is allowed, so that it tells something about the attacker."""
    declared: Mapping[Side, Secret[Rank]] = field(default_factory=dict)
    disputed: Secret[Rank] | None = None
    """The declaration that a player stays by though it was proved impossible."""
    is_as_sealed: bool | None = None
    """Whether that is what was sealed for the piece; None if nothing was."""
    conceded: frozenset[Side] = frozenset()
    """The sides whose declaration counts because it was decided so."""

    @property
    def awaited(self) -> tuple[Side, ...]:
        """The sides that still have to declare, the attacker first."""
        answered = {*self.proved, *self.declared}
        return tuple(side for side in self.possible if side not in answered)

    def rank(self, side: Side) -> Rank:
        """The rank of a side's piece, when it is no longer awaited."""
        return (self.declared.get(side) or self.proved[side]).unseal()

    def square(self, side: Side) -> Square:
        """Where a side's piece in the attack stands."""
        return self.source if side is self.attacker else self.target

    def hearing(self, declared: Secret[Rank]) -> "OpenedAttack":
        """Return the attack with one declaration more."""
        return replace(self, declared={**self.declared, declared.owner: declared})


@dataclass(frozen=True)
class OpenedInfiltration:
    """A guess that waits for its answer."""

    source: Square
    target: Square
    guess: Rank


@dataclass(frozen=True)
class Standstill:
    """A side cannot move, and the other side is asked whether it can, or shows it."""

    stuck: Side
    showing: bool = False
    """Whether the other side has said that it can move, and shows it by its next move."""


Matter: TypeAlias = OpenedAttack | OpenedInfiltration | Standstill
