"""Results of a tournament's games, and marks of each player's rounds."""

from enum import Enum

from engine.board.geometry import Side
from engine.game.rulings import GameOver, Reason


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
