"""What the hall still lacks of a table's games. The journal holds it, so nothing here is kept.

Items go out in order, a few ahead of what the hall has confirmed. If no confirmation comes, they
go out again from the first that is missing: what comes twice the hall knows by its number.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from companion.hall.feed.feed import Feed
from companion.hall.feed.item import write_item
from companion.hall.words import Received, game_key
from companion.store.follower import Begun, Follower, Rows
from engine.play.moment import OutOfPhaseError

log = logging.getLogger(__name__)

AHEAD: Final = 64
"""So many items of a game may be on their way."""
PATIENCE: Final = 2.0
"""After so many seconds without a confirmation they go out again."""


@dataclass
class _Game:
    begun: Begun
    rows: Rows
    feed: Feed
    items: list[str] = field(default_factory=list)
    received: int = 0
    sent: int = 0
    is_complete: bool = False
    """Whether nothing more will come of it, or can be read."""

    @property
    def key(self) -> str:
        return game_key(self.begun.at, self.begun.game)

    def send(self) -> list[str]:
        """Return the items that go out now."""
        until = min(len(self.items), self.received + AHEAD)
        sent, self.sent = self.sent, max(self.sent, until)
        return self.items[sent:until]


class Outbox:
    """The games of one table, on their way to the hall."""

    def __init__(self, follower: Follower, first: int, clock: Callable[[], float]) -> None:
        """Follow the games from the first on; `clock` counts seconds."""
        self._follower = follower
        self._first = first
        self._clock = clock
        self._games: dict[str, _Game] = {}
        self._confirmed_at = clock()
        self._is_asked = False
        """Whether the hall has said what it has, since the connection was made."""

    @property
    def waits_for_hall(self) -> bool:
        """Whether the hall has yet to say what it has."""
        return not self._is_asked

    @property
    def latest(self) -> str:
        """The key of the latest game, empty if there is none."""
        return max(self._games, key=lambda key: self._games[key].begun.game, default="")

    def read(self) -> None:
        """Take in what has been written since the last call; sqlite3.Error if it cannot be read."""
        known = {game.begun.game for game in self._games.values()}
        for begun in self._follower.games(self._first):
            if begun.game not in known:
                game = _Game(begun, self._follower.rows(begun.game), Feed(begun))
                game.items.append(write_item(game.feed.begin()))
                self._games[game.key] = game
        latest = self.latest
        for game in self._games.values():
            if not game.is_complete:
                self._read_on(game)
                if game.key != latest:  # nobody goes back behind the beginning of the next one
                    game.is_complete = True

    def _read_on(self, game: _Game) -> None:
        try:
            game.items.extend(write_item(game.feed.take(row)) for row in game.rows.new())
        except (OutOfPhaseError, ValueError) as error:
            log.error("game %s is told no further: %s", game.key, error)
            game.is_complete = True

    def connect(self) -> None:
        """Wait for the hall to say what it has: the connection is new."""
        self._is_asked = False

    def confirm(self, received: Received) -> None:
        """Take note of what the hall has."""
        self._confirmed_at = self._clock()
        if received.is_all:
            self._is_asked = True
        for key, game in self._games.items():
            if received.is_all:
                game.received = game.sent = min(received.games.get(key, 0), len(game.items))
            elif key in received.games:
                game.received = max(game.received, min(received.games[key], len(game.items)))
                game.sent = max(game.sent, game.received)

    def due(self) -> list[tuple[str, str]]:
        """Return what has to be sent now, each item with the key of its game."""
        if not self._is_asked:
            return []
        now, games = self._clock(), self._games.values()
        if all(game.sent == game.received for game in games):
            self._confirmed_at = now  # patience begins when something is on its way
        elif now - self._confirmed_at > PATIENCE:
            self._confirmed_at = now
            for game in games:
                game.sent = game.received
        return [(game.key, text) for game in games for text in game.send()]

    def items(self) -> dict[str, Sequence[str]]:
        """Return all items of all games by their keys, as far as they were read."""
        return {key: tuple(game.items) for key, game in self._games.items()}
