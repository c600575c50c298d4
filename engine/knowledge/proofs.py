"""Facts about a piece, and why a piece cannot have a rank."""

from dataclasses import dataclass
from enum import Enum

from engine.ranks import Rank, RankSet
from engine.rulebook.rules import Rule


class Ground(Enum):
    """Why a piece cannot have a rank."""

    NOT_IN_ARMY = ("not-in-army", Rule.SETUP)
    ATTACKS = ("attacks", Rule.IMMOBILE_PIECE)
    """It is attacking now, so it is neither bomb nor flag."""
    MOVED = ("moved", Rule.IMMOBILE_PIECE)
    """It has moved, so it is neither bomb nor flag."""
    LONG_MOVE = ("long-move", Rule.MOVEMENT)
    """It has gone further than one square, so it is a scout."""
    REVEALED = ("revealed", Rule.COMBAT)
    """Its rank has been revealed before."""
    WON_UNNAMED = ("won-unnamed", Rule.COMBAT)
    """It has won against an attacker that would have beaten this rank."""
    DECLARED = ("declared", Rule.COMBAT)
    """Its owner has declared another rank for it, which stayed unnamed."""
    GUESSED_WRONG = ("guessed-wrong", Rule.INFILTRATION)
    """An infiltrator has guessed this rank, and its owner said that it was wrong."""
    ALL_FOUND = ("all-found", Rule.SETUP)
    """All pieces of that rank are known already."""
    ALL_FALLEN = ("all-fallen", Rule.SETUP)
    """All pieces of that rank have fallen already."""
    NOT_AS_SEALED = ("not-as-sealed", Rule.SEALED_ARMIES)
    """Its owner has sealed another rank for it, or does not open what was sealed."""
    NEEDED = ("needed", Rule.SETUP)
    """If it had that rank, too few pieces would be left for another one."""

    def __init__(self, word: str, rule: Rule) -> None:
        self.word = word
        self.rule = rule
        """The rule that is cited with the proof."""


@dataclass(frozen=True)
class Proof:
    """Why a piece cannot have the rank that was declared."""

    ground: Ground
    rank: Rank
    """The rank that the piece cannot have."""
    count: int = 0
    """For ALL_FOUND and ALL_FALLEN: how many pieces of the rank the army has."""
    other: Rank | None = None
    """For NEEDED the rank for which too few pieces would be left, for REVEALED the one that was
    shown, for WON_UNNAMED the attacker's."""
    ply: int = 0
    """When the fact that proves it happened, counted in plies from 1; 0 if it is no single one."""


@dataclass(frozen=True)
class Fact:
    """Something that leaves a piece these ranks only."""

    ground: Ground
    ranks: RankSet
    ply: int
    other: Rank | None = None
    decided: bool = False
    """Whether an arbiter has decided it, so that it counts whatever was proved before."""
