"""Tournaments generated from a seed: results, absences and late entries."""

import random
from collections.abc import Iterator

from companion.hall.tournament.events import (
    FEDERATION,
    Created,
    Event,
    GameResult,
    Paired,
    PlayerAdded,
    Points,
    ResultSet,
    Returned,
    TournamentError,
    Withdrew,
)
from companion.hall.tournament.pairing import pair
from companion.hall.tournament.tournament import Tournament, after, begin

_RESULTS = {
    GameResult.RED: 40,
    GameResult.BLUE: 40,
    GameResult.DRAW: 16,
    GameResult.BOTH_LOST: 1,
    GameResult.RED_ABSENT: 1,
    GameResult.BLUE_ABSENT: 1,
    GameResult.BOTH_ABSENT: 1,
}


def played(
    players: int,
    rounds: int,
    seed: int,
    points: Points = FEDERATION,
    unrest: float = 0.05,
) -> Iterator[tuple[Tournament, Event]]:
    """Play a tournament; yield each decision with the tournament before it.

    `unrest` is the probability that a player leaves or returns between rounds. Without unrest every
    player plays every game. A tournament that can no longer be paired ends.
    """
    chance = random.Random(seed)
    begun = Created(f"Open {seed}", rounds, points)
    tournament = begin(begun)
    late = 1 if unrest and players > 2 else 0

    def decide(event: Event) -> tuple[Tournament, Event]:
        nonlocal tournament
        before, tournament = tournament, after(tournament, event)
        return before, event

    for number in range(players - late):
        yield decide(PlayerAdded(f"Player {number + 1}", chance.randrange(1000, 2500)))
    for number in range(1, rounds + 1):
        if number == 2 and late:
            yield decide(PlayerAdded("Latecomer", chance.randrange(1000, 2500)))
        for player in tournament.players if number > 1 else ():
            if chance.random() < unrest:
                kind = Withdrew if player.is_present else Returned
                yield decide(kind(player.number))
        try:
            paired = pair(tournament)
        except TournamentError:
            return
        yield decide(paired)
        for game in tournament.rounds[-1].games:
            results = list(_RESULTS)[: None if unrest else 3]
            weights = [_RESULTS[result] for result in results]
            result = chance.choices(results, weights)[0]
            yield decide(ResultSet(number, game.table, result))


def end_of(events: Iterator[tuple[Tournament, Event]]) -> Tournament:
    """Return the tournament after all its rounds."""
    *_, (before, event) = events
    return after(before, event)


def rounds_of(
    events: Iterator[tuple[Tournament, Event]],
) -> Iterator[tuple[Tournament, Paired]]:
    """Yield every pairing with the tournament before it."""
    for before, event in events:
        if isinstance(event, Paired):
            yield before, event
