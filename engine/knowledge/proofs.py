"""Facts about a piece, and proofs that a piece cannot have a rank."""

from dataclasses import dataclass
from enum import Enum

from engine.ranks import Rank, RankSet
from engine.rulebook.rules import Rule


class Ground(Enum):
    """Evidence that a piece cannot have a rank."""

    NOT_IN_ARMY = ("not-in-army", Rule.SETUP)
    ATTACKS = ("attacks", Rule.IMMOBILE_PIECE)
    """It is attacking now, so it is neither bomb nor flag."""
    MOVED = ("moved", Rule.IMMOBILE_PIECE)
    """It has moved, so it is neither bomb nor flag."""
    LONG_MOVE = ("long-move", Rule.MOVEMENT)
    """It has moved further than one square, so it is a scout."""
    REVEALED = ("revealed", Rule.COMBAT)
    """Its rank has been revealed before."""
    WON_UNNAMED = ("won-unnamed", Rule.COMBAT)
    """It has won against an attacker that would have beaten this rank."""
    DECLARED = ("declared", Rule.COMBAT)
    """Its owner has declared another rank for it, which stayed unnamed."""
    GUESSED_WRONG = ("guessed-wrong", Rule.INFILTRATION)
    """An infiltrator has guessed this rank, and its owner has answered that it was wrong."""
    ALL_FOUND = ("all-found", Rule.SETUP)
    """All pieces of that rank are known already."""
    ALL_FALLEN = ("all-fallen", Rule.SETUP)
    """All pieces of that rank have fallen already."""
    NOT_AS_SEALED = ("not-as-sealed", Rule.SEALED_ARMIES)
    """Its owner has committed to another rank for it, or does not open the commitment."""
    NEEDED = ("needed", Rule.SETUP)
    """If it had that rank, too few pieces would be left for another one."""

    def __init__(self, word: str, rule: Rule) -> None:
        self.word = word
        self.rule = rule
        """Rule that is cited with the proof."""


@dataclass(frozen=True)
class Proof:
    """Proof that a piece cannot have the declared rank."""

    ground: Ground
    rank: Rank
    """Rank that the piece cannot have."""
    count: int = 0
    """For ALL_FOUND and ALL_FALLEN: number of pieces of the rank in the army."""
    other: Rank | None = None
    """For NEEDED: rank of which too few pieces would be left. For REVEALED: the rank revealed. For
    WON_UNNAMED: the attacker's rank."""
    ply: int = 0
    """Ply of the fact that proves it, counted from 1; 0 if it is not a single fact."""


@dataclass(frozen=True)
class Fact:
    """A fact that restricts a piece to these ranks."""

    ground: Ground
    ranks: RankSet
    ply: int
    other: Rank | None = None
    decided: bool = False
    """Whether an arbiter has decided it, which overrides earlier proofs."""
