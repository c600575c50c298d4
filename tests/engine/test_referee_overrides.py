"""Tests for overrides: the arbiter allows an illegal action, and the game state remains
consistent."""

import pytest

from engine.board import OutOfPhaseError
from engine.board.geometry import Side, set_of
from engine.board.ranks import IMMOBILE, Rank, ranks_in
from engine.deduction.possible_ranks import Evidence
from engine.game import rulings
from engine.game.actions import Attack, Move, Override, WithdrawAttack
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.rules.editions import EDITIONS
from engine.rules.movement import CombatResult
from engine.rules.rules import Violation, ViolationKind
from tests.engine.tables import BLUE, RED, Table, declare, moment, state, way

FIELD = """
    10  bF   .   .   .   .   .   .   .   .   .
     9   .   .   .   .   .   .   .   .   .  b4
     8   .   .   .   .   .   .   .   .   .   .
     7   .  b3   .   .  b5  b9   .   .  bB  b2
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4   .  r4  rB   .  r9  r3   .   .  r5  r2
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1  rF   .   .   .   .   .   .   .   .   .
         a   b   c   d   e   f   g   h   i   k
"""
KNOWN = "i4-i5 b7-b6 i5-i6 b6-b5 i6xi7 b5xb4 e4-e5 f7-f6"
"""Blue's bomb on i7 is known. Red's lieutenant and Blue's miner have fallen. Red is to move."""


MOVES_NOT = {Rank.FLAG, Rank.BOMB}


@pytest.fixture
def table() -> Table:
    return Table.of(FIELD, rules=EDITIONS["isf"])


def consistent(referee: Referee) -> None:
    """Check that the board is consistent, and that replaying the actions reproduces the game."""
    board = referee.position.board
    assert board.red & board.blue == 0
    for side in Side:
        assert set_of(board.standing(side).values()) == board.of(side)
    assert state(Referee.replay(referee.edition, referee.actions)) == state(referee)


@pytest.mark.parametrize(
    ("move", "fault"),
    [
        ("f7-f8", ViolationKind.NOT_YOUR_PIECE),
        ("e4-d3", ViolationKind.NOT_STRAIGHT),
        ("e4-k8", ViolationKind.NOT_STRAIGHT),
        ("b4-f4", None),
        ("f4-f9", ViolationKind.PIECE_IN_THE_WAY),
        ("c4-c8", ViolationKind.ACROSS_LAKE),
    ],
)
def test_illegal_move_is_allowed(table: Table, move: str, fault: ViolationKind | None) -> None:
    referee = table.referee
    source, target = way(move)
    violation = referee.find_violation(source, target)
    assert violation
    side, piece = referee.position.board.side_at(source), referee.position.board.piece_at(source)

    ruled = referee.apply(Override(source, target))

    if fault is None:
        assert ruled == (violation,), "a piece of the same side is there"
        return
    assert side
    assert violation.fault is fault
    assert ruled == (
        rulings.Overridden(violation),
        rulings.Moved(side, source, target, long_move=False),
    )
    assert referee.position.board.piece_at(target) == piece
    assert (referee.to_move, referee.plies) == (side.other, 1)
    assert (referee.position.last_move, referee.position.last_combat) == ((source, target), None)
    consistent(referee)


def test_allowed_move_out_of_turn_passes_the_turn(table: Table) -> None:
    table.override("f7-f8")
    assert table.referee.to_move is RED

    table.play("e4-e5")
    table.override("f4-f5")
    assert table.referee.to_move is BLUE
    assert table.referee.plies == 3
    assert MOVES_NOT.isdisjoint(table.referee.possible("f8")), (
        "the step proves that the piece is movable"
    )
    consistent(table.referee)


@pytest.mark.parametrize(
    "move",
    [
        "a5-a6",  # an empty square
        "b4-c5",  # a move into a lake, neither along a row nor along a column
        "c4-c5",  # a move into a lake along a column
        "k4-h6",
        "e4-f4",  # onto a piece of the same side
        "e4-e4",  # onto its own square
        "k4-i4",
        "k4-b4",  # onto a piece of the same side, over other pieces
        "e4-b4",
        "f7-e7",  # this move and the moves below are out of turn
        "f7-g6",
        "k7-k7",
    ],
)
def test_moves_that_cannot_be_allowed(table: Table, move: str) -> None:
    before = state(table.referee)

    ruled = table.referee.apply(Override(*way(move)))

    assert rulings.refuses(ruled)
    assert [type(ruling) for ruling in ruled] == [Violation]
    assert state(table.referee) == before
    assert not table.referee.position.can_stand(*way(move))


