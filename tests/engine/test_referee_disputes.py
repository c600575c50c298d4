"""Tests for disputes, in which a player stands by an impossible declaration (rules/referee.md)."""

from dataclasses import replace

import pytest

from engine.board import OutOfPhaseError
from engine.board.geometry import Side, square
from engine.board.ranks import Rank, ranks_in
from engine.board.visibility import Secret
from engine.deduction.possible_ranks import Evidence, Proof
from engine.game import rulings
from engine.game.actions import Attack, Move, SettleDispute, UpholdDeclaration, WithdrawAttack
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.rules.editions import EDITIONS, Edition, MovedBombPenalty
from engine.rules.movement import CombatResult
from engine.rules.rules import Rule, Violation, ViolationKind
from tests.engine.cases import each, in_every_edition
from tests.engine.tables import (
    BLUE,
    RED,
    SKIRMISH,
    Table,
    declare,
    moment,
    ranks_named,
    state,
    way,
)


def insist(side: Side, rank: Rank) -> UpholdDeclaration:
    return UpholdDeclaration(Secret(side, rank))


@pytest.fixture
def table() -> Table:
    """Open an attack from e6 to e7. Red's general on e6 is revealed. Blue's general on e7 has
    moved."""
    table = Table.of(SKIRMISH, rules=EDITIONS["isf"])
    table.play("e4-e5 e7-e6 e5xe6 f7-e7")
    table.referee.apply(Attack(*way("e6 e7")))
    return table


@pytest.fixture
def disputed(table: Table) -> Referee:
    """Declare that Blue's piece is the lieutenant, and stand by it, although the lieutenant has
    fallen."""
    assert isinstance(table.referee.apply(declare(BLUE, Rank.LIEUTENANT))[0], rulings.Contradiction)
    table.referee.apply(insist(BLUE, Rank.LIEUTENANT))
    return table.referee


def test_upholding_opens_a_dispute_without_the_rank(table: Table) -> None:
    ruled = table.referee.apply(insist(BLUE, Rank.LIEUTENANT))

    assert ruled == (rulings.Disputed(BLUE, square("e7")),)
    assert table.referee.phase is Phase.DISPUTE
    assert not ranks_named(repr(ruled) + repr(table.referee.open_attack))
    assert table.referee.actions[-1] == insist(BLUE, Rank.LIEUTENANT)
    assert not ranks_named(repr(table.referee.actions[-1]))


def test_refused_declaration_is_replaced(disputed: Referee) -> None:
    ruled = disputed.apply(SettleDispute(accepted=False))

    assert ruled == (rulings.DisputeSettled(BLUE, accepted=False),)
    assert disputed.phase is Phase.ATTACK
    assert disputed.open_attack
    assert disputed.open_attack.awaited == (BLUE,)
    assert isinstance(disputed.apply(declare(BLUE, Rank.LIEUTENANT))[0], rulings.Contradiction)
    assert isinstance(disputed.apply(declare(BLUE, Rank.GENERAL))[-1], rulings.Combat)
    assert state(Referee.replay(disputed.edition, disputed.actions)) == state(disputed)


def test_a_refused_dispute_leaves_the_attack_as_it_was(table: Table) -> None:
    before = moment(table.referee)
    table.referee.apply(insist(BLUE, Rank.LIEUTENANT))
    table.referee.apply(SettleDispute(accepted=False))

    assert moment(table.referee) == before
    table.referee.apply(WithdrawAttack())
    assert isinstance(table.referee.apply(Move(*way("e6 f6")))[0], rulings.Moved)


def test_accepted_declaration_counts(disputed: Referee) -> None:
    ruled = disputed.apply(SettleDispute(accepted=True))

    assert ruled == (
        rulings.DisputeSettled(BLUE, accepted=True),
        rulings.Combat(
            RED, *way("e6 e7"), Rank.GENERAL, Rank.LIEUTENANT, CombatResult.ATTACKER_WINS
        ),
    )
    assert disputed.position.player(BLUE).captured == {Rank.LIEUTENANT: 2}
    assert (disputed.phase, disputed.to_move) == (Phase.PLAY, BLUE)
    assert state(Referee.replay(disputed.edition, disputed.actions)) == state(disputed)


