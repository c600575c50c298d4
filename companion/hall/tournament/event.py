"""Events of a tournament; its whole state follows from them."""

from dataclasses import dataclass
from typing import TypeAlias

from companion.hall.tournament.marks import Result
from companion.hall.tournament.points import Points


@dataclass(frozen=True)
class Begun:
    """The tournament is created."""

    name: str
    rounds: int
    points: Points


@dataclass(frozen=True)
class Entered:
    """A player takes part from the next round on, with the next free number."""

    name: str
    rating: int = 0


@dataclass(frozen=True)
class Withdrew:
    """A player is not paired from the next round on."""

    player: int


@dataclass(frozen=True)
class Returned:
    """A withdrawn player is paired again."""

    player: int


@dataclass(frozen=True)
class Paired:
    """The next round: the pairs (Red, Blue) table by table, and the player with the bye."""

    games: tuple[tuple[int, int], ...]
    bye: int | None = None


@dataclass(frozen=True)
class Unpaired:
    """The pairing of the latest round, in which no game is over, is withdrawn."""


@dataclass(frozen=True)
class Resulted:
    """The result of a game, or its correction; None if the game is open again."""

    round: int
    table: int
    result: Result | None
    reason: str = ""


Event: TypeAlias = Begun | Entered | Withdrew | Returned | Paired | Unpaired | Resulted


@dataclass(frozen=True)
class Noted:
    """An event with its time and author."""

    at: str
    """Time of the event, in ISO 8601."""
    by: str
    """Author of the event: a person at the computer, or a table."""
    event: Event
