"""How a game of a tournament ended, and what a round was to each of its players."""

from enum import Enum

from engine.play.rulings import GameOver, Reason
from engine.sides import Side


class TournamentError(ValueError):
    """Something cannot be done in a tournament: one plain sentence that says why."""


class Mark(Enum):
    """What a round was to one player, by the letter that tournament files have for it."""

    WIN = "1"
    DRAW = "="
    LOSS = "0"
    WIN_UNPLAYED = "+"
    """The opponent has not come."""
    LOSS_UNPLAYED = "-"
    """The player has not come."""
    BYE = "U"
    """Nobody was left to play against."""
    ABSENT = "Z"
    """The player had not entered yet, or had withdrawn."""
    OPEN = " "
    """The game is not over."""

    @property
    def is_played(self) -> bool:
        """Whether a game has been played to its end at the board."""
        return self in (Mark.WIN, Mark.DRAW, Mark.LOSS)


class Result(Enum):
    """How a game ended, by the word with which it is set."""

    RED = "red"
    BLUE = "blue"
    DRAW = "draw"
    BOTH_LOST = "both-lost"
    """The arbiter has declared the game lost for both."""
    RED_ABSENT = "red-absent"
    BLUE_ABSENT = "blue-absent"
    BOTH_ABSENT = "both-absent"

    def mark(self, side: Side) -> Mark:
        """What the game was to a side."""
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
    """Read the result from the end of a game that a table has refereed."""
    if outcome.winner:
        return Result(outcome.winner.value)
    return Result.BOTH_LOST if outcome.reason is Reason.FORFEIT else Result.DRAW
