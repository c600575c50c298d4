"""Tests for the infiltrator's guess (rules.md §5, the Nordic rulebook)."""

from dataclasses import replace

import pytest

from engine.board import OutOfPhaseError
from engine.board.geometry import Side, name, names, set_of, square
from engine.board.ranks import Rank
from engine.deduction.possible_ranks import Evidence, Proof
from engine.game import rulings
from engine.game.actions import AnswerGuess, Infiltrate, TakeBack
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.rules.editions import EDITIONS
from engine.rules.movement import CombatResult, find_infiltration_fault, targets
from engine.rules.rules import Interpretation, Rule, Violation, ViolationKind
from tests.engine.cases import each
from tests.engine.tables import BLUE, RED, Setup, Table, moment, state, way

NORDIC = EDITIONS["nordic-2015"]
BEHIND = """
    10   .  bF  b9   .   .   .   .   .   .   .
     9   .   .   .   .   .   .   .   .   .   .
     8   .  b3   .  b2   .   .   .   .   .  bI
     7   .  bB   .   .   .   .   .   .   .  b1
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4  rI   .   .   .   .  r9   .   .  r3  r1
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .  r2
     1   .   .   .   .   .   .   .   .  rB  rF
         a   b   c   d   e   f   g   h   i   k
"""
THERE = "a4-a5 k8-i8 a5-a6 i8-i9 a6-a7 i9-k9 a7-a8 k9-k8"
"""Red's infiltrator moves to a8, next to the miner on b8."""


@pytest.fixture
def table() -> Table:
    table = Table.of(BEHIND, rules=NORDIC)
    table.play(THERE)
    return table


# -- illegal infiltrations


@pytest.mark.parametrize(
    ("move", "fault"),
    [
        ("e5-e6", ViolationKind.NO_PIECE),
        ("k7-k8", ViolationKind.NOT_YOUR_PIECE),
        ("k1-k2", ViolationKind.NOT_IN_ENEMY_ROWS),
        ("f4-f6", ViolationKind.NOT_IN_ENEMY_ROWS),
        ("a8-a9", ViolationKind.NO_PIECE_THERE),
        ("a8-a8", ViolationKind.NO_PIECE_THERE),
        ("a8-i4", ViolationKind.NO_PIECE_THERE),
        ("a8-d8", ViolationKind.OUT_OF_REACH),
        ("a8-b7", ViolationKind.OUT_OF_REACH),
        ("a8-b10", ViolationKind.OUT_OF_REACH),
        ("a8-k7", ViolationKind.OUT_OF_REACH),
    ],
)
def test_invalid_infiltrations(table: Table, move: str, fault: ViolationKind) -> None:
    before = state(table.referee)

    (violation,) = table.referee.apply(Infiltrate(*way(move), Rank.SPY))

    assert isinstance(violation, Violation)
    assert violation.fault is fault
    assert violation.squares == set_of(way(move))
    assert violation.citation.rulebook == "Stratego with infiltrator"
    assert state(table.referee) == before


def test_piece_proved_to_be_another_rank_cannot_infiltrate() -> None:
    """The piece has made a long move, so it is a scout."""
    table = Table.of(BEHIND, rules=NORDIC)
    table.play("k2-h2 k8-i8 h2-h4 i8-i9 h4-g4 i9-k9 g4-g3 k9-k8 g3-e3 k8-i8 e3-e8 i8-k8")

    (violation,) = table.referee.apply(Infiltrate(*way("e8 d8"), Rank.SPY))

    assert isinstance(violation, Violation)
    assert violation.fault is ViolationKind.NO_INFILTRATOR
    assert violation.fault.rule is Rule.INFILTRATION


def test_no_infiltration_without_infiltrators() -> None:
    table = Table.of(BEHIND.replace("I", "5"), rules=NORDIC)
    table.play(THERE)

    (violation,) = table.referee.apply(Infiltrate(*way("a8 b8"), Rank.MINER))

    assert isinstance(violation, Violation)
    assert violation.fault is ViolationKind.NO_INFILTRATOR


