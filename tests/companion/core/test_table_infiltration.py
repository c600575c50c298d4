"""The infiltrator at the table: a guess said aloud, its answer, and the removal of the piece."""

from dataclasses import replace

import pytest

from companion.core.events import BoardDiffers, CleanupRequired, Restored, TurnBegan
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.game.actions import AnswerGuess, Attack, Infiltrate
from engine.game.game_state import Phase
from engine.game.rulings import (
    AttackOpened,
    Contradiction,
    GameOver,
    Infiltrated,
    InfiltrationOpened,
    Reason,
)
from engine.rules.violations import Violation, ViolationKind
from tests.companion.core.table_driver import NORDIC, TableDriver, clash, infiltrator

RED, BLUE = Side.RED, Side.BLUE
E7, E8, E9 = map(square, ("e7", "e8", "e9"))


def guessed(rank: Rank, *, right: bool) -> TableDriver:
    """Red has guessed the rank of the piece on e8, and Blue has answered."""
    evening = infiltrator()
    evening.infiltrate("e7", "e8", rank)
    evening.say(AnswerGuess(right))
    evening.wait()
    return evening


def test_the_owner_is_asked_whether_it_is_right() -> None:
    evening = infiltrator()
    evening.infiltrate("e7", "e9", Rank.COLONEL)
    assert evening.told(InfiltrationOpened) == [
        InfiltrationOpened(RED, E7, E9, Rank.COLONEL, awaited=BLUE)
    ]
    assert evening.table.referee.phase is Phase.GUESS


def test_wrong() -> None:
    evening = guessed(Rank.COLONEL, right=False)
    assert evening.told(Infiltrated) == [Infiltrated(RED, E7, E8, Rank.COLONEL, right=False)]
    assert evening.told(TurnBegan) == [TurnBegan(BLUE)]
    assert evening.table.expected == evening.board.image(), "nothing changes on the board"
    assert evening.actions == [Infiltrate(E7, E8, Rank.COLONEL), AnswerGuess(right=False)]
    evening.play("a7-a6")


def test_right_and_the_piece_has_to_be_taken_away_first() -> None:
    evening = guessed(Rank.COLONEL, right=True)
    assert evening.told(Infiltrated) == [Infiltrated(RED, E7, E8, Rank.COLONEL, right=True)]
    assert evening.told(CleanupRequired)[-1].difference.surplus == 1 << E8
    assert evening.table.state.waits_for_board
    assert evening.table.state.reveal is None, "there was no combat"
    assert not evening.told(TurnBegan)
    evening.board.take_away(E8)
    evening.wait()
    assert evening.told(TurnBegan) == [TurnBegan(BLUE)]
    assert evening.table.referee.position.player(BLUE).captured == {Rank.COLONEL: 1}
    evening.play("a7-a6")


def test_the_flag() -> None:
    evening = guessed(Rank.FLAG, right=True)
    assert evening.told(GameOver) == [GameOver(RED, Reason.FLAG_CAPTURED)]


def test_a_guess_that_cannot_be_right_is_answered_by_the_referee() -> None:
    evening = infiltrator()
    evening.infiltrate("e7", "e8", Rank.COLONEL)
    evening.say(AnswerGuess(right=False))
    evening.wait()
    evening.play("a7-a6")
    evening.forget()
    evening.infiltrate("e7", "e8", Rank.COLONEL)
    assert evening.told(Infiltrated) == [Infiltrated(RED, E7, E8, Rank.COLONEL, right=False)]
    evening.wait()
    assert evening.told(TurnBegan) == [TurnBegan(BLUE)]


@pytest.mark.parametrize(
    ("source", "target", "fault"),
    [
        ("e7", "f8", ViolationKind.OUT_OF_REACH),
        ("e7", "e10", ViolationKind.OUT_OF_REACH),
        ("e7", "e6", ViolationKind.NOBODY_THERE),
        ("k5", "k6", ViolationKind.NOT_IN_ENEMY_ROWS),
        ("d7", "d8", ViolationKind.NOT_YOUR_PIECE),
    ],
)
def test_what_is_no_infiltration_blocks_nothing(
    source: str, target: str, fault: ViolationKind
) -> None:
    evening = infiltrator()
    evening.infiltrate(source, target, Rank.SPY)
    assert [violation.fault for violation in evening.told(Violation)] == [fault]
    assert not evening.table.conversation.can_let_stand
    evening.play("e7-e6")