@pytest.mark.parametrize("move", ["i7-h6", "i7-i7", "i7-e7", "i7-h5", "i7-k7"])
def test_bomb_cannot_be_allowed_on_a_lake(table: Table, move: str) -> None:
    """The ruling names the bomb first. However, the moves are refused because the target is a lake
    or is occupied by the same side."""
    table.play(KNOWN + " e5-e6")
    before = state(table.referee)

    assert rulings.refuses(table.referee.apply(Override(*way(move))))
    assert state(table.referee) == before


def test_bomb_move_can_be_allowed_but_no_attack(table: Table) -> None:
    table.play(KNOWN + " k4-k5")

    ruled = table.override("i7-i5")
    assert [type(ruling) for ruling in ruled] == [rulings.Overridden, rulings.Moved]
    assert isinstance(ruled[0], rulings.Overridden)
    assert ruled[0].violation.fault is ViolationKind.IMMOBILE
    table.play("f4-g4")
    before = state(table.referee)
    assert rulings.refuses(table.referee.apply(Override(*way("i5 k5"))))
    assert state(table.referee) == before
    assert table.referee.possible("i5") == {Rank.BOMB}
    consistent(table.referee)


def test_legal_move_needs_no_override(table: Table) -> None:
    before = state(table.referee)
    with pytest.raises(OutOfPhaseError, match="a move or attack that a rule forbids"):
        table.referee.apply(Override(*way("e4 e5")))
    assert state(table.referee) == before


@pytest.mark.parametrize("move", ["b4-c3", "i4-g2", "c4-c8", "f4-f9"])
def test_override_proves_nothing(table: Table, move: str) -> None:
    """The moved piece could even be a bomb, moved by mistake."""
    source, target = move.split("-")
    before = table.referee.possible(source)

    table.override(move)

    assert table.referee.possible(target) == before == set(ranks_in(table.setup.army.ranks))


def test_overridden_long_move_proves_no_scout(table: Table) -> None:
    table.play("e4-e5 e7-e6 e5xe6 k9-k8")

    ruled = table.override("e6-e10")

    assert ruled[-1] == rulings.Moved(RED, *way("e6 e10"), long_move=False)
    assert table.referee.possible("e10") == {Rank.GENERAL}
    consistent(table.referee)


def test_allowed_repetition_still_proves_facts(table: Table) -> None:
    table.play("k4-k5 k9-k8 k5-k4 k8-k9 k4-k5 b7-b6")
    (violation,) = table.play("k5-k4")
    assert isinstance(violation, Violation)
    assert violation.fault is ViolationKind.TO_AND_FRO

    table.override("k5-k4")
    table.play("b6-b7")

    (again,) = table.play("k4-k5")
    assert isinstance(again, Violation)
    assert again.fault is ViolationKind.TO_AND_FRO, "the repetition count continues"
    consistent(table.referee)


def test_diagonal_override_resets_two_squares(table: Table) -> None:
    table.play("e4-e5 k9-k8 e5-e4 k8-k9 e4-e5 b7-b6")
    table.override("e5-d4")
    table.play("b6-b7")
    table.override("d4-e5")
    table.play("k9-k8")

    assert isinstance(table.play("e5-e4")[0], rulings.Moved)


def test_straight_override_continues_two_squares(table: Table) -> None:
    """If the arbiter lets a general move two squares, it crosses two edges between squares."""
    table.play("e4-e5 e7-e6 e5xe6 k9-k8 f4-g4 k8-k9")  # the general on e6 is known
    table.override("e6-e4")
    table.play("k9-k8 e4-e5 k8-i8 e5-e4 i8-i9")

    (violation,) = table.play("e4-e5")
    assert isinstance(violation, Violation)
    assert violation.fault is ViolationKind.TO_AND_FRO
    consistent(table.referee)


