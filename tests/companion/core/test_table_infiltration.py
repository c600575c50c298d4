"""Infiltration at the table: the guess, the answer and the removal of the piece."""

from dataclasses import replace

import pytest

from companion.core.events import BoardDiffers, CleanupRequired, Restored, TurnBegan
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.game import rulings
from engine.game.actions import AnswerGuess, Attack, Infiltrate
from engine.game.game_state import Phase
from engine.rules.rules import Violation, ViolationKind
from tests.companion.core.table_driver import NORDIC, TableDriver, clash, infiltrator

RED, BLUE = Side.RED, Side.BLUE
E7, E8, E9 = map(square, ("e7", "e8", "e9"))


def guessed(rank: Rank, *, right: bool) -> TableDriver:
    """Return a game in which Red has guessed the rank of e8, and Blue has answered."""
    driver = infiltrator()
    driver.infiltrate("e7", "e8", rank)
    driver.command(AnswerGuess(right))
    driver.wait()
    return driver


def test_the_owner_is_asked_whether_it_is_right() -> None:
    driver = infiltrator()
    driver.infiltrate("e7", "e9", Rank.COLONEL)
    assert driver.emitted(rulings.InfiltrationOpened) == [
        rulings.InfiltrationOpened(RED, E7, E9, Rank.COLONEL, awaited=BLUE)
    ]
    assert driver.table.referee.phase is Phase.GUESS


def test_wrong() -> None:
    driver = guessed(Rank.COLONEL, right=False)
    assert driver.emitted(rulings.Infiltrated) == [
        rulings.Infiltrated(RED, E7, E8, Rank.COLONEL, right=False)
    ]
    assert driver.emitted(TurnBegan) == [TurnBegan(BLUE)]
    assert driver.table.expected == driver.board.image(), "the board does not change"
    assert driver.actions == [Infiltrate(E7, E8, Rank.COLONEL), AnswerGuess(right=False)]
    driver.play("a7-a6")


def test_infiltrated_piece_is_removed_first() -> None:
    driver = guessed(Rank.COLONEL, right=True)
    assert driver.emitted(rulings.Infiltrated) == [
        rulings.Infiltrated(RED, E7, E8, Rank.COLONEL, right=True)
    ]
    assert driver.emitted(CleanupRequired)[-1].difference.surplus == 1 << E8
    assert driver.table.state.waits_for_board
    assert driver.table.state.reveal is None, "no combat is revealed"
    assert not driver.emitted(TurnBegan)
    driver.board.take_away(E8)
    driver.wait()
    assert driver.emitted(TurnBegan) == [TurnBegan(BLUE)]
    assert driver.table.referee.position.player(BLUE).captured == {Rank.COLONEL: 1}
    driver.play("a7-a6")


def test_the_flag() -> None:
    driver = guessed(Rank.FLAG, right=True)
    assert driver.emitted(rulings.GameOver) == [rulings.GameOver(RED, rulings.Reason.FLAG_CAPTURED)]


def test_impossible_guess_is_answered_by_the_referee() -> None:
    driver = infiltrator()
    driver.infiltrate("e7", "e8", Rank.COLONEL)
    driver.command(AnswerGuess(right=False))
    driver.wait()
    driver.play("a7-a6")
    driver.forget()
    driver.infiltrate("e7", "e8", Rank.COLONEL)
    assert driver.emitted(rulings.Infiltrated) == [
        rulings.Infiltrated(RED, E7, E8, Rank.COLONEL, right=False)
    ]
    driver.wait()
    assert driver.emitted(TurnBegan) == [TurnBegan(BLUE)]


@pytest.mark.parametrize(
    ("source", "target", "fault"),
    [
        ("e7", "f8", ViolationKind.OUT_OF_REACH),
        ("e7", "e10", ViolationKind.OUT_OF_REACH),
        ("e7", "e6", ViolationKind.NO_PIECE_THERE),
        ("k5", "k6", ViolationKind.NOT_IN_ENEMY_ROWS),
        ("d7", "d8", ViolationKind.NOT_YOUR_PIECE),
    ],
)
def test_invalid_infiltration_blocks_nothing(
    source: str, target: str, fault: ViolationKind
) -> None:
    driver = infiltrator()
    driver.infiltrate(source, target, Rank.SPY)
    assert [violation.fault for violation in driver.emitted(Violation)] == [fault]
    assert not driver.table.conversation.can_allow_move
    driver.play("e7-e6")


