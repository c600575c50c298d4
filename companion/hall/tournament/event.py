"""What is decided in a tournament: the events from which all else follows."""

from dataclasses import dataclass
from typing import TypeAlias

from companion.hall.tournament.marks import Result
from companion.hall.tournament.points import Points


@dataclass(frozen=True)
class Begun:
    """There is a tournament."""

    name: str
    rounds: int
    points: Points


@dataclass(frozen=True)
class Entered:
    """A player takes part, from the next round on; the number is the next one."""

    name: str
    rating: int = 0


@dataclass(frozen=True)
class Withdrew:
    """A player is not paired from the next round on."""

    player: int


@dataclass(frozen=True)
class Returned:
    """A player who has withdrawn is paired again."""

    player: int


@dataclass(frozen=True)
class Paired:
    """The next round: who plays Red and who Blue, table by table, and who has a bye."""

    games: tuple[tuple[int, int], ...]
    bye: int | None = None


@dataclass(frozen=True)
class Unpaired:
    """The latest round, of which no game is over, is to be paired anew."""


@dataclass(frozen=True)
class Resulted:
    """How a game ended, or what its result is after all; None if it is open again."""

    round: int
    table: int
    result: Result | None
    reason: str = ""


Event: TypeAlias = Begun | Entered | Withdrew | Returned | Paired | Unpaired | Resulted


@dataclass(frozen=True)
class Noted:
    """An event as it is kept."""

    at: str
    """When it was, in ISO 8601."""
    by: str
    """Whose act it was: somebody at the computer, or a table."""
    event: Event
