"""Difficulty levels of the computer player."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Level(StrEnum):
    """Difficulty levels, weakest first."""

    RECRUIT = "recruit"
    """For an eight-year-old child."""
    CADET = "cadet"
    """For a player who has just learned the rules."""
    CAPTAIN = "captain"
    """For a regular player."""
    MARSHAL = "marshal"
    """Full strength."""


@dataclass(frozen=True)
class LevelTraits:
    """Parameters that determine the strength of a level."""

    depth: int
    """Search depth in plies."""
    noise: float
    """Standard deviation of the random error added to each turn's evaluation, in points. A scout is
    worth 10 points."""
    lapses: float
    """Fraction of turns that are chosen at random."""
    memory: int | None
    """Number of plies for which a revealed rank is remembered, or None for the whole game."""
    reads_behaviour: bool
    """Whether a piece's behaviour counts as evidence of its rank."""
    candidates: int = 1
    """Number of candidates that are searched two plies deeper. 1 means no deeper search."""


TRAITS: Final[dict[Level, LevelTraits]] = {
    Level.RECRUIT: LevelTraits(depth=1, noise=16.0, lapses=0.32, memory=4, reads_behaviour=False),
    Level.CADET: LevelTraits(depth=1, noise=4.2, lapses=0.1, memory=12, reads_behaviour=False),
    Level.CAPTAIN: LevelTraits(depth=2, noise=1.6, lapses=0.023, memory=40, reads_behaviour=False),
    Level.MARSHAL: LevelTraits(
        depth=5, noise=0.0, lapses=0.0, memory=None, reads_behaviour=True, candidates=6
    ),
}
"""Parameters of each level.

Noise and lapses were tuned so that each level wins 75 to 95 % of its games against the level below
(docs/opponent.md). In an earlier version, the marshal level won 158 of 161 games against
PeterNLewis with four candidates, and 151 of the same games with one.
"""
