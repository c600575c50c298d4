"""Parses and summarizes the database rows of saved games and their notes.

The row of a game is read without its actions, so thousands of games can be listed quickly.

A note is an event that is saved for arbiters. Replaying the actions would not reproduce such an
event: for example, a rule violation, an offer, a pause, a clock adjustment or a disturbance of the
board. Every note is public, since the event was announced to everyone.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from typing import Annotated, Any, Final, NamedTuple, TypeAlias, TypeGuard, get_args

from companion.codec import Form, Named, Tag, from_plain
from companion.core import events, inputs
from companion.opponent.levels import Level
from engine.board.geometry import Side
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.game.actions import Action, AnswerGuess, Declare, UpholdDeclaration
from engine.game.clocks import ClockState, TimeControl
from engine.game.rulings import GameOver, Reason
from engine.records.serialization import read_control, read_edition, write_action
from engine.rules.editions import Edition
from engine.rules.rules import Violation

# A disk can lose or flip bits silently, and SQLite does not verify the data that it reads. Each row
# of the journal therefore ends with a checksum of its other columns. The checksum of an action or a
# note also covers the checksum of the previous action or note of the game, and the game's row
# contains the latest checksum of each chain. A row that is missing, duplicated or out of order
# breaks its chain. The checksums do not protect against tampering, because anyone who can write the
# file can also compute them.

FIRST_PREDECESSOR: Final = ""
"""Used instead of the previous checksum for the first row of a chain."""
_BYTES: Final = 8
"""Size of a checksum in bytes. A damaged row has the right checksum with a probability of 2⁻⁶⁴."""


class ChecksumError(ValueError):
    """A row has changed since it was written. The message names the row but not its contents."""


def row_checksum(*columns: Any) -> str:
    # This encoding is the same in every version of Python, and three times as fast as JSON.
    return hashlib.blake2b(ascii(columns).encode(), digest_size=_BYTES).hexdigest()


def verify_row(what: str, row: Sequence[Any]) -> None:
    """Verify the checksum of a row, which is stored in the row's last column.

    Raise ChecksumError if the row has changed. `what` names the row in the message.
    """
    if row_checksum(*row[:-1]) != row[-1]:
        raise ChecksumError(f"{what} is damaged")


def verify_chain(what: str, game: int, rows: Iterable[Sequence[Any]], head: str) -> None:
    """Verify that a game's rows are intact, in order and complete.

    Each row begins with its number, counted from 1, and ends with its checksum. `head` is the
    latest checksum. Raise ChecksumError if a row is damaged or missing. `what` is the word for a
    row in the message.
    """
    before, number = FIRST_PREDECESSOR, 0
    for number, row in enumerate(rows, start=1):
        *columns, kept = row
        if columns[0] != number or row_checksum(before, game, *columns) != kept:
            raise ChecksumError(f"{what} {number} of game {game} is damaged or missing")
        before = kept
    if before != head:
        raise ChecksumError(f"{what} {number + 1} of game {game} is missing")


LevelName: TypeAlias = Annotated[
    Level, Form(f"one of {', '.join(Level)}", "levels", Level, lambda level: level.value)
]
"""A difficulty level of the computer, saved by name."""


@dataclass(frozen=True)
class PlayerNames:
    """The names of the players, and which side the computer plays. Unknown names are empty."""

    red: str = ""
    blue: str = ""
    alone: Annotated[Side | None, Named(omits_default=True)] = None
    """Side of a person who plays alone, or None if two people play."""
    level: Annotated[LevelName | None, Named(omits_default=True)] = None
    """Difficulty level of the computer, or None if two people play."""

    def of(self, side: Side) -> str:
        return self.red if side is Side.RED else self.blue

    @property
    def computer(self) -> Side | None:
        """The side that the computer plays, or None if two people play."""
        return self.alone and self.alone.other

    @property
    def both(self) -> tuple[str, str] | None:
        """Both names, or None if one of them is unknown."""
        return (self.red, self.blue) if self.red and self.blue else None


NO_NAMES: Final = PlayerNames()
"""Two unnamed players."""


_LETTERS: Final = max(len(f"declare{side.value}{rank.name}") for side in Side for rank in Rank)
"""Maximum length of the names in a declaration. The texts of two declarations differ only in
these."""


def action_text(action: Action) -> str:
    """Return an action as text for its row.

    Secret declarations are padded to the same length, so that the file's growth does not reveal a
    rank.
    """
    plain = write_action(action)
    text = json.dumps(plain)
    match action:
        case Declare() | UpholdDeclaration():
            differs = f"{plain['do']}{plain['side']}{plain['rank']}"
        case AnswerGuess(opening=Secret()):
            differs = f"{plain['side']}{plain['rank']}"
        case _:
            return text
    return text + " " * (_LETTERS - len(differs))


class GameSummary(NamedTuple):
    """Summary of a saved game. It is small, because there may be thousands of games."""

    number: int
    begun: str
    """Start time in UTC, as ISO 8601."""
    is_over: bool
    """False if the game can still be resumed."""
    is_damaged: bool = False
    edition: Edition | None = None
    """The edition, or None if the row is damaged."""
    plies: int = 0
    """Number of plies, or 0 if the row is damaged."""
    outcome: GameOver | None = None
    """The outcome without the rule that decided the game, or None."""


class GameRow(NamedTuple):
    """The row of a game, with the columns `GAME_COLUMNS` and the checksum."""

    id: int
    begun: str
    origin: str
    edition: str
    seed: int
    time_control: str
    players: str
    memory: str
    clock: str | None
    outcome: str | None
    winner: str | None
    plies: int
    actions: str
    notes: str
    checksum: str

    def check(self) -> None:
        """Raise ChecksumError if the row has changed since it was written."""
        verify_row(f"game {self.id}", self)

    @property
    def edition_played(self) -> Edition:
        """The edition. This property and those below raise ValueError if parsing fails."""
        return _edition(self.edition)

    @property
    def control(self) -> TimeControl:
        return read_control(plain(self.time_control))

    @property
    def people(self) -> PlayerNames:
        players: PlayerNames = from_plain(plain(self.players), PlayerNames, "the players")
        return players

    @property
    def began_at(self) -> str:
        """Start time in UTC, as ISO 8601. Empty if the time is not valid."""
        try:
            return f"{datetime.fromisoformat(self.begun).isoformat(timespec='seconds')}Z"
        except ValueError:
            return ""

    @property
    def end(self) -> GameOver | None:
        """The outcome without the rule that decided the game, or None if the game is not over."""
        if self.outcome is None:
            return None
        return _end(self.winner, self.outcome)

    def summary(self) -> GameSummary:
        is_over = self.outcome is not None
        try:
            self.check()
            edition, end = self.edition_played, self.end
        except ValueError:
            return GameSummary(self.id, self.began_at, is_over, is_damaged=True)
        return GameSummary(
            self.id,
            self.began_at,
            is_over,
            edition=edition,
            plies=self.plies,
            outcome=end,
        )


@lru_cache(maxsize=64)
def _edition(written: str) -> Edition:
    """Parse an edition. The result is cached, because most games in a file share an edition."""
    return read_edition(plain(written))


@cache
def _end(winner: str | None, reason: str) -> GameOver:
    return GameOver(Side(winner) if winner else None, Reason(reason))


def plain(text: str) -> dict[str, Any]:
    """Parse the plain data in a column. Raise ValueError if the data is malformed."""
    found = json.loads(text)
    if not isinstance(found, dict):
        raise ValueError("a column does not contain an object")
    return found


Note: TypeAlias = (
    Violation
    | inputs.OfferDraw
    | inputs.OfferUndo
    | inputs.IgnoreSquare
    | inputs.Pause
    | inputs.Resume
    | inputs.AdjustClock
    | inputs.CallArbiter
    | inputs.WithdrawCall
    | inputs.AnswerCall
    | events.BoardDiffers
    | events.LossWarning
    | events.Restored
    | events.BoardConnected
    | events.BoardDisconnected
)
_KINDS: Final = get_args(Note)
_NOTE: Final = Annotated[Note, Tag("event")]


@dataclass(frozen=True)
class StoredNote:
    """A note and its position in the game."""

    after: int
    """Number of actions accepted before the note."""
    at: float
    """Time on the table's clock, in seconds."""
    note: Note
    clock: ClockState
    """The players' clocks when the note was taken."""


def is_noted(event: events.Event) -> TypeGuard[Note]:
    """Whether an event is saved as a note."""
    return isinstance(event, _KINDS)


def read_note(plain: Mapping[str, Any]) -> Note:
    """Parse the output of `write_event`. Raise ValueError if the data is malformed."""
    note: Note = events.read_public_event(plain, _NOTE)
    return note
