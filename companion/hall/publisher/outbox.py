"""Items of a table's games that the hall still lacks; kept in memory, since the journal has them.

Items are sent in order, up to a window ahead of the hall's confirmation. Without a confirmation
they are sent again from the first missing one; the hall recognises duplicates by their numbers.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from companion.hall.feed.feed import Feed
from companion.hall.feed.item import write_item
from companion.hall.words import Received, game_key
from companion.store.follower import Begun, Follower, Rows
from engine.game.game_state import OutOfPhaseError

log = logging.getLogger(__name__)

AHEAD: Final = 64
"""Maximum number of unconfirmed items of a game."""
PATIENCE: Final = 2.0
"""Time without a confirmation after which items are sent again, in seconds."""


@dataclass
class _Game:
    begun: Begun
    rows: Rows
    feed: Feed
    items: list[str] = field(default_factory=list)
    received: int = 0
    sent: int = 0
    is_complete: bool = False
    """Whether the game gives no more items, or cannot be read further."""

    @property
    def key(self) -> str:
        return game_key(self.begun.at, self.begun.game)

    def send(self) -> list[str]:
        """Return the items to send now, and mark them as sent."""
        until = min(len(self.items), self.received + AHEAD)
        sent, self.sent = self.sent, max(self.sent, until)
        return self.items[sent:until]


class Outbox:
    """Unconfirmed items of one table's games."""

    def __init__(self, follower: Follower, first: int, clock: Callable[[], float]) -> None:
        """Follow all games from number `first` on; `clock` counts seconds."""
        self._follower = follower
        self._first = first
        self._clock = clock
        self._games: dict[str, _Game] = {}
        self._confirmed_at = clock()
        self._is_asked = False
        """Whether the hall has reported what it has since the connection was made."""

    @property
    def waits_for_hall(self) -> bool:
        return not self._is_asked

    @property
    def latest(self) -> str:
        """The key of the latest game; empty without a game."""
        return max(self._games, key=lambda key: self._games[key].begun.game, default="")

    def read(self) -> None:
        """Read all rows written since the last call; sqlite3.Error if they cannot be read."""
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
                if game.key != latest:  # no undo goes back behind the start of the next game
                    game.is_complete = True

    def _read_on(self, game: _Game) -> None:
        try:
            game.items.extend(write_item(game.feed.take(row)) for row in game.rows.new())
        except (OutOfPhaseError, ValueError) as error:
            log.error("game %s is told no further: %s", game.key, error)
            game.is_complete = True

    def connect(self) -> None:
        """Start a new connection: wait for the hall to report what it has."""
        self._is_asked = False

    def confirm(self, received: Received) -> None:
        """Record the items that the hall has confirmed."""
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
        """Return the items to send now, each with the key of its game."""
        if not self._is_asked:
            return []
        now, games = self._clock(), self._games.values()
        if all(game.sent == game.received for game in games):
            self._confirmed_at = now  # the time-out starts when something is in flight
        elif now - self._confirmed_at > PATIENCE:
            self._confirmed_at = now
            for game in games:
                game.sent = game.received
        return [(game.key, text) for game in games for text in game.send()]

    def items(self) -> dict[str, Sequence[str]]:
        """Return the items of all games read so far, by key."""
        return {key: tuple(game.items) for key, game in self._games.items()}
