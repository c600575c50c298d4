"""State of a tournament as immutable values, and the pairing of the next round.

This module pairs round-robin rounds. Swiss pairings come from bbpPairings or another program;
docs/decisions/tournament-pairings.md gives the reasons.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, TypeVar

from companion.hall.tournament import events
from engine.board.geometry import Side


@dataclass(frozen=True)
class Player:
    """A participant, identified by an entry number."""

    number: int
    name: str
    rating: int = 0
    """Rating given by the club or the federation, or 0 if unknown."""
    is_present: bool = True
    """Whether the player will be paired in the next round."""


@dataclass(frozen=True)
class TablePairing:
    """Two players who are paired at a table. Red begins."""

    table: int
    red: int
    blue: int
    result: events.GameResult | None = None
    reason: str = ""
    """Reason for the result, as given by the table or the arbiter."""


@dataclass(frozen=True)
class Round:
    """The games of a round, in table order, and the players with a bye."""

    games: tuple[TablePairing, ...]
    byes: tuple[int, ...] = ()
    half_byes: tuple[int, ...] = ()
    """Players whose bye counts as a draw."""

    @property
    def is_complete(self) -> bool:
        return all(game.result for game in self.games)

    def game_at(self, table: int) -> TablePairing:
        """Return the game at a table. Raise TournamentError if there is no such table."""
        if not 1 <= table <= len(self.games):
            raise events.TournamentError(
                f"There is no table {table}; only {len(self.games)} exist."
            )
        return self.games[table - 1]


@dataclass(frozen=True)
class RoundEntry:
    """A player's result, opponent and side in one round."""

    mark: events.ResultMark
    opponent: int | None = None
    side: Side | None = None


ABSENT = RoundEntry(events.ResultMark.ABSENT)


@dataclass(frozen=True)
class Tournament:
    """The players, and the rounds paired so far."""

    name: str
    planned: int
    points: events.Points
    players: tuple[Player, ...] = ()
    rounds: tuple[Round, ...] = ()

    def player(self, number: int) -> Player:
        """Return the player with a number. Raise TournamentError if the number is unknown."""
        if not 1 <= number <= len(self.players):
            raise events.TournamentError(
                f"There is no player {number}; players entered so far: {len(self.players)}."
            )
        return self.players[number - 1]

    @property
    def is_between_rounds(self) -> bool:
        """Whether every game paired so far has a result."""
        return not self.rounds or self.rounds[-1].is_complete

    @cached_property
    def seeds(self) -> dict[int, int]:
        """Seeds, keyed by player number. They follow the rating, then the order of registration."""
        ordered = sorted(self.players, key=lambda player: (-player.rating, player.number))
        return {player.number: seed for seed, player in enumerate(ordered, start=1)}

    @cached_property
    def entries(self) -> dict[int, tuple[RoundEntry, ...]]:
        """Every player's entries for all rounds, keyed by player number."""
        rounds = [dict(_entries(each)) for each in self.rounds]
        return {
            player.number: tuple(each.get(player.number, ABSENT) for each in rounds)
            for player in self.players
        }

    def score(self, number: int) -> int:
        return sum(self.points.of(entry.mark) for entry in self.entries[number])


def _entries(played: Round) -> Iterator[tuple[int, RoundEntry]]:
    for game in played.games:
        for side, own, other in ((Side.RED, game.red, game.blue), (Side.BLUE, game.blue, game.red)):
            mark = game.result.mark(side) if game.result else events.ResultMark.OPEN
            yield own, RoundEntry(mark, other, side)
    for number in played.byes:
        yield number, RoundEntry(events.ResultMark.BYE)
    for number in played.half_byes:
        yield number, RoundEntry(events.ResultMark.HALF_BYE)


def in_table_order(
    tournament: Tournament, games: Iterable[tuple[int, int]]
) -> tuple[tuple[int, int], ...]:
    """Sort games in table order. The game with the highest-scoring player is at table 1."""

    def importance(game: tuple[int, int]) -> tuple[int, int, int]:
        ranked = sorted((-tournament.score(number), tournament.seeds[number]) for number in game)
        (highest, seed), (other, _) = ranked
        return highest, other, seed

    return tuple(sorted(games, key=importance))


