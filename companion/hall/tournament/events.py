"""Tournament events, from which a tournament's state is computed, and their encoding as lines."""

import json
import re
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, ClassVar, Final, TypeAlias

from companion.codec import Form, MalformedError, Tag, field_names, from_plain, to_plain
from engine.board.geometry import Side
from engine.game.rulings import GameOver, Reason

# Results of games, and the mark that records how a player fared in a round.


class TournamentError(ValueError):
    """The operation is impossible in this tournament. The message is one plain sentence."""


class ResultMark(Enum):
    """A player's result in a round. The value is the character used in tournament files."""

    WIN = "1"
    DRAW = "="
    LOSS = "0"
    WIN_UNPLAYED = "+"
    """The opponent did not appear."""
    LOSS_UNPLAYED = "-"
    """The player did not appear."""
    BYE = "U"
    """No opponent was left for the player, or the player received a full-point bye."""
    HALF_BYE = "H"
    """The player received a requested bye, which counts as a draw."""
    ABSENT = "Z"
    """The player had not entered yet, or had withdrawn."""
    OPEN = " "
    """The game is not over."""

    @property
    def is_played(self) -> bool:
        """Whether the game was played to its end at the board."""
        return self in (ResultMark.WIN, ResultMark.DRAW, ResultMark.LOSS)


class GameResult(Enum):
    """Result of a game; the value is the word used to enter it."""

    RED = "red"
    BLUE = "blue"
    DRAW = "draw"
    BOTH_LOST = "both-lost"
    """The arbiter has declared the game lost for both sides."""
    RED_ABSENT = "red-absent"
    BLUE_ABSENT = "blue-absent"
    BOTH_ABSENT = "both-absent"

    def mark(self, side: Side) -> ResultMark:
        return _MARKS[self][side is Side.BLUE]


_MARKS = {
    GameResult.RED: (ResultMark.WIN, ResultMark.LOSS),
    GameResult.BLUE: (ResultMark.LOSS, ResultMark.WIN),
    GameResult.DRAW: (ResultMark.DRAW, ResultMark.DRAW),
    GameResult.BOTH_LOST: (ResultMark.LOSS, ResultMark.LOSS),
    GameResult.RED_ABSENT: (ResultMark.LOSS_UNPLAYED, ResultMark.WIN_UNPLAYED),
    GameResult.BLUE_ABSENT: (ResultMark.WIN_UNPLAYED, ResultMark.LOSS_UNPLAYED),
    GameResult.BOTH_ABSENT: (ResultMark.LOSS_UNPLAYED, ResultMark.LOSS_UNPLAYED),
}


def result_of(outcome: GameOver) -> GameResult:
    """Return the tournament result for the outcome of a game."""
    if outcome.winner:
        return GameResult(outcome.winner.value)
    return GameResult.BOTH_LOST if outcome.reason is Reason.FORFEIT else GameResult.DRAW


# Points for a win, a draw and a loss.

_MOST: Final = 99


@dataclass(frozen=True)
class Points:
    """Integer points for a win, a draw and a loss. `read_points` parses the text ``6-3-1``."""

    win: int
    draw: int
    loss: int

    def __post_init__(self) -> None:
        if not _MOST >= self.win > self.draw >= self.loss >= 0:
            raise TournamentError(
                f"The points {self} are inconsistent: a win must count more than a draw, a draw "
                f"at least as much as a loss, and a win at most {_MOST}."
            )

    def __str__(self) -> str:
        return f"{self.win}-{self.draw}-{self.loss}"

    def of(self, mark: ResultMark) -> int:
        """Return the points for a mark. A bye counts as a win; an absent player gets 0 points."""
        match mark:
            case ResultMark.WIN | ResultMark.WIN_UNPLAYED | ResultMark.BYE:
                return self.win
            case ResultMark.DRAW | ResultMark.HALF_BYE:
                return self.draw
            case ResultMark.LOSS:
                return self.loss
            case ResultMark.LOSS_UNPLAYED | ResultMark.ABSENT | ResultMark.OPEN:
                return 0


