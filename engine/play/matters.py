"""Decisions pending between two plies: an attack, a guess or a stalemate claim.

All classes are immutable: updates return another object.
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
    """Ranks that the piece of each side can have, the attacker first; also limited by secret
    declarations."""
    proved: Mapping[Side, Secret[Rank]]
    """Ranks that need no declaration: proved publicly, or declared before by a defender."""
    regular: bool = True
    """Whether its path to the target is legal, so that it proves something about the attacker."""
    declared: Mapping[Side, Secret[Rank]] = field(default_factory=dict)
    disputed: Secret[Rank] | None = None
    """Declaration that a player upholds though it was proved impossible."""
    is_as_sealed: bool | None = None
    """Whether that is the committed rank of the piece; None without a commitment."""
    conceded: frozenset[Side] = frozenset()
    """Sides whose declaration counts by decision of an arbiter or of both players."""

    @property
    def awaited(self) -> tuple[Side, ...]:
        """Sides that still have to declare, the attacker first."""
        answered = {*self.proved, *self.declared}
        return tuple(side for side in self.possible if side not in answered)

    def rank(self, side: Side) -> Rank:
        """Rank of a side's piece, once it is no longer awaited."""
        return (self.declared.get(side) or self.proved[side]).unseal()

    def square(self, side: Side) -> Square:
        """Square of a side's piece in the attack."""
        return self.source if side is self.attacker else self.target

    def hearing(self, declared: Secret[Rank]) -> "OpenedAttack":
        """Return the attack with one more declaration."""
        return replace(self, declared={**self.declared, declared.owner: declared})


@dataclass(frozen=True)
class OpenedInfiltration:
    """A guess that waits for its answer."""

    source: Square
    target: Square
    guess: Rank


@dataclass(frozen=True)
class Standstill:
    """A side cannot move, and the other side is asked whether it can, or proves it."""

    stuck: Side
    showing: bool = False
    """Whether the other side has answered that it can move, and proves it by its next move."""


Matter: TypeAlias = OpenedAttack | OpenedInfiltration | Standstill
