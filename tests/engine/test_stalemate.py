"""Tests for the claim “I cannot move”: the side loses or, in ISF games, the opponent is asked."""

from dataclasses import replace

import pytest

from engine.board import OutOfPhaseError
from engine.board.geometry import square
from engine.board.ranks import Rank
from engine.game import actions, rulings
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.rules.editions import EDITIONS, Edition, MovedBombPenalty
from engine.rules.rules import Citation, Interpretation, Rule, Violation, ViolationKind
from tests.engine.cases import each, in_every_edition
from tests.engine.tables import BLUE, CORNER, POCKETS, RED, SKIRMISH, Table, moment, state, way

ISF = EDITIONS["isf"]
STUCK = rulings.GameOver(BLUE, rulings.Reason.NO_LEGAL_MOVE)
"""Outcome if Red is stuck: Blue wins."""
DRAW = rulings.GameOver(None, rulings.Reason.BOTH_IMMOBILE)
MEETING = "e4-e5 e7-e6"
"""Opening moves after which Red is to move. The public facts do not show whether Red can move."""


@pytest.fixture
def table() -> Table:
    table = Table.of(SKIRMISH, rules=ISF)
    table.play(MEETING)
    return table


@pytest.fixture
def asked(table: Table) -> Referee:
    """Ask Blue whether it can move."""
    assert table.referee.apply(actions.ClaimStalemate()) == (rulings.StalemateClaimed(BLUE),)
    return table.referee


@pytest.fixture
def showing(asked: Referee) -> Referee:
    """Claim on Blue's behalf that Blue can move. Blue must then prove the claim."""
    assert asked.apply(actions.AnswerStalemate(able=True)) == (rulings.MoveRequired(BLUE),)
    return asked


def cited(referee: Referee) -> Citation:
    assert referee.outcome
    assert referee.outcome.citation
    return referee.outcome.citation


# -- the question


def test_opponent_is_asked_first(asked: Referee) -> None:
    assert (asked.phase, asked.to_move, asked.outcome) == (Phase.STALEMATE, RED, None)
    assert asked.plies == 2, "a claim is not a turn"
    assert asked.legal_moves() == []


def test_opponent_without_moves_draws(asked: Referee) -> None:
    assert asked.apply(actions.AnswerStalemate(able=False)) == (DRAW,)

    assert asked.outcome == DRAW
    assert cited(asked) == Citation("ISF game rules", Rule.ENDING, "art. 12")


@each("edition", [e for e in EDITIONS.values() if e.id != "isf"])
def test_obviously_mobile_opponent_is_not_asked(edition: Edition) -> None:
    table = Table.of(SKIRMISH, rules=edition)
    table.play(MEETING)

    assert table.referee.apply(actions.ClaimStalemate()) == (STUCK,)
    read = Interpretation.SHUT_IN_LOSES if edition.id == "compact-1992" else None
    assert cited(table.referee) == Citation(edition.rulebook, Rule.ENDING, reading=read)


def test_answer_only_to_a_stalemate_claim(table: Table) -> None:
    before = state(table.referee)
    with pytest.raises(OutOfPhaseError):
        table.referee.apply(actions.AnswerStalemate(able=False))
    assert state(table.referee) == before


# -- proving by a move


def test_opponent_shows_a_move(showing: Referee) -> None:
    assert (showing.phase, showing.to_move, showing.plies) == (Phase.SHOWING, BLUE, 2)


def test_claim_is_no_turn(showing: Referee) -> None:
    assert showing.position.last_move == way("e7 e6")


def test_legal_move_proves_mobility(showing: Referee) -> None:
    ruled = showing.apply(actions.Move(*way("f7 f6")))

    assert ruled == (rulings.Moved(BLUE, *way("f7 f6"), long_move=False), STUCK)
    assert cited(showing) == Citation("ISF game rules", Rule.ENDING, "art. 12")
    assert showing.position.board.side_at(square("f6")) is BLUE


