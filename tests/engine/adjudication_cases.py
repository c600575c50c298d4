"""Helpers for the tests of adjudication. They make records and unpack verdicts."""

from collections.abc import Iterable
from dataclasses import replace

from engine.board.geometry import name, names, square
from engine.game.rulings import GameOver, Reason
from engine.records.adjudication import Verdict
from engine.records.record import Record, RecordedMove
from engine.rules.editions import EDITIONS
from engine.rules.rules import Rule, ViolationKind
from tests import reference
from tests.engine.tables import BLUE, RED, Setup
from tests.engine.three_referees import Turn

ISF = EDITIONS["isf"]
DRAW = GameOver(None, Reason.AGREED_DRAW)


def gravon_name(place: str) -> str:
    """Convert a square's name to the Gravon archive's notation."""
    return place[0].upper() + place[1:].replace("10", ":")


def with_moves(record: Record, turns: Iterable[Turn]) -> Record:
    return replace(record, moves=_moves(turns))


def _moves(turns: Iterable[Turn]) -> tuple[RecordedMove, ...]:
    return tuple(RecordedMove(square(source), square(target)) for source, target in turns)


def turns_of(record: Record) -> list[Turn]:
    return [(name(move.source), name(move.target)) for move in record.moves]


def record_of(setup: Setup, turns: Iterable[Turn], result: GameOver | None = None) -> Record:
    return Record(setup.ranks, setup.placing.red, setup.placing.blue, _moves(turns), result)


def setup_of(record: Record) -> Setup:
    return Setup(
        {
            place: (RED if record.red >> place & 1 else BLUE, rank)
            for place, rank in record.ranks.items()
        }
    )


def reference_after(
    record: Record, turns: Iterable[Turn], limit: int = 3
) -> reference.ReferenceGame:
    """Play turns with the second referee, and return its game."""
    game = setup_of(record).reference_game(limit, by_borders=True)
    for turn in turns:
        game.play(*turn)
    return game


def only(verdict: Verdict) -> tuple[int | None, ViolationKind, Rule]:
    (violation,) = verdict.violations
    return verdict.ply, violation.fault, violation.fault.rule


def faults(verdict: Verdict) -> list[tuple[ViolationKind, str]]:
    return [(violation.fault, names(violation.squares)) for violation in verdict.violations]
