"""Events of a tournament, and their lines; its whole state follows from them."""

import json
import re
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, ClassVar, Final, TypeAlias

from companion.codec import Form, MalformedError, Tag, field_names, from_plain, to_plain
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


_Points: TypeAlias = Annotated[
    Points, Form("points for win, draw and loss, such as 6-3-1", "points", read_points, str)
]


@dataclass(frozen=True)
class Created:
    """The tournament is created."""

    wire_name: ClassVar = "begin"
    name: str
    rounds: int
    points: _Points


@dataclass(frozen=True)
class PlayerAdded:
    """A player takes part from the next round on, with the next free number."""

    wire_name: ClassVar = "enter"
    name: str
    rating: int = 0


@dataclass(frozen=True)
class Withdrew:
    """A player is not paired from the next round on."""

    wire_name: ClassVar = "withdraw"
    player: int


@dataclass(frozen=True)
class Returned:
    """A withdrawn player is paired again."""

    wire_name: ClassVar = "return"
    player: int


@dataclass(frozen=True)
class Paired:
    """The next round: the pairs (Red, Blue) table by table, and the player with the bye."""

    wire_name: ClassVar = "pair"
    games: tuple[tuple[int, int], ...]
    bye: int | None = None


@dataclass(frozen=True)
class RoundUndone:
    """The pairing of the latest round, in which no game is over, is withdrawn."""

    wire_name: ClassVar = "unpair"


@dataclass(frozen=True)
class ResultSet:
    """The result of a game, or its correction; None if the game is open again."""

    wire_name: ClassVar = "result"
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


# Codec of events: each is one line with a JSON object of time, author and content.
#
# {"at": "2026-03-07T10:12:00+01:00", "by": "Ada", "do": "result", "round": 1, "table": 4, …}

LONGEST: Final = 100_000
"""Maximum length of a line; a round of 2000 players takes a fifth of it."""
_EVENT: Final = Annotated[Event, Tag("do")]


@dataclass(frozen=True)
class _Author:
    at: str
    by: str


class LineError(TournamentError):
    """A line that encodes no event; the message says what is wrong."""


def write_line(noted: Noted) -> str:
    """Encode an event as a line, without line end."""
    author = to_plain(_Author(noted.at, noted.by))
    return json.dumps({**author, **to_plain(noted.event, _EVENT)}, ensure_ascii=False)


def read_line(line: str) -> Noted:
    """Decode the line of `write_line`; LineError if it is malformed."""
    if len(line) > LONGEST:
        raise LineError("the line is too long")
    try:
        plain = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise LineError("this is no line of JSON") from error
    if not isinstance(plain, dict):
        raise LineError("this is no JSON object")
    known = {name: plain.pop(name) for name in field_names(_Author) if name in plain}
    try:
        author: _Author = from_plain(known, _Author, "the line")
        event: Event = from_plain(plain, _EVENT, "the line")
    except MalformedError as error:
        raise LineError(str(error)) from error
    return Noted(author.at, author.by, event)