def test_infiltration_reaches_two_squares_over_pieces(table: Table) -> None:
    """From b9, the infiltrator can guess the three adjacent pieces and the bomb behind the
    miner."""
    table.play("a8-a9 k8-i8 a9-b9 i8-k8 i4-i5 c10-c9")
    board = table.referee.position.board

    def near(side: Side, place: str) -> str:
        return names(set_of(targets(board.of(side.other), side, square(place))))

    assert near(RED, "b9") == "b7 b8 c9 b10"
    assert near(RED, "b6") == "", "not in the enemy's rows"
    assert near(RED, "a7") == "b7"
    assert near(BLUE, "i3") == "i1 i5"


def test_enemy_rows(table: Table) -> None:
    enemy = table.referee.position.board.blue

    def fault(source: str, target: str) -> ViolationKind | None:
        ranks = 1 << Rank.INFILTRATOR
        return find_infiltration_fault(enemy, RED, square(source), square(target), ranks)

    assert fault("k6", "k7") is ViolationKind.NOT_IN_ENEMY_ROWS
    assert fault("a7", "b7") is None
    assert fault("k10", "k8") is None


# -- a correct guess


def test_right_guess_removes_the_piece(table: Table) -> None:
    plies = table.referee.plies
    opened, infiltrated = table.infiltrate("a8-b8", Rank.MINER)

    assert opened == rulings.InfiltrationOpened(RED, *way("a8 b8"), Rank.MINER, awaited=BLUE)
    assert infiltrated == rulings.Infiltrated(RED, *way("a8 b8"), Rank.MINER, right=True)
    referee = table.referee
    assert referee.position.board.side_at(square("b8")) is None
    assert referee.position.board.piece_at(square("a8")) == square("a4")
    assert referee.position.player(BLUE).captured == {Rank.MINER: 1}
    assert (referee.to_move, referee.plies, referee.phase) == (BLUE, plies + 1, Phase.PLAY)
    assert (referee.position.last_move, referee.position.last_combat) == (way("a8 b8"), None)
    assert table.referee.possible("a8") == {Rank.INFILTRATOR}, "the piece set up on a4 is known"
    assert state(Referee.replay(referee.edition, referee.actions)) == state(referee)


def test_a_bomb_can_be_infiltrated_over_another_piece(table: Table) -> None:
    table.play("a8-a9 k8-i8 a9-b9 i8-k8")

    ruled = table.infiltrate("b9-b7", Rank.BOMB)

    assert ruled[-1] == rulings.Infiltrated(RED, *way("b9 b7"), Rank.BOMB, right=True)
    assert table.referee.position.board.side_at(square("b8")) is BLUE


def test_guessed_flag_ends_the_game(table: Table) -> None:
    table.play("a8-a9 k8-i8 a9-a10 i8-k8")

    ruled = table.infiltrate("a10-b10", Rank.FLAG)

    assert ruled[1:] == (
        rulings.Infiltrated(RED, *way("a10 b10"), Rank.FLAG, right=True),
        rulings.GameOver(RED, rulings.Reason.FLAG_CAPTURED),
    )
    assert table.referee.position.player(BLUE).captured == {Rank.FLAG: 1}
    table.take_back()
    assert table.referee.phase is Phase.GUESS, "only the answer is taken back"


# -- a wrong guess


def test_wrong_guess_excludes_only_that_rank(table: Table) -> None:
    possible = table.referee.possible
    before = {place: possible(place) for place in ("b8", "b10", "b7", "c10")}

    infiltrated = table.infiltrate("a8-b8", Rank.SPY)[-1]

    assert infiltrated == rulings.Infiltrated(RED, *way("a8 b8"), Rank.SPY, right=False)
    assert before["b8"] - possible("b8") == {Rank.SPY}
    for place in ("b10", "b7", "c10"):
        assert possible(place) == before[place]
    assert table.referee.possible("a8") == {Rank.INFILTRATOR}, (
        "the infiltrating piece is known afterwards"
    )
    assert table.referee.position.board.side_at(square("b8")) is BLUE
    assert not table.referee.position.player(BLUE).captured
    assert table.referee.to_move is BLUE


