"""Tests for attacks with silent defence: a winning defender's rank is not announced."""

from dataclasses import replace

import pytest

from engine.board.geometry import square
from engine.board.ranks import Rank, ranks_in
from engine.deduction.possible_ranks import Evidence, Proof
from engine.game import rulings
from engine.game.actions import Attack
from engine.game.game_state import Phase
from engine.rules.editions import EDITIONS, Edition
from engine.rules.movement import CombatResult
from engine.rules.rules import Rule
from tests.engine.cases import each
from tests.engine.tables import BLUE, RED, Table, declare, ranks_named, way

SILENT = """
    10  bF   .   .   .   .   .   .   .   .   .
     9   .   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7  b8  b9   .   . b10  bB   .   .  b1  b2
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4  r9  r8   .   . r10  r1   .   .  rB  r2
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1  rF   .   .   .   .   .   .   .   .   .
         a   b   c   d   e   f   g   h   i   k
"""
SILENTLY = replace(EDITIONS["isf"], silent_defence=True)
UNNAMED = "b4-b5 k7-k8 b5-b6 k8-k7 b6xb7"
"""Red's colonel has lost to Blue's general, which remains unnamed."""
BEAT_A_COLONEL = {Rank.GENERAL, Rank.MARSHAL, Rank.BOMB}


@pytest.fixture
def silent() -> Table:
    return Table.of(SILENT, rules=SILENTLY)


def test_successful_defender_stays_hidden(silent: Table) -> None:
    fought = silent.play(UNNAMED)[-1]

    assert fought == rulings.Combat(
        RED, *way("b6 b7"), Rank.COLONEL, None, CombatResult.DEFENDER_WINS
    )
    assert silent.referee.possible("b7") == BEAT_A_COLONEL
    assert silent.referee.position.last_combat == fought
    assert silent.referee.position.player(RED).captured == {Rank.COLONEL: 1}
    assert ranks_named(repr(silent.referee.actions[-1]) + repr(fought)) == [Rank.COLONEL]


def test_defender_is_named_without_silent_defence() -> None:
    fought = Table.of(SILENT, rules=EDITIONS["isf"]).play(UNNAMED)[-1]

    assert isinstance(fought, rulings.Combat)
    assert fought.defender is Rank.GENERAL


@pytest.mark.parametrize(
    ("moves", "defender", "result"),
    [
        ("k4xk7", Rank.SCOUT, CombatResult.BOTH_FALL),
        ("e4-e5 k7-k8 e5-e6 k8-k9 e6xe7", Rank.MARSHAL, CombatResult.BOTH_FALL),
        ("a4-a5 k7-k8 a5-a6 k8-k9 a6xa7", Rank.COLONEL, CombatResult.ATTACKER_WINS),
    ],
)
def test_captured_defender_is_named(
    silent: Table, moves: str, defender: Rank, result: CombatResult
) -> None:
    fought = silent.play(moves)[-1]

    assert isinstance(fought, rulings.Combat)
    assert (fought.defender, fought.result) == (defender, result)


def test_scout_attack_reveals_the_winning_defender(silent: Table) -> None:
    fought = silent.play("k4-k6 k7-k9 k6-k8 a7-a6 k8-f8 a6-b6 f8xf7")[-1]

    assert fought == rulings.Combat(
        RED, *way("f8 f7"), Rank.SCOUT, Rank.BOMB, CombatResult.DEFENDER_WINS
    )
    assert fought.boom
    assert silent.referee.possible("f7") == {Rank.BOMB}


@each(("rules", "cry"), [(SILENTLY, False), (EDITIONS["isf"], True)])
def test_silent_bomb_is_not_announced(rules: Edition, cry: bool) -> None:
    fought = Table.of(SILENT, rules=rules).play("f4-f5 k7-k8 f5-f6 k8-k9 f6xf7")[-1]

    assert isinstance(fought, rulings.Combat)
    assert (fought.boom, fought.defender) == (cry, Rank.BOMB if cry else None)


def test_silent_winner_against_a_spy_is_no_marshal(silent: Table) -> None:
    silent.play("f4-f5 k7-k8 f5-f6 k8-k9 f6xf7")

    every = set(ranks_in(silent.referee.edition.army.ranks))
    assert silent.referee.possible("f7") == every - {Rank.FLAG, Rank.SPY, Rank.MARSHAL}


AGAIN = UNNAMED + " k7-k8 e4-d4 k8-k9 d4-c4 k9-k10 c4-b4 k10-i10 b4-b5 i10-i9 b5-b6 i9-i10"
"""Red's marshal stops in front of the unnamed piece, which has not moved."""
HAS_MOVED = UNNAMED + " k7-k8 e4-d4 k8-k9 d4-c4 b7-b6 c4-b4 b6-b5"
"""The unnamed piece moves next to Red's marshal."""


def test_silent_declaration_is_not_asked_again(silent: Table) -> None:
    silent.play(AGAIN)
    silent.declared.clear()

    ruled = silent.play("b6xb7")

    assert ruled[0] == rulings.AttackOpened(RED, *way("b6 b7"), awaited=(RED,))
    assert ruled[-1] == rulings.Combat(
        RED, *way("b6 b7"), Rank.MARSHAL, Rank.GENERAL, CombatResult.ATTACKER_WINS
    )
    assert silent.declared == [RED]


