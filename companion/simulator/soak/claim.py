"""What the program promises, as names for what is found broken."""

from enum import Enum


class Claim(Enum):
    """A promise that is looked at after every step."""

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
    """A promise is broken; the message says what was seen."""

    def __init__(self, claim: Claim, seen: str) -> None:
        """Say which promise, and what was seen instead."""
        super().__init__(f"{claim.value}: {seen}")
        self.claim, self.seen = claim, seen


def insist(claim: Claim, holds: object, seen: str) -> None:
    """Stop if something does not hold."""
    if not holds:
        raise BrokenClaimError(claim, seen)
