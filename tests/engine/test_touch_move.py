"""Tests for the touch-move house rule: a lifted piece has to move if it can."""

from dataclasses import replace

import pytest

from engine.board import OutOfPhaseError
from engine.board.geometry import names, square
from engine.board.ranks import Rank
from engine.game.actions import Attack, FreeTouched, Infiltrate, Move, Touch
from engine.game.referee import Referee
from engine.game.rulings import InfiltrationOpened, Moved, Touched, TouchedFreed
from engine.game.views import public_view
from engine.rules.editions import DEFAULT, EDITIONS, Edition
from engine.rules.rules import Rule, Violation, ViolationKind
from tests.engine.cases import in_every_edition
from tests.engine.tables import BLUE, RED, SKIRMISH, Table, moment, state, way
from tests.engine.test_infiltration import BEHIND, THERE

STRICT = replace(EDITIONS["isf"], touch_move=True)
LIFTED = "f4-f5 b7-b6 f5-f4 b6-b7 e4-e5 e7-e6"
"""After these moves, it is public that Red's general on e5 and Red's miner on f4 can move."""


@pytest.fixture
def table() -> Table:
    table = Table.of(SKIRMISH, rules=STRICT)
    table.play(LIFTED)
    return table


def touch(table: Table, place: str) -> None:
    assert table.referee.can_touch(square(place))
    assert table.referee.apply(Touch(square(place))) == (Touched(square(place)),)


def cannot_touch(table: Table, place: str) -> None:
    before = state(table.referee)
    assert not table.referee.can_touch(square(place))
    with pytest.raises(OutOfPhaseError, match="a touch that obliges the player"):
        table.referee.apply(Touch(square(place)))
    assert state(table.referee) == before


def forbidden(referee: Referee, move: str) -> tuple[ViolationKind, str]:
    violation = referee.find_violation(*way(move))
    assert isinstance(violation, Violation)
    assert violation.citation == STRICT.cite(violation.fault.rule)
    return violation.fault, names(violation.squares)


@in_every_edition
def test_off_by_default(edition: Edition) -> None:
    table = Table.of(SKIRMISH, rules=edition)

    assert not edition.touch_move
    cannot_touch(table, "e4")


def test_touched_piece_must_move(table: Table) -> None:
    touch(table, "f4")

    assert forbidden(table.referee, "e5-e4") == (ViolationKind.TOUCHED_ANOTHER, "f4")
    assert ViolationKind.TOUCHED_ANOTHER.rule is Rule.TOUCH_MOVE
    assert table.play("f4-f5")[-1] == Moved(RED, *way("f4 f5"), long_move=False)


def test_touched_piece_may_move_and_attack(table: Table) -> None:
    touch(table, "e5")

    assert {str(turn) for turn in table.referee.legal_moves()} == {
        *("e5-e4", "e5-e3", "e5-e2", "e5-e1"),
        *("e5-f5", "e5xe6"),
    }
    table.play("e5xe6")
    assert table.referee.to_move is BLUE


def test_touched_piece_must_move_before_an_infiltration() -> None:
    table = Table.of(BEHIND, rules=replace(EDITIONS["nordic-2015"], touch_move=True))
    table.play(f"f4-f5 k8-i8 f5-f4 i8-k8 {THERE}")
    guesses = {turn for turn in table.referee.legal_moves() if isinstance(turn, Infiltrate)}
    assert {turn.source for turn in guesses} == {square("a8")}
    touch(table, "f4")

    assert {turn.source for turn in table.referee.legal_moves()} == {square("f4")}
    for guess in guesses:
        (violation,) = table.referee.apply(guess)
        assert isinstance(violation, Violation)
        assert (violation.fault, names(violation.squares)) == (ViolationKind.TOUCHED_ANOTHER, "f4")

    table.take_back()
    table.play("k9-k8")
    touch(table, "a8")
    assert guesses < {*table.referee.legal_moves()}
    assert table.referee.find_violation(*way("f4-f5")) is not None
    assert isinstance(table.infiltrate("a8-b8", Rank.SPY)[0], InfiltrationOpened)


def test_move_ends_the_obligation(table: Table) -> None:
    touch(table, "f4")
    table.play("f4-f5 b7-b6")

    assert table.referee.find_violation(*way("e5 e4")) is None
    assert table.referee.position.touched is None


def test_second_touched_piece_is_free(table: Table) -> None:
    touch(table, "f4")
    cannot_touch(table, "e5")
    assert forbidden(table.referee, "e5-e4") == (ViolationKind.TOUCHED_ANOTHER, "f4")


@pytest.mark.parametrize("place", ["b7", "e6", "a5", "c5"])
def test_touched_enemy_piece_is_free(table: Table, place: str) -> None:
    cannot_touch(table, place)


CRAMPED = """
    10  bF   .   .   .   .   .   .   .   .   .
     9   .   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7   .  b3   .   .  b5  b9   .   .  bB  b2
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4   .  rB  r9  r3   .   .   .   .   .   .
     3   .   .  r5   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1  rF   .   .   .   .   .   .   .   .  r2
         a   b   c   d   e   f   g   h   i   k
"""


def test_blocked_touched_piece_is_free() -> None:
    """The piece on c4 is enclosed by a lake and by pieces of its own side."""
    table = Table.of(CRAMPED, rules=STRICT)

    cannot_touch(table, "c4")
    table.play("d4-e4 f7-f6 e4-d4 f6-f7")
    touch(table, "d4")


