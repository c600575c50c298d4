"""Records for adjudication, intact or corrupted, with the expected verdicts."""

from collections.abc import Iterable
from dataclasses import replace

from engine.board.geometry import name, names, square
from engine.game.rulings import GameOver, Reason
from engine.records.adjudication import Verdict
from engine.records.record import Record, RecordedMove
from engine.rules.editions import EDITIONS
from engine.rules.rules import Rule, ViolationKind
from tests import reference
from tests.engine.games import Way
from tests.engine.tables import BLUE, RED, Setup

ISF = EDITIONS["isf"]
DRAW = GameOver(None, Reason.AGREED_DRAW)


def gravon_name(place: str) -> str:
    """Write a square as the Gravon archive does."""
    return place[0].upper() + place[1:].replace("10", ":")


def with_moves(record: Record, ways: Iterable[Way]) -> Record:
    """Return the game with its moves replaced."""
    return replace(record, moves=_moves(ways))


def _moves(ways: Iterable[Way]) -> tuple[RecordedMove, ...]:
    return tuple(RecordedMove(square(source), square(target)) for source, target in ways)


def ways_of(record: Record) -> list[Way]:
    return [(name(move.source), name(move.target)) for move in record.moves]


def record_of(setup: Setup, ways: Iterable[Way], result: GameOver | None = None) -> Record:
    return Record(setup.ranks, setup.placing.red, setup.placing.blue, _moves(ways), result)


def setup_of(record: Record) -> Setup:
    return Setup(
        {
            place: (RED if record.red >> place & 1 else BLUE, rank)
            for place, rank in record.ranks.items()
        }
    )


def reference_after(record: Record, ways: Iterable[Way], limit: int = 3) -> reference.ReferenceGame:
    """Play moves with the second referee."""
    game = setup_of(record).reference_game(limit, by_borders=True)
    for way in ways:
        game.play(*way)
    return game


def only(verdict: Verdict) -> tuple[int | None, ViolationKind, Rule]:
    (violation,) = verdict.violations
    return verdict.ply, violation.fault, violation.fault.rule


def faults(verdict: Verdict) -> list[tuple[ViolationKind, str]]:
    return [(violation.fault, names(violation.squares)) for violation in verdict.violations]
