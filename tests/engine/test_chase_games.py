"""Tests with recorded chases from the Ataraxos test suite, with a limit of three crossings.

Every move is legal except the last, which breaks the more-squares rule.
"""

import pytest

from engine.board.geometry import name
from engine.records.adjudication import judge
from engine.records.record import Record
from engine.records.record_files import read_chase
from engine.rules.editions import EDITIONS
from engine.rules.rules import ViolationKind
from tests.engine.cases import each
from tests.engine.chases import CHASES, RECORDED
from tests.engine.tables import BLUE, RED, Setup

ISF = EDITIONS["isf"]
every_chase = each("file", CHASES)


def chase(file: str) -> tuple[Setup, Record]:
    record = read_chase(CHASES[file])
    return Setup(
        {p: (RED if record.red >> p & 1 else BLUE, rank) for p, rank in record.ranks.items()}
    ), record


def test_all_chase_games_are_present() -> None:
    assert len(CHASES) == 35


@every_chase
def test_last_move_of_each_chase_is_illegal(file: str) -> None:
    _, record = chase(file)
    verdict = judge(record, ISF)
    assert verdict.ply == len(record.moves) > 30
    assert [violation.fault for violation in verdict.violations] == [ViolationKind.CHASE_REPEATS]
    assert str(verdict.violations[0].citation) == "ISF game rules, art. 11"


@RECORDED
@pytest.mark.parametrize("file", RECORDED.among(list(CHASES)))
def test_second_referee_agrees(file: str) -> None:
    setup, record = chase(file)
    game = setup.reference_game(limit=3, more_squares=True, by_borders=True)
    ways = [(name(move.source), name(move.target)) for move in record.moves]
    for way in ways[:-1]:
        game.play(*way)
    assert game.broken_rules(*ways[-1]) == {"more-squares"}
