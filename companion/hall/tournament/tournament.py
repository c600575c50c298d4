"""State of a tournament: an immutable value."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from companion.hall.tournament.marks import Mark, Result, TournamentError
from companion.hall.tournament.points import Points
from engine.board.geometry import Side


@dataclass(frozen=True)
class Player:
    """A participant, identified by the number of their entry."""

    number: int
    name: str
    rating: int = 0
    """Rating in the list of the club or the federation; 0 if unknown."""
    is_present: bool = True
    """Whether the player is paired in the next round."""


@dataclass(frozen=True)
class Game:
    """Two players at a table; Red begins."""

    table: int
    red: int
    blue: int
    result: Result | None = None
    reason: str = ""
    """Reason of the result, as given by the table or the arbiter."""


@dataclass(frozen=True)
class Round:
    """All games of a round, by table, and the player with the bye."""

    games: tuple[Game, ...]
    bye: int | None = None

    @property
    def is_complete(self) -> bool:
        """Whether every game has a result."""
        return all(game.result for game in self.games)

    def game_at(self, table: int) -> Game:
        """Return the game at a table; TournamentError for an unknown table."""
        if not 1 <= table <= len(self.games):
            raise TournamentError(f"There is no table {table}; there are {len(self.games)}.")
        return self.games[table - 1]


@dataclass(frozen=True)
class Entry:
    """A player's record of one round."""

    mark: Mark
    opponent: int | None = None
    side: Side | None = None


ABSENT = Entry(Mark.ABSENT)


@dataclass(frozen=True)
class Tournament:
    """Players and rounds so far."""

    name: str
    planned: int
    """Planned number of rounds."""
    points: Points
    players: tuple[Player, ...] = ()
    rounds: tuple[Round, ...] = ()

    def player(self, number: int) -> Player:
        """Return the player with a number; TournamentError for an unknown number."""
        if not 1 <= number <= len(self.players):
            raise TournamentError(
                f"There is no player {number}; there are {len(self.players)}, numbered from 1."
            )
        return self.players[number - 1]

    @property
    def is_between_rounds(self) -> bool:
        """Whether all games have a result."""
        return not self.rounds or self.rounds[-1].is_complete

    @cached_property
    def seeds(self) -> dict[int, int]:
        """Order before the first game: by rating, highest first, then by registration."""
        ordered = sorted(self.players, key=lambda player: (-player.rating, player.number))
        return {player.number: seed for seed, player in enumerate(ordered, start=1)}

    @cached_property
    def entries(self) -> dict[int, tuple[Entry, ...]]:
        """Each player's record of every round, by number."""
        rounds = [dict(_entries(each)) for each in self.rounds]
        return {
            player.number: tuple(each.get(player.number, ABSENT) for each in rounds)
            for player in self.players
        }

    def score(self, number: int) -> int:
        """The points of a player."""
        return sum(self.points.of(entry.mark) for entry in self.entries[number])


def _entries(played: Round) -> Iterator[tuple[int, Entry]]:
    for game in played.games:
        for side, own, other in ((Side.RED, game.red, game.blue), (Side.BLUE, game.blue, game.red)):
            mark = game.result.mark(side) if game.result else Mark.OPEN
            yield own, Entry(mark, other, side)
    if played.bye is not None:
        yield played.bye, Entry(Mark.BYE)