def test_a_declaration_against_a_wrong_guess_is_refuted(table: Table) -> None:
    table.infiltrate("a8-b8", Rank.SPY)

    blue = table.referee.position.player(BLUE).deduction
    assert blue.refute(square("b8"), Rank.SPY, attacks=False) == Proof(
        Evidence.GUESSED_WRONG, Rank.SPY, ply=9
    )


# -- questions to the owner


def test_only_an_open_guess_is_asked(table: Table) -> None:
    referee = table.referee
    referee.apply(Infiltrate(*way("a8 b8"), Rank.SPY))
    assert referee.phase is Phase.GUESS
    assert referee.open_guess
    assert referee.open_guess.guess is Rank.SPY
    referee.apply(AnswerGuess(right=False))
    table.play("k8-i8")

    again = referee.apply(Infiltrate(*way("a8 b8"), Rank.SPY))

    assert again == (
        rulings.InfiltrationOpened(RED, *way("a8 b8"), Rank.SPY, awaited=None),
        rulings.Infiltrated(RED, *way("a8 b8"), Rank.SPY, right=False),
    )
    with pytest.raises(OutOfPhaseError):
        referee.apply(AnswerGuess(right=True))


def test_proved_rank_is_not_asked(table: Table) -> None:
    """The blue scout has proved its rank by making long moves on its way from d8 to a9."""
    table.play("f4-f5 d8-d10 f5-f6 d10-d9 f6-f7 d9-a9")

    assert table.referee.apply(Infiltrate(*way("a8 a9"), Rank.SCOUT)) == (
        rulings.InfiltrationOpened(RED, *way("a8 a9"), Rank.SCOUT, awaited=None),
        rulings.Infiltrated(RED, *way("a8 a9"), Rank.SCOUT, right=True),
    )


def test_guess_of_a_missing_rank_is_wrong(table: Table) -> None:
    opened, infiltrated = table.referee.apply(Infiltrate(*way("a8 b8"), Rank.MARSHAL))

    assert opened == rulings.InfiltrationOpened(RED, *way("a8 b8"), Rank.MARSHAL, awaited=None)
    assert isinstance(infiltrated, rulings.Infiltrated)
    assert not infiltrated.right


# -- other effects


def test_infiltration_resets_two_squares(table: Table) -> None:
    """A fourth crossing is forbidden, but an infiltration restarts the count."""
    table.play("f4-f5 k8-i8 f5-f4 i8-k8 f4-f5 k7-k6")
    table.infiltrate("a8-b8", Rank.SPY)

    table.play("k6-k5 f5-f4 k5-k6 f4-f5 k6-i6 f5-f4 i6-k6")
    (violation,) = table.play("f4-f5")

    assert isinstance(violation, Violation)
    assert violation.fault is ViolationKind.TO_AND_FRO


CHASE = """
    10  bF   .   .   .   .   .   .   .   .   .
     9   .   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7   .   .   .   .   .  b7   .   .   .  bI
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4  rI   .   .   .  r7   .   .   .   .   .
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1   .   .   .   .   .   .   .   .   .  rF
         a   b   c   d   e   f   g   h   i   k
"""
ROUND = "e5-e6 f6-f5 e6-f6 f5-e5 f6-f5 e5-e6 f5-e5 e6-f6"


def test_infiltration_ends_a_chase() -> None:
    """Red has chased Blue around the square once. Two infiltrations end the chase, although no
    piece moves."""
    table = Table.of(CHASE, rules=NORDIC)
    table.override("a4-a9 k7-k3")
    table.play(f"a9-a8 f7-f6 a8-a9 f6-f5 e4-e5 f5-f6 {ROUND}")
    violation = table.referee.find_violation(*way("e5 e6"))
    assert violation
    assert violation.fault is ViolationKind.CHASE_REPEATS

    table.infiltrate("a9-a10", Rank.SPY)
    table.infiltrate("k3-k1", Rank.SPY)

    assert table.referee.find_violation(*way("e5 e6")) is None


