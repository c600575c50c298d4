"""Tests for the adjudication of moves: a real game with one illegal move, and endless chases."""

from dataclasses import replace
from itertools import cycle, islice

from engine.board.geometry import names, set_of, square
from engine.game.rulings import GameOver, Reason
from engine.records.adjudication import Verdict, judge
from engine.records.gravon import read_gravon_xml
from engine.records.record import Record
from engine.rules.editions import EDITIONS, Edition, MovedBombPenalty
from engine.rules.rules import Interpretation, Rule, ViolationKind
from tests import reference
from tests.engine.adjudication_cases import (
    gravon_name,
    only,
    record_of,
    reference_after,
    turns_of,
    with_moves,
)
from tests.engine.cases import each, in_every_edition
from tests.engine.tables import BLUE, RED, Setup
from tests.engine.three_referees import Turn

LIMITS = [
    replace(edition, two_squares_limit=limit)
    for edition in EDITIONS.values()
    for limit in edition.limits or (edition.two_squares_limit,)
]

MOVED_BOMBS = [
    replace(edition, moved_bomb=choice)
    for edition in EDITIONS.values()
    for choice in edition.moved_bomb_choices or (edition.moved_bomb,)
]


@in_every_edition
@each("ply", [1, 2, 57, 120, 206])
def test_diagonal_step_is_illegal(
    recorded: bytes, record: Record, edition: Edition, ply: int
) -> None:
    source, target = turns_of(record)[ply - 1]
    column, row = reference.COLUMNS.index(source[0]), int(source[1:])
    diagonal = reference.COLUMNS[column + (1 if column < 9 else -1)] + str(
        row + 1 if row < 10 else 9
    )
    old, new = (
        f'id="{ply}" source="{gravon_name(source)}" target="{gravon_name(end)}"'.encode()
        for end in (target, diagonal)
    )
    assert recorded.count(old) == 1

    verdict = judge(read_gravon_xml(recorded.replace(old, new)), edition)

    assert only(verdict) == (ply, ViolationKind.NOT_STRAIGHT, Rule.MOVEMENT)
    assert verdict.outcome is None
    assert verdict.violations[0].squares == set_of(map(square, (source, diagonal)))
    assert str(verdict.violations[0].citation) == str(edition.cite(Rule.MOVEMENT))


@in_every_edition
@each(("place", "runs"), [("a4", True), ("c4", False)])
def test_interpretation_is_cited_only_for_diagonal_scout_attack(
    edition: Edition, place: str, runs: bool
) -> None:
    setup = Setup.parse(CORNERS)
    edition = replace(edition, army=setup.army, armies=())
    target = f"{'b' if runs else 'd'}7"

    (violation,) = judge(record_of(setup, [(place, target)]), edition).violations

    assert violation.fault is ViolationKind.NOT_STRAIGHT
    compact = edition.id == "compact-1992"
    assert violation.citation.reading is (
        Interpretation.STRAIGHT_STRIKE if runs and compact else None
    )


CORNERS = """
    10   .   .   .   .   .   .   .   .   .  bF
     9   .   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7   .  b3   .  b2   .   .   .   .   .   .
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4  r2   .  r3   .   .   .   .   .   .   .
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1  rF   .   .   .   .   .   .   .   .   .
         a   b   c   d   e   f   g   h   i   k
"""


@each("ply", [1, 2, 57, 120, 206])
def test_moving_bomb_or_flag_is_illegal(record: Record, ply: int) -> None:
    before = turns_of(record)[: ply - 1]
    game = reference_after(record, before)
    lost = GameOver(BLUE if game.to_move == "red" else RED, Reason.MOVED_BOMB)
    for rank in ("bomb", "flag"):
        own = (p for p, x in game.standing.items() if (x.side, x.rank) == (game.to_move, rank))
        source = next(own)
        for target in sorted(reference.next_to(source)):
            spoiled = with_moves(record, [*before, (source, target)])
            moved = game.broken_rules(source, target) == {"immobile-piece"}
            for edition in MOVED_BOMBS:
                verdict = judge(spoiled, edition)

                label = f"the {rank} goes {source}-{target}: {edition.id}, {edition.moved_bomb}"
                assert only(verdict) == (ply, ViolationKind.IMMOBILE, Rule.IMMOBILE_PIECE), label
                loses = moved and edition.moved_bomb is MovedBombPenalty.LOSES
                assert verdict.outcome == (lost if loses else None), label