def test_attack_proves_mobility_without_ranks(showing: Referee) -> None:
    assert showing.apply(actions.Attack(*way("e6 e5"))) == (STUCK,)
    assert not showing.position.player(RED).captured


@pytest.mark.parametrize(
    ("move", "fault"),
    [
        ("e5 e4", ViolationKind.NOT_YOUR_PIECE),
        ("f7 g6", ViolationKind.NOT_STRAIGHT),
        ("f7 e7", None),
        ("a10 b10", None),
        ("c8 c7", ViolationKind.NO_PIECE),
        ("e6 e5", ViolationKind.ONTO_OPPONENT),
    ],
)
def test_illegal_move_proves_nothing(
    showing: Referee, move: str, fault: ViolationKind | None
) -> None:
    """Because the piece may have any rank, a move counts as proof unless it is known to be
    illegal."""
    before = state(showing)

    ruled = showing.apply(actions.Move(*way(move)))

    if fault is None:
        assert ruled[-1] == STUCK
        return
    (violation,) = ruled
    assert isinstance(violation, Violation)
    assert violation.fault is fault
    assert state(showing) == before


def test_illegal_attack_proves_nothing(showing: Referee) -> None:
    before = state(showing)

    (violation,) = showing.apply(actions.Attack(*way("e6 f4")))

    assert isinstance(violation, Violation)
    assert violation.fault is ViolationKind.NOT_STRAIGHT
    assert state(showing) == before


def test_attack_on_an_empty_square_proves_nothing(showing: Referee) -> None:
    before = state(showing)

    (violation,) = showing.apply(actions.Attack(*way("f7 f6")))

    assert isinstance(violation, Violation)
    assert violation.fault is ViolationKind.NOTHING_TO_ATTACK
    assert state(showing) == before


def test_opponent_may_change_the_answer(showing: Referee) -> None:
    showing.apply(actions.Move(*way("f7 g6")))

    assert showing.apply(actions.AnswerStalemate(able=False)) == (DRAW,)


def test_repeated_yes_changes_nothing(showing: Referee) -> None:
    before = moment(showing)
    assert showing.apply(actions.AnswerStalemate(able=True)) == (rulings.MoveRequired(BLUE),)
    assert moment(showing) == before


def test_claim_frees_touched_piece_of_the_other_side() -> None:
    """Touch-move binds only Red, who lifted the piece."""
    table = Table.of(SKIRMISH, rules=replace(ISF, touch_move=True))
    table.play(MEETING)
    table.referee.apply(actions.Touch(square("f4")))
    table.referee.apply(actions.ClaimStalemate())
    table.referee.apply(actions.AnswerStalemate(able=True))

    assert table.referee.apply(actions.Move(*way("k7 k6")))[-1] == STUCK


# -- proved stalemates

BLUE_IS_PROVED = "k4xk8 a7xa3 i4xi9 b7xb2 e4-e10 f7-f2 e10xi10 f2xb2"
"""Blue's three bombs are revealed. Red's bomb on b1 is hidden. As far as Blue knows, it could be
Red's major."""


def test_claim_against_a_stuck_opponent_is_a_draw() -> None:
    table = Table.of(POCKETS, rules=ISF)
    table.play(BLUE_IS_PROVED)
    assert table.referee.outcome is None
    assert table.referee.to_move is RED

    assert table.referee.apply(actions.ClaimStalemate()) == (DRAW,)
    assert cited(table.referee) == Citation("ISF game rules", Rule.ENDING, "art. 12")


RED_IS_PROVED = "k4xk8 a7xa3 i4xi9 b7xb2 e4-e8 f7-f1 e8xk8 f1xb1"
"""Red's three bombs are revealed. Blue's third bomb is hidden. As far as Red knows, it could be
Blue's major."""


