"""Tests for attacks (rules.md §5): which side is asked, and which ranks are revealed."""

from dataclasses import replace

import pytest

from engine.board import OutOfPhaseError
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.deduction.possible_ranks import Evidence, Proof
from engine.game import rulings
from engine.game.actions import Attack, Move, WithdrawAttack
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.rules.editions import EDITIONS
from engine.rules.movement import CombatResult
from engine.rules.rules import Citation, Rule
from tests.engine.cases import each
from tests.engine.tables import BLUE, RED, SKIRMISH, Table, declare, ranks_named, state, way


@pytest.fixture
def attacked(table: Table) -> Referee:
    """Attack the blue lieutenant on e6 with Red's general. No rank has been declared."""
    table.play("e4-e5 e7-e6")
    table.referee.apply(Attack(*way("e5 e6")))
    return table.referee


ARMY = {
    *(Rank.FLAG, Rank.SCOUT, Rank.MINER, Rank.LIEUTENANT, Rank.GENERAL, Rank.BOMB),
}
"""All ranks that occur in the skirmish's armies."""


def awaited(referee: Referee) -> list[Side]:
    assert referee.open_attack
    return list(referee.open_attack.awaited)


def test_attacker_is_asked_first(attacked: Referee) -> None:
    assert awaited(attacked) == [RED, BLUE]

    assert attacked.apply(declare(RED, Rank.GENERAL)) == (rulings.Declared(RED),)
    assert awaited(attacked) == [BLUE]
    ruled = attacked.apply(declare(BLUE, Rank.LIEUTENANT))

    assert ruled == (
        rulings.Declared(BLUE),
        rulings.Combat(
            RED, *way("e5 e6"), Rank.GENERAL, Rank.LIEUTENANT, result=CombatResult.ATTACKER_WINS
        ),
    )
    assert attacked.open_attack is None
    assert attacked.phase is Phase.PLAY
    assert (attacked.to_move, attacked.plies) == (BLUE, 3)
    assert attacked.position.last_combat == ruled[1]
    assert attacked.position.last_move == way("e5 e6")
    assert attacked.position.board.piece_at(square("e6")) == square("e4")
    assert attacked.position.board.side_at(square("e5")) is None
    assert attacked.position.player(BLUE).captured == {Rank.LIEUTENANT: 1}
    assert not attacked.position.player(RED).captured


def test_defender_may_declare_first(attacked: Referee) -> None:
    assert attacked.apply(declare(BLUE, Rank.LIEUTENANT)) == (rulings.Declared(BLUE),)
    assert awaited(attacked) == [RED]
    assert isinstance(attacked.apply(declare(RED, Rank.GENERAL))[-1], rulings.Combat)


def test_each_side_declares_once_for_itself(attacked: Referee) -> None:
    attacked.apply(declare(RED, Rank.GENERAL))
    before = state(attacked)

    with pytest.raises(OutOfPhaseError, match="expected a declaration from blue"):
        attacked.apply(declare(RED, Rank.GENERAL))
    assert state(attacked) == before


def test_defender_wins(table: Table) -> None:
    table.play("i4-i5 b7-b6 i5-i6 b6-b5")

    *_, combat = table.play("i6xi7")

    assert isinstance(combat, rulings.Combat)
    assert combat.result is CombatResult.DEFENDER_WINS
    assert combat.boom
    assert table.referee.position.board.side_at(square("i6")) is None
    assert table.referee.position.board.side_at(square("i7")) is BLUE
    assert table.referee.position.player(RED).captured == {Rank.LIEUTENANT: 1}
    assert not table.referee.position.player(BLUE).captured


def test_both_fall(table: Table) -> None:
    *_, combat = table.play("k4xk7")

    assert isinstance(combat, rulings.Combat)
    assert combat.result is CombatResult.BOTH_FALL
    assert not combat.boom
    for place in ("k4", "k7"):
        assert table.referee.position.board.side_at(square(place)) is None
    for side in Side:
        assert table.referee.position.player(side).captured == {Rank.SCOUT: 1}


def test_last_combat_is_cleared_by_the_next_move(table: Table) -> None:
    table.play("k4xk7")
    assert table.referee.position.last_combat
    table.play("e7-e6")
    assert table.referee.position.last_combat is None


def test_public_rank_is_not_asked(table: Table) -> None:
    table.play("k4xk7")
    assert table.declared == [BLUE]  # a distant attacker must be a scout

    table.declared.clear()
    table.play("e7-e6 e4-e5 e6xe5")
    assert table.declared == [BLUE, RED]
    table.declared.clear()
    table.play("f4-f5 b7-b6 e5-e6 b6-b5 e6-e7 b5-a5 e7xf7")
    assert table.declared == [BLUE]  # the general has been revealed


def test_long_attack_by_the_last_scout(table: Table) -> None:
    ruled = table.referee.apply(Attack(*way("k4 k7")))

    assert ruled == (rulings.AttackOpened(RED, *way("k4 k7"), awaited=(BLUE,)),)
    assert table.referee.open_attack
    assert table.referee.open_attack.rank(RED) is Rank.SCOUT


def test_proved_ranks_fight_without_declarations(table: Table) -> None:
    table.play("k4-k6 k7-k9 k6-k5 k9-k7")

    ruled = table.referee.apply(Attack(*way("k5 k7")))

    assert ruled == (
        rulings.AttackOpened(RED, *way("k5 k7"), awaited=()),
        rulings.Combat(RED, *way("k5 k7"), Rank.SCOUT, Rank.SCOUT, CombatResult.BOTH_FALL),
    )
    assert table.referee.actions[-1] == Attack(*way("k5 k7"))
    assert table.referee.phase is Phase.PLAY