def test_accepted_declaration_of_a_silent_defender() -> None:
    """No rank that is left in the army could have won, but every piece still has possible ranks."""
    table = Table.of(SKIRMISH, rules=replace(EDITIONS["isf"], silent_defence=True))
    table.play("e4-e5 e7-e6 e5xe6 f7-e7")
    table.referee.apply(Attack(*way("e6 e7")))
    assert isinstance(table.referee.apply(declare(BLUE, Rank.MARSHAL))[0], rulings.Contradiction)
    table.referee.apply(insist(BLUE, Rank.MARSHAL))

    combat = table.referee.apply(SettleDispute(accepted=True))[1]

    assert isinstance(combat, rulings.Combat)
    assert (combat.defender, combat.result) == (None, CombatResult.DEFENDER_WINS)
    position = table.referee.position
    deduction = position.player(BLUE).deduction
    assert position.ranks_at(square("e7")) == deduction.army.ranks
    assert not deduction.adds_up


def test_inconsistent_army_gives_no_deductions(disputed: Referee) -> None:
    """Two of Blue's pieces count as lieutenants, but Blue's army has only one lieutenant. Any piece
    may therefore have any rank."""
    disputed.apply(SettleDispute(accepted=True))
    every = set(ranks_in(disputed.edition.army.ranks))

    assert disputed.possible("b7") == disputed.possible("a10") == every
    disputed.apply(Move(*way("b7 b6")))
    assert disputed.possible("b6") == every - {Rank.FLAG, Rank.BOMB}
    assert Rank.GENERAL not in disputed.possible("b4"), (
        "the facts about Red's army are still consistent"
    )


def test_only_a_contradicted_rank_can_be_upheld(table: Table) -> None:
    before = state(table.referee)
    with pytest.raises(OutOfPhaseError, match="a declaration that was proved impossible"):
        table.referee.apply(insist(BLUE, Rank.GENERAL))
    with pytest.raises(OutOfPhaseError, match="expected a declaration from blue"):
        table.referee.apply(insist(RED, Rank.BOMB))
    assert state(table.referee) == before


def test_dispute_keeps_the_other_declaration() -> None:
    table = Table.of(SKIRMISH, rules=EDITIONS["isf"])
    table.play("e4-e5 e7-e6")
    referee = table.referee
    referee.apply(Attack(*way("e5 e6")))
    referee.apply(declare(BLUE, Rank.LIEUTENANT))

    referee.apply(insist(RED, Rank.MARSHAL))
    ruled = referee.apply(SettleDispute(accepted=True))

    assert ruled == (
        rulings.DisputeSettled(RED, accepted=True),
        rulings.Combat(
            RED, *way("e5 e6"), Rank.MARSHAL, Rank.LIEUTENANT, CombatResult.ATTACKER_WINS
        ),
    )
    assert referee.possible("e6") == {Rank.MARSHAL}, (
        "the accepted rank counts although the army does not have it"
    )


def test_dispute_before_the_other_declaration() -> None:
    table = Table.of(SKIRMISH, rules=EDITIONS["isf"])
    table.play("e4-e5 e7-e6")
    referee = table.referee
    referee.apply(Attack(*way("e5 e6")))
    referee.apply(insist(RED, Rank.MARSHAL))

    assert referee.apply(SettleDispute(accepted=True)) == (
        rulings.DisputeSettled(RED, accepted=True),
    )
    assert referee.open_attack
    assert referee.open_attack.awaited == (BLUE,)
    assert isinstance(referee.apply(declare(BLUE, Rank.LIEUTENANT))[-1], rulings.Combat)


# -- a moved piece that is claimed to be a bomb


@in_every_edition
@each("rank", [Rank.BOMB, Rank.FLAG])
def test_attacking_bomb_cannot_be_upheld(edition: Edition, rank: Rank) -> None:
    table = Table.of(SKIRMISH, rules=edition)
    table.play("e4-e5 e7-e6")
    referee = table.referee
    referee.apply(Attack(*way("e5 e6")))

    ruled = referee.apply(insist(RED, rank))

    assert ruled[0] == rulings.Disputed(RED, square("e5"))
    if edition.moved_bomb is MovedBombPenalty.LOSES:
        assert_lost_by_moved_bomb(referee, ruled, BLUE)
        return
    settled = referee.apply(SettleDispute(accepted=True))
    assert settled == (rulings.DisputeSettled(RED, accepted=False),), (
        "the ruling does not give the reason"
    )
    assert referee.apply(declare(RED, Rank.GENERAL)) == (rulings.Declared(RED),)


