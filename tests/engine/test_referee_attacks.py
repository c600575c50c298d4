"""The conversation of an attack: who is asked, what is revealed, and when (RULES §7)."""

import pytest

from engine.actions import Move, OpenAttack, WithdrawAttack
from engine.combat import Result
from engine.dossier import Ground, Proof
from engine.ranks import Rank
from engine.referee import OutOfPhaseError, Phase, Referee
from engine.rules import Rule, Source
from engine.rulings import (
    AttackOpened,
    AttackWithdrawn,
    Combat,
    Contradiction,
    Declared,
    Moved,
)
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import square
from tests.engine.tables import BLUE, RED, SKIRMISH, Table, declare, state, told_ranks, way


@pytest.fixture
def table() -> Table:
    return Table.of(SKIRMISH)


@pytest.fixture
def attacked(table: Table) -> Referee:
    """Red attacks the blue lieutenant on e6 with its general; nobody has declared yet."""
    table.play("e4-e5 e7-e6")
    table.referee.apply(OpenAttack(*way("e5 e6")))
    return table.referee


def awaited(referee: Referee) -> list[Side]:
    assert referee.attack
    return list(referee.attack.awaited)


def test_both_are_asked_the_attacker_first(attacked: Referee) -> None:
    assert awaited(attacked) == [RED, BLUE]

    assert attacked.apply(declare(RED, Rank.GENERAL)) == (Declared(RED),)
    assert awaited(attacked) == [BLUE]
    rulings = attacked.apply(declare(BLUE, Rank.LIEUTENANT))

    assert rulings == (
        Declared(BLUE),
        Combat(RED, *way("e5 e6"), Rank.GENERAL, Rank.LIEUTENANT, result=Result.ATTACKER_WINS),
    )
    assert attacked.attack is None
    assert attacked.phase is Phase.PLAY
    assert (attacked.to_move, attacked.plies) == (BLUE, 3)
    assert attacked.last_combat == rulings[1]
    assert attacked.last_move == way("e5 e6")
    assert attacked.board.piece_at(square("e6")) == square("e4")
    assert attacked.board.side_at(square("e5")) is None
    assert attacked.captured[BLUE] == {Rank.LIEUTENANT: 1}
    assert not attacked.captured[RED]


def test_the_defender_may_declare_first(attacked: Referee) -> None:
    assert attacked.apply(declare(BLUE, Rank.LIEUTENANT)) == (Declared(BLUE),)
    assert awaited(attacked) == [RED]
    assert isinstance(attacked.apply(declare(RED, Rank.GENERAL))[-1], Combat)


def test_nobody_declares_twice_or_in_the_place_of_another(attacked: Referee) -> None:
    attacked.apply(declare(RED, Rank.GENERAL))
    before = state(attacked)

    with pytest.raises(OutOfPhaseError, match="no declaration is awaited from red"):
        attacked.apply(declare(RED, Rank.GENERAL))
    assert state(attacked) == before


def test_a_combat_that_the_defender_wins(table: Table) -> None:
    table.play("i4-i5 b7-b6 i5-i6 b6-b5")

    *_, combat = table.play("i6xi7")

    assert isinstance(combat, Combat)
    assert combat.result is Result.DEFENDER_WINS
    assert combat.boom
    assert table.referee.board.side_at(square("i6")) is None
    assert table.referee.board.side_at(square("i7")) is BLUE
    assert table.referee.captured[RED] == {Rank.LIEUTENANT: 1}
    assert not table.referee.captured[BLUE]


def test_a_combat_in_which_both_fall(table: Table) -> None:
    *_, combat = table.play("k4xk7")

    assert isinstance(combat, Combat)
    assert combat.result is Result.BOTH_FALL
    assert not combat.boom
    for place in ("k4", "k7"):
        assert table.referee.board.side_at(square(place)) is None
    assert table.referee.captured == {RED: {Rank.SCOUT: 1}, BLUE: {Rank.SCOUT: 1}}


def test_the_last_combat_is_forgotten_with_the_next_move(table: Table) -> None:
    table.play("k4xk7")
    assert table.referee.last_combat
    table.play("e7-e6")
    assert table.referee.last_combat is None


def test_a_rank_that_everybody_can_know_is_not_asked_for(table: Table) -> None:
    table.play("k4xk7")
    assert table.declared == [BLUE]  # who attacks from afar is a scout

    table.declared.clear()
    table.play("e7-e6 e4-e5 e6xe5")
    assert table.declared == [BLUE, RED]
    table.declared.clear()
    table.play("f4-f5 b7-b6 e5-e6 b6-b5 e6-e7 b5-a5 e7xf7")
    assert table.declared == [BLUE]  # the general was revealed before


def test_an_attack_from_afar_by_one_who_is_the_only_scout_left(table: Table) -> None:
    rulings = table.referee.apply(OpenAttack(*way("k4 k7")))

    assert rulings == (AttackOpened(RED, *way("k4 k7"), awaited=(BLUE,)),)
    assert table.referee.attack
    assert table.referee.attack.rank(RED) is Rank.SCOUT


