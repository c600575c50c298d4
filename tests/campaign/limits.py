"""Limits on the table's errors, for each profile of hand movements."""

from dataclasses import dataclass
from typing import Final

from tests.campaign.results import Figures


@dataclass(frozen=True)
class Limit:
    """Maximum number of events in a given number of plies, for one profile."""

    profile: str
    counted: str
    """Key of the figure in `Figures`."""
    most: int
    plies: int = 1
    """Number of plies to which the limit applies. It is irrelevant if no event is allowed."""

    def is_kept(self, figures: Figures) -> bool:
        """Whether a run stays within the limit, scaled to its number of plies.

        Unless the limit is 0, at least one event is always allowed.
        """
        found, played = figures[self.counted], figures["plies"]
        return bool(found <= max(min(self.most, 1), self.most * played / self.plies))

    def __str__(self) -> str:
        share = f"at most {self.most} in {self.plies:,}" if self.most else "none"
        return f"{self.profile}, {self.counted}: {share}"


LIMITS: Final = (
    Limit("clean", "wrong", 0),
    Limit("clean", "missed", 0),
    Limit("clean", "complaints", 1, 1000),
    Limit("normal", "wrong", 0),
    Limit("normal", "missed", 0),
    Limit("normal", "complaints", 4, 4200),
    Limit("normal", "questions", 1, 40),
    Limit("clumsy", "wrong", 1, 4200),
    Limit("clumsy", "missed", 4, 4200),
    Limit("clumsy", "complaints", 10, 4200),
    Limit("children", "wrong", 8, 4200),
    Limit("children", "silent", 2, 4200),
    Limit("children", "missed", 8, 4200),
    Limit("children", "complaints", 30, 4200),
    Limit("blitz", "wrong", 4, 4200),
    Limit("blitz", "missed", 6, 4200),
    Limit("blitz", "complaints", 6, 4200),
    Limit("no-colours", "wrong", 2, 2000),
    Limit("no-colours", "missed", 2, 2000),
    Limit("no-colours", "complaints", 4, 2000),
    # With a board that does not detect colours, the table may ask twice as many questions.
    Limit("no-colours", "questions", 2, 40),
    Limit("people", "wrong", 2, 4100),
    Limit("people", "silent", 0),
    Limit("people", "missed", 4, 4100),
    Limit("people", "complaints", 8, 4100),
)


def limits_of(profile: str) -> tuple[Limit, ...]:
    """Return a profile's limits. Broken games are not allowed in any profile."""
    own = tuple(limit for limit in LIMITS if limit.profile == profile)
    return (*own, Limit(profile, "broken", 0))


def limits_of_slice(profile: str) -> tuple[Limit, ...]:
    """Return the limits for a run of a few hundred plies.

    Such a run is too short to judge the number of questions.
    """
    return tuple(limit for limit in limits_of(profile) if limit.counted != "questions")
