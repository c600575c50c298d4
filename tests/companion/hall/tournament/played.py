"""Random tournaments with results, absences and late entries."""

import random
from collections.abc import Iterator

from companion.hall.tournament import events
from companion.hall.tournament.tournament import Tournament, after, begin

_RESULTS = {
    events.GameResult.RED: 40,
    events.GameResult.BLUE: 40,
    events.GameResult.DRAW: 16,
    events.GameResult.BOTH_LOST: 1,
    events.GameResult.RED_ABSENT: 1,
    events.GameResult.BLUE_ABSENT: 1,
    events.GameResult.BOTH_ABSENT: 1,
}


def played(
    players: int,
    rounds: int,
    seed: int,
    points: events.Points = events.FEDERATION,
    unrest: float = 0.05,
) -> Iterator[tuple[Tournament, events.Event]]:
    """Play a tournament. Yield the tournament before each decision, together with the decision.

    `unrest` is the probability that a player leaves or returns between rounds. Pairings are random,
    so two players may meet more than once.
    """
    chance = random.Random(seed)
    begun = events.Created(f"Open {seed}", rounds, points)
    tournament = begin(begun)
    late = 1 if unrest and players > 2 else 0

    def decide(event: events.Event) -> tuple[Tournament, events.Event]:
        nonlocal tournament
        before, tournament = tournament, after(tournament, event)
        return before, event

    for number in range(players - late):
        yield decide(events.PlayerAdded(f"Player {number + 1}", chance.randrange(1000, 2500)))
    for number in range(1, rounds + 1):
        if number == 2 and late:
            yield decide(events.PlayerAdded("Latecomer", chance.randrange(1000, 2500)))
        for player in tournament.players if number > 1 else ():
            if chance.random() < unrest:
                kind = events.Withdrew if player.is_present else events.Returned
                yield decide(kind(player.number))
        if sum(player.is_present for player in tournament.players) < 2:
            return
        yield decide(drawn(tournament, chance))
        for game in tournament.rounds[-1].games:
            results = list(_RESULTS)[: None if unrest else 3]
            weights = [_RESULTS[result] for result in results]
            result = chance.choices(results, weights)[0]
            yield decide(events.ResultSet(number, game.table, result))


def drawn(tournament: Tournament, chance: random.Random) -> events.Paired:
    """Return a random pairing of the next round. A player left over gets a bye or half-bye."""
    players = [player.number for player in tournament.players if player.is_present]
    chance.shuffle(players)
    free = (players.pop(),) if len(players) % 2 else ()
    games = tuple(zip(players[::2], players[1::2], strict=True))
    return (
        events.Paired(games, half_byes=free)
        if chance.random() < 0.2
        else events.Paired(games, free)
    )


def end_of(history: Iterator[tuple[Tournament, events.Event]]) -> Tournament:
    *_, (before, event) = history
    return after(before, event)