def test_two_proved_ranks_fight_without_a_word(table: Table) -> None:
    table.play("k4-k6 k7-k9 k6-k5 k9-k7")

    rulings = table.referee.apply(OpenAttack(*way("k5 k7")))

    assert rulings == (
        AttackOpened(RED, *way("k5 k7"), awaited=()),
        Combat(RED, *way("k5 k7"), Rank.SCOUT, Rank.SCOUT, Result.BOTH_FALL),
    )
    assert table.referee.actions[-1] == OpenAttack(*way("k5 k7"))
    assert table.referee.phase is Phase.PLAY


def test_an_attack_that_was_none_is_withdrawn(attacked: Referee) -> None:
    assert attacked.apply(WithdrawAttack()) == (AttackWithdrawn(),)

    assert attacked.attack is None
    assert (attacked.phase, attacked.to_move, attacked.plies) == (Phase.PLAY, RED, 2)
    assert isinstance(attacked.apply(Move(*way("e5 e4")))[0], Moved)


@pytest.mark.parametrize(("side", "rank"), [(RED, Rank.GENERAL), (BLUE, Rank.LIEUTENANT)])
def test_who_has_declared_holds_the_attack(attacked: Referee, side: Side, rank: Rank) -> None:
    attacked.apply(declare(side, rank))
    before = state(attacked)

    with pytest.raises(OutOfPhaseError, match="withdrawn"):
        attacked.apply(WithdrawAttack())
    assert state(attacked) == before


def test_an_attack_that_is_withdrawn_proves_nothing(table: Table) -> None:
    """Neither that the piece is a scout nor even that it can move."""
    referee = table.referee
    place, possible = square("k4"), referee.dossier.possible
    referee.apply(OpenAttack(*way("k4 k7")))
    referee.apply(WithdrawAttack())

    assert possible(place) == referee.edition.army.ranks
    assert referee.find_violation(*way("k4 k5")) is None


def test_a_contradiction_is_private_and_changes_nothing(attacked: Referee) -> None:
    attacked.apply(declare(BLUE, Rank.LIEUTENANT))
    before = state(attacked)

    rulings = attacked.apply(declare(RED, Rank.BOMB))

    assert rulings == (
        Contradiction(
            RED,
            Proof(Ground.ATTACKS, Rank.BOMB),
            Source("Small rulebook", Rule.IMMOBILE_PIECE),
        ),
    )
    assert state(attacked) == before
    assert isinstance(attacked.apply(declare(RED, Rank.GENERAL))[-1], Combat)


def test_contradictions_of_the_defender(table: Table) -> None:
    table.play("e4-e5 e7-e6 e5xe6 f7-e7")
    referee = table.referee
    referee.apply(OpenAttack(*way("e6 e7")))

    def ground(rank: Rank) -> Ground:
        (ruling,) = referee.apply(declare(BLUE, rank))
        assert isinstance(ruling, Contradiction)
        assert ruling.owner is BLUE
        return ruling.proof.ground

    assert ground(Rank.FLAG) is Ground.MOVED
    assert ground(Rank.MARSHAL) is Ground.NOT_IN_ARMY
    assert ground(Rank.LIEUTENANT) is Ground.ALL_FALLEN
    assert isinstance(referee.apply(declare(BLUE, Rank.GENERAL))[-1], Combat)


def test_a_piece_that_only_attacks_is_no_bomb(table: Table) -> None:
    """A defender that has never moved may be a bomb, an attacker may not."""
    table.play("i4-i5 b7-b6 i5-i6 b6-b5")
    table.referee.apply(OpenAttack(*way("i6 i7")))
    assert table.referee.apply(declare(BLUE, Rank.BOMB)) == (Declared(BLUE),)
    table.referee.apply(declare(RED, Rank.LIEUTENANT))

    table.referee.apply(OpenAttack(*way("b5 b4")))
    assert table.referee.attack
    assert not table.referee.attack.possible[BLUE] >> Rank.BOMB & 1
    assert isinstance(table.referee.apply(declare(BLUE, Rank.FLAG))[0], Contradiction)


# -- what must not be seen


def test_the_ranks_of_an_open_attack_are_printed_nowhere(attacked: Referee) -> None:
    opened = attacked.actions[-1]
    first = attacked.apply(declare(RED, Rank.GENERAL))
    shown = [repr(opened), repr(first), repr(attacked.attack), str(attacked.attack)]
    shown += [repr(attacked.actions), str(attacked.actions[-1]), f"{attacked.actions[-1]}"]

    assert [told_ranks(text) for text in shown] == [[]] * len(shown)

    second = attacked.apply(declare(BLUE, Rank.LIEUTENANT))
    assert told_ranks(repr(second)) == [Rank.LIEUTENANT, Rank.GENERAL]
    assert not told_ranks(repr(attacked.actions))


@pytest.mark.parametrize("rank", Rank)
def test_a_secret_prints_its_owner_alone(rank: Rank) -> None:
    secret = Secret(RED, rank)

    assert repr(secret) == str(secret) == "Secret(owner=Side.RED)"
    assert secret.unseal() is rank
    assert repr(declare(RED, rank)) == "Declare(rank=Secret(owner=Side.RED))"


def test_the_texts_about_declarations_do_not_depend_on_the_rank(attacked: Referee) -> None:
    """The test before would not pass if a rank were printed by number."""
    told = set()
    for rank in (Rank.SCOUT, Rank.MINER, Rank.GENERAL):
        again = Referee.replay(attacked.edition, attacked.actions)
        told.add((repr(again.apply(declare(RED, rank))), repr(again.attack), repr(again.actions)))

    assert len(told) == 1
