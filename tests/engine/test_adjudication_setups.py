"""Tests for the adjudication of setups in records."""

import random
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from engine.board.geometry import names, set_of, square
from engine.board.ranks import BARRAGE, DUEL, Army, Rank
from engine.records.adjudication import judge
from engine.records.gravon import read_gravon_xml, write_field, write_gravon_xml
from engine.records.record import Record
from engine.records.record_files import read
from engine.rules.editions import Edition
from engine.rules.rules import Rule, ViolationKind
from tests.engine.adjudication_cases import DRAW, ISF, faults, record_of, setup_of
from tests.engine.cases import each, in_every_edition
from tests.engine.games import Game, shuffled
from tests.engine.tables import RED


def with_field(recorded: bytes, changes: dict[str, str]) -> Record:
    """Return the record with the characters of some squares replaced."""
    found = re.search(rb'content="(.{100})"', recorded)
    assert found
    letters = [*found[1].decode()]
    for place, letter in changes.items():
        letters[square(place)] = letter
    return read_gravon_xml(recorded.replace(found[1], "".join(letters).encode()))


def place_of(record: Record, side: str, rank: str) -> str:
    game = setup_of(record).reference_game(3)
    return next(p for p, piece in game.standing.items() if (piece.side, piece.rank) == (side, rank))


@in_every_edition
def test_second_marshal_is_a_wrong_army(recorded: bytes, record: Record, edition: Edition) -> None:
    general, marshal = (place_of(record, "red", rank) for rank in ("general", "marshal"))

    verdict = judge(with_field(recorded, {general: "L"}), edition)

    squares = names(set_of(map(square, (general, marshal))))
    assert faults(verdict) == [(ViolationKind.WRONG_ARMY, squares)]
    assert (verdict.ply, verdict.plies, verdict.outcome) == (None, 206, None)
    assert verdict.violations[0].fault.rule is Rule.SETUP


@in_every_edition
def test_all_setup_faults_are_listed(recorded: bytes, record: Record, edition: Edition) -> None:
    spy = place_of(record, "red", "spy")
    bombs = [p for p, r in record.ranks.items() if r is Rank.BOMB]
    red_bombs = [place for place in bombs if RED.home >> place & 1]
    changes = {spy: "B", "a10": "A", "k10": "A", "b10": "A", "c5": "O", "a5": "O"}

    spoiled = with_field(recorded, changes)
    verdict = judge(spoiled, edition)

    assert faults(verdict) == [
        (ViolationKind.WRONG_ARMY, names(set_of([*red_bombs, square(spy)]))),
        (ViolationKind.WRONG_COUNT, names(spoiled.blue)),
        (ViolationKind.OUTSIDE_HOME, "a5"),
        (ViolationKind.ON_LAKE, "c5"),
    ]
    assert {violation.citation for violation in verdict.violations} == {edition.cite(Rule.SETUP)}
    assert verdict.ply is None


@in_every_edition
def test_swapped_sides_are_outside_home(record: Record, edition: Edition) -> None:
    verdict = judge(replace(record, red=record.blue, blue=record.red), edition)

    assert [fault for fault, _ in faults(verdict)] == [ViolationKind.OUTSIDE_HOME] * 2


def test_empty_setup() -> None:
    verdict = judge(Record({}, 0, 0, (), None), ISF)

    assert faults(verdict) == [(ViolationKind.WRONG_COUNT, "")] * 2


def as_chase(record: Record) -> bytes:
    """Convert a game to the format of the chase files (docs/records.md)."""
    lines = [write_field(record)]
    for ply, move in enumerate(record.moves):
        ends = move.source, move.target
        (row, column), (to_row, to_column) = (divmod(99 - e if ply % 2 else e, 10) for e in ends)
        along_a_column = column == to_column
        code = to_row - (to_row > row) if along_a_column else to_column - (to_column > column) + 9
        lines.append(str(100 * code + 10 * row + column))
    return "\n".join(lines).encode()


FORMATS = {"Gravon XML": write_gravon_xml, "chase": as_chase}


@cache
def small_game(army: str) -> Record:
    chance = random.Random(1)
    rules = ISF.with_army(army)
    game = Game(shuffled(rules.army, chance), rules, chance, peaceful=True)
    game.play(12)
    return record_of(game.setup, game.turns, DRAW)


@in_every_edition
@each("army", [DUEL, BARRAGE])
@each("write", FORMATS.values(), ids=FORMATS)
def test_small_army_needs_a_matching_edition(
    edition: Edition, army: Army, write: Callable[[Record], bytes]
) -> None:
    played = small_game(army.name)
    record = read(write(played))
    assert isinstance(record, Record)
    verdict = judge(record, edition)

    assert verdict.plies == len(played.moves) == 12
    assert verdict.ply is None
    if army in edition.armies:
        assert verdict.violations == ()
    else:
        assert {violation.fault.rule for violation in verdict.violations} == {Rule.SETUP}
        assert [fault for fault, _ in faults(verdict)] == [ViolationKind.WRONG_COUNT] * 2
