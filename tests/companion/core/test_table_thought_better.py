"""A player may change a move until the other side has acted."""

from itertools import pairwise

import pytest

from companion.core.events import BoardDiffers, ChooseExplanation, TurnBegan
from companion.core.inputs import ExplanationChosen, NoAttack
from engine.board.geometry import Side
from engine.game.actions import Move
from engine.game.clocks import TimeControl
from engine.rules.violations import Violation, ViolationKind
from tests.companion.core.table_driver import TableDriver
from tests.engine.tables import moment, way

RED, BLUE = Side.RED, Side.BLUE
CONTROL = TimeControl("short", each=600, delay=4, whole=1000)
STOOD = 0.4
"""Seconds for which a piece stays on an intermediate square: long enough to be ruled on."""


def times(evening: TableDriver) -> tuple[float | None, ...]:
    """The displayed times of all clocks."""
    clock, now = evening.table.clock, evening.now
    return (*(clock.remaining(side, now) for side in Side), clock.whole_left(now))


def thought_better(*squares: str) -> TableDriver:
    """Red carries a piece to one square after the other, and leaves it on the last one."""
    evening = TableDriver.begun(control=CONTROL)
    evening.wait(10)
    for source, target in pairwise(squares):
        evening.move(source, target, settle=STOOD)
    evening.wait()
    return evening


class TestElsewhere:
    @pytest.mark.parametrize("squares", ["e4 e5 e6", "e4 e6 e5", "a4 a6 a5", "e4 e6 e4 e5"])
    def test_the_turn_ends_where_the_piece_stays(self, squares: str) -> None:
        first, *_, last = squares.split()
        evening = thought_better(*squares.split())
        assert evening.table.referee.plies == 1
        at_once = TableDriver.begun()
        at_once.move(first, last)
        assert moment(evening.table.referee) == moment(at_once.table.referee)
        assert not evening.told(Violation)
        assert not evening.told(BoardDiffers)
        evening.play("f7-f6")

    def test_it_may_go_to_another_side(self) -> None:
        evening = TableDriver.begun()
        evening.play("e4-e5 a7-a6")
        evening.forget()
        evening.move("e5", "f5", settle=STOOD)
        evening.move("f5", "e6")
        assert evening.table.referee.in_force[-1] == Move(*way("e5-e6"))
        evening.play("f7-f6")

    def test_the_clocks_go_as_if_it_had_gone_there_at_once(self) -> None:
        evening = thought_better("e4", "e6", "e5")
        at_once = TableDriver.begun(control=CONTROL)
        at_once.wait(10 + STOOD + 0.04)
        at_once.move("e4", "e5")
        at_once.wait(evening.now - at_once.now)
        assert times(evening) == pytest.approx(times(at_once))

    def test_it_does_while_the_other_side_only_holds_a_piece(self) -> None:
        """A quick opponent lifts a piece while the mover still hesitates."""
        evening = TableDriver.begun()
        evening.play("i4-i5 a7-a6")
        evening.move("i5", "i6", settle=STOOD)
        answer = evening.lift("f7")
        evening.wait(0.1)
        evening.move("i6", "k5", settle=STOOD)
        evening.place(answer, "f6")
        evening.wait()
        assert evening.table.referee.in_force[-2:] == [Move(*way("i5-k5")), Move(*way("f7-f6"))]

    def test_it_does_not_once_the_other_side_has_answered(self) -> None:
        evening = TableDriver.begun()
        evening.move("e4", "e5", settle=STOOD)
        evening.move("f7", "f6", settle=STOOD)
        evening.move("e5", "f5")
        assert evening.actions == [Move(*way("e4-e5")), Move(*way("f7-f6")), Move(*way("e5-f5"))]

    def test_nor_after_two_seconds(self) -> None:
        evening = TableDriver.begun()
        evening.move("e4", "e5")
        evening.move("e5", "e6")
        assert [violation.fault for violation in evening.told(Violation)] == [
            ViolationKind.NOT_YOUR_PIECE
        ]