FEDERATION: Final = Points(6, 3, 1)
"""The federation has used these points since 2001. Two draws earn less than a win and a loss."""


def read_points(text: str) -> Points:
    """Parse points such as ``6-3-1``. Raise TournamentError if the text is malformed."""
    found = re.fullmatch(r"(\d{1,2})-(\d{1,2})-(\d{1,2})", text, re.ASCII)
    if not found:
        raise TournamentError(
            f"{text!r} are not valid points: write the points for win, draw and loss, such as "
            "6-3-1; to avoid halves, double all of them, as in 2-1-0."
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
    """A new player joins in the next round and gets the next free number."""

    wire_name: ClassVar = "enter"
    name: str
    rating: int = 0


@dataclass(frozen=True)
class Withdrew:
    """A player withdraws and is not paired in later rounds."""

    wire_name: ClassVar = "withdraw"
    player: int


@dataclass(frozen=True)
class Returned:
    """A withdrawn player returns and is paired again."""

    wire_name: ClassVar = "return"
    player: int


@dataclass(frozen=True)
class Paired:
    """The next round is paired.

    The event lists the pairs (Red, Blue) in table order, and the players with a bye. All other
    players are absent.
    """

    wire_name: ClassVar = "pair"
    games: tuple[tuple[int, int], ...]
    byes: tuple[int, ...] = ()
    half_byes: tuple[int, ...] = ()


@dataclass(frozen=True)
class RoundUndone:
    """The pairing of the latest round is undone. None of its games may be over."""

    wire_name: ClassVar = "unpair"


@dataclass(frozen=True)
class ResultSet:
    """The result of a game is entered or corrected. None means that the game is open again."""

    wire_name: ClassVar = "result"
    round: int
    table: int
    result: GameResult | None
    reason: str = ""


Event: TypeAlias = Created | PlayerAdded | Withdrew | Returned | Paired | RoundUndone | ResultSet


@dataclass(frozen=True)
class RecordedEvent:
    """An event with its time and author."""

    at: str
    """Time of the event, in ISO 8601."""
    by: str
    """Author of the event: a person at the computer, or a table."""
    event: Event


# Codec for events. Each event is one line: a JSON object with the time, author and content.
#
# {"at": "2026-03-07T10:12:00+01:00", "by": "Ada", "do": "result", "round": 1, "table": 4, …}

LONGEST: Final = 100_000
"""Maximum length of a line. The pairing of a round with 2000 players takes a fifth of this
length."""
_EVENT: Final = Annotated[Event, Tag("do")]


@dataclass(frozen=True)
class _Author:
    at: str
    by: str


class LineError(TournamentError):
    """The line does not encode an event. The message describes the error."""


def write_line(noted: RecordedEvent) -> str:
    """Encode an event as a line, without a newline. Raise LineError if the line is too long."""
    author = to_plain(_Author(noted.at, noted.by))
    line = json.dumps({**author, **to_plain(noted.event, _EVENT)}, ensure_ascii=False)
    # UTF-8 cannot encode the surrogates in an argument that was not UTF-8. JSON writes them as
    # backslash escapes, just as Python does.
    line = line.encode(errors="backslashreplace").decode()
    if len(line) > LONGEST:
        raise LineError("The entry is too long; shorten its texts.")
    return line


def read_line(line: str) -> RecordedEvent:
    """Decode a line from `write_line`. Raise LineError if the line is malformed."""
    if len(line) > LONGEST:
        raise LineError("the line is too long")
    try:
        plain = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise LineError("this is not a line of JSON") from error
    if not isinstance(plain, dict):
        raise LineError("this is not a JSON object")
    known = {name: plain.pop(name) for name in field_names(_Author) if name in plain}
    try:
        author: _Author = from_plain(known, _Author, "the line")
        event: Event = from_plain(plain, _EVENT, "the line")
    except MalformedError as error:
        raise LineError(str(error)) from error
    return RecordedEvent(author.at, author.by, event)
