"""Games that simulated players play: a recorded one, or a random one."""

import random
from collections.abc import Mapping
from typing import Final, Protocol

from companion.dealing import deal
from engine.games.record import Record, RecordedMove
from engine.legality.board import Piece
from engine.play.referee import Referee
from engine.play.rulings import GameOver, Reason
from engine.ranks import Rank
from engine.rulebook.editions import Edition
from engine.sides import Side
from engine.squares import SquareSet, set_of

LONGEST_RANDOM_GAME: Final = 300
"""After how many plies players who move at random agree to a draw."""


class Game(Protocol):
    """What simulated players know of their game."""

    ranks: Mapping[Piece, Rank]
    """What is printed on every piece."""
    red: SquareSet
    blue: SquareSet
    result: GameOver | None
    """How the players end the game when they have no more moves; None if they just stop."""

    def move(self, shadow: Referee) -> RecordedMove | None:
        """Return the next move; `shadow` is a referee that knows all ranks. None at the end."""


class RecordedGame:
    """A game from a record."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.ranks, self.red, self.blue = record.ranks, record.red, record.blue
        self.result = record.result
        self.length = len(record.moves)

    def move(self, shadow: Referee) -> RecordedMove | None:
        """Return the recorded move that follows the plies played so far."""
        return self.record.moves[shadow.plies] if shadow.plies < self.length else None


class RandomGame:
    """A game of random setups and random legal moves, the same for the same seed."""

    result: GameOver | None = GameOver(None, Reason.AGREED_DRAW)

    def __init__(self, edition: Edition, seed: int) -> None:
        self._seed = seed
        red, blue = (deal(edition.army, side, seed) for side in Side)
        self.red, self.blue = set_of(red), set_of(blue)
        self.ranks: Mapping[Piece, Rank] = red | blue

    def move(self, shadow: Referee) -> RecordedMove | None:
        """Return a random legal move; None if there is none or the game has lasted long enough."""
        moves = sorted((turn.source, turn.target) for turn in shadow.legal_moves())
        if not moves or shadow.plies >= LONGEST_RANDOM_GAME:
            return None
        return RecordedMove(*random.Random(f"{self._seed} {shadow.plies}").choice(moves))