MOST_PLAYERS: Final = 2000
MOST_ROUNDS: Final = 50
LONGEST_NAME: Final = 60
HIGHEST_RATING: Final = 9999
_Item = TypeVar("_Item")


def begin(event: events.Event) -> Tournament:
    """Create a tournament from its first event.

    Raise TournamentError if a tournament cannot begin with the event.
    """
    if not isinstance(event, events.Created):
        raise events.TournamentError(
            "The first event of a tournament must set its name, rounds and points."
        )
    _check_name(event.name)
    if not 1 <= event.rounds <= MOST_ROUNDS:
        raise events.TournamentError(
            f"A tournament must have 1 to {MOST_ROUNDS} rounds, not {event.rounds}."
        )
    return Tournament(event.name, event.rounds, event.points)


def fold(tournament: Tournament, history: Iterable[events.Event]) -> Tournament:
    """Apply events in order. Raise TournamentError at the first invalid event."""
    for event in history:
        tournament = after(tournament, event)
    return tournament


def after(tournament: Tournament, event: events.Event) -> Tournament:
    """Return the state after an event. Raise TournamentError if the event is invalid."""
    match event:
        case events.Created():
            raise events.TournamentError("The tournament has already begun.")
        case events.PlayerAdded():
            return _entered(tournament, event)
        case events.Withdrew(player=number):
            return _present(tournament, number, is_present=False)
        case events.Returned(player=number):
            return _present(tournament, number, is_present=True)
        case events.Paired():
            return _paired(tournament, event)
        case events.RoundUndone():
            return _unpaired(tournament)
        case events.ResultSet():
            return _resulted(tournament, event)


def _check_name(name: str) -> None:
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise events.TournamentError(
            f"{name[:LONGEST_NAME]!r} is not a valid name: a name must be 1 to {LONGEST_NAME} "
            "characters long, on a single line."
        )


def _entered(tournament: Tournament, event: events.PlayerAdded) -> Tournament:
    _check_name(event.name)
    if any(player.name == event.name for player in tournament.players):
        raise events.TournamentError(
            f"{event.name} already takes part; distinguish players of the same name, for example "
            "by a letter."
        )
    if not 0 <= event.rating <= HIGHEST_RATING:
        raise events.TournamentError(
            f"A rating must be from 0 to {HIGHEST_RATING}, not {event.rating}."
        )
    if len(tournament.players) == MOST_PLAYERS:
        raise events.TournamentError(f"There are already {MOST_PLAYERS} players, the maximum.")
    player = Player(len(tournament.players) + 1, event.name, event.rating)
    return replace(tournament, players=(*tournament.players, player))


def _present(tournament: Tournament, number: int, *, is_present: bool) -> Tournament:
    player = tournament.player(number)
    if player.is_present is is_present:
        state = "already takes part" if is_present else "has already withdrawn"
        raise events.TournamentError(f"{player.name} {state}.")
    players = list(tournament.players)
    players[number - 1] = replace(player, is_present=is_present)
    return replace(tournament, players=tuple(players))


def check_pairable(tournament: Tournament) -> None:
    """Raise TournamentError unless another round can be paired."""
    done = len(tournament.rounds)
    if done == tournament.planned:
        raise events.TournamentError(f"All {done} rounds have been paired; no round is left.")
    if not tournament.is_between_rounds:
        first = next(game for game in tournament.rounds[-1].games if not game.result)
        raise events.TournamentError(
            f"Round {done} is not over: table {first.table} has no result yet. Enter it first."
        )
    if sum(player.is_present for player in tournament.players) < 2:
        raise events.TournamentError("A round needs at least two players; add players first.")


def _paired(tournament: Tournament, event: events.Paired) -> Tournament:
    check_pairable(tournament)
    seated = [number for game in event.games for number in game]
    seated += [*event.byes, *event.half_byes]
    known: set[int] = set()
    for number in seated:
        if number in known:
            raise events.TournamentError(
                f"{tournament.player(number).name} is listed twice in a round."
            )
        known.add(tournament.player(number).number)
    games = tuple(TablePairing(table, *pair) for table, pair in enumerate(event.games, start=1))
    paired = Round(games, event.byes, event.half_byes)
    return replace(tournament, rounds=(*tournament.rounds, paired))