def test_known_bomb_is_free(table: Table) -> None:
    """The bomb on i7 is revealed. It cannot move, however often it is lifted."""
    table.play("i4-i5 b7-b6 i5-i6 b6-b5 i6xi7 f7-f6 e5-e4")
    assert table.referee.to_move is BLUE

    cannot_touch(table, "i7")
    touch(table, "f6")


def test_touched_piece_barred_by_repetition_is_free() -> None:
    """The scout in the corner has moved back and forth as often as the limit allows."""
    table = Table.of(CORNER, rules=STRICT)
    table.play("e4-e5 e7-e6 e5-e4 e6-e7 a1-b1 e7-e6 b1-a1 e6-f6 a1-b1 f6-f7")

    cannot_touch(table, "b1")
    touch(table, "e4")


CORNER = """
    10   .   .   .   .   .   .   .   .  bB  bF
     9   .   .   .   .   .   .   .   .   .  bB
     8   .   .   .   .   .   .   .   .   .   .
     7   .   .   .   .  b2   .   .   .  b3   .
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4   .   .   .   .  r3   .   .   .   .   .
     3   .   .   .   .   .   .   .   .   .   .
     2  rF  rB   .   .   .   .   .   .   .   .
     1  r2   .  rB   .   .   .   .   .   .   .
         a   b   c   d   e   f   g   h   i   k
"""


def test_other_violation_precedes_touch_move(table: Table) -> None:
    touch(table, "f4")

    assert forbidden(table.referee, "b7-b6") == (ViolationKind.NOT_YOUR_PIECE, "b6 b7")
    assert forbidden(table.referee, "e5-f6")[0] is ViolationKind.NOT_STRAIGHT


def test_take_back_removes_the_touch(table: Table) -> None:
    table.take_back()
    before = moment(table.referee)
    table.play("e7-e6")
    touch(table, "f4")
    assert (table.referee.plies, table.referee.to_move) == (6, RED)

    table.take_back()

    assert moment(table.referee) == before


def test_the_game_replays(table: Table) -> None:
    touch(table, "f4")
    table.play("f4-f5 k7-k6")
    touch(table, "e5")

    again = Referee.replay(table.referee.edition, table.referee.actions)
    assert state(again) == state(table.referee)


@pytest.mark.parametrize("place", ["i4", "k4"])
def test_touched_hidden_piece_does_not_block_the_game(table: Table, place: str) -> None:
    """The piece may be a bomb, so its owner may move another piece."""
    referee = table.referee
    legal = referee.legal_moves()
    assert not referee.can_touch(square(place))

    referee.apply(Touch(square(place)))

    assert referee.legal_moves() == legal
    assert referee.find_violation(*way("e5-e4")) is None
    assert not referee.find_violation(*way("f4-f5"))


def test_touch_move_cites_no_rulebook(table: Table) -> None:
    touch(table, "f4")

    violation = table.referee.find_violation(*way("e5-e4"))

    assert violation
    assert (violation.citation.rulebook, str(violation.citation)) == ("", "a house rule")


def test_touch_is_ignored_without_the_rule() -> None:
    assert not Referee(DEFAULT).can_touch(square("a4"))


CARRIED = Touch(square("i4"), carried=True)
"""A red piece of hidden rank was set down far from its square. It may be a bomb."""


def carry(table: Table) -> Referee:
    assert table.referee.can_touch(square("i4"), carried=True)
    assert table.referee.apply(CARRIED) == (Touched(square("i4"), carried=True),)
    return table.referee


def test_carried_hidden_piece_must_move(table: Table) -> None:
    referee = carry(table)

    assert {turn.source for turn in referee.legal_moves()} == {square("i4")}
    assert forbidden(referee, "e5-e4") == (ViolationKind.TOUCHED_ANOTHER, "i4")
    assert not referee.find_violation(*way("i4-i5"))
    cannot_touch(table, "e5")


def test_owner_privately_frees_an_immobile_piece(table: Table) -> None:
    """The public view does not change, and the game continues."""
    referee = carry(table)
    seen, stood = str(public_view(referee)), public_view(referee)
    kept = list(referee.actions)

    assert referee.excuse_touched()

    assert (str(public_view(referee)), public_view(referee), referee.actions) == (
        seen,
        stood,
        kept,
    )
    assert stood.excusable == square("i4")
    assert referee.is_excused_for(Move(*way("e5-e4")))
    assert not referee.is_excused_for(Move(*way("i4-i5")))
    assert not referee.is_excused_for(Attack(*way("e5-e4")))
    assert not referee.find_violation(*way("i4-i5")), (
        "a player whose excuse was wrong may still move the piece"
    )
    assert referee.apply(FreeTouched()) == (TouchedFreed(square("i4")),)
    table.play("e5-e4")
    again = Referee.replay(referee.edition, referee.actions)
    assert state(again) == state(referee)


def test_publicly_mobile_piece_cannot_be_freed(table: Table) -> None:
    touch(table, "f4")

    assert not table.referee.excuse_touched()
    with pytest.raises(OutOfPhaseError, match="carried off"):
        table.referee.apply(FreeTouched())
    assert public_view(table.referee).excusable is None


def test_carried_known_bomb_is_free(table: Table) -> None:
    table.play("i4-i5 b7-b6 i5-i6 b6-b5 i6xi7 f7-f6 e5-e4")

    assert not table.referee.can_touch(square("i7"), carried=True)