def test_no_infiltration_in_other_editions() -> None:
    driver = clash()
    driver.infiltrate("e5", "e6", Rank.SPY)
    assert [violation.fault for violation in driver.emitted(Violation)] == [
        ViolationKind.NO_INFILTRATOR
    ]


def test_answer_without_a_guess_changes_nothing() -> None:
    driver = infiltrator()
    driver.command(AnswerGuess(right=True))
    assert not driver.events


def test_only_the_two_squares_may_change_during_a_guess() -> None:
    driver = infiltrator()
    driver.infiltrate("e7", "e8", Rank.COLONEL)
    driver.forget()
    driver.lift("e8")
    driver.wait()
    assert not driver.events
    piece = driver.lift("a1")
    driver.wait(30)
    assert not driver.events, "players may look at a piece"
    driver.place(piece, "a5")
    driver.wait()
    assert driver.emitted(BoardDiffers)[-1].difference.missing == 1 << square("a1")
    driver.lift("a5")
    driver.stand(RED, square("a1"))
    driver.wait()
    assert driver.events[-1] == Restored()
    driver.command(AnswerGuess(right=True))
    driver.wait()
    assert driver.emitted(TurnBegan) == [TurnBegan(BLUE)], "the piece has already been removed"


def test_turn_waits_for_the_guessed_piece() -> None:
    driver = guessed(Rank.COLONEL, right=True)
    driver.command(Attack(square("d7"), E7))
    driver.infiltrate("e7", "e9", Rank.SPY)
    assert not driver.emitted(rulings.AttackOpened) + driver.emitted(Violation)
    assert len(driver.emitted(rulings.InfiltrationOpened)) == 1


def test_guess_survives_a_power_cut() -> None:
    driver = infiltrator()
    driver.infiltrate("e7", "e8", Rank.COLONEL)
    again = driver.replugged()
    again.command(AnswerGuess(right=True))
    again.wait()
    assert again.emitted(CleanupRequired)[-1].difference.surplus == 1 << E8


class TestImpossibleAnswer:
    """Under silent defence, Blue has declared f5 to be its general.

    Now it claims the same of e8.
    """

    @pytest.fixture
    def guessed(self) -> TableDriver:
        driver = infiltrator(replace(NORDIC, silent_defence=True))
        driver.lift("f4")
        driver.lift("f5")
        driver.wait()
        driver.declare(RED, Rank.CAPTAIN)
        driver.declare(BLUE, Rank.GENERAL)
        driver.stand(BLUE, square("f5"))
        driver.wait(20)
        driver.play("a7-a6")
        driver.infiltrate("e7", "e8", Rank.GENERAL)
        driver.forget()
        driver.command(AnswerGuess(right=True))
        return driver

    def test_refusal_is_private_to_the_owner(self, guessed: TableDriver) -> None:
        (event,) = guessed.events
        assert isinstance(event, rulings.Contradiction)
        assert (event.owner, event.proof.rank) == (BLUE, Rank.GENERAL)
        assert guessed.table.conversation.contradiction == event
        assert guessed.table.view.phase is Phase.GUESS
        assert not guessed.actions

    def test_refused_answer_cannot_be_upheld(self, guessed: TableDriver) -> None:
        guessed.insist(BLUE, Rank.GENERAL)
        assert guessed.table.view.phase is Phase.GUESS

    def test_owner_answers_again(self, guessed: TableDriver) -> None:
        guessed.command(AnswerGuess(right=False))
        assert guessed.emitted(rulings.Infiltrated)[0].right is False
        assert guessed.table.conversation.contradiction is None
        assert guessed.table.view.phase is Phase.PLAY
