"""A move may be changed until the other side has acted."""

from itertools import pairwise

import pytest

from companion.core.events import BoardDiffers, ChooseExplanation, TurnBegan
from companion.core.inputs import ExplanationChosen, NoAttack
from engine.board.geometry import Side
from engine.game.actions import Move
from engine.game.clocks import TimeControl
from engine.rules.rules import Violation, ViolationKind
from tests.companion.core.table_driver import TableDriver
from tests.engine.tables import moment, way

RED, BLUE = Side.RED, Side.BLUE
CONTROL = TimeControl("short", each=600, delay=4, whole=1000)
STOOD = 0.4
"""Time that the piece stays on each square, in seconds. It is long enough for a ruling."""


def times(driver: TableDriver) -> tuple[float | None, ...]:
    clock, now = driver.table.clock, driver.now
    return (*(clock.remaining(side, now) for side in Side), clock.whole_left(now))


def thought_better(*squares: str) -> TableDriver:
    """Carry a red piece from square to square, and leave it on the last one."""
    driver = TableDriver.begun(control=CONTROL)
    driver.wait(10)
    for source, target in pairwise(squares):
        driver.move(source, target, settle=STOOD)
    driver.wait()
    return driver


class TestElsewhere:
    @pytest.mark.parametrize("squares", ["e4 e5 e6", "e4 e6 e5", "a4 a6 a5", "e4 e6 e4 e5"])
    def test_turn_ends_where_the_piece_stays(self, squares: str) -> None:
        first, *_, last = squares.split()
        driver = thought_better(*squares.split())
        assert driver.table.referee.plies == 1
        at_once = TableDriver.begun()
        at_once.move(first, last)
        assert moment(driver.table.referee) == moment(at_once.table.referee)
        assert not driver.emitted(Violation)
        assert not driver.emitted(BoardDiffers)
        driver.play("f7-f6")

    def test_move_may_change_direction(self) -> None:
        driver = TableDriver.begun()
        driver.play("e4-e5 a7-a6")
        driver.forget()
        driver.move("e5", "f5", settle=STOOD)
        driver.move("f5", "e6")
        assert driver.table.referee.in_force[-1] == Move(*way("e5-e6"))
        driver.play("f7-f6")

    def test_clocks_ignore_the_intermediate_stop(self) -> None:
        driver = thought_better("e4", "e6", "e5")
        at_once = TableDriver.begun(control=CONTROL)
        at_once.wait(10 + STOOD + 0.04)
        at_once.move("e4", "e5")
        at_once.wait(driver.now - at_once.now)
        assert times(driver) == pytest.approx(times(at_once))

    def test_move_may_change_while_the_opponent_holds_a_piece(self) -> None:
        """The opponent lifts a piece while the mover is still hesitating."""
        driver = TableDriver.begun()
        driver.play("i4-i5 a7-a6")
        driver.move("i5", "i6", settle=STOOD)
        answer = driver.lift("f7")
        driver.wait(0.1)
        driver.move("i6", "k5", settle=STOOD)
        driver.place(answer, "f6")
        driver.wait()
        assert driver.table.referee.in_force[-2:] == [Move(*way("i5-k5")), Move(*way("f7-f6"))]

    def test_move_cannot_change_after_the_reply(self) -> None:
        driver = TableDriver.begun()
        driver.move("e4", "e5", settle=STOOD)
        driver.move("f7", "f6", settle=STOOD)
        driver.move("e5", "f5")
        assert driver.actions == [Move(*way("e4-e5")), Move(*way("f7-f6")), Move(*way("e5-f5"))]

    def test_move_cannot_change_after_two_seconds(self) -> None:
        driver = TableDriver.begun()
        driver.move("e4", "e5")
        driver.move("e5", "e6")
        assert [violation.fault for violation in driver.emitted(Violation)] == [
            ViolationKind.NOT_YOUR_PIECE
        ]


