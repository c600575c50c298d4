"""Tests for the referee's rulings on moves, and for the effect of proved ranks."""

from dataclasses import replace

import pytest

from engine.board.geometry import set_of, square
from engine.board.ranks import Rank
from engine.game.actions import Attack, Move
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.game.rulings import AttackOpened, Combat, GameOver, Moved, Reason
from engine.rules.editions import EDITIONS, Edition, MovedBombPenalty
from engine.rules.movement import CombatResult
from engine.rules.rules import Citation, Interpretation, Rule, Violation, ViolationKind
from tests.engine.cases import each, in_every_edition
from tests.engine.tables import BLUE, RED, SKIRMISH, Setup, Table, refusal, state, way


def test_simple_move(referee: Referee) -> None:
    assert referee.apply(Move(*way("e4 e5"))) == (Moved(RED, *way("e4 e5"), long_move=False),)

    assert referee.to_move is BLUE
    assert referee.plies == 1
    assert referee.position.last_move == way("e4 e5")
    assert referee.position.board.piece_at(square("e5")) == square("e4")
    assert referee.apply(Move(*way("k7 k5"))) == (Moved(BLUE, *way("k7 k5"), long_move=True),)
    assert referee.to_move is RED


@pytest.mark.parametrize(
    ("move", "fault", "rule"),
    [
        ("a2 a3", ViolationKind.NO_PIECE, Rule.MOVEMENT),
        ("e7 e6", ViolationKind.NOT_YOUR_PIECE, Rule.OUT_OF_TURN),
        ("e4 f5", ViolationKind.NOT_STRAIGHT, Rule.MOVEMENT),
        ("e4 f4", ViolationKind.ONTO_OWN_PIECE, Rule.MOVEMENT),
        ("e4 e7", ViolationKind.ONTO_OPPONENT, Rule.MOVEMENT),
        ("e4 e8", ViolationKind.PIECE_IN_THE_WAY, Rule.MOVEMENT),
    ],
)
def test_illegal_move_changes_nothing(
    referee: Referee, move: str, fault: ViolationKind, rule: Rule
) -> None:
    before = state(referee)

    rulings = referee.apply(Move(*way(move)))

    turn = RED if rule is Rule.OUT_OF_TURN else None
    citation = Citation("Small rulebook", rule)
    assert rulings == (Violation(fault, set_of(way(move)), citation, side=turn),)
    assert fault.rule is rule
    assert state(referee) == before


def test_unknown_piece_may_move(referee: Referee) -> None:
    assert isinstance(referee.apply(Move(*way("a1 a2")))[0], Moved)


def test_attack_needs_a_target(referee: Referee) -> None:
    before = state(referee)

    ruling = referee.apply(Attack(*way("e4 e5")))

    citation = Citation("Small rulebook", Rule.MOVEMENT)
    expected = Violation(ViolationKind.NOTHING_TO_ATTACK, set_of(way("e4 e5")), citation)
    assert ruling == (expected,)
    assert state(referee) == before
    (ruling_on_own,) = referee.apply(Attack(*way("e4 f4")))
    assert isinstance(ruling_on_own, Violation)
    assert ruling_on_own.fault is ViolationKind.ONTO_OWN_PIECE


def test_proved_ranks_restrict_moves(table: Table) -> None:
    """The revealed general cannot make a long move, and the revealed bomb cannot move."""
    table.play("e4-e5 e7-e6 e5xe6 k7xk4")  # both scouts fall
    (too_far,) = table.play("e6-e9")
    assert isinstance(too_far, Violation)
    assert too_far.fault is ViolationKind.TOO_FAR
    table.play("i4-i5 b7-b6 i5-i6 b6-b5 i6xi7 f7-f6 f4-f5 b5xb4 f5xf6")
    assert table.referee.position.player(RED).captured[Rank.BOMB] == 1
    assert table.referee.position.player(BLUE).captured == {Rank.LIEUTENANT: 1, Rank.SCOUT: 1}
    (bomb_moves,) = table.play("i7-i6")
    assert isinstance(bomb_moves, Violation)
    assert bomb_moves.fault is ViolationKind.IMMOBILE
    assert bomb_moves.fault.rule is Rule.IMMOBILE_PIECE


def test_known_ranks_restrict_the_first_move() -> None:
    setup = Setup.parse(SKIRMISH)
    referee = Referee.waiting(setup.edition(), known=setup.ranks)
    referee.apply(setup.placing)

    (bomb,) = referee.apply(Move(*way("b4 b5")))
    (general,) = referee.apply(Move(*way("e4 e6")))

    assert isinstance(bomb, Violation)
    assert bomb.fault is ViolationKind.IMMOBILE
    assert isinstance(general, Violation)
    assert general.fault is ViolationKind.TOO_FAR
    rulings = referee.apply(Attack(*way("k4 k7")))
    assert rulings == (
        AttackOpened(RED, *way("k4 k7"), awaited=()),
        Combat(RED, *way("k4 k7"), Rank.SCOUT, Rank.SCOUT, CombatResult.BOTH_FALL),
    )


# -- moves of a bomb or the flag