def test_unintended_attack_is_withdrawn(attacked: Referee) -> None:
    assert attacked.apply(WithdrawAttack()) == (rulings.AttackWithdrawn(),)

    assert attacked.open_attack is None
    assert (attacked.phase, attacked.to_move, attacked.plies) == (Phase.PLAY, RED, 2)
    assert isinstance(attacked.apply(Move(*way("e5 e4")))[0], rulings.Moved)


@pytest.mark.parametrize(("side", "rank"), [(RED, Rank.GENERAL), (BLUE, Rank.LIEUTENANT)])
def test_declared_attack_cannot_be_withdrawn(attacked: Referee, side: Side, rank: Rank) -> None:
    attacked.apply(declare(side, rank))
    before = state(attacked)

    with pytest.raises(OutOfPhaseError, match="no rank has been declared"):
        attacked.apply(WithdrawAttack())
    assert state(attacked) == before


def test_withdrawn_attack_proves_nothing(table: Table) -> None:
    """The piece may have any rank: it need not be a scout, or even movable."""
    referee = table.referee
    referee.apply(Attack(*way("k4 k7")))
    referee.apply(WithdrawAttack())

    assert referee.possible("k4") == ARMY
    assert referee.find_violation(*way("k4 k5")) is None


def test_contradiction_is_private(attacked: Referee) -> None:
    attacked.apply(declare(BLUE, Rank.LIEUTENANT))
    before = state(attacked)

    ruled = attacked.apply(declare(RED, Rank.BOMB))

    assert ruled == (
        rulings.Contradiction(
            RED,
            Proof(Evidence.ATTACKS, Rank.BOMB),
            Citation("Small rulebook", Rule.IMMOBILE_PIECE),
        ),
    )
    assert state(attacked) == before
    assert isinstance(attacked.apply(declare(RED, Rank.GENERAL))[-1], rulings.Combat)


def test_defender_contradictions(table: Table) -> None:
    table.play("e4-e5 e7-e6 e5xe6 f7-e7")
    referee = table.referee
    referee.apply(Attack(*way("e6 e7")))

    def ground(rank: Rank) -> Evidence:
        (ruling,) = referee.apply(declare(BLUE, rank))
        assert isinstance(ruling, rulings.Contradiction)
        assert ruling.owner is BLUE
        return ruling.proof.ground

    assert ground(Rank.FLAG) is Evidence.MOVED
    assert ground(Rank.MARSHAL) is Evidence.NOT_IN_ARMY
    assert ground(Rank.LIEUTENANT) is Evidence.ALL_FALLEN
    assert isinstance(referee.apply(declare(BLUE, Rank.GENERAL))[-1], rulings.Combat)


def test_attacker_is_no_bomb(table: Table) -> None:
    """An unmoved defender may be a bomb, but an attacker cannot."""
    table.play("i4-i5 b7-b6 i5-i6 b6-b5")
    table.referee.apply(Attack(*way("i6 i7")))
    assert table.referee.apply(declare(BLUE, Rank.BOMB)) == (rulings.Declared(BLUE),)
    table.referee.apply(declare(RED, Rank.LIEUTENANT))

    table.referee.apply(Attack(*way("b5 b4")))
    assert table.referee.open_attack
    assert not table.referee.open_attack.possible[BLUE] >> Rank.BOMB & 1
    assert isinstance(table.referee.apply(declare(BLUE, Rank.FLAG))[0], rulings.Contradiction)


# -- secrecy


def test_open_attack_prints_no_ranks(attacked: Referee) -> None:
    opened = attacked.actions[-1]
    first = attacked.apply(declare(RED, Rank.GENERAL))
    shown = [repr(opened), repr(first), repr(attacked.open_attack), str(attacked.open_attack)]
    shown += [repr(attacked.actions), str(attacked.actions[-1]), f"{attacked.actions[-1]}"]

    assert [ranks_named(text) for text in shown] == [[]] * len(shown)

    second = attacked.apply(declare(BLUE, Rank.LIEUTENANT))
    assert ranks_named(repr(second)) == [Rank.LIEUTENANT, Rank.GENERAL]
    assert not ranks_named(repr(attacked.actions))


@each("rank", Rank)
def test_secret_prints_only_its_owner(rank: Rank) -> None:
    secret = Secret(RED, rank)

    assert repr(secret) == str(secret) == "Secret(owner=Side.RED)"
    assert secret.unseal() is rank
    assert repr(declare(RED, rank)) == "Declare(rank=Secret(owner=Side.RED))"


def test_declaration_texts_do_not_depend_on_the_rank(attacked: Referee) -> None:
    """The general test of secrecy would miss a rank that is printed as a number."""
    announced = set()
    for rank in (Rank.SCOUT, Rank.MINER, Rank.GENERAL):
        again = Referee.replay(attacked.edition, attacked.actions)
        ruled = again.apply(declare(RED, rank))
        announced.add((repr(ruled), repr(again.open_attack), repr(again.actions)))

    assert len(announced) == 1


# -- the aggressor advantage


@each("advantage", [False, True])
def test_aggressor_advantage_with_equal_ranks(advantage: bool) -> None:
    rules = replace(EDITIONS["gravopedia-2006"], aggressor_advantage=advantage)
    table = Table.of(SKIRMISH, rules=rules)

    fought = table.play("k4xk7")[-1]

    assert isinstance(fought, rulings.Combat)
    assert fought.result is (CombatResult.ATTACKER_WINS if advantage else CombatResult.BOTH_FALL)
    assert table.referee.position.board.side_at(square("k7")) is (RED if advantage else None)
    assert table.referee.position.player(BLUE).captured == {Rank.SCOUT: 1}
    assert bool(table.referee.position.player(RED).captured) is not advantage