def test_an_edition_without_infiltrator_knows_no_infiltration() -> None:
    evening = clash()
    evening.infiltrate("e5", "e6", Rank.SPY)
    assert [violation.fault for violation in evening.told(Violation)] == [
        ViolationKind.NO_INFILTRATOR
    ]


def test_an_answer_without_a_guess_changes_nothing() -> None:
    evening = infiltrator()
    evening.say(AnswerGuess(right=True))
    assert not evening.events


def test_its_two_squares_may_show_anything_meanwhile_and_the_others_may_not() -> None:
    evening = infiltrator()
    evening.infiltrate("e7", "e8", Rank.COLONEL)
    evening.forget()
    evening.lift("e8")
    evening.wait()
    assert not evening.events
    piece = evening.lift("a1")
    evening.wait(30)
    assert not evening.events, "a piece may be looked at"
    evening.place(piece, "a5")
    evening.wait()
    assert evening.told(BoardDiffers)[-1].difference.missing == 1 << square("a1")
    evening.lift("a5")
    evening.stand(RED, square("a1"))
    evening.wait()
    assert evening.events[-1] == Restored()
    evening.say(AnswerGuess(right=True))
    evening.wait()
    assert evening.told(TurnBegan) == [TurnBegan(BLUE)], "the piece was taken away already"


def test_no_turn_before_the_piece_is_gone() -> None:
    evening = guessed(Rank.COLONEL, right=True)
    evening.say(Attack(square("d7"), E7))
    evening.infiltrate("e7", "e9", Rank.SPY)
    assert not evening.told(AttackOpened) + evening.told(Violation)
    assert len(evening.told(InfiltrationOpened)) == 1


def test_after_a_pulled_plug_the_guess_still_waits() -> None:
    evening = infiltrator()
    evening.infiltrate("e7", "e8", Rank.COLONEL)
    again = evening.replugged()
    again.say(AnswerGuess(right=True))
    again.wait()
    assert again.told(CleanupRequired)[-1].difference.surplus == 1 << E8


class TestAnAnswerThatCannotBe:
    """Blue has silently declared f5 as its general, and now claims the same for e8."""

    @pytest.fixture
    def guessed(self) -> TableDriver:
        evening = infiltrator(replace(NORDIC, silent_defence=True))
        evening.lift("f4")
        evening.lift("f5")
        evening.wait()
        evening.declare(RED, Rank.CAPTAIN)
        evening.declare(BLUE, Rank.GENERAL)
        evening.stand(BLUE, square("f5"))
        evening.wait(20)
        evening.play("a7-a6")
        evening.infiltrate("e7", "e8", Rank.GENERAL)
        evening.forget()
        evening.say(AnswerGuess(right=True))
        return evening

    def test_it_is_refused_to_its_owner_alone(self, guessed: TableDriver) -> None:
        (event,) = guessed.events
        assert isinstance(event, Contradiction)
        assert (event.owner, event.proof.rank) == (BLUE, Rank.GENERAL)
        assert guessed.table.conversation.contradiction == event
        assert guessed.table.view.phase is Phase.GUESS
        assert not guessed.actions

    def test_it_cannot_be_insisted_on(self, guessed: TableDriver) -> None:
        guessed.insist(BLUE, Rank.GENERAL)
        assert guessed.table.view.phase is Phase.GUESS

    def test_its_owner_answers_again(self, guessed: TableDriver) -> None:
        guessed.say(AnswerGuess(right=False))
        assert guessed.told(Infiltrated)[0].right is False
        assert guessed.table.conversation.contradiction is None
        assert guessed.table.view.phase is Phase.PLAY