def _unpaired(tournament: Tournament) -> Tournament:
    if not tournament.rounds:
        raise events.TournamentError("No round has been paired yet.")
    decided = [game for game in tournament.rounds[-1].games if game.result]
    if decided:
        raise events.TournamentError(
            f"The pairing of round {len(tournament.rounds)} cannot be withdrawn: table "
            f"{decided[0].table} already has a result. Remove the result with “open” first."
        )
    return replace(tournament, rounds=tournament.rounds[:-1])


def _resulted(tournament: Tournament, event: events.ResultSet) -> Tournament:
    number = event.round
    if not 1 <= number <= len(tournament.rounds):
        raise events.TournamentError(
            f"Round {number} does not exist yet; rounds paired: {len(tournament.rounds)}."
        )
    if event.result is None and number < len(tournament.rounds):
        raise events.TournamentError(
            f"A result of round {number} cannot be removed, because round {number + 1} was paired "
            "using it; correct the result instead."
        )
    played = tournament.rounds[number - 1]
    game = replace(played.game_at(event.table), result=event.result, reason=event.reason)
    games = _exchanged(played.games, event.table - 1, game)
    rounds = _exchanged(tournament.rounds, number - 1, replace(played, games=games))
    return replace(tournament, rounds=rounds)


def _exchanged(items: Sequence[_Item], index: int, item: _Item) -> tuple[_Item, ...]:
    return (*items[:index], item, *items[index + 1 :])


def pair_round_robin(tournament: Tournament) -> events.Paired:
    """Pair the next round of a tournament in which every player meets all others.

    The rounds follow the Berger tables (FIDE Handbook, C.05, Annex 1) by entry number. With an odd
    number of players, one player has a bye in each round. Withdrawn players are still paired,
    and lose their games.

    Raises:
        TournamentError: no round can be paired yet, or earlier rounds were not paired
            according to these tables.
    """
    check_pairable(tournament)
    done = len(tournament.rounds)
    for number in range(done):
        before = tournament.rounds[number]
        if {(game.red, game.blue) for game in before.games} != set(_berger(tournament, number)[0]):
            raise events.TournamentError(
                f"Round {number + 1} was not paired as part of a round robin of these "
                "players, so the next round cannot be paired that way. Pair it with another "
                "program, and import it."
            )
    games, bye = _berger(tournament, done)
    if done >= len(tournament.players) - 1 + len(tournament.players) % 2:
        raise events.TournamentError("Everyone has played everyone; no round is left.")
    return events.Paired(tuple(games), () if bye is None else (bye,))


def _berger(tournament: Tournament, number: int) -> tuple[list[tuple[int, int]], int | None]:
    """Return the pairs (Red, Blue) and the player with a bye. `number` counts rounds from 0."""
    # The numbers of two opponents add up to the round's number plus 2, modulo the number of rounds.
    # The player whom this rule would pair with themselves meets the last player.
    count = len(tournament.players)
    last = count + count % 2
    rounds = last - 1
    first = next(each for each in range(1, last) if (2 * each - number - 2) % rounds == 0)
    pairs = [(last, first) if number % 2 else (first, last)]
    pairs += [
        ((first + step - 1) % rounds + 1, (first - step - 1) % rounds + 1)
        for step in range(1, last // 2)
    ]
    games = [pair for pair in pairs if max(pair) <= count]
    return games, first if count % 2 else None


def read_pairs(tournament: Tournament, text: str) -> events.Paired:
    """Parse the reply of bbpPairings: the number of pairs, then one pair per line.

    An opponent of 0 means a bye. The numbers are seeds, as in the TRF file that bbpPairings
    received. Raise TournamentError if the reply is malformed.
    """
    players = {seed: number for number, seed in tournament.seeds.items()}
    games: list[tuple[int, int]] = []
    byes: list[int] = []
    try:
        count, *lines = text.split("\n")
        for line in lines[: int(count)]:
            red, blue = map(int, line.split())
            if blue:
                games.append((players[red], players[blue]))
            else:
                byes.append(players[red])
    except (ValueError, KeyError) as error:
        raise events.TournamentError(f"The answer is not a list of pairs: {text[:60]!r}") from error
    return events.Paired(in_table_order(tournament, games), tuple(byes))