SHOWN = "a4-b4 i7-i6 b4-b5 i6-i5 e4-e5 i5xi4"
"""Blue's lieutenant has lost to the bomb on i4, which is now public. Red is to move."""
QUARREL = """
    10  bF   .   .   .   .   .   .   .   .   .
     9   .   .   .   .   .   .   .   .   .  b9
     8   .   .   .   .   .   .   .   .   .   .
     7   .   .   .   .   .   .   .   .  b5  bB
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4  r5   .   .   .  r9   .   .   .  rB   .
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1   .   .   .   .   .   .   .   .   .  rF
         a   b   c   d   e   f   g   h   i   k
"""
GERMAN = replace(EDITIONS["travel-2017"], moved_bomb=MovedBombPenalty.LOSES)
"""Stratego Travel with an option from its German rulebook."""
consequences = each(
    ("edition", "moved_bomb"),
    [
        (EDITIONS["compact-1992"], MovedBombPenalty.NOT_ALLOWED),
        (EDITIONS["original-1992"], MovedBombPenalty.NOT_ALLOWED),
        (EDITIONS["gravopedia-2006"], MovedBombPenalty.LOSES),
        (EDITIONS["nordic-2015"], MovedBombPenalty.NOT_ALLOWED),
        (EDITIONS["travel-2017"], MovedBombPenalty.NOT_ALLOWED),
        (GERMAN, MovedBombPenalty.LOSES),
        (EDITIONS["isf"], MovedBombPenalty.ARBITER),
    ],
)


@in_every_edition
def test_only_the_travel_edition_has_a_choice(edition: Edition) -> None:
    choices = (
        (MovedBombPenalty.NOT_ALLOWED, MovedBombPenalty.LOSES)
        if edition.id == "travel-2017"
        else ()
    )
    assert edition.moved_bomb_choices == choices
    assert not choices or edition.moved_bomb is choices[0]


@consequences
@each("action", [Move(*way("i4 i5")), Move(*way("i4 i6"))])
def test_moved_bomb(edition: Edition, moved_bomb: MovedBombPenalty, action: Move) -> None:
    assert edition.moved_bomb is moved_bomb
    table = Table.of(QUARREL, rules=edition)
    table.play(SHOWN)
    referee, before = table.referee, state(table.referee)

    rulings = referee.apply(action)

    citation = Citation(edition.rulebook, Rule.IMMOBILE_PIECE)
    squares = set_of((action.source, action.target))
    assert rulings[0] == Violation(ViolationKind.IMMOBILE, squares, citation)
    if moved_bomb is MovedBombPenalty.LOSES:
        assert rulings[1:] == (GameOver(BLUE, Reason.MOVED_BOMB),)
        assert referee.outcome
        assert referee.outcome.citation == citation
        assert referee.phase is Phase.OVER
        assert referee.actions[-1] == action
        assert referee.position.board.side_at(square("i4")) is RED, "the move was not carried out"
        assert state(Referee.replay(referee.edition, referee.actions)) == state(referee)
    else:
        assert rulings[1:] == ()
        assert state(referee) == before
        assert referee.phase is Phase.PLAY


@consequences
@each("target", ["c7", "h5", "g5"])
def test_bomb_moved_too_far_was_knocked(
    edition: Edition, moved_bomb: MovedBombPenalty, target: str
) -> None:
    """The bomb is put back.

    If moving a bomb loses the game in the edition, this ruling is an interpretation and is cited as
    one.
    """
    table = Table.of(QUARREL, rules=edition)
    table.play(SHOWN)
    before = state(table.referee)

    (violation,) = table.referee.apply(Move(square("i4"), square(target)))

    assert isinstance(violation, Violation)
    assert violation.fault is ViolationKind.IMMOBILE
    read = Interpretation.KNOCKED_BOMB if moved_bomb is MovedBombPenalty.LOSES else None
    assert violation.citation == Citation(edition.rulebook, Rule.IMMOBILE_PIECE, reading=read)
    assert ("knocked" in str(violation)) is (read is not None)
    assert state(table.referee) == before


@consequences
def test_attacking_bomb(edition: Edition, moved_bomb: MovedBombPenalty) -> None:
    table = Table.of(QUARREL, rules=edition)
    table.play(SHOWN + " e5-e6 k9-k8 e6-f6 k8-i8 f6-f7 i8-i7 f7-f8 i7-i6 f8-f9 i6-i5")
    referee, before = table.referee, state(table.referee)

    rulings = referee.apply(Attack(*way("i4 i5")))

    assert isinstance(rulings[0], Violation)
    assert rulings[0].fault is ViolationKind.IMMOBILE
    if moved_bomb is MovedBombPenalty.LOSES:
        assert rulings[1:] == (GameOver(BLUE, Reason.MOVED_BOMB),)
        assert referee.open_attack is None
        assert referee.actions[-1] == Attack(*way("i4 i5"))
        assert state(Referee.replay(referee.edition, referee.actions)) == state(referee)
    else:
        assert (rulings[1:], state(referee)) == ((), before)


def test_bomb_of_the_waiting_side_was_knocked() -> None:
    table = Table.of(QUARREL, rules=GERMAN)
    table.play(SHOWN + " e5-e6")

    (violation,) = table.play("i4-i5")

    assert isinstance(violation, Violation)
    assert violation.fault is ViolationKind.NOT_YOUR_PIECE


def test_move_out_of_turn(referee: Referee) -> None:
    for side, out_of_turn, move in ((RED, "e7 e6", "e4 e5"), (BLUE, "e5 e6", "k7 k6")):
        (violation,) = referee.apply(Move(*way(out_of_turn)))
        assert isinstance(violation, Violation)
        assert (violation.fault, violation.side) == (ViolationKind.NOT_YOUR_PIECE, side)
        referee.apply(Move(*way(move)))


def test_unknown_bomb_may_move() -> None:
    table = Table.of(QUARREL, rules=GERMAN)

    assert refusal(table.play("i4-i5")) is None
