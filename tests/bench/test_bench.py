"""Tests for ``python -m tests.bench``: the baseline must be correct and the output complete."""

import json
import random
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from engine.board.board import Board
from engine.board.geometry import SQUARES, Side, set_of
from engine.board.ranks import ORIGINAL, ranks_in
from engine.game import position_updates
from engine.game.actions import Attack
from engine.game.position import Position
from engine.game.referee import Referee
from engine.game.rulings import Reason
from engine.records.adjudication import judge
from engine.records.record import Record, RecordedMove
from engine.rules.editions import DEFAULT, EDITIONS
from engine.rules.rules import Rule
from tests import campaigns
from tests.bench import __main__
from tests.bench.__main__ import main
from tests.bench.baseline_referee import PlainVerdict, _Game, judge_plainly
from tests.bench.frame_path import FramePath
from tests.bench.frames import _REFEREES, COMMON, Films, _Common, _Listener, _Ours
from tests.bench.measures import Figure, Games, Round, figures, play_at_table
from tests.bench.recorded_frames import Film
from tests.engine.adjudication_cases import record_of
from tests.engine.tables import Setup
from tests.engine.test_neither_can_move import FORMS, POCKET, pairs
from tests.hands.responses import Line
from tests.hands.runner import REFEREES, TABLE, Campaign

ISF = EDITIONS["isf"]
GAMES = Games.load()
NAMES = [
    "judge-plain",
    "table-plain",
    "random",
    "known",
    "hidden",
    "possible",
    "refute",
    "can-move-known",
    "can-move-table",
    "decided",
    "copy",
    "long",
    "undo",
    "frames",
    "worst",
    "looks",
]
UNITS = {"judge-plain": "plies/s", "table-plain": "plies/s", "random": "plies/s"} | {
    "known": "plies/s",
    "known-chess": "plies/s",
    "hidden": "plies/s",
    "frames": "%",
    "worst": "ms",
    "looks": "ms",
}


def judged(record: Record) -> PlainVerdict:
    """Return the engine's verdict in the form that the baseline uses."""
    verdict = judge(record, ISF)
    end = verdict.outcome
    rule = verdict.violations[0].fault.rule if verdict.violations else None
    return PlainVerdict(verdict.ply, rule, (end.winner, end.reason) if end else None)


def random_game(chance: random.Random, plies: int) -> tuple[Record, Position]:
    """Play at random, mostly attacking when possible. The last ply may be illegal."""
    red, blue = (chance.sample(ORIGINAL.pieces, ORIGINAL.size) for _ in Side)
    setup = dict(zip(range(40), red, strict=True)) | dict(zip(range(60, 100), blue, strict=True))
    armies = range(40), range(60, 100)
    position = Position(ISF, Board(*({n: n for n in army} for army in armies)), setup)
    moves = []
    for _ in range(plies):
        legal = position.legal_moves()
        if not legal:
            break
        attacks = [turn for turn in legal if isinstance(turn, Attack)]
        turn = chance.choice(attacks if attacks and chance.random() < 0.8 else legal)
        position = position_updates.after_turn(position, turn)
        moves.append(RecordedMove(turn.source, turn.target))
    moves.append(RecordedMove(chance.choice(SQUARES), chance.choice(SQUARES)))
    red_squares, blue_squares = map(set_of, armies)
    return Record(setup, red_squares, blue_squares, tuple(moves)), position


@pytest.mark.parametrize("chase", GAMES.chases, ids=lambda chase: f"{len(chase.moves)} plies")
def test_reference_finds_the_same_endless_chases(chase: Record) -> None:
    verdict = judge_plainly(chase)
    assert verdict == judged(chase)
    assert verdict == PlainVerdict(len(chase.moves), Rule.MORE_SQUARES)


@given(st.integers(0, 2**32 - 1), st.integers(0, 2000))
@settings(max_examples=15, deadline=None)
def test_reference_judges_games_equally(seed: int, plies: int) -> None:
    record, _ = random_game(random.Random(seed), plies)
    assert judge_plainly(record) == judged(record)


def test_random_games_end() -> None:
    _, position = random_game(random.Random(1), 10_000)
    assert position.outcome


@pytest.mark.parametrize("seed", range(4))
def test_reference_deduction(seed: int) -> None:
    """The baseline may rule out fewer ranks than the engine, which makes more deductions."""
    record, _ = random_game(random.Random(seed), 300)
    record = replace(record, moves=record.moves[:-1])
    referee = Referee.waiting(ISF)
    play_at_table(record, referee)
    game = _Game(record)
    pieces = dict(game.standing)
    for move in record.moves:
        game.play(move.source, move.target)
    players = {side: referee.position.player(side) for side in Side}
    for place, piece in pieces.items():
        deduction = players[piece.player.side].deduction
        proved = set(ranks_in(deduction.possible(place)))
        alone = set(ranks_in(deduction.individual[place]))
        assert proved <= piece.ranks <= alone


def test_measured_figures() -> None:
    assert len(GAMES.chases) == 19
    assert GAMES.plies == sum(len(chase.moves) for chase in GAMES.chases) == 28_767


