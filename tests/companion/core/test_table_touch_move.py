"""Under the touch-move house rule, a player must move a lifted piece if it can move."""

from dataclasses import replace

import pytest

from companion.core.events import BoardDiffers, ChooseExplanation, Lifted, Restored, TurnBegan
from companion.jsonl.table_process import list_asks
from companion.pads.player_view import mark
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language
from engine.board.geometry import Side, set_of, square
from engine.board.ranks import Rank
from engine.game.actions import FreeTouched, Infiltrate, Move, Touch
from engine.game.referee import Referee
from engine.game.rulings import AttackOpened, Moved, Touched, TouchedFreed
from engine.rules.editions import DEFAULT
from engine.rules.rules import Violation, ViolationKind
from firmware_bridge.simulated_board.board import PhysicalPiece
from tests.companion.core.table_driver import NORDIC, TableDriver, clash, fight, infiltrator

RED, BLUE = Side.RED, Side.BLUE
TOUCH_MOVE = replace(DEFAULT, touch_move=True)


@pytest.fixture
def driver() -> TableDriver:
    """Game in which the pieces on e4 and e7 are known to be movable."""
    driver = TableDriver.begun(edition=TOUCH_MOVE)
    driver.play("e4-e5 e7-e6 e5-e4 e6-e7")
    driver.forget()
    return driver


def touch(driver: TableDriver, name: str) -> None:
    driver.place(_hold(driver, name), name)
    driver.wait()


def _hold(driver: TableDriver, name: str) -> PhysicalPiece:
    piece = driver.lift(name)
    driver.wait()
    return piece


class TestATouchedPiece:
    def test_obligation_is_announced_once(self, driver: TableDriver) -> None:
        _hold(driver, "e4")
        assert driver.emitted(Touched) == [Touched(square("e4"))]
        assert driver.emitted(Lifted) == [Lifted(square("e4"))]
        assert driver.actions[-1:] == [Touch(square("e4"))]
        assert driver.table.state.lifted == square("e4")

    def test_obliged_piece_may_move(self, driver: TableDriver) -> None:
        driver.place(_hold(driver, "e4"), "e5")
        driver.wait()
        assert driver.actions[-2:] == [Touch(square("e4")), Move(square("e4"), square("e5"))]
        assert driver.emitted(TurnBegan) == [TurnBegan(BLUE)]

    def test_other_pieces_may_not_move(self, driver: TableDriver) -> None:
        touch(driver, "e4")
        driver.move("f4", "f5")
        (violation,) = driver.emitted(Violation)
        assert violation.fault is ViolationKind.TOUCHED_ANOTHER
        assert Announcer(Language("en")).sentence(violation) == (
            "The piece on e4 was touched first, so it must move if it can. (house rule: touch-move)"
        )
        assert driver.table.state.waits_for_board
        driver.move("f5", "f4")
        driver.play("e4-e5")

    def test_second_touch_changes_nothing(self, driver: TableDriver) -> None:
        touch(driver, "e4")
        touch(driver, "f4")
        assert driver.emitted(Touched) == [Touched(square("e4"))]
        assert not driver.emitted(Restored)

    def test_put_back_piece_keeps_the_turn(self, driver: TableDriver) -> None:
        touch(driver, "e4")
        assert driver.table.view.to_move is RED
        assert not driver.emitted(BoardDiffers)
        assert not driver.emitted(TurnBegan)

    def test_private_state_survives_a_power_cut(self, driver: TableDriver) -> None:
        touch(driver, "e4")
        again = driver.replugged()
        again.wait()
        again.move("f4", "f5")
        assert [found.fault for found in again.emitted(Violation)] == [
            ViolationKind.TOUCHED_ANOTHER
        ]

    def test_arbiter_may_allow_another_move(self, driver: TableDriver) -> None:
        touch(driver, "e4")
        driver.move("f4", "f5")
        driver.allow_move()
        assert driver.emitted(Moved) == [Moved(RED, square("f4"), square("f5"), long_move=False)]

    def test_obligation_ends_with_the_turn(self, driver: TableDriver) -> None:
        touch(driver, "e4")
        driver.play("e4-e5 e7-e6 f4-f5")