def test_allowed_chase_move_continues_the_chase() -> None:
    table = Table.of(CHASE, rules=EDITIONS["isf"])
    table.play("e4-e5 f7-f6 e5-e6 f6-f5 e6-f6 f5-e5 f6-f5 e5-e6 f5-e5 e6-f6")
    (violation,) = table.play("e5-e6")
    assert isinstance(violation, Violation)
    assert (violation.fault, violation.count) == (ViolationKind.CHASE_REPEATS, 7)

    ruled = table.override("e5-e6")
    assert ruled[0] == rulings.Overridden(violation)
    table.play("f6-f5")
    (again,) = table.play("e6-f6")

    assert isinstance(again, Violation)
    assert again.fault is ViolationKind.CHASE_REPEATS
    consistent(table.referee)


CHASE = """
    10   .   .   .   .   .   .   .   .   .  b3
     9   .   .   .   .   .   .   .   .   .  bF
     8   .   .   .   .   .   .   .   .   .   .
     7   .   .   .   .   .  b7   .   .   .   .
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4   .   .   .   .  r7   .   .   .   .   .
     3   .   .   .   .   .   .   .   .   .   .
     2  rF   .   .   .   .   .   .   .   .   .
     1  r3   .   .   .   .   .   .   .   .   .
         a   b   c   d   e   f   g   h   i   k
"""


# -- attacks


def test_illegal_attack_is_allowed(table: Table) -> None:
    """The attacker is not a scout, and its target is neither adjacent nor in the same row or
    column."""
    table.play("e4-e5 k9-k8 e5-e4 k8-k9")
    table.play("f4-f5 e7-e6 f5-f4 e6-e5 e4xe5")  # the general is known
    table.play("k9-k8")

    ruled = table.override("e5-f7")

    assert isinstance(ruled[0], rulings.Overridden)
    assert ruled[0].violation.fault is ViolationKind.NOT_STRAIGHT
    assert ruled[1] == rulings.AttackOpened(RED, *way("e5 f7"), awaited=(BLUE,))
    fought = table.declare()[-1]
    assert fought == rulings.Combat(
        RED, *way("e5 f7"), Rank.GENERAL, Rank.GENERAL, CombatResult.BOTH_FALL
    )
    assert (table.referee.to_move, table.referee.phase) == (BLUE, Phase.PLAY)
    consistent(table.referee)


def test_diagonal_attacker_may_declare_any_movable_rank(table: Table) -> None:
    referee = table.referee
    table.override("e4-f7")
    assert referee.open_attack
    assert not referee.open_attack.regular
    assert referee.open_attack.possible[RED] == referee.edition.army.ranks & ~IMMOBILE

    (refused,) = referee.apply(declare(RED, Rank.BOMB))
    assert isinstance(refused, rulings.Contradiction)
    assert refused.proof.ground is Evidence.ATTACKS
    referee.apply(declare(RED, Rank.SERGEANT))
    fought = referee.apply(declare(BLUE, Rank.GENERAL))[-1]

    assert isinstance(fought, rulings.Combat)
    assert fought.result is CombatResult.DEFENDER_WINS
    consistent(referee)


def test_attack_out_of_turn_is_allowed(table: Table) -> None:
    table.play("e4-e5 e7-e6")

    table.override("e6-e5")

    assert table.referee.open_attack
    assert table.referee.open_attack.awaited == (BLUE, RED)
    assert table.referee.position.last_move == way("e7 e6"), "the attack is not completed yet"
    fought = table.declare()[-1]
    assert isinstance(fought, rulings.Combat)
    assert (fought.side, fought.result) == (BLUE, CombatResult.DEFENDER_WINS)
    assert table.referee.position.player(BLUE).captured == {Rank.LIEUTENANT: 1}
    assert table.referee.to_move is RED
    consistent(table.referee)


def test_attack_out_of_turn_can_be_withdrawn(table: Table) -> None:
    table.play("e4-e5 e7-e6")
    before = moment(table.referee)

    table.override("e6-e5")
    assert table.referee.to_move is BLUE
    table.referee.apply(WithdrawAttack())

    assert moment(table.referee) == before
    assert table.referee.to_move is RED
    consistent(table.referee)
    assert not rulings.refuses(table.referee.apply(Attack(*way("e5 e6"))))


def test_override_can_be_taken_back(table: Table) -> None:
    table.play("e4-e5")
    before = moment(table.referee)
    for move in ("f4-f5", "f7-d8", "e7-b4"):
        table.override(move)
        table.declare()
        assert moment(table.referee) != before
        table.take_back()
        assert moment(table.referee) == before
    assert isinstance(table.referee.apply(Move(*way("e7 e6")))[0], rulings.Moved)
