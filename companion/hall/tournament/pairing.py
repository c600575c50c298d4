"""Pairs the next round: everyone against everyone, or as bbpPairings has paired it.

Swiss pairings are left to other programs. docs/decisions/tournament-pairings.md gives the reasons.
"""

from companion.hall.tournament.events import Paired, TournamentError
from companion.hall.tournament.tournament import Tournament, check_pairable, in_table_order


def pair_round_robin(tournament: Tournament) -> Paired:
    """Pair the next round of a tournament in which everyone plays everyone.

    The rounds follow the Berger tables (FIDE Handbook, C.05, Annex 1) by entry number. With an odd
    number of players, one of them has a bye in each round. Players who have withdrawn keep their
    games, which they lose.

    Raises:
        TournamentError: no round can be paired now, or the rounds so far followed other tables.
    """
    check_pairable(tournament)
    done = len(tournament.rounds)
    for number in range(done):
        before = tournament.rounds[number]
        if {(game.red, game.blue) for game in before.games} != set(_berger(tournament, number)[0]):
            raise TournamentError(
                f"Round {number + 1} was not paired as everyone against everyone with these "
                "players, so the next round cannot be. Pair it with another program, and import it."
            )
    games, bye = _berger(tournament, done)
    if done >= len(tournament.players) - 1 + len(tournament.players) % 2:
        raise TournamentError("Everyone has played everyone; no round is left.")
    return Paired(tuple(games), () if bye is None else (bye,))


def _berger(tournament: Tournament, number: int) -> tuple[list[tuple[int, int]], int | None]:
    """Return the pairs (Red, Blue) of a round counted from 0, and the player with the bye."""
    # The numbers of two opponents add up to the round's number plus 2, modulo the number of rounds.
    # The last player is outside this order and meets the one whose own number would come up twice.
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


def read_pairs(tournament: Tournament, text: str) -> Paired:
    """Read the answer of bbpPairings: the number of pairs, then one pair per line; 0 for a bye.

    The players are given by seed, as in the TRF that the program has got. TournamentError if the
    text is not such an answer.
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
        raise TournamentError(f"The answer is not a list of pairs: {text[:60]!r}") from error
    return Paired(in_table_order(tournament, games), tuple(byes))