class TestNoObligation:
    def test_hidden_piece_lifted_for_a_look(self, driver: TableDriver) -> None:
        """The piece may be a bomb. If the player had to move it, the game could not continue."""
        touch(driver, "f4")
        assert not driver.emitted(Touched)
        driver.play("k4-k5")

    def test_piece_that_cannot_move_is_free(self, driver: TableDriver) -> None:
        touch(driver, "e1")
        assert not driver.emitted(Touched)
        driver.play("e4-e5")

    def test_piece_of_the_other_side_is_free(self, driver: TableDriver) -> None:
        touch(driver, "e7")
        assert not driver.emitted(Touched)
        driver.play("e4-e5 f7-f6")

    def test_short_look_does_not_oblige(self, driver: TableDriver) -> None:
        piece = driver.lift("e4")
        driver.place(piece, "e4")
        driver.wait()
        assert not driver.emitted(Touched)

    def test_touch_without_the_house_rule(self) -> None:
        driver = TableDriver.begun()
        touch(driver, "e4")
        assert not driver.emitted(Touched)
        driver.play("f4-f5")

    def test_laid_aside_pieces_do_not_oblige(self) -> None:
        driver = fight(Rank.COLONEL, Rank.MINER, TOUCH_MOVE)
        driver.forget()
        driver.stand(RED, square("e6"))
        driver.wait(20)
        assert not driver.emitted(Touched)
        driver.play("f7-f6")


def test_lifting_both_fighters_does_not_oblige() -> None:
    driver = clash(edition=TOUCH_MOVE)
    driver.lift("e5")
    driver.wait(1)
    driver.lift("e6")
    driver.wait()
    assert driver.emitted(Touched) == [Touched(square("e5"))]
    assert driver.emitted(AttackOpened)


def test_move_continues_until_the_opponent_touches_a_piece() -> None:
    driver = TableDriver.begun(edition=TOUCH_MOVE)
    driver.move("e4", "e5")
    touch(driver, "f7")
    driver.move("e5", "e6")
    assert [found.fault for found in driver.emitted(Violation)] == [ViolationKind.NOT_YOUR_PIECE]


def test_reveal_survives_a_touch() -> None:
    driver = fight(Rank.COLONEL, Rank.MINER, TOUCH_MOVE)
    driver.stand(RED, square("e6"))
    driver.wait(0.5)
    assert driver.table.unread_combat is not None
    touch(driver, "f7")
    assert driver.table.unread_combat is not None


class TestReleaseCompletesAMove:
    def test_released_piece_stays(self, driver: TableDriver) -> None:
        driver.move("e4", "e5", settle=0.5)
        driver.move("e5", "e6")
        assert driver.actions[-1] == Move(square("e4"), square("e5"))
        assert [violation.fault for violation in driver.emitted(Violation)] == [
            ViolationKind.NOT_YOUR_PIECE
        ]
        driver.move("e6", "e5")
        driver.play("f7-f6")

    def test_released_piece_cannot_be_put_back(self, driver: TableDriver) -> None:
        driver.move("e4", "e5", settle=0.5)
        driver.move("e5", "e4")
        assert driver.emitted(ChooseExplanation) == [ChooseExplanation(("taken-back",))], (
            "both sides can agree to take the move back"
        )

    def test_continuous_scout_move_is_one_move(self, driver: TableDriver) -> None:
        driver.move("e4", "e5", settle=0.08)
        driver.move("e5", "e6")
        assert driver.actions[-1] == Move(square("e4"), square("e6"))
        assert not driver.emitted(Violation)