@each("ply", [1, 2, 57, 120, 206])
def test_moving_out_of_turn_is_illegal(record: Record, ply: int) -> None:
    before = turns_of(record)[: ply - 1]
    game = reference_after(record, before)
    game.to_move = "blue" if game.to_move == "red" else "red"
    spoiled = with_moves(record, [*before, game.legal_moves()[0]])

    for edition in EDITIONS.values():
        found = only(judge(spoiled, edition))
        assert found == (ply, ViolationKind.NOT_YOUR_PIECE, Rule.OUT_OF_TURN), edition.id


def to_and_fro(record: Record, plies: int, crossings: int) -> list[Turn]:
    """Make one side cross the edge between two squares repeatedly while the other moves about."""
    turns = turns_of(record)[:plies]
    game = reference_after(record, turns, limit=99)
    mover = game.to_move
    there = next(
        turn
        for turn in game.legal_moves()
        if turn[1] not in game.standing and len(reference.path(*turn)) == 2
    )
    own = islice(cycle([there, there[::-1]]), crossings)
    for turn in own:
        game.play(*turn)
        turns.append(turn)
        walk = next(
            turn
            for turn in game.legal_moves()
            if turn[1] not in game.standing
            and turn[1] not in there
            and all(turn != (made.target, made.source) for made in game.moves[game.to_move][-1:])
        )
        game.play(*walk)
        turns.append(walk)
    assert mover == game.to_move
    return turns[:-1]


@each("plies", [0, 57, 120])
def test_two_squares_limit_exceeded(record: Record, plies: int) -> None:
    turns = to_and_fro(record, plies, 8)

    def verdict(edition: Edition, crossings: int) -> Verdict:
        return judge(with_moves(record, turns[: plies + 2 * crossings - 1]), edition)

    for edition in LIMITS:
        limit = edition.two_squares_limit
        label = f"{edition.id}, {limit}"
        assert verdict(edition, limit).violations == (), label
        worn = (plies + 2 * limit + 1, ViolationKind.TO_AND_FRO, Rule.TWO_SQUARES)
        assert only(verdict(edition, limit + 1)) == worn, label
        assert only(verdict(edition, limit + 3)) == worn, label
        (violation,) = verdict(edition, limit + 1).violations
        assert {*names(violation.squares).split()} == {*turns[plies]}, label
        assert violation.count == limit, label
        assert violation.citation == edition.cite(Rule.TWO_SQUARES), label


CHASE = """
    10   .   .   .   .   .   .   .   .   .  bF
     9   .   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7   .   .   .   .   .  b3   .   .  b9  b2
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4   .   .   .   .  r2  r9   .   .   .   .
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1  rF   .   .   .   .   .  r3   .   .   .
         a   b   c   d   e   f   g   h   i   k
"""
CHASES = {
    "a scout chases around four squares": """
        e4-e5 f7-f6 e5-e6 f6-f5 e6-f6 f5-e5 f6-f5 e5-e6 f5-e5 e6-f6 e5-e6
    """,
    "two chasers take turns": """
        e4-e5 f7-f6 e5-e6 f6-f5 e6-f6 f5-e5 f4-e4 e5-f5 e4-e5 f5-f4 e5-e4 f4-f5 e4-f4
    """,
    "a scout chases three pieces from afar": """
        e4-e5 f7-f6 e5-e6 f6-f7 e6-e7 f7-f6 e7-h7 i7-i6 h7-i7 k7-k1 i7-f7 f6-e6 f7-e7 e6-f6 e7-i7
    """,
}
"""In each chase, the last move repeats a position and again threatens a piece that has moved out of
the way."""


@in_every_edition
@each("chase", CHASES.values(), ids=CHASES)
def test_endless_chase_is_illegal_only_with_more_squares_rule(edition: Edition, chase: str) -> None:
    turns = [(move[:2], move[3:]) for move in chase.split()]
    setup = Setup.parse(CHASE)
    edition = replace(edition, army=setup.army, armies=())

    verdict = judge(record_of(setup, turns), edition)

    assert judge(record_of(setup, turns[:-1]), edition).violations == ()
    if edition.id in ("compact-1992", "original-1992"):
        assert verdict == Verdict(len(turns))
    else:
        assert only(verdict) == (len(turns), ViolationKind.CHASE_REPEATS, Rule.MORE_SQUARES)
        read = Interpretation.RUNNING_CHASE if edition.id == "isf" else Interpretation.CHASE_AS_ISF
        assert verdict.violations[0].citation == edition.cite(Rule.MORE_SQUARES, read)
        assert verdict.violations[0].citation.reading is read