def test_moved_silent_piece_is_asked_again(silent: Table) -> None:
    """Whether the owner is asked must not depend on the rank. If the owner were asked only after a
    declared bomb has moved, the question would reveal the lie."""
    silent.play(HAS_MOVED)
    referee = silent.referee

    opened = referee.apply(Attack(*way("b4 b5")))

    assert opened == (rulings.AttackOpened(RED, *way("b4 b5"), awaited=(RED, BLUE)),)
    (refused,) = referee.apply(declare(BLUE, Rank.MARSHAL))
    assert isinstance(refused, rulings.Contradiction), "its secret declaration still counts"
    assert refused.proof == Proof(Evidence.DECLARED, Rank.MARSHAL, other=Rank.GENERAL)
    assert isinstance(silent.declare()[-1], rulings.Combat)


def test_open_attack_on_a_silent_piece_prints_no_rank(silent: Table) -> None:
    silent.play(AGAIN)
    silent.referee.apply(Attack(*way("b6 b7")))
    attack = silent.referee.open_attack

    assert attack
    assert attack.rank(BLUE) is Rank.GENERAL, "the referee knows the secret declaration"
    shown = repr(attack) + str(attack)
    assert str(1 << Rank.GENERAL) not in shown
    assert not ranks_named(shown)


def test_silent_piece_is_named_when_it_attacks(silent: Table) -> None:
    silent.play(UNNAMED + " k7-k8 a4-a5 b7-b6 a5-a4 b6-b5 a4-a5")
    silent.declared.clear()

    fought = silent.play("b5xa5")[-1]

    assert fought == rulings.Combat(
        BLUE, *way("b5 a5"), Rank.GENERAL, Rank.GENERAL, CombatResult.BOTH_FALL
    )
    assert silent.declared == [BLUE, RED], (
        "an attacker must declare even after a secret declaration"
    )


def test_lie_against_a_silent_declaration_is_refuted_privately(silent: Table) -> None:
    silent.play(UNNAMED + " k7-k8 e4-e5 k8-k9 e5-e6 k9-k8")
    referee = silent.referee
    opened = referee.apply(Attack(*way("e6 e7")))
    assert opened == (rulings.AttackOpened(RED, *way("e6 e7"), awaited=(RED, BLUE)),), (
        "publicly both ranks are still unknown"
    )
    referee.apply(declare(RED, Rank.MARSHAL))

    (refused,) = referee.apply(declare(BLUE, Rank.GENERAL))

    assert isinstance(refused, rulings.Contradiction)
    assert refused.proof == Proof(Evidence.ALL_FOUND, Rank.GENERAL, 1)
    assert isinstance(referee.apply(declare(BLUE, Rank.MARSHAL))[-1], rulings.Combat)


SILENT_BOMB = "f4-f5 k7-k8 f5-f6 k8-k9 f6xf7 k9-k8 k4-k5"
"""Red's spy has lost to Blue's bomb on f7, which remains unnamed. Blue is to move."""


def test_moving_a_silent_bomb_is_reported_privately(silent: Table) -> None:
    """To the opponent, the move looks legal, so the refutation must stay private."""
    silent.play(SILENT_BOMB)

    moved, violation = silent.play("f7-f6")

    assert moved == rulings.Moved(BLUE, *way("f7 f6"), long_move=False)
    assert violation == rulings.Contradiction(
        BLUE, Proof(Evidence.MOVED, Rank.BOMB, ply=8), SILENTLY.cite(Rule.IMMOBILE_PIECE)
    )
    assert (silent.referee.to_move, silent.referee.phase) == (RED, Phase.PLAY)


def test_refutation_is_reported_once(silent: Table) -> None:
    silent.play(SILENT_BOMB + " f7-f6 k5-k4")

    assert silent.play("f6-f5") == (rulings.Moved(BLUE, *way("f6 f5"), long_move=False),)


def test_silent_liar_may_declare_a_movable_rank(silent: Table) -> None:
    silent.play(SILENT_BOMB + " f7-f6 e4-f4 k8-k9 f4-f5 k9-k8")
    referee = silent.referee

    opened = referee.apply(Attack(*way("f5 f6")))

    assert opened == (rulings.AttackOpened(RED, *way("f5 f6"), awaited=(RED, BLUE)),)
    (refused,) = referee.apply(declare(BLUE, Rank.BOMB))
    assert isinstance(refused, rulings.Contradiction)
    assert refused.proof.ground is Evidence.MOVED
    assert referee.apply(declare(BLUE, Rank.COLONEL)) == (rulings.Declared(BLUE),)


def test_long_move_disproves_other_ranks(silent: Table) -> None:
    silent.play(SILENT_BOMB)

    moved, violation = silent.play("f7-f5")

    assert moved == rulings.Moved(BLUE, *way("f7 f5"), long_move=True)
    assert isinstance(violation, rulings.Contradiction)
    assert silent.referee.possible("f5") == {Rank.SCOUT}


def test_undisproved_lie_is_not_reported(silent: Table) -> None:
    silent.play(UNNAMED)

    assert silent.play("b7-b6") == (rulings.Moved(BLUE, *way("b7 b6"), long_move=False),)


def test_silent_defence_refutes_a_declaration(silent: Table) -> None:
    """A colonel cannot have beaten a colonel, and Blue's marshal has fallen."""
    silent.play("e4-e5 e7-e6 e5xe6")
    silent.play("k7-k8 f4-f5 k8-k9 f5-e5 k9-k8")
    silent.play("b4-b5 k8-k7 b5-b6 k7-k8 b6xb7 k8-k7 k4xk7")
    deduction = silent.referee.position.player(BLUE).deduction

    assert deduction.refute(square("b7"), Rank.COLONEL, attacks=False) == Proof(
        Evidence.WON_UNNAMED, Rank.COLONEL, other=Rank.COLONEL, ply=13
    )
    fallen = deduction.refute(square("b7"), Rank.MARSHAL, attacks=False)
    assert fallen
    assert fallen.ground is Evidence.ALL_FOUND, "the referee knows that this rank was captured"