def test_one_round_of_all_measurements(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Measure one round as usual, but with only two short games and short recordings."""
    few = replace(GAMES, chases=tuple(sorted(GAMES.chases, key=lambda each: len(each.moves))[:2]))
    films = Films({referee: Film.record(referee, plies=4) for referee in (TABLE, COMMON)})
    monkeypatch.setattr(Games, "load", lambda: few)
    monkeypatch.setattr(Films, "record", lambda: films)
    assert main(["--rounds", "1", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["games"], printed["rounds"], printed["plies"]) == (2, 1, few.plies)
    assert [name.removesuffix("-chess") for name in printed["figures"]] == NAMES
    for name, figure in printed["figures"].items():
        compared = name.startswith(("judge", "table")) or name.endswith("-chess")
        assert figure["unit"] == UNITS.get(name, "µs")
        assert figure["ours"] > 0
        assert (figure["plain"] is not None) == (compared or name in ("frames", "worst"))
        assert (figure["ratio"] is not None) == compared
        assert (figure["met"] is None) == (figure["goal"] is None) == name.startswith("table")


def test_recorded_frames_are_complete() -> None:
    film = Film.record("table", plies=4)
    shown = [shot.at for shot in film.shots if shot.data]
    assert shown[-1] == film.seconds or film.shots[-1].line
    # Frames may be lost on their way to the table, but the recording contains all of them.
    assert {round(1000 * (later - at)) for at, later in pairwise(shown[1:])} == {20}
    assert len(shown) - 1 == pytest.approx(50 * film.seconds, abs=2)


@pytest.mark.parametrize("referee", [TABLE, COMMON])
def test_timed_frames_give_the_same_game(referee: str) -> None:
    """Each referee must reach the same position from bytes and from frames."""
    film = Film.record(referee, plies=10)
    lines: list[Line] = []
    Campaign("normal", referee, DEFAULT, most=10).play(0, lines.append)
    direct = REFEREES[referee](DEFAULT, 0)
    for line in lines:
        answer = direct.take(line)
    through = _REFEREES[referee]()
    _Listener(through).watch(film)
    mirror = through._table.referee if isinstance(through, _Ours) else None
    if isinstance(through, _Common):
        mirror = through._policy._referee
    assert mirror
    assert mirror.plies == answer["plies"] >= 5  # the simple referee misses some of the ten plies


ROUND: dict[str, float] = {
    "judge": 10.0,
    "table": 20.0,
    "plain": 30.0,
    "random": 20.0,
    "known": 20.0,
    "hidden": 25.0,
    "possible": 30.0,
    "refute": 250.0,
    "can-move-known": 2.0,
    "can-move-table": 20.0,
    "decided": 50.0,
    "copy": 100.0,
    "long": 50.0,
    "undo": 2.0,
    "frames": 0.5,
    "frames-common": 0.25,
    "worst": 5.0,
    "worst-common": 0.125,
    "looks": 5.0,
}


def by_name(*rounds: Round) -> dict[str, Figure]:
    return {figure.name: figure for figure in figures(rounds)}


def test_goals_of_ratios_and_times() -> None:
    met = {name: figure.met for name, figure in by_name(ROUND).items()}
    assert met == {
        "judge-plain": True,
        "table-plain": None,
        "random": False,
        "known": False,
        "hidden": False,
        "possible": True,
        "refute": False,
        "can-move-known": True,
        "can-move-table": False,
        "decided": True,
        "copy": False,
        "long": False,
        "undo": True,
        "frames": True,
        "worst": False,
        "looks": False,
    }


def test_speed_goals() -> None:
    assert by_name(ROUND | {"random": 15})["random"].met


def test_comparison_with_python_chess() -> None:
    found = by_name(ROUND | {"chess": 40.0})
    assert (found["known-chess"].ratio, found["known-chess"].met) == (2, True)


def test_figures_are_medians() -> None:
    # The computer was busy in the second round, and in half of the third.
    busy = {name: 10 * taken for name, taken in ROUND.items()}
    half_busy = ROUND | {"plain": 300.0}
    judge_plain = by_name(ROUND, busy, half_busy)["judge-plain"]
    assert judge_plain.ours == pytest.approx(100_000)
    assert judge_plain.plain == pytest.approx(1e6 / 300)
    assert judge_plain.ratio == pytest.approx(3)


def test_printed_table(capsys: pytest.CaptureFixture[str]) -> None:
    Console(width=80).print(__main__._as_table(by_name(ROUND).values(), "Games", rounds=1))
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "judge recorded games 100,000 33,333 plies/s 3.00 ≥ 1.5 yes" in lines
    assert "random games, moves listed 50,000 plies/s ≥ 60,000 no" in lines
    assert "proof against a rank 250.0 µs < 200 no" in lines
    assert "of a core, 50 frames/s 0.50 0.25 % < 1.5 yes" in lines


@pytest.mark.parametrize("rounds", ["0", "-1", "many"])
def test_invalid_number_of_rounds(capsys: pytest.CaptureFixture[str], rounds: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--rounds", rounds])
    assert ended.value.code == 2
    assert "--rounds" in capsys.readouterr().err


@campaigns.Campaign("looks", part=0, whole=1)
def test_screen_measurements(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--screens", "--rounds", "1", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    figures = printed["figures"]
    assert list(figures) == ["first-frame", "resident", "at-rest", "lifted", "touched", "bang"]
    assert all(figure["ours"] > 0 and figure["goal"] for figure in figures.values())


def test_unavailable_screens_are_reported(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", ":4321")
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    assert main(["--screens", "--rounds", "1"]) == 2
    assert "The screens cannot be measured" in capsys.readouterr().err


@pytest.mark.parametrize("moves", FORMS)
def test_reference_detects_mutual_immobility(moves: str) -> None:
    record = record_of(Setup.parse(POCKET), pairs(moves))
    assert judge_plainly(record).ending == (None, Reason.BOTH_IMMOBILE)


def test_frame_to_move_path_does_not_grow() -> None:
    """A developer who changes recognition has to read every function on the path.

    If the path becomes shorter, lower the limits.
    """
    calls = FramePath().calls
    assert 15 < len({file for _, file, _ in calls}) <= 23
    assert 80 < sum(a != b for a, b, _ in calls) <= 148
