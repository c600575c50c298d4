"""The guarantees of the program, named for the reports about violations."""

from enum import Enum


class Claim(Enum):
    """A guarantee that is checked after every step."""

    ON_DISK = "what is announced is on disk"
    REPLAYS = "the journal leads to the same game"
    PRIVATE = "nothing private is public"
    REPEATS = "the same inputs give the same outcome"
    WAY_ON = "every state has a way on"
    CLOCKS = "clocks gain nothing"
    PIECES = "the pieces of an army are as many as ever"
    ONE_PLAYER = "one program alone plays a game"
    GOES_ON = "the program goes on"


class BrokenClaimError(Exception):
    """A guarantee is violated; the message describes the observation."""

    def __init__(self, claim: Claim, seen: str) -> None:
        """Record the guarantee and the observation that violates it."""
        super().__init__(f"{claim.value}: {seen}")
        self.claim, self.seen = claim, seen


def insist(claim: Claim, holds: object, seen: str) -> None:
    """Raise BrokenClaimError unless a condition holds."""
    if not holds:
        raise BrokenClaimError(claim, seen)
