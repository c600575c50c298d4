"""Games for simulated players: recorded or random."""

import random
from collections.abc import Mapping
from typing import Final, Protocol, TypeAlias

from companion.simulator.dealing import deal
from companion.table.sayings import OfferDraw, Saying
from engine.board.board import Piece
from engine.board.geometry import Side, SquareSet, set_of
from engine.board.ranks import Rank
from engine.game.actions import Action, Attack, Infiltrate, Move, Override, Resign
from engine.game.clocks import NO_CLOCK, TimeControl
from engine.game.referee import Referee
from engine.records.adjudication import action_of
from engine.records.record import Record
from engine.rules.editions import Edition

LONGEST_RANDOM_GAME: Final = 300
"""Number of plies after which players who move at random agree to a draw."""
AGREE_DRAW: Final = tuple(map(OfferDraw, Side))
"""The commands by which both players agree to a draw."""

Turn: TypeAlias = Move | Attack | Infiltrate | Override
"""A player's turn; an `Override` breaks a rule and is accepted by the arbiter."""


class Game(Protocol):
    """A game as the simulated players know it."""

    ranks: Mapping[Piece, Rank]
    """The rank printed on every piece."""
    red: SquareSet
    blue: SquareSet
    control: TimeControl
    """The time control, if the game is played with a clock."""
    last_words: tuple[Action | Saying, ...]
    """Commands given after the last turn; if empty, the players just stop."""

    def turn(self, shadow: Referee) -> Turn | None:
        """Return the next turn, or None at the end; `shadow` is a referee that knows all ranks."""


class RecordedGame:
    """A game replayed from a record."""

    control: TimeControl = NO_CLOCK

    def __init__(self, record: Record) -> None:
        self.record = record
        self.ranks, self.red, self.blue = record.ranks, record.red, record.blue
        self.length = len(record.moves)
        self.last_words: tuple[Action | Saying, ...] = ()
        if record.result:
            winner = record.result.winner
            self.last_words = (Resign(winner.other),) if winner else AGREE_DRAW

    def turn(self, shadow: Referee) -> Turn | None:
        """Return the recorded move that follows the plies played so far."""
        if shadow.plies >= self.length:
            return None
        return action_of(self.record.moves[shadow.plies], shadow.position)


class RandomGame:
    """A game of random setups and random legal moves; deterministic for a given seed."""

    control: TimeControl = NO_CLOCK
    last_words: tuple[Action | Saying, ...] = AGREE_DRAW
    length: int = LONGEST_RANDOM_GAME
    """Number of plies after which the players agree to end the game."""

    def __init__(self, edition: Edition, seed: int) -> None:
        self._seed = seed
        red, blue = (deal(edition.army, side, seed) for side in Side)
        self.red, self.blue = set_of(red), set_of(blue)
        self.ranks: Mapping[Piece, Rank] = red | blue

    def turn(self, shadow: Referee) -> Turn | None:
        """Return a random legal move; None if none exists or the game has lasted long enough."""
        moves = sorted(shadow.legal_moves(), key=lambda turn: (turn.source, turn.target))
        if not moves or shadow.plies >= self.length:
            return None
        return random.Random(f"{self._seed} {shadow.plies}").choice(moves)
