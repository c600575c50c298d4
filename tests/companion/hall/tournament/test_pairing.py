"""Round-robin pairings, and pairings from files exchanged with bbpPairings."""

import random
import stat
import sys
from collections import Counter
from pathlib import Path

import pytest

from companion.commands.tournament import pair_swiss
from companion.hall.tournament import events
from companion.hall.tournament.tournament import Tournament, after, begin, fold, pair_round_robin
from engine.board.geometry import Side
from tests.companion.hall.tournament.played import drawn

TALKS = sorted(Path(__file__).with_name("bbp_pairings").glob("*.trf"))
"""Input files for bbpPairings 6.0.0. The output files have the same names, but end in ``.txt``."""


def tournament_of(players: int, rounds: int = 41) -> Tournament:
    entering = [events.PlayerAdded(f"Player {number}", 2000 - number) for number in range(players)]
    return fold(begin(events.Created("Cup", rounds, events.FEDERATION)), entering)


def played_on(tournament: Tournament, paired: events.Paired) -> Tournament:
    """Add a round in which Red wins every game. Return the tournament."""
    round_, tables = len(tournament.rounds) + 1, range(1, len(paired.games) + 1)
    results = [events.ResultSet(round_, table, events.GameResult.RED) for table in tables]
    return fold(tournament, [paired, *results])


@pytest.mark.parametrize("players", range(2, 14))
def test_round_robin_pairs_everyone_once(players: int) -> None:
    tournament, rounds = tournament_of(players), players - 1 + players % 2
    for _ in range(rounds):
        tournament = played_on(tournament, pair_round_robin(tournament))
    met = Counter(frozenset((g.red, g.blue)) for each in tournament.rounds for g in each.games)
    assert len(met) == players * (players - 1) // 2
    assert set(met.values()) == {1}
    byes = Counter(bye for each in tournament.rounds for bye in each.byes)
    assert byes == (Counter(range(1, players + 1)) if players % 2 else Counter())
    for number, entries in tournament.entries.items():
        sides = [entry.side for entry in entries if entry.side]
        assert abs(sides.count(Side.RED) - sides.count(Side.BLUE)) <= 1, (
            f"unbalanced colours of {number}"
        )
    with pytest.raises(events.TournamentError, match="no round is left"):
        pair_round_robin(tournament)


def test_round_robin_matches_the_fide_tables() -> None:
    """The expected pairings are from the FIDE Handbook, C.05, Annex 1 (7 or 8 players)."""
    tournament = tournament_of(8)
    first = pair_round_robin(tournament)
    assert first.games == ((1, 8), (2, 7), (3, 6), (4, 5))
    second = pair_round_robin(played_on(tournament, first))
    assert second.games == ((8, 5), (6, 4), (7, 3), (1, 2))


def test_round_robin_needs_constant_players() -> None:
    tournament = played_on(tournament_of(4), pair_round_robin(tournament_of(4)))
    late = fold(tournament, [events.PlayerAdded("Zoe"), events.PlayerAdded("Yan")])
    with pytest.raises(events.TournamentError, match="Round 1 was not paired as part of a"):
        pair_round_robin(late)


def test_open_games_block_pairing() -> None:
    tournament = tournament_of(4)
    half = fold(
        tournament, [pair_round_robin(tournament), events.ResultSet(1, 1, events.GameResult.RED)]
    )
    with pytest.raises(events.TournamentError, match="table 2 has no result yet"):
        pair_round_robin(half)
    with pytest.raises(events.TournamentError, match="table 2 has no result yet"):
        pair_swiss(half, "bbpPairings")


def swiss(number: int) -> Tournament:
    chance = random.Random(number)
    tournament = tournament_of(5 + number, 9)
    for _ in range(number % 3 + 1):
        tournament = after(tournament, drawn(tournament, chance))
        for game in tournament.rounds[-1].games:
            result = chance.choice(list(events.GameResult))
            tournament = after(
                tournament, events.ResultSet(len(tournament.rounds), game.table, result)
            )
    return after(tournament, events.Withdrew(2)) if number % 2 else tournament


def program(folder: Path, script: str) -> str:
    """Return the path of an executable that runs a Python script."""
    path = folder / "pairs"
    path.write_text(f"#!{sys.executable}\nimport sys\n{script}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@pytest.mark.parametrize("number", range(6))
def test_bbp_pairings_protocol(number: int, tmp_path: Path) -> None:
    assert len(TALKS) == 6
    asked, answer = TALKS[number], TALKS[number].with_suffix(".txt")
    checking = (
        f"asked = open(sys.argv[2]).read(); assert asked == open({str(asked)!r}).read(), asked\n"
        f"assert (sys.argv[1], sys.argv[3]) == ('--dutch', '-p')\n"
        f"print(open({str(answer)!r}).read(), end='')"
    )
    tournament = swiss(number)
    paired = pair_swiss(tournament, program(tmp_path, checking))
    players = {seed: player for player, seed in tournament.seeds.items()}
    pairs = [tuple(map(int, line.split())) for line in answer.read_text("ascii").split("\n")[1:-1]]
    assert {*paired.games} == {(players[red], players[blue]) for red, blue in pairs if blue}
    assert paired.byes == tuple(players[red] for red, blue in pairs if not blue)
    scores = [max(map(tournament.score, game)) for game in paired.games]
    assert scores == sorted(scores, reverse=True), "the leaders play at table 1"


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("sys.exit('no valid pairing')", "has found no pairing: no valid pairing"),
        ("sys.exit(1)", "has found no pairing: no reason"),
        ("print('hello')", "not a list of pairs: 'hello"),
        ("print('1\\n1 99')", "not a list of pairs"),
    ],
)
def test_pairing_program_error_is_quoted(script: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(events.TournamentError, match=words):
        pair_swiss(tournament_of(4), program(tmp_path, script))


def test_missing_pairing_program_is_explained(tmp_path: Path) -> None:
    with pytest.raises(events.TournamentError, match=r"was not found.*--round-robin"):
        pair_swiss(tournament_of(4), str(tmp_path / "nothing"))
