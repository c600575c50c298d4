"""The players' clocks at the table: when they run, when they are stopped, and expiry at zero."""

from collections.abc import Callable

import pytest

from companion.core.events import SetupTimeUp
from companion.core.inputs import BoardSeen, NoAttack, Ready, TimePassed
from engine.board.geometry import Side, square, squares_in
from engine.board.ranks import Rank
from engine.game.actions import Attack
from engine.game.clocks import NO_CLOCK, TimeControl
from engine.game.game_state import Phase
from engine.game.rulings import GameOver, Moved, Reason
from tests.companion.core.table_driver import (
    TableDriver,
    attack,
    clash,
    dispute,
    fight,
    infiltrator,
)

RED, BLUE = Side.RED, Side.BLUE
CONTROL = TimeControl("short", each=600, delay=4, whole=1000, setup=30)


def left(evening: TableDriver) -> tuple[float, float]:
    """The remaining times of both sides."""
    red, blue = (evening.table.clock.remaining(side, evening.now) for side in Side)
    assert red is not None
    assert blue is not None
    return red, blue


def disturbed() -> TableDriver:
    evening = clash(control=CONTROL)
    for source, target in (("a1", "a5"), ("b1", "b5")):
        evening.place(evening.lift(source), target)
    evening.wait()
    return evening


def lost() -> TableDriver:
    evening = clash(control=CONTROL)
    evening.lose_board()
    return evening


def guess() -> TableDriver:
    evening = infiltrator(control=CONTROL)
    evening.infiltrate("e7", "e8", Rank.COLONEL)
    assert evening.table.referee.phase is Phase.GUESS
    return evening


def taken_back() -> TableDriver:
    evening = clash(control=CONTROL)
    evening.take_back()
    return evening


class TestRunning:
    def test_it_runs_in_a_turn_and_for_nobody_else(self) -> None:
        evening = clash(control=CONTROL)
        red, blue = left(evening)
        evening.wait(50)
        assert left(evening) == pytest.approx((red - 50, blue))

    def test_it_runs_while_a_piece_is_in_hand(self) -> None:
        evening = clash(control=CONTROL)
        evening.lift("e5")
        evening.wait()
        red, blue = left(evening)
        evening.wait(50)
        assert left(evening) == pytest.approx((red - 50, blue))

    def test_who_has_made_a_wrong_move_mends_it_in_the_own_time(self) -> None:
        evening = clash(control=CONTROL)
        evening.move("e5", "d6")
        assert evening.table.state.violation
        red, blue = left(evening)
        evening.wait(50)
        assert left(evening) == pytest.approx((red - 50, blue))

    def test_who_has_moved_out_of_turn_mends_it_in_the_own_time_too(self) -> None:
        evening = clash(control=CONTROL)
        evening.wait(10)
        evening.move("f7", "f6", settle=0.52)
        red, blue = left(evening)
        evening.wait(50)
        assert left(evening) == pytest.approx((red, blue - 50))
        evening.move("f6", "f7", settle=0.2)
        assert evening.table.state.violation is None
        red, blue = left(evening)
        evening.wait(10)
        assert left(evening) == pytest.approx((red - 10, blue)), "nothing comes back"

    def test_nobody_wins_on_time_by_moving_out_of_turn(self) -> None:
        evening = clash(control=CONTROL)
        evening.move("f7", "f6")
        evening.wait(700)
        assert evening.told(GameOver) == [GameOver(RED, Reason.TIME)]

    def test_a_move_out_of_turn_that_an_arbiter_lets_stand_ends_the_charge(self) -> None:
        evening = clash(control=CONTROL)
        evening.move("f7", "f6")
        evening.let_stand()
        red, blue = left(evening)
        evening.wait(50)
        assert left(evening) == pytest.approx((red - 50, blue))

    def test_an_attack_on_the_screen_that_is_none_is_the_movers_own(self) -> None:
        evening = clash(control=CONTROL)
        evening.say(Attack(square("e5"), square("e7")))
        assert evening.table.state.violation
        red, blue = left(evening)
        evening.wait(50)
        assert left(evening) == pytest.approx((red - 50, blue))

    @pytest.mark.parametrize(
        "situation",
        [
            lambda: attack(clash(control=CONTROL)),
            lambda: dispute(control=CONTROL),
            guess,
            disturbed,
            lost,
            lambda: fight(Rank.CAPTAIN, Rank.MINER, control=CONTROL),
            taken_back,
        ],
        ids=["declaration", "dispute", "guess", "disturbed", "lost", "clearing up", "taken back"],
    )
    def test_it_stands_while_nobody_can_go_on(self, situation: Callable[[], TableDriver]) -> None:
        evening = situation()
        before = left(evening)
        evening.wait(50)
        assert left(evening) == before

    def test_it_goes_on_with_what_it_stood_for(self) -> None:
        evening = clash(control=CONTROL)
        evening.say(Attack(square("e5"), square("e6")))
        evening.wait(50)
        red, blue = left(evening)
        evening.submit(NoAttack(evening.now))
        evening.wait(10)
        assert left(evening) == pytest.approx((red - 10, blue))

    def test_a_quick_move_costs_nothing(self) -> None:
        evening = TableDriver.begun(control=CONTROL)
        evening.move("e4", "e5", settle=0.3)
        assert evening.told(Moved)
        assert left(evening)[0] == 600

    def test_of_a_slow_one_the_delay_comes_back_with_the_move(self) -> None:
        evening = TableDriver.begun(control=CONTROL)
        evening.wait(50)
        before, _ = left(evening)
        evening.move("e4", "e5", settle=0.3)
        assert left(evening)[0] == pytest.approx(before - 0.04 + 4)

    def test_a_combat_completes_the_turn_of_who_has_attacked(self) -> None:
        evening = attack(clash(control=CONTROL))
        before, _ = left(evening)
        evening.declare(RED, Rank.MINER)
        evening.declare(BLUE, Rank.MINER)
        assert left(evening)[0] == pytest.approx(min(before + 4, 600))

    def test_taking_back_gives_no_time_back(self) -> None:
        evening = clash(control=CONTROL)
        evening.wait(50)
        evening.move("e5", "f5")
        spent, _ = left(evening)
        evening.take_back()
        evening.move("f5", "e5")
        assert left(evening)[0] <= spent