def test_stuck_side_loses_only_after_the_answer() -> None:
    table = Table.of(POCKETS, rules=ISF)
    ruled = table.play(RED_IS_PROVED)
    referee = table.referee

    assert ruled[-1] == rulings.StalemateClaimed(BLUE), "no claim was needed"
    assert (referee.phase, referee.to_move, referee.outcome) == (Phase.STALEMATE, RED, None)
    assert referee.apply(actions.AnswerStalemate(able=False)) == (DRAW,)
    assert state(Referee.replay(referee.edition, referee.actions)) == state(referee)


def test_blocking_turn_is_taken_back() -> None:
    table = Table.of(POCKETS, rules=ISF)
    table.play(RED_IS_PROVED.removesuffix(" f1xb1"))
    before = moment(table.referee)
    table.play("f1xb1")

    table.take_back()

    assert moment(table.referee) == before


def test_claim_against_a_movable_opponent_loses() -> None:
    """Blue's scout has made a long move and has free squares, so it can certainly move."""
    table = Table.of(CORNER, rules=ISF)

    ruled = table.play("a1-b1 e7-e5 b1-a1 e5-f5 a1-b1 f5-f7")

    assert ruled[-1] == STUCK


@in_every_edition
def test_both_stuck_is_a_draw_in_every_edition(edition: Edition) -> None:
    table = Table.of(POCKETS, rules=edition)
    table.play(BLUE_IS_PROVED)

    (over,) = table.referee.apply(actions.ClaimStalemate())

    assert over == DRAW
    read = None if edition.id == "isf" else Interpretation.BOTH_SHUT_IN
    assert cited(table.referee).reading is read


# -- other actions before the claim is settled


def test_game_may_end_otherwise(asked: Referee) -> None:
    assert asked.apply(actions.Resign(BLUE)) == (rulings.GameOver(RED, rulings.Reason.RESIGNATION),)


def test_draw_may_be_agreed_during_the_claim(showing: Referee) -> None:
    assert showing.apply(actions.AgreeDraw()) == (
        rulings.GameOver(None, rulings.Reason.AGREED_DRAW),
    )


def test_mistaken_claim_is_taken_back_alone(table: Table) -> None:
    before = moment(table.referee)
    for answered in (False, True):
        table.referee.apply(actions.ClaimStalemate())
        if answered:
            table.referee.apply(actions.AnswerStalemate(able=True))

        assert table.referee.apply(actions.TakeBack()) == (rulings.TakenBack(),)

        assert moment(table.referee) == before, "the turn before the claim is kept"


def test_claim_before_the_first_turn() -> None:
    table = Table.of(SKIRMISH, rules=ISF)
    before = moment(table.referee)
    table.referee.apply(actions.ClaimStalemate())

    table.take_back()

    assert moment(table.referee) == before


def test_shown_move_is_taken_back_alone(showing: Referee) -> None:
    before = moment(showing)
    showing.apply(actions.Move(*way("f7 f6")))

    showing.apply(actions.TakeBack())

    assert moment(showing) == before
    assert showing.phase is Phase.SHOWING


def test_the_game_replays(showing: Referee) -> None:
    for action in (
        actions.Move(*way("f7 g6")),
        actions.Move(*way("f7 f6")),
        actions.TakeBack(),
        actions.TakeBack(),
    ):
        showing.apply(action)
        again = Referee.replay(showing.edition, showing.actions)
        assert state(again) == state(showing)


def test_bomb_shown_as_a_move_loses() -> None:
    """This artificial edition requires a move as proof, and moving a bomb loses the game."""
    rules = replace(ISF, moved_bomb=MovedBombPenalty.LOSES)
    table = Table.of(SKIRMISH, rules=rules)
    table.play("i4-i5 b7-b6 i5-i6 b6-b5 i6xi7 k7-k6")
    table.referee.apply(actions.ClaimStalemate())
    table.referee.apply(actions.AnswerStalemate(able=True))

    *_, over = table.referee.apply(actions.Move(*way("i7 i6")))

    assert over == rulings.GameOver(RED, rulings.Reason.MOVED_BOMB)
    assert table.referee.possible("i7") == {Rank.BOMB}
