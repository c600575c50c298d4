"""Events of a tournament; its whole state follows from them."""

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from engine.board.geometry import Side
from engine.game.rulings import GameOver, Reason

# Results of a tournament's games, and marks of each player's rounds.


class TournamentError(ValueError):
    """Something that is impossible in a tournament; the message is one plain sentence."""


class Mark(Enum):
    """A player's result in a round; the value is the letter used in tournament files."""

    WIN = "1"
    DRAW = "="
    LOSS = "0"
    WIN_UNPLAYED = "+"
    """The opponent did not come."""
    LOSS_UNPLAYED = "-"
    """The player did not come."""
    BYE = "U"
    """No opponent was left."""
    ABSENT = "Z"
    """The player had not entered yet, or had withdrawn."""
    OPEN = " "
    """The game is not over."""

    @property
    def is_played(self) -> bool:
        """Whether a game has been played to its end at the board."""
        return self in (Mark.WIN, Mark.DRAW, Mark.LOSS)


class Result(Enum):
    """Result of a game; the value is the word with which it is entered."""

    RED = "red"
    BLUE = "blue"
    DRAW = "draw"
    BOTH_LOST = "both-lost"
    """The arbiter has declared the game lost for both sides."""
    RED_ABSENT = "red-absent"
    BLUE_ABSENT = "blue-absent"
    BOTH_ABSENT = "both-absent"

    def mark(self, side: Side) -> Mark:
        return _MARKS[self][side is Side.BLUE]


_MARKS = {
    Result.RED: (Mark.WIN, Mark.LOSS),
    Result.BLUE: (Mark.LOSS, Mark.WIN),
    Result.DRAW: (Mark.DRAW, Mark.DRAW),
    Result.BOTH_LOST: (Mark.LOSS, Mark.LOSS),
    Result.RED_ABSENT: (Mark.LOSS_UNPLAYED, Mark.WIN_UNPLAYED),
    Result.BLUE_ABSENT: (Mark.WIN_UNPLAYED, Mark.LOSS_UNPLAYED),
    Result.BOTH_ABSENT: (Mark.LOSS_UNPLAYED, Mark.LOSS_UNPLAYED),
}


def result_of(outcome: GameOver) -> Result:
    """Return the result that belongs to the end of a game refereed by a table."""
    if outcome.winner:
        return Result(outcome.winner.value)
    return Result.BOTH_LOST if outcome.reason is Reason.FORFEIT else Result.DRAW


# Points for a win, a draw and a loss.

_MOST: Final = 99


@dataclass(frozen=True)
class Points:
    """The points of a game, as integers. Prints in the form that is read: ``6-3-1``."""

    win: int
    draw: int
    loss: int

    def __post_init__(self) -> None:
        if not _MOST >= self.win > self.draw >= self.loss >= 0:
            raise TournamentError(
                f"Points of {self} make no order: a win counts more than a draw, a draw no less "
                f"than a loss, and none more than {_MOST}."
            )

    def __str__(self) -> str:
        return f"{self.win}-{self.draw}-{self.loss}"

    def of(self, mark: Mark) -> int:
        """Return the points for a mark. A bye counts as a win; an absent player gets nothing."""
        match mark:
            case Mark.WIN | Mark.WIN_UNPLAYED | Mark.BYE:
                return self.win
            case Mark.DRAW:
                return self.draw
            case Mark.LOSS:
                return self.loss
            case Mark.LOSS_UNPLAYED | Mark.ABSENT | Mark.OPEN:
                return 0


FEDERATION: Final = Points(6, 3, 1)
"""The federation's points since 2001: a draw is worth less than half of a win and a loss."""


def read_points(text: str) -> Points:
    """Read ``6-3-1``; TournamentError if it is malformed."""
    found = re.fullmatch(r"(\d{1,2})-(\d{1,2})-(\d{1,2})", text, re.ASCII)
    if not found:
        raise TournamentError(
            f"{text!r} are no points: write those for win, draw and loss, such as 6-3-1; for "
            "halves double them all, such as 2-1-0."
        )
    return Points(*map(int, found.groups()))


@dataclass(frozen=True)
class Created:
    """The tournament is created."""

    name: str
    rounds: int
    points: Points


@dataclass(frozen=True)
class PlayerAdded:
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
class RoundUndone:
    """The pairing of the latest round, in which no game is over, is withdrawn."""


@dataclass(frozen=True)
class ResultSet:
    """The result of a game, or its correction; None if the game is open again."""

    round: int
    table: int
    result: Result | None
    reason: str = ""


Event: TypeAlias = Created | PlayerAdded | Withdrew | Returned | Paired | RoundUndone | ResultSet


@dataclass(frozen=True)
class Noted:
    """An event with its time and author."""

    at: str
    """Time of the event, in ISO 8601."""
    by: str
    """Author of the event: a person at the computer, or a table."""
    event: Event
