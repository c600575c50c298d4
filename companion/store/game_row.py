"""The rows of a kept game: what their columns say, and a summary of it.

A row is read without the actions of its game, so that a list of thousands takes no time.
"""

import json
from datetime import datetime
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

from companion.store.players import Players
from companion.store.seals import check_row
from engine.games.notation import read_control, read_edition, write_action
from engine.play.actions import Action, AnswerGuess, Declare, Insist
from engine.play.clocks import TimeControl
from engine.play.rulings import GameOver, Reason
from engine.ranks import Rank
from engine.rulebook.editions import Edition
from engine.secrecy import Secret
from engine.sides import Side

_LETTERS: Final = max(len(f"declare{side.value}{rank.name}") for side in Side for rank in Rank)
"""How long what differs between two declarations is at most."""


def action_text(action: Action) -> str:
    """Return an action as its row has it.

    What is said in private is padded to the same length: how the file grows must not tell a rank.
    """
    plain = write_action(action)
    text = json.dumps(plain)
    match action:
        case Declare() | Insist():
            differs = f"{plain['do']}{plain['side']}{plain['rank']}"
        case AnswerGuess(opening=Secret()):
            differs = f"{plain['side']}{plain['rank']}"
        case _:
            return text
    return text + " " * (_LETTERS - len(differs))


class Summary(NamedTuple):
    """What there is to say of a kept game without reading it; there may be thousands."""

    number: int
    begun: str
    """When, in UTC, as ISO 8601."""
    is_over: bool
    """If not, it can still go on."""
    is_damaged: bool = False
    edition: Edition | None = None
    """By which it is played; None if that cannot be read."""
    plies: int | None = None
    """How many there were; None if an older Boomboard has kept it, and it has to be read."""
    outcome: GameOver | None = None
    """How it has ended, without the rule that says so; only where the plies are known."""


class GameRow(NamedTuple):
    """The row of a game, as it is read; there may be thousands. See `GAME_COLUMNS`."""

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
    plies: int | None
    actions: str
    notes: str
    seal: str

    def check(self) -> None:
        """BrokenSealError if it is not as it was written."""
        check_row(f"game {self.id}", self)

    @property
    def edition_played(self) -> Edition:
        """By which rules it is played; ValueError, here and below, if that cannot be read."""
        return _edition(self.edition)

    @property
    def control(self) -> TimeControl:
        """How the players' time is measured."""
        return read_control(plain(self.time_control))

    @property
    def people(self) -> Players:
        """The names of the two players, as far as they are known."""
        return Players.read(plain(self.players))

    @property
    def began_at(self) -> str:
        """When it was begun, in UTC, as ISO 8601; empty if that is no moment."""
        try:
            return f"{datetime.fromisoformat(self.begun).isoformat(timespec='seconds')}Z"
        except ValueError:
            return ""

    @property
    def end(self) -> GameOver | None:
        """How it has ended, without the rule that says so; None if it has not."""
        if self.outcome is None or self.plies is None:
            return None
        return _end(self.winner, self.outcome)

    def summary(self) -> Summary:
        """What there is to say of it, damaged or not."""
        is_over = self.outcome is not None
        try:
            self.check()
            edition, end = self.edition_played, self.end
        except ValueError:
            return Summary(self.id, self.began_at, is_over, is_damaged=True)
        return Summary(
            self.id,
            self.began_at,
            is_over,
            edition=edition,
            plies=self.plies,
            outcome=end,
        )


@lru_cache(maxsize=64)
def _edition(written: str) -> Edition:
    """Read an edition; most games of a family are played by the same."""
    return read_edition(plain(written))


@cache
def _end(winner: str | None, reason: str) -> GameOver:
    return GameOver(Side(winner) if winner else None, Reason(reason))


def plain(text: str) -> dict[str, Any]:
    """Return the plain data of a column; ValueError, which does not tell it, if it is none."""
    found = json.loads(text)
    if not isinstance(found, dict):
        raise ValueError("a column holds no set of names and values")
    return found