class TestRunOut:
    def test_it_wants_to_be_woken_exactly_then(self) -> None:
        evening = clash(control=CONTROL)
        evening.wait()
        due = evening.table.next_deadline
        assert due == pytest.approx(evening.now + left(evening)[0])
        assert due
        evening.submit(TimePassed(due - 0.001))
        assert evening.table.referee.phase is Phase.PLAY
        evening.submit(TimePassed(due))
        assert evening.told(GameOver) == [GameOver(BLUE, Reason.TIME)]
        assert evening.table.next_deadline is None

    def test_the_gesture_under_way_wants_to_be_woken_first(self) -> None:
        evening = clash(control=CONTROL)
        piece = evening.lift("e5")
        evening.place(piece, "f5")
        assert evening.table.next_deadline == pytest.approx(evening.now + 0.12)

    def test_blue_runs_out(self) -> None:
        evening = clash(control=CONTROL)
        evening.move("e5", "f5")
        evening.wait(700)
        assert evening.told(GameOver) == [GameOver(RED, Reason.TIME)]

    def test_the_time_of_the_whole_game_is_a_draw(self) -> None:
        evening = clash(control=TimeControl("whole", whole=60))
        evening.wait(30)
        evening.move("e5", "f5")
        evening.wait(30)
        assert evening.told(GameOver) == [GameOver(None, Reason.TIME)]

    @pytest.mark.parametrize(("before_zero", "counts"), [(0.06, True), (-0.02, False)])
    def test_a_move_counts_from_when_it_was_let_go_of(
        self, before_zero: float, counts: bool
    ) -> None:
        evening = clash(control=CONTROL)
        evening.wait(0.5)
        zero = evening.table.next_deadline
        assert zero
        evening.wait(zero - before_zero - evening.now - 0.04)
        evening.move("e5", "f5", settle=0.5)
        assert bool(evening.told(Moved)) is counts
        assert bool(evening.told(GameOver)) is not counts

    def test_a_move_that_is_seen_after_zero_comes_too_late(self) -> None:
        """The move is too late even if the program caused the delay."""
        evening = clash(control=CONTROL)
        evening.wait(0.5)
        zero = evening.table.next_deadline
        assert zero
        evening.board.place(evening.board.lift(square("e5")), square("f5"))
        evening.submit(BoardSeen(zero + 0.1, evening.board.image()))
        evening.submit(TimePassed(zero + 50))
        assert evening.told(GameOver) == [GameOver(BLUE, Reason.TIME)]
        assert not evening.told(Moved)

    def test_nothing_runs_out_while_it_stands(self) -> None:
        evening = attack(clash(control=CONTROL))
        evening.wait(5000)
        assert evening.table.next_deadline is None
        assert evening.table.referee.phase is Phase.ATTACK

    def test_without_a_clock_nothing_is_due(self) -> None:
        evening = clash(control=NO_CLOCK)
        evening.wait(10**6)
        assert evening.table.next_deadline is None
        assert evening.table.clock.remaining(RED, evening.now) is None


class TestSettingUp:
    def test_the_end_of_its_time_is_told_once_and_the_game_begins_all_the_same(self) -> None:
        evening = TableDriver(control=CONTROL)
        evening.wait(29)
        assert not evening.told(SetupTimeUp)
        evening.wait(2)
        evening.wait(60)
        assert evening.told(SetupTimeUp) == [SetupTimeUp()]
        for side in Side:
            evening.stand(side, *squares_in(side.home))
        evening.wait()
        for side in Side:
            evening.say(Ready(side))
        evening.wait(3)
        assert evening.table.referee.phase is Phase.PLAY
        assert evening.told(SetupTimeUp) == [SetupTimeUp()]
        assert left(evening) == pytest.approx((600 - 3, 600), abs=0.1)

    def test_who_is_quick_hears_nothing_of_it(self) -> None:
        evening = TableDriver.begun(control=CONTROL)
        evening.wait(60)
        assert not any(isinstance(event, SetupTimeUp) for s in evening.steps for event in s.events)


class TestPulledPlug:
    @pytest.mark.parametrize("now", [0.0, 10.0**6])
    def test_the_clocks_show_what_they_showed_at_the_last_action(self, now: float) -> None:
        evening = clash(control=CONTROL)
        evening.wait(50)
        evening.move("e5", "f5", settle=0.3)
        shown = left(evening)
        evening.wait(20)
        again = evening.replugged(now)
        assert left(again) == pytest.approx(shown, abs=0.19), "no more than the settling"
        shown = left(again)
        again.wait(10)
        assert left(again) == pytest.approx((shown[0], shown[1] - 10))

    def test_in_an_attack_they_still_stand(self) -> None:
        evening = attack(clash(control=CONTROL))
        shown = left(evening)
        again = evening.replugged()
        again.wait(50)
        assert left(again) == shown