class TestBackWhereItBegan:
    @pytest.mark.parametrize("squares", ["e4 e5 e4", "e4 e6 e4", "e4 e5 e6 e4"])
    def test_there_was_no_turn(self, squares: str) -> None:
        evening = thought_better(*squares.split())
        assert evening.table.referee.plies == 0
        assert moment(evening.table.referee) == moment(TableDriver.begun().table.referee)
        assert evening.told(TurnBegan)[-1] == TurnBegan(RED)
        assert not evening.told(Violation)
        evening.play("f4-f5 f7-f6")

    def test_the_time_of_who_is_to_move_has_run_on(self) -> None:
        evening = thought_better("e4", "e5", "e4")
        waited = TableDriver.begun(control=CONTROL)
        waited.wait(evening.now - waited.now)
        assert times(evening) == pytest.approx(times(waited))
        evening.wait(30)
        waited.wait(30)
        assert times(evening) == pytest.approx(times(waited))


class TestOnwardAfterAPause:
    """A step out of turn would look like a long move: permanent, possibly false evidence."""

    @staticmethod
    def gone_on(pause: float) -> TableDriver:
        evening = TableDriver.begun()
        evening.move("e4", "e5", settle=pause)
        evening.move("e5", "e6")
        return evening

    def test_a_short_one_is_a_run(self) -> None:
        evening = self.gone_on(pause=0.5)
        assert evening.table.referee.in_force[-1] == Move(*way("e4-e6"))

    def test_after_a_longer_one_it_is_asked(self) -> None:
        evening = self.gone_on(pause=1.2)
        assert evening.actions == [Move(*way("e4-e5"))]
        assert evening.told(ChooseExplanation) == [ChooseExplanation(("e4-e6",))]
        evening.submit(ExplanationChosen(evening.now, 0))
        assert evening.table.referee.in_force[-1] == Move(*way("e4-e6"))
        evening.play("f7-f6")

    def test_if_it_was_no_run_the_piece_goes_back(self) -> None:
        evening = self.gone_on(pause=1.2)
        evening.submit(NoAttack(evening.now))
        evening.wait()
        assert [*evening.told(BoardDiffers)]
        evening.move("e6", "e5")
        evening.wait(2)
        assert evening.actions == [Move(*way("e4-e5"))]
        evening.play("f7-f6 e5-e6")

    def test_it_may_be_answered_with_the_hands(self) -> None:
        evening = self.gone_on(pause=1.2)
        evening.move("e6", "e5")
        evening.play("f7-f6")
        assert evening.actions[0] == Move(*way("e4-e5"))

    def test_who_waits_with_the_answer_loses_nothing(self) -> None:
        evening = self.gone_on(pause=1.2)
        evening.wait(20)
        evening.submit(ExplanationChosen(evening.now, 0))
        assert evening.table.referee.in_force[-1] == Move(*way("e4-e6"))
        evening.play("f7-f6")

    def test_a_step_to_the_side_proves_nothing_and_is_not_asked_about(self) -> None:
        evening = TableDriver.begun()
        evening.play("e4-e5 a7-a6")
        evening.move("e5", "f5", settle=1.2)
        evening.move("f5", "e6")
        assert not evening.told(ChooseExplanation)
        assert evening.table.referee.in_force[-1] == Move(*way("e5-e6"))


class TestBackAfterTwoSeconds:
    @staticmethod
    def put_back() -> TableDriver:
        evening = TableDriver.begun()
        evening.move("e4", "e5")
        evening.wait(4)
        evening.move("e5", "e4")
        return evening

    def test_it_is_asked_whether_it_is_taken_back(self) -> None:
        evening = self.put_back()
        assert evening.told(ChooseExplanation) == [ChooseExplanation(("taken-back",))]
        assert not evening.told(Violation)
        evening.submit(ExplanationChosen(evening.now, 0))
        evening.wait()
        assert evening.table.referee.plies == 0
        evening.play("f4-f5 f7-f6")

    def test_if_not_it_has_to_go_where_it_stood(self) -> None:
        evening = self.put_back()
        evening.submit(NoAttack(evening.now))
        evening.wait()
        assert [violation.fault for violation in evening.told(Violation)] == [
            ViolationKind.NOT_YOUR_PIECE
        ]
        evening.move("e4", "e5")
        evening.play("f7-f6")

    def test_also_when_the_next_move_has_begun(self) -> None:
        evening = TableDriver.begun()
        evening.move("e4", "e5")
        evening.wait(4)
        answer = evening.lift("f7")
        evening.move("e5", "e4")
        evening.wait()
        assert evening.told(ChooseExplanation) == [ChooseExplanation(("taken-back",))]
        evening.submit(ExplanationChosen(evening.now, 0))
        evening.place(answer, "f7")
        evening.wait()
        assert evening.table.referee.plies == 0
        evening.play("f4-f5 f7-f6")
