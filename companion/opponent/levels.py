"""Levels of the computer opponent."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Level(StrEnum):
    """Playing strength, weakest first."""

    RECRUIT = "recruit"
    """For a child of eight."""
    CADET = "cadet"
    """For a player who has just learned the rules."""
    CAPTAIN = "captain"
    """For a regular player."""
    MARSHAL = "marshal"
    """Full strength."""


@dataclass(frozen=True)
class LevelTraits:
    """Strength of a level."""

    depth: int
    """Search depth in plies."""
    noise: float
    """Standard deviation of the error with which each turn is judged, in points of a piece's worth;
    a scout is worth 10 points."""
    lapses: float
    """Share of the turns that are chosen without thinking."""
    memory: int | None
    """Number of the latest plies whose revealed ranks are remembered; None for all of them."""
    reads_behaviour: bool
    """Whether the way that a piece moved changes the belief about its rank."""
    candidates: int = 1
    """Number of turns that are searched two plies deeper, if more than one."""


TRAITS: Final[dict[Level, LevelTraits]] = {
    Level.RECRUIT: LevelTraits(depth=1, noise=16.0, lapses=0.32, memory=4, reads_behaviour=False),
    Level.CADET: LevelTraits(depth=1, noise=4.2, lapses=0.1, memory=12, reads_behaviour=False),
    Level.CAPTAIN: LevelTraits(depth=2, noise=1.6, lapses=0.023, memory=40, reads_behaviour=False),
    Level.MARSHAL: LevelTraits(
        depth=4, noise=0.0, lapses=0.0, memory=None, reads_behaviour=True, candidates=4
    ),
}
"""Traits by level.

Noise and lapses were tuned so that each level wins 75 to 95 % of its games against the one below
(docs/opponent.md). With four candidates the marshal won 158 of 161 games against PeterNLewis, with
one 151 of the same games.
"""