def test_two_infiltrators_remove_each_other() -> None:
    drawn = BEHIND.replace(
        "8   .  b3   .  b2   .   .   .   .   .  bI", "8  b1  b3   .  b2   .   .   .   .   .  bI"
    )
    drawn = drawn.replace(
        "7   .  bB   .   .   .   .   .   .   .  b1", "7   .  bB   .   .   .   .   .   .   .   ."
    )
    table = Table.of(drawn, rules=NORDIC)
    table.play("a4-a5 k8-i8 a5-a6 i8-k8 a6-a7 k8-i8")

    fought = table.play("a7xa8")[-1]

    assert fought == rulings.Combat(
        RED, *way("a7 a8"), Rank.INFILTRATOR, Rank.SPY, CombatResult.BOTH_FALL
    )
    assert isinstance(fought, rulings.Combat)
    assert fought.reading is Interpretation.SPY_AND_INFILTRATOR


@each("attacker", [Rank.SPY, Rank.SCOUT, Rank.MINER, Rank.GENERAL])
def test_attacker_of_an_infiltrator_wins(attacker: Rank) -> None:
    """The rulebook makes no exception for the spy."""
    table = Table.of(BEHIND, rules=NORDIC)
    place = next(
        name(p)
        for p, (side, rank) in table.setup.pieces.items()
        if side is BLUE and rank is attacker
    )
    table.play(THERE.removesuffix(" a7-a8 k9-k8"))
    table.override(f"{place}-a8")
    table.play("f4-f5")

    fought = table.play("a8xa7")[-1]

    assert fought == rulings.Combat(
        BLUE, *way("a8 a7"), attacker, Rank.INFILTRATOR, CombatResult.ATTACKER_WINS
    )
    assert isinstance(fought, rulings.Combat)
    assert fought.reading is None, "the rulebook states this explicitly"


def test_open_guess_can_be_taken_back(table: Table) -> None:
    before = moment(table.referee)
    table.referee.apply(Infiltrate(*way("a8 b8"), Rank.SPY))
    assert moment(table.referee) != before

    table.referee.apply(TakeBack())

    assert moment(table.referee) == before


CAGED = """
    10  bF   .   .   .   .   .   .   .   .   .
     9   .   .   .   .   .   .   .   .   .   .
     8  bB   .   .   .   .   .   .   .   .   .
     7   .   .   .   .  bB  bI   .   .   .   .
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4   .   .   .   .   .   .   .   .   .  rI
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1   .   .   .   .   .   .   .  rF  rB  rB
         a   b   c   d   e   f   g   h   i   k
"""


@each("near", [True, False])
def test_side_that_can_infiltrate_can_move(near: bool) -> None:
    """Moves that the arbiter allowed have enclosed Red's infiltrator in the corner, behind its own
    bombs."""
    setup = Setup.parse(CAGED)
    referee = Referee.waiting(replace(NORDIC, army=setup.army), known=setup.ranks)
    table = Table(setup, referee)
    referee.apply(setup.placing)
    table.override("k4-k10")
    table.play("f7-f8")
    table.override("k1-k9")
    table.override("e7-k8" if near else "e7-e8")
    assert referee.outcome is None

    ruled = table.override("i1-i10")

    assert referee.to_move is BLUE
    assert referee.position.can_move(RED) is near
    last = table.play("f8-f9")[-1]
    assert ruled[-1] == rulings.Moved(RED, *way("i1 i10"), long_move=False)
    assert last == (
        rulings.Moved(BLUE, *way("f8 f9"), long_move=False)
        if near
        else rulings.GameOver(BLUE, rulings.Reason.NO_LEGAL_MOVE)
    )
