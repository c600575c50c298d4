"""Compare the standings with a second, slow implementation."""

from itertools import combinations

from companion.hall.tournament.events import GameResult
from companion.hall.tournament.standings import standings
from companion.hall.tournament.tournament import Tournament
from engine.board.geometry import Side
from tests.companion.hall.tournament.played import end_of, played

WINS = {GameResult.RED: (1, 0), GameResult.BLUE: (0, 1), GameResult.DRAW: (0.5, 0.5)}
GAINS = {
    GameResult.RED: (6, 1),
    GameResult.BLUE: (1, 6),
    GameResult.DRAW: (3, 3),
    GameResult.BOTH_LOST: (1, 1),
    GameResult.RED_ABSENT: (0, 6),
    GameResult.BLUE_ABSENT: (6, 0),
    GameResult.BOTH_ABSENT: (0, 0),
}
AT_THE_BOARD = (GameResult.RED, GameResult.BLUE, GameResult.DRAW, GameResult.BOTH_LOST)


def points(tournament: Tournament, who: int) -> int:
    total = 0
    for each in tournament.rounds:
        total += 6 * (who in each.byes) + 3 * (who in each.half_byes)
        for game in each.games:
            assert game.result
            red, blue = GAINS[game.result]
            total += red * (game.red == who) + blue * (game.blue == who)
    return total


def games(tournament: Tournament, who: int) -> list[tuple[int, Side, GameResult]]:
    found = []
    for each in tournament.rounds:
        for game in each.games:
            if game.result in AT_THE_BOARD and who in (game.red, game.blue):
                side = Side.RED if game.red == who else Side.BLUE
                found.append((game.red + game.blue - who, side, game.result))
    return found


def buchholz(tournament: Tournament, who: int) -> float:
    met = [points(tournament, other) for other, _, _ in games(tournament, who)]
    return sum(met) + (len(tournament.rounds) - len(met)) * points(tournament, who)


def sonneborn_berger(tournament: Tournament, who: int) -> float:
    return sum(
        WINS.get(result, (0, 0))[side is Side.BLUE] * points(tournament, other)
        for other, side, result in games(tournament, who)
    )


def direct(tournament: Tournament, who: int, equals: list[int]) -> float:
    for one, other in combinations(equals, 2):
        if other not in [each for each, _, _ in games(tournament, one)]:
            return 0
    return sum(
        GAINS[result][side is Side.BLUE]
        for other, side, result in games(tournament, who)
        if other in equals
    )


def test_points_and_tie_breaks() -> None:
    for seed in range(8):
        tournament = end_of(played(6 + seed, 4, seed, unrest=0.1))
        rows = standings(tournament)
        assert sorted(row.player.number for row in rows) == list(
            range(1, len(tournament.players) + 1)
        )
        for row in rows:
            who = row.player.number
            assert row.points == points(tournament, who)
            assert row.tie_breaks[0] == buchholz(tournament, who)
            assert row.tie_breaks[1] == sonneborn_berger(tournament, who)
            equals = [
                each.player.number
                for each in rows
                if (each.points, *each.tie_breaks[:2]) == (row.points, *row.tie_breaks[:2])
            ]
            assert row.tie_breaks[2] == direct(tournament, who, equals)
            better = [
                each
                for each in rows
                if (each.points, *each.tie_breaks) > (row.points, *row.tie_breaks)
            ]
            assert row.place == len(better) + 1
