"""Tests for verdicts on how recorded games end."""

from dataclasses import replace

from engine.board.geometry import square
from engine.game.actions import Attack, Move
from engine.game.referee import Referee
from engine.game.rulings import GameOver, Reason
from engine.records.adjudication import Basis, Verdict, judge, to_action
from engine.records.record import RecordedMove
from engine.rules.editions import Edition
from engine.rules.rules import Rule, ViolationKind
from tests.engine.adjudication_cases import DRAW, only, record_of
from tests.engine.cases import each, in_every_edition
from tests.engine.tables import BLUE, RED, Setup
from tests.engine.three_referees import Turn

ENDS = """
    10  bF   .   .   .   .   .   .   .   .   .
     9   .   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7   .   .   .   .   .   .   .   .   .  b2
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4  r2   .   .   .   .   .   .   .   .   .
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1   .   .   .   .   .   .   .   .   .  rF
         a   b   c   d   e   f   g   h   i   k
"""


def test_proved_result_overrides_recorded_result() -> None:
    setup = Setup.parse(ENDS)

    verdict = judge(record_of(setup, [("a4", "a10")], DRAW), setup.edition())

    assert verdict == Verdict(1, outcome=GameOver(RED, Reason.FLAG_CAPTURED))


def test_recorded_result_counts_without_proof() -> None:
    setup = Setup.parse(ENDS)

    assert judge(record_of(setup, [("a4", "a9")], DRAW), setup.edition()).outcome == DRAW


def test_move_after_the_end_is_illegal() -> None:
    setup = Setup.parse(ENDS)
    turns = [("a4", "a10"), ("k7", "k6"), ("a10", "a9")]

    verdict = judge(record_of(setup, turns, DRAW), setup.edition())

    assert only(verdict) == (2, ViolationKind.GAME_IS_OVER, Rule.OUT_OF_TURN)


def test_recorded_move_onto_opponent_is_attack() -> None:
    setup = Setup.parse(ENDS)
    referee = Referee.waiting(setup.edition())
    referee.apply(setup.placing)

    def action(source: str, target: str) -> type[Move | Attack]:
        return type(to_action(RecordedMove(square(source), square(target)), referee.position))

    assert action("a4", "a10") is Attack
    assert action("k1", "k7") is Attack
    assert action("a4", "a9") is Move
    assert action("k7", "a4") is Move  # Red is to move, so a4 is not an opposing piece
    referee.apply(Move(square("a4"), square("a5")))
    assert action("k7", "k1") is Attack
    assert action("a5", "a10") is Move


SHUT_IN = """
    10  b3  bF   .   .   .   .   .   .   .   .
     9  bB   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7   .   .   .   .   .   .   .   .  b2  bB
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4   .   .   .   .   .   .   .   .  rB  r2
     3   .   .   .   .   .   .   .   .   .   .
     2  rB   .   .   .   .   .   .   .   .   .
     1  r3  rF   .   .   .   .   .   .   .   .
         a   b   c   d   e   f   g   h   i   k
"""


@in_every_edition
def test_move_after_a_stalemate_loss(
    edition: Edition,
) -> None:
    setup = Setup.parse(SHUT_IN)
    edition = replace(edition, army=setup.army, armies=())
    turns = [("k4", "k7"), ("i7", "i6")]
    lost = GameOver(BLUE, Reason.NO_LEGAL_MOVE)

    assert judge(record_of(setup, turns, DRAW), edition) == Verdict(2, outcome=lost)
    for turn, fault in {
        ("a1", "a2"): ViolationKind.ONTO_OWN_PIECE,
        ("a1", "b2"): ViolationKind.NOT_STRAIGHT,
        ("a2", "a3"): ViolationKind.IMMOBILE,
        ("i6", "i5"): ViolationKind.NOT_YOUR_PIECE,
    }.items():
        verdict = judge(record_of(setup, [*turns, turn]), edition)
        assert (only(verdict), verdict.outcome) == ((3, fault, fault.rule), lost)


@in_every_edition
def test_both_sides_shut_in(edition: Edition) -> None:
    setup = Setup.parse(SHUT_IN)
    turns = [("k4", "k7"), ("i7", "i4")]

    verdict = judge(record_of(setup, turns), replace(edition, army=setup.army, armies=()))

    assert verdict == Verdict(2, outcome=GameOver(None, Reason.BOTH_IMMOBILE))


FLAG_FALLS = [("a4", "a10")]
NOTHING_FALLS = [("a4", "a9")]


@each(
    ("turns", "claim", "basis"),
    [
        (FLAG_FALLS, None, Basis.PROVED),
        (FLAG_FALLS, GameOver(RED, Reason.FLAG_CAPTURED), Basis.PROVED),
        (FLAG_FALLS, GameOver(BLUE, Reason.FLAG_CAPTURED), Basis.REFUTED),
        (FLAG_FALLS, GameOver(BLUE, Reason.FORFEIT), Basis.REFUTED),
        (FLAG_FALLS, DRAW, Basis.REFUTED),
        (NOTHING_FALLS, None, None),
        (NOTHING_FALLS, DRAW, Basis.CLAIMED),
        (NOTHING_FALLS, GameOver(RED, Reason.TIME), Basis.CLAIMED),
        (NOTHING_FALLS, GameOver(RED, Reason.FLAG_CAPTURED), Basis.REFUTED),
        (NOTHING_FALLS, GameOver(RED, Reason.NO_LEGAL_MOVE), Basis.REFUTED),
        (NOTHING_FALLS, GameOver(None, Reason.BOTH_IMMOBILE), Basis.REFUTED),
    ],
)
def test_basis_of_each_ending(
    turns: list[Turn], claim: GameOver | None, basis: Basis | None
) -> None:
    setup = Setup.parse(ENDS)

    assert judge(record_of(setup, turns, claim), setup.edition()).basis is basis


def test_gravon_no_move_code_is_ambiguous() -> None:
    setup = Setup.parse(SPENT)
    claim = GameOver(RED, Reason.NO_LEGAL_MOVE)

    verdict = judge(record_of(setup, [("a4", "a9"), ("e7", "e4")], claim), setup.edition())

    assert verdict.outcome == GameOver(RED, Reason.NO_MOVABLE_PIECE)
    assert verdict.basis is Basis.PROVED


SPENT = """
    10  bB  bF   .   .   .   .   .   .   .   .
     9  b2   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7   .   .   .   .  b2   .   .   .   .   .
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4  r2   .   .   .  rB   .   .   .   .  r2
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1   .   .   .   .   .   .   .   .   .  rF
         a   b   c   d   e   f   g   h   i   k
"""
