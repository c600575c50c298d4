"""State of a tournament after an event; events that do not fit are rejected."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from companion.hall.tournament.event import (
    Begun,
    Entered,
    Event,
    Paired,
    Resulted,
    Returned,
    Unpaired,
    Withdrew,
)
from companion.hall.tournament.marks import TournamentError
from companion.hall.tournament.tournament import Game, Player, Round, Tournament

MOST_PLAYERS: Final = 2000
MOST_ROUNDS: Final = 50
LONGEST_NAME: Final = 60
HIGHEST_RATING: Final = 9999
_Thing = TypeVar("_Thing")


def begin(event: Event) -> Tournament:
    """Create a tournament from the first event; TournamentError if it cannot be the first."""
    if not isinstance(event, Begun):
        raise TournamentError("A tournament begins with its name, its rounds and its points.")
    _check_name(event.name)
    if not 1 <= event.rounds <= MOST_ROUNDS:
        raise TournamentError(f"A tournament has 1 to {MOST_ROUNDS} rounds, not {event.rounds}.")
    return Tournament(event.name, event.rounds, event.points)


def fold(tournament: Tournament, events: Iterable[Event]) -> Tournament:
    """Apply events in order; TournamentError for the first that does not fit."""
    for event in events:
        tournament = after(tournament, event)
    return tournament


def after(tournament: Tournament, event: Event) -> Tournament:
    """Return the state of a tournament after an event; TournamentError if it does not fit."""
    match event:
        case Begun():
            raise TournamentError("The tournament has begun already.")
        case Entered():
            return _entered(tournament, event)
        case Withdrew(player=number):
            return _present(tournament, number, is_present=False)
        case Returned(player=number):
            return _present(tournament, number, is_present=True)
        case Paired():
            return _paired(tournament, event)
        case Unpaired():
            return _unpaired(tournament)
        case Resulted():
            return _resulted(tournament, event)


def _check_name(name: str) -> None:
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise TournamentError(
            f"{name[:LONGEST_NAME]!r} is no name: it has 1 to {LONGEST_NAME} letters, in one line."
        )


def _entered(tournament: Tournament, event: Entered) -> Tournament:
    _check_name(event.name)
    if any(player.name == event.name for player in tournament.players):
        raise TournamentError(
            f"{event.name} takes part already; tell two of one name apart, as by a letter."
        )
    if not 0 <= event.rating <= HIGHEST_RATING:
        raise TournamentError(f"A rating is 0 to {HIGHEST_RATING}, not {event.rating}.")
    if len(tournament.players) == MOST_PLAYERS:
        raise TournamentError(f"{MOST_PLAYERS} players take part, and no more can.")
    player = Player(len(tournament.players) + 1, event.name, event.rating)
    return replace(tournament, players=(*tournament.players, player))


def _present(tournament: Tournament, number: int, *, is_present: bool) -> Tournament:
    player = tournament.player(number)
    if player.is_present is is_present:
        state = "takes part already" if is_present else "has withdrawn already"
        raise TournamentError(f"{player.name} {state}.")
    players = list(tournament.players)
    players[number - 1] = replace(player, is_present=is_present)
    return replace(tournament, players=tuple(players))


def check_pairable(tournament: Tournament) -> None:
    """Check that another round can be paired; TournamentError if not."""
    done = len(tournament.rounds)
    if done == tournament.planned:
        raise TournamentError(f"All {done} rounds are paired; there is none left.")
    if not tournament.is_between_rounds:
        first = next(game for game in tournament.rounds[-1].games if not game.result)
        raise TournamentError(
            f"Round {done} is not over: table {first.table} has no result yet. Set it, then pair."
        )
    if sum(player.is_present for player in tournament.players) < 2:
        raise TournamentError("A round needs two players at least; add players first.")


def _paired(tournament: Tournament, event: Paired) -> Tournament:
    check_pairable(tournament)
    seated = [number for game in event.games for number in game]
    if event.bye is not None:
        seated.append(event.bye)
    present = [player.number for player in tournament.players if player.is_present]
    if sorted(seated) != present:
        raise TournamentError("A round seats everybody who is there once, and nobody else.")
    games = tuple(Game(table, *pair) for table, pair in enumerate(event.games, start=1))
    return replace(tournament, rounds=(*tournament.rounds, Round(games, event.bye)))


def _unpaired(tournament: Tournament) -> Tournament:
    if not tournament.rounds:
        raise TournamentError("No round is paired yet.")
    decided = [game for game in tournament.rounds[-1].games if game.result]
    if decided:
        raise TournamentError(
            f"Round {len(tournament.rounds)} stays as it is paired: table {decided[0].table} has a "
            "result already. Take it back with “open” first."
        )
    return replace(tournament, rounds=tournament.rounds[:-1])


def _resulted(tournament: Tournament, event: Resulted) -> Tournament:
    number = event.round
    if not 1 <= number <= len(tournament.rounds):
        raise TournamentError(
            f"There is no round {number} yet; {len(tournament.rounds)} are paired."
        )
    if event.result is None and number < len(tournament.rounds):
        raise TournamentError(
            f"Round {number + 1} is paired by the results of round {number}, so none of them can "
            "be open again; correct it instead."
        )
    played = tournament.rounds[number - 1]
    game = replace(played.game_at(event.table), result=event.result, reason=event.reason)
    games = _exchanged(played.games, event.table - 1, game)
    rounds = _exchanged(tournament.rounds, number - 1, replace(played, games=games))
    return replace(tournament, rounds=rounds)


def _exchanged(things: Sequence[_Thing], index: int, thing: _Thing) -> tuple[_Thing, ...]:
    return (*things[:index], thing, *things[index + 1 :])
