"""Import rounds and results from an arbiter's tournament software."""

from dataclasses import replace
from pathlib import Path

import pytest

from companion import cli
from companion.hall.tournament import events
from companion.hall.tournament.exchange import merge, read_round, write_results
from companion.hall.tournament.tournament import Tournament, begin, fold
from companion.hall.tournament.tournament_file import read
from companion.hall.tournament.trf import read_trf, write_trf
from tests.companion.hall.tournament.played import end_of, played

NAMES = ("Ada", "Bo", "Cleo", "Dan", "Emmy")


def cup(*later: events.Event) -> Tournament:
    entering = [events.PlayerAdded(name) for name in NAMES]
    return fold(begin(events.Created("Cup", 5, events.FEDERATION)), [*entering, *later])


FIRST = events.Paired(((1, 2), (3, 4)), (5,))
RED_AND_DRAW = (
    events.ResultSet(1, 1, events.GameResult.RED),
    events.ResultSet(1, 2, events.GameResult.DRAW),
)


@pytest.mark.parametrize("seed", range(8))
def test_tournament_exchange_round_trip(seed: int) -> None:
    """Import an exported tournament into a copy of it that has no rounds yet. A second import adds
    nothing."""
    tournament = end_of(played(5 + seed, 4, seed, unrest=0))
    first, *others = read_trf(write_trf(tournament))
    other = fold(begin(first), others)
    bare = replace(tournament, rounds=())
    taken = fold(bare, merge(bare, other))
    assert taken.entries == tournament.entries
    assert not merge(taken, other)


LONG = "Ada Augusta King-Noel, Countess of Lovelace"


def test_truncated_names_are_recognised() -> None:
    ours = cup(events.PlayerAdded(LONG))
    first, *others = read_trf(write_trf(ours))
    assert not merge(ours, fold(begin(first), others))


def test_ambiguous_truncated_names_are_refused() -> None:
    ours = cup(events.PlayerAdded(f"{LONG} I"), events.PlayerAdded(f"{LONG} II"))
    with pytest.raises(events.TournamentError, match="agree in the first 33 characters"):
        write_trf(ours)
    assert write_trf(ours, is_swiss=True)  # pairings do not depend on names
    with pytest.raises(events.TournamentError, match="may be any of 2 players"):
        merge(ours, cup(events.PlayerAdded(LONG[:33])))


def test_imported_round_is_sorted_by_points() -> None:
    ours = cup(FIRST, *RED_AND_DRAW)
    theirs = cup(FIRST, *RED_AND_DRAW, events.Paired(((4, 3), (5, 1)), (), (2,)))
    (paired,) = merge(ours, theirs)
    assert paired == events.Paired(((5, 1), (4, 3)), (), (2,))
    assert fold(ours, [paired]).entries[2][-1].mark is events.ResultMark.HALF_BYE


def test_latecomers_and_results_are_imported() -> None:
    theirs = cup(FIRST, *RED_AND_DRAW, events.PlayerAdded("Finn", 1500))
    assert merge(cup(FIRST), theirs) == [events.PlayerAdded("Finn", 1500), *RED_AND_DRAW]


def test_different_result_is_refused() -> None:
    ours = cup(FIRST, events.ResultSet(1, 1, events.GameResult.BLUE))
    with pytest.raises(
        events.TournamentError, match="table 1: the result is blue here and red in the"
    ):
        merge(ours, cup(FIRST, *RED_AND_DRAW))


def test_different_games_are_named() -> None:
    with pytest.raises(events.TournamentError, match=r"Ada \(Red\) against Bo is paired only here"):
        merge(cup(FIRST), cup(events.Paired(((2, 1), (3, 4)), (5,))))


@pytest.mark.parametrize(
    "text",
    [
        "table,red,blue\n1,Ada,Bo\n2,Cleo,Dan\n,Emmy,bye\n",
        "1;ada;2\n2;3;DAN\n;Emmy;\n",
        "\ufeffTable,Red,Blue,Result\n1, 1, 2,\n\n2, 3, 4,\n3, 5, BYE,\n",
    ],
)
def test_round_from_a_csv_list(text: str) -> None:
    assert read_round(cup(), text) == FIRST


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1,Ada,Zoe", "line 1: 'Zoe' is not a participant"),
        ("1,Ada,Bo\n1,Cleo,Dan", "line 2: expected table 2; found '1'"),
        ("table,red,blue\n\nAda,Bo", "line 3: expected table, Red, Blue"),
        ("1,Ada,Bo\n2,bye,Cleo", "line 2: expected table, Red, Blue; found '2, bye, Cleo'"),
        ("1,Ada,Bo\n2,bye,bye", "line 2: expected table, Red, Blue"),
        ("1,,Bo", "line 1: expected table, Red, Blue"),
        ("table,red,blue", "contains no game"),
    ],
)
def test_invalid_list_is_refused(text: str, why: str) -> None:
    with pytest.raises(events.TournamentError, match=why):
        read_round(cup(), text)


def test_results_as_csv() -> None:
    assert write_results(cup(FIRST, RED_AND_DRAW[1])).splitlines() == [
        "round,table,red,blue,result",
        "1,1,Ada,Bo,",
        "1,2,Cleo,Dan,1/2-1/2",
    ]


def test_round_trip_with_another_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Import players and a round from TRF files and a round from a CSV file. Export the results."""
    file, trf, csv = tmp_path / "cup.jsonl", tmp_path / "cup.trf", tmp_path / "round2.csv"

    def run_tournament(*words: str) -> int:
        return cli.main(["tournament", words[0], "--file", str(file), *words[1:]])

    trf.write_text(write_trf(cup()), encoding="utf-8")
    assert run_tournament("new", "--trf", str(trf)) == 0
    trf.write_text(write_trf(cup(FIRST)), encoding="utf-8")
    assert run_tournament("import", str(trf)) == 0
    assert "0 new players, 1 new rounds.\nRound 1 of 5\n" in capsys.readouterr().out
    csv.write_text("1,Ada,Cleo\n2,Bo,Emmy\n,Dan,bye\n", encoding="utf-8")
    assert run_tournament("import", str(csv)) == 2
    errors = capsys.readouterr().err
    assert f"{csv}: Round 1 is not over: table 1 has no result yet." in errors
    assert errors.endswith("Nothing has changed.\n")
    assert run_tournament("result", "1", "red") == run_tournament("result", "2", "draw") == 0
    assert run_tournament("import", str(csv)) == 0
    assert [len(each.games) for each in read(file).tournament.rounds] == [2, 2]
    assert run_tournament("export", "--format", "results", "-o", str(tmp_path / "back.csv")) == 0
    assert "1,1,Ada,Bo,1-0\n" in (tmp_path / "back.csv").read_text(encoding="utf-8")