class TestPieceCarriedOff:
    def test_carried_hidden_piece_obliges(self, driver: TableDriver) -> None:
        carry(driver)
        assert driver.actions == [Touch(square("f4"), carried=True)]
        emitted = driver.emitted(Touched | Violation)  # type: ignore[arg-type]
        assert [type(each) for each in emitted] == [Touched, Violation]
        driver.move("e6", "f4")
        driver.move("k4", "k5")
        violation = driver.emitted(Violation)[-1]
        assert (violation.fault, violation.squares) == (
            ViolationKind.TOUCHED_ANOTHER,
            set_of([square("f4")]),
        )
        driver.move("k5", "k4")
        driver.play("f4-f5")

    def test_piece_near_its_square_is_only_looked_at(self, driver: TableDriver) -> None:
        driver.move("f4", "e5")
        assert [found.fault for found in driver.emitted(Violation)] == [ViolationKind.NOT_STRAIGHT]
        assert not driver.emitted(Touched)
        driver.move("e5", "f4")
        driver.play("k4-k5")

    def test_owner_privately_frees_an_immobile_piece(self, driver: TableDriver) -> None:
        carry(driver)
        driver.move("e6", "f4")
        before = seen_by_all(driver)
        driver.forget()
        driver.command(FreeTouched())
        driver.wait()
        assert (driver.events, driver.actions) == ([], []), (
            "neither events nor actions reveal the request"
        )
        assert seen_by_all(driver) == before
        driver.play("k4-k5")
        assert driver.actions == [FreeTouched(), Move(square("k4"), square("k5"))]
        freed = TouchedFreed(square("f4"))
        assert driver.emitted(TouchedFreed) == [freed]
        driver.play("k7-k6 f4-f5")

    def test_freed_owner_may_attack_with_another_piece(self) -> None:
        driver = clash(edition=TOUCH_MOVE)
        carry(driver, "b4", "e4")
        driver.move("e4", "b4")
        driver.command(FreeTouched())
        driver.lift("e5")
        driver.lift("e6")
        driver.wait()
        assert driver.emitted(TouchedFreed) == [TouchedFreed(square("b4"))]
        assert driver.emitted(AttackOpened)

    def test_freed_owner_may_infiltrate_with_another_piece(self) -> None:
        driver = infiltrator(edition=replace(NORDIC, touch_move=True))
        carry(driver, "f4", "e6")
        driver.move("e6", "f4")
        driver.forget()
        driver.infiltrate("e7", "e8", Rank.COLONEL)
        assert driver.emitted(Violation)[-1].fault is ViolationKind.TOUCHED_ANOTHER
        assert not driver.actions
        driver.command(FreeTouched())
        driver.infiltrate("e7", "e8", Rank.COLONEL)
        guess = Infiltrate(square("e7"), square("e8"), Rank.COLONEL)
        assert driver.actions == [FreeTouched(), guess]
        referee = driver.table.referee
        assert Referee.replay(referee.edition, referee.actions).open_guess == referee.open_guess

    def test_private_answer_completes_the_move(self, driver: TableDriver) -> None:
        carry(driver)
        driver.move("e6", "f4")
        driver.move("k4", "k5")
        driver.command(FreeTouched())
        driver.wait()
        assert driver.emitted(Moved) == [Moved(RED, square("k4"), square("k5"), long_move=False)]

    def test_private_answer_is_lost_in_a_power_cut(self, driver: TableDriver) -> None:
        carry(driver)
        driver.move("e6", "f4")
        driver.command(FreeTouched())
        again = driver.replugged()
        again.wait()
        again.move("k4", "k5")
        assert [found.fault for found in again.emitted(Violation)] == [
            ViolationKind.TOUCHED_ANOTHER
        ]
        again.command(FreeTouched())
        again.wait()
        assert again.emitted(Moved)

    def test_publicly_mobile_piece_cannot_be_freed(self, driver: TableDriver) -> None:
        touch(driver, "e4")
        driver.command(FreeTouched())
        driver.move("f4", "f5")
        assert [found.fault for found in driver.emitted(Violation)] == [
            ViolationKind.TOUCHED_ANOTHER
        ]

    def test_step_out_of_turn_does_not_oblige(self, driver: TableDriver) -> None:
        driver.move("f7", "e5")
        assert driver.emitted(Violation)
        assert not driver.emitted(Touched)


def carry(driver: TableDriver, source: str = "f4", target: str = "e6") -> None:
    """Carry a hidden piece to a square that it may not move to."""
    driver.move(source, target)
    assert driver.emitted(Touched) == [Touched(square(source), carried=True)]


def seen_by_all(driver: TableDriver) -> tuple[object, ...]:
    table = driver.table
    return table.view, table.state, table.saved, mark(1, table), list_asks(table)