class TestReturnToTheSource:
    @pytest.mark.parametrize("squares", ["e4 e5 e4", "e4 e6 e4", "e4 e5 e6 e4"])
    def test_returned_piece_is_no_turn(self, squares: str) -> None:
        driver = thought_better(*squares.split())
        assert driver.table.referee.plies == 0
        assert moment(driver.table.referee) == moment(TableDriver.begun().table.referee)
        assert driver.emitted(TurnBegan)[-1] == TurnBegan(RED)
        assert not driver.emitted(Violation)
        driver.play("f4-f5 f7-f6")

    def test_returned_piece_costs_time(self) -> None:
        driver = thought_better("e4", "e5", "e4")
        waited = TableDriver.begun(control=CONTROL)
        waited.wait(driver.now - waited.now)
        assert times(driver) == pytest.approx(times(waited))
        driver.wait(30)
        waited.wait(30)
        assert times(driver) == pytest.approx(times(waited))


class TestOnwardAfterAPause:
    """If the table joined two steps into one long move, it would take the piece for a scout."""

    @staticmethod
    def gone_on(pause: float) -> TableDriver:
        driver = TableDriver.begun()
        driver.move("e4", "e5", settle=pause)
        driver.move("e5", "e6")
        return driver

    def test_short_stop_is_one_move(self) -> None:
        driver = self.gone_on(pause=0.5)
        assert driver.table.referee.in_force[-1] == Move(*way("e4-e6"))

    def test_longer_stop_leads_to_a_question(self) -> None:
        driver = self.gone_on(pause=1.2)
        assert driver.actions == [Move(*way("e4-e5"))]
        assert driver.emitted(ChooseExplanation) == [ChooseExplanation(("e4-e6",))]
        driver.submit(ExplanationChosen(driver.now, 0))
        assert driver.table.referee.in_force[-1] == Move(*way("e4-e6"))
        driver.play("f7-f6")

    def test_denied_scout_move_is_put_back(self) -> None:
        driver = self.gone_on(pause=1.2)
        driver.submit(NoAttack(driver.now))
        driver.wait()
        assert [*driver.emitted(BoardDiffers)]
        driver.move("e6", "e5")
        driver.wait(2)
        assert driver.actions == [Move(*way("e4-e5"))]
        driver.play("f7-f6 e5-e6")

    def test_question_is_answered_by_hand(self) -> None:
        driver = self.gone_on(pause=1.2)
        driver.move("e6", "e5")
        driver.play("f7-f6")
        assert driver.actions[0] == Move(*way("e4-e5"))

    def test_late_answer_costs_nothing(self) -> None:
        driver = self.gone_on(pause=1.2)
        driver.wait(20)
        driver.submit(ExplanationChosen(driver.now, 0))
        assert driver.table.referee.in_force[-1] == Move(*way("e4-e6"))
        driver.play("f7-f6")

    def test_sideways_step_is_not_asked_about(self) -> None:
        driver = TableDriver.begun()
        driver.play("e4-e5 a7-a6")
        driver.move("e5", "f5", settle=1.2)
        driver.move("f5", "e6")
        assert not driver.emitted(ChooseExplanation)
        assert driver.table.referee.in_force[-1] == Move(*way("e5-e6"))


class TestBackAfterTwoSeconds:
    @staticmethod
    def put_back() -> TableDriver:
        driver = TableDriver.begun()
        driver.move("e4", "e5")
        driver.wait(4)
        driver.move("e5", "e4")
        return driver

    def test_return_leads_to_a_take_back_question(self) -> None:
        driver = self.put_back()
        assert driver.emitted(ChooseExplanation) == [ChooseExplanation(("taken-back",))]
        assert not driver.emitted(Violation)
        driver.submit(ExplanationChosen(driver.now, 0))
        driver.wait()
        assert driver.table.referee.plies == 0
        driver.play("f4-f5 f7-f6")

    def test_denied_take_back_restores_the_move(self) -> None:
        driver = self.put_back()
        driver.submit(NoAttack(driver.now))
        driver.wait()
        assert [violation.fault for violation in driver.emitted(Violation)] == [
            ViolationKind.NOT_YOUR_PIECE
        ]
        driver.move("e4", "e5")
        driver.play("f7-f6")

    def test_take_back_question_after_the_next_move_began(self) -> None:
        driver = TableDriver.begun()
        driver.move("e4", "e5")
        driver.wait(4)
        answer = driver.lift("f7")
        driver.move("e5", "e4")
        driver.wait()
        assert driver.emitted(ChooseExplanation) == [ChooseExplanation(("taken-back",))]
        driver.submit(ExplanationChosen(driver.now, 0))
        driver.place(answer, "f7")
        driver.wait()
        assert driver.table.referee.plies == 0
        driver.play("f4-f5 f7-f6")
