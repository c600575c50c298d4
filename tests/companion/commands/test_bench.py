"""``boomboard bench``: the yardstick is honest, and every figure is there. None is judged here."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from companion.bench.measures import Figure, Games, Round, figures, play_at_table
from companion.bench.plain import (
    PlainVerdict,
    _Game,
    _place,
    as_copy,
    as_set,
    judge_plainly,
)
from companion.cli import main
from companion.commands import bench
from engine.actions import PlaceArmies
from engine.adjudication import action_of, judge
from engine.editions import EDITIONS
from engine.movement import reach
from engine.ranks import ORIGINAL, ranks_in
from engine.record import Record, RecordedMove
from engine.referee import Referee
from engine.rules import Rule
from engine.sides import Side
from engine.squares import SQUARES, set_of, squares_in

ISF = EDITIONS["isf"]
GAMES = Games.load()
NAMES = [
    "judge-plain",
    "table-plain",
    "judge-copying",
    "table-copying",
    "possible",
    "refute",
    "can-move-known",
    "can-move-table",
]


def judged(record: Record) -> PlainVerdict:
    """The engine's verdict in the words of the plain one."""
    verdict = judge(record, ISF)
    end = verdict.outcome
    rule = verdict.violations[0].fault.rule if verdict.violations else None
    return PlainVerdict(verdict.ply, rule, (end.winner, end.reason) if end else None)


def random_game(chance: random.Random, plies: int) -> tuple[Record, Referee]:
    """Play at random, mostly forward or into a fight; the last ply may be anything."""
    red, blue = (chance.sample(ORIGINAL.pieces, ORIGINAL.size) for _ in Side)
    setup = dict(zip(range(40), red, strict=True)) | dict(zip(range(60, 100), blue, strict=True))
    armies = set_of(range(40)), set_of(range(60, 100))
    referee = Referee(ISF, setup)
    referee.apply(PlaceArmies(*armies))
    moves = []
    for _ in range(plies):
        if referee.outcome:
            break
        move = chance.choice(legal_moves(referee, attack=chance.random() < 0.8))
        referee.apply(action_of(move, referee))
        moves.append(move)
    moves.append(RecordedMove(chance.choice(SQUARES), chance.choice(SQUARES)))
    return Record(setup, *armies, tuple(moves)), referee


def legal_moves(referee: Referee, *, attack: bool) -> list[RecordedMove]:
    board, side = referee.board, referee.to_move
    moves = [
        RecordedMove(source, target)
        for source in squares_in(board.of(side))
        for target in reach(board, source)
        if not referee.find_violation(source, target)
    ]
    return [m for m in moves if attack and board.side_at(m.target) is side.other] or moves


@pytest.mark.parametrize("keep", [as_set, as_copy])
@pytest.mark.parametrize("chase", GAMES.chases, ids=lambda chase: f"{len(chase.moves)} plies")
def test_the_plain_implementation_finds_the_same_endless_chases(chase: Record, keep: Any) -> None:
    verdict = judge_plainly(chase, keep)
    assert verdict == judged(chase)
    assert verdict == PlainVerdict(len(chase.moves), Rule.MORE_SQUARES)


@given(st.integers(0, 2**32 - 1), st.integers(0, 2000))
@settings(max_examples=15)
def test_the_plain_implementation_judges_any_game_alike(seed: int, plies: int) -> None:
    record, _ = random_game(random.Random(seed), plies)
    assert judge_plainly(record) == judged(record)


def test_such_games_come_to_an_end() -> None:
    _, referee = random_game(random.Random(1), 10_000)
    assert referee.outcome


@pytest.mark.parametrize("seed", range(4))
def test_the_plain_dossier_finds_out_what_facts_say_and_nothing_wrong(seed: int) -> None:
    """It need not see all that the numbers of an army prove."""
    record, _ = random_game(random.Random(seed), 300)
    record = replace(record, moves=record.moves[:-1])
    referee = Referee(ISF)
    play_at_table(record, referee)
    game = _Game(record, as_copy)
    pieces = {square: game.standing[_place(square)] for square in record.ranks}
    for move in record.moves:
        game.play(_place(move.source), _place(move.target))
    for square, piece in pieces.items():
        proved = set(ranks_in(referee.dossier.possible(square)))
        alone = set(ranks_in(referee.dossier._alone[square]))
        assert proved <= piece.ranks <= alone


def test_one_round_measures_everything(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--rounds", "1", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["games"], printed["rounds"]) == (19, 1)
    assert printed["plies"] == sum(len(chase.moves) for chase in GAMES.chases) == 28_767
    assert list(printed["figures"]) == NAMES
    for name, figure in printed["figures"].items():
        compared = name.startswith(("judge", "table"))
        assert figure["unit"] == ("plies/s" if compared else "µs")
        assert figure["ours"] > 0
        assert (figure["plain"] is not None) == (figure["ratio"] is not None) == compared
        assert (figure["met"] is None) == (figure["goal"] is None) == name.endswith("copying")


ROUND: dict[str, float] = {
    "judge": 10.0,
    "table": 20.0,
    "plain": 30.0,
    "copying": 15.0,
    "possible": 30.0,
    "refute": 250.0,
    "can-move-known": 2.0,
    "can-move-table": 20.0,
}


def by_name(*rounds: Round) -> dict[str, Figure]:
    return {figure.name: figure for figure in figures(rounds)}


def test_goals_are_a_ratio_at_least_and_a_time_at_most() -> None:
    met = {name: figure.met for name, figure in by_name(ROUND).items()}
    assert met == {
        "judge-plain": True,
        "table-plain": False,
        "judge-copying": None,
        "table-copying": None,
        "possible": True,
        "refute": False,
        "can-move-known": True,
        "can-move-table": False,
    }


def test_a_figure_is_the_median_of_the_rounds() -> None:
    # The second round met a machine that was busy all the time, the third one busy by half.
    busy = {name: 10 * taken for name, taken in ROUND.items()}
    half_busy = ROUND | {"plain": 300.0}
    judge_plain = by_name(ROUND, busy, half_busy)["judge-plain"]
    assert judge_plain.ours == pytest.approx(100_000)
    assert judge_plain.plain == pytest.approx(1e6 / 300)
    assert judge_plain.ratio == pytest.approx(3)


def test_the_table_says_everything_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    Console(width=80).print(bench._as_table(by_name(ROUND).values(), GAMES, rounds=1))
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "judge the chase games 100000 33333 plies/s 3.00 ≥ 2 yes" in lines
    assert "referee; plain copies positions 50000 66667 plies/s 0.75" in lines
    assert "proof against a declared rank 250.0 µs < 200 no" in lines


@pytest.mark.parametrize("rounds", ["0", "-1", "many"])
def test_a_number_of_rounds_that_is_none(capsys: pytest.CaptureFixture[str], rounds: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["bench", "--rounds", rounds])
    assert ended.value.code == 2
    assert "--rounds" in capsys.readouterr().err