def assert_lost_by_moved_bomb(
    referee: Referee, ruled: tuple[rulings.Ruling, ...], winner: Side
) -> None:
    assert ruled[1:] == (rulings.GameOver(winner, rulings.Reason.MOVED_BOMB),)
    assert referee.outcome
    assert referee.outcome.citation
    assert referee.outcome.citation.rule is Rule.IMMOBILE_PIECE
    assert (referee.phase, referee.open_attack) == (Phase.OVER, None)
    assert isinstance(referee.actions[-1], UpholdDeclaration)
    assert state(Referee.replay(referee.edition, referee.actions)) == state(referee)


@in_every_edition
def test_moved_defender_declared_a_bomb(edition: Edition) -> None:
    table = Table.of(SKIRMISH, rules=edition)
    table.play("e4-e5 e7-e6")
    referee = table.referee
    referee.apply(Attack(*way("e5 e6")))
    referee.apply(declare(RED, Rank.GENERAL))

    ruled = referee.apply(insist(BLUE, Rank.BOMB))

    assert ruled[0] == rulings.Disputed(BLUE, square("e6"))
    if edition.moved_bomb is MovedBombPenalty.LOSES:
        assert_lost_by_moved_bomb(referee, ruled, RED)
        return
    *_, fought = referee.apply(SettleDispute(accepted=True))
    assert isinstance(fought, rulings.Combat)
    assert (fought.defender, fought.result) == (Rank.BOMB, CombatResult.DEFENDER_WINS)
    assert fought.boom
    assert Rank.BOMB not in referee.possible("i7"), "the army's only bomb is the piece on e6"
    (moved_again,) = table.play("e6-e5")
    assert isinstance(moved_again, Violation)
    assert moved_again.fault is ViolationKind.IMMOBILE


def test_contradicted_bomb_that_never_moved_does_not_lose() -> None:
    """The piece has not moved, but the only bomb in its army is known."""
    table = Table.of(SKIRMISH, rules=EDITIONS["gravopedia-2006"])
    table.play("i4-i5 b7-b6 i5-i6 b6-b5 i6xi7 f7-f6 e4-e5 f6-f5 e5-e6 k7-k6")
    referee = table.referee
    referee.apply(Attack(*way("e6 e7")))

    (refused,) = referee.apply(declare(BLUE, Rank.BOMB))
    assert isinstance(refused, rulings.Contradiction)
    assert refused.proof == Proof(Evidence.ALL_FOUND, Rank.BOMB, count=1)
    assert referee.apply(insist(BLUE, Rank.BOMB)) == (rulings.Disputed(BLUE, square("e7")),)
    assert referee.phase is Phase.DISPUTE


# -- contents of a proof


def proof_against(referee: Referee, side: Side, rank: Rank) -> Proof:
    (refused,) = referee.apply(declare(side, rank))
    assert isinstance(refused, rulings.Contradiction)
    assert refused.owner is side
    assert refused.citation == referee.edition.cite(refused.proof.ground.rule)
    return refused.proof


def test_proof_names_its_ply(table: Table) -> None:
    assert proof_against(table.referee, BLUE, Rank.BOMB) == Proof(Evidence.MOVED, Rank.BOMB, ply=4)


def test_proof_counts_captured_and_revealed_pieces(table: Table) -> None:
    """The lieutenant has fallen. The bomb has been revealed but is still on the board."""
    assert proof_against(table.referee, BLUE, Rank.LIEUTENANT) == Proof(
        Evidence.ALL_FALLEN, Rank.LIEUTENANT, count=1
    )
    table.referee.apply(WithdrawAttack())
    table.play("i4-i5 b7-b6 i5-i6 b6-b5 i6xi7 b5-a5 e6-f6 k7-k6")
    table.referee.apply(Attack(*way("k4 k6")))
    assert proof_against(table.referee, BLUE, Rank.BOMB).ground is Evidence.MOVED


def test_last_unknown_piece_has_the_needed_rank() -> None:
    """All of Blue's pieces except one have moved or been revealed, so the remaining piece is the
    flag."""
    table = Table.of(SKIRMISH, rules=EDITIONS["isf"])
    table.play("i4-i5 b7-b6 i5-i6 e7-e6 i6xi7 f7-f6 e4-e5 k7-k8 b4-b5 k8-k9")
    blue = table.referee.position.player(BLUE).deduction

    assert table.referee.possible("a10") == {Rank.FLAG}
    assert blue.refute(square("a10"), Rank.MINER, attacks=False) == Proof(
        Evidence.NEEDED, Rank.MINER, other=Rank.FLAG
    )
