"""The players' clocks at the table: running, stopping and expiring."""

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


def left(driver: TableDriver) -> tuple[float, float]:
    red, blue = (driver.table.clock.remaining(side, driver.now) for side in Side)
    assert red is not None
    assert blue is not None
    return red, blue


def disturbed() -> TableDriver:
    driver = clash(control=CONTROL)
    for source, target in (("a1", "a5"), ("b1", "b5")):
        driver.place(driver.lift(source), target)
    driver.wait()
    return driver


def lost() -> TableDriver:
    driver = clash(control=CONTROL)
    driver.lose_board()
    return driver


def guess() -> TableDriver:
    driver = infiltrator(control=CONTROL)
    driver.infiltrate("e7", "e8", Rank.COLONEL)
    assert driver.table.referee.phase is Phase.GUESS
    return driver


def taken_back() -> TableDriver:
    driver = clash(control=CONTROL)
    driver.take_back()
    return driver


class TestRunning:
    def test_clock_of_the_side_to_move_runs(self) -> None:
        driver = clash(control=CONTROL)
        red, blue = left(driver)
        driver.wait(50)
        assert left(driver) == pytest.approx((red - 50, blue))

    def test_clock_runs_while_a_piece_is_in_hand(self) -> None:
        driver = clash(control=CONTROL)
        driver.lift("e5")
        driver.wait()
        red, blue = left(driver)
        driver.wait(50)
        assert left(driver) == pytest.approx((red - 50, blue))

    def test_illegal_move_is_corrected_on_own_time(self) -> None:
        driver = clash(control=CONTROL)
        driver.move("e5", "d6")
        assert driver.table.state.violation
        red, blue = left(driver)
        driver.wait(50)
        assert left(driver) == pytest.approx((red - 50, blue))

    def test_move_out_of_turn_is_corrected_on_own_time(self) -> None:
        driver = clash(control=CONTROL)
        driver.wait(10)
        driver.move("f7", "f6", settle=0.52)
        red, blue = left(driver)
        driver.wait(50)
        assert left(driver) == pytest.approx((red, blue - 50))
        driver.move("f6", "f7", settle=0.2)
        assert driver.table.state.violation is None
        red, blue = left(driver)
        driver.wait(10)
        assert left(driver) == pytest.approx((red - 10, blue)), "the lost time is not returned"

    def test_moving_out_of_turn_wins_no_time(self) -> None:
        driver = clash(control=CONTROL)
        driver.move("f7", "f6")
        driver.wait(700)
        assert driver.emitted(GameOver) == [GameOver(RED, Reason.TIME)]

    def test_allowed_move_out_of_turn_ends_the_charge(self) -> None:
        driver = clash(control=CONTROL)
        driver.move("f7", "f6")
        driver.allow_move()
        red, blue = left(driver)
        driver.wait(50)
        assert left(driver) == pytest.approx((red - 50, blue))

    def test_illegal_attack_by_screen_costs_the_mover(self) -> None:
        driver = clash(control=CONTROL)
        driver.command(Attack(square("e5"), square("e7")))
        assert driver.table.state.violation
        red, blue = left(driver)
        driver.wait(50)
        assert left(driver) == pytest.approx((red - 50, blue))

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
    def test_clock_stops_while_play_is_blocked(self, situation: Callable[[], TableDriver]) -> None:
        driver = situation()
        before = left(driver)
        driver.wait(50)
        assert left(driver) == before

    def test_clock_resumes_unchanged(self) -> None:
        driver = clash(control=CONTROL)
        driver.command(Attack(square("e5"), square("e6")))
        driver.wait(50)
        red, blue = left(driver)
        driver.submit(NoAttack(driver.now))
        driver.wait(10)
        assert left(driver) == pytest.approx((red - 10, blue))

    def test_quick_move_costs_no_time(self) -> None:
        driver = TableDriver.begun(control=CONTROL)
        driver.move("e4", "e5", settle=0.3)
        assert driver.emitted(Moved)
        assert left(driver)[0] == 600

    def test_slow_move_gets_the_delay_back(self) -> None:
        driver = TableDriver.begun(control=CONTROL)
        driver.wait(50)
        before, _ = left(driver)
        driver.move("e4", "e5", settle=0.3)
        assert left(driver)[0] == pytest.approx(before - 0.04 + 4)

    def test_combat_completes_the_attacker_turn(self) -> None:
        driver = attack(clash(control=CONTROL))
        before, _ = left(driver)
        driver.declare(RED, Rank.MINER)
        driver.declare(BLUE, Rank.MINER)
        assert left(driver)[0] == pytest.approx(min(before + 4, 600))

    def test_take_back_refunds_no_time(self) -> None:
        driver = clash(control=CONTROL)
        driver.wait(50)
        driver.move("e5", "f5")
        spent, _ = left(driver)
        driver.take_back()
        driver.move("f5", "e5")
        assert left(driver)[0] <= spent


class TestRunOut:
    def test_deadline_at_the_end_of_time(self) -> None:
        driver = clash(control=CONTROL)
        driver.wait()
        due = driver.table.next_deadline
        assert due == pytest.approx(driver.now + left(driver)[0])
        assert due
        driver.submit(TimePassed(due - 0.001))
        assert driver.table.referee.phase is Phase.PLAY
        driver.submit(TimePassed(due))
        assert driver.emitted(GameOver) == [GameOver(BLUE, Reason.TIME)]
        assert driver.table.next_deadline is None

    def test_gesture_deadline_precedes_the_clock(self) -> None:
        driver = clash(control=CONTROL)
        piece = driver.lift("e5")
        driver.place(piece, "f5")
        assert driver.table.next_deadline == pytest.approx(driver.now + 0.12)

    def test_blue_loses_on_time(self) -> None:
        driver = clash(control=CONTROL)
        driver.move("e5", "f5")
        driver.wait(700)
        assert driver.emitted(GameOver) == [GameOver(RED, Reason.TIME)]

    def test_total_time_is_a_draw(self) -> None:
        driver = clash(control=TimeControl("whole", whole=60))
        driver.wait(30)
        driver.move("e5", "f5")
        driver.wait(30)
        assert driver.emitted(GameOver) == [GameOver(None, Reason.TIME)]

    @pytest.mark.parametrize(("before_zero", "counts"), [(0.06, True), (-0.02, False)])
    def test_move_counts_from_its_release(self, before_zero: float, counts: bool) -> None:
        driver = clash(control=CONTROL)
        driver.wait(0.5)
        zero = driver.table.next_deadline
        assert zero
        driver.wait(zero - before_zero - driver.now - 0.04)
        driver.move("e5", "f5", settle=0.5)
        assert bool(driver.emitted(Moved)) is counts
        assert bool(driver.emitted(GameOver)) is not counts

    def test_move_seen_after_zero_is_too_late(self) -> None:
        """The move counts as too late, even if the application caused the delay."""
        driver = clash(control=CONTROL)
        driver.wait(0.5)
        zero = driver.table.next_deadline
        assert zero
        driver.board.place(driver.board.lift(square("e5")), square("f5"))
        driver.submit(BoardSeen(zero + 0.1, driver.board.image()))
        driver.submit(TimePassed(zero + 50))
        assert driver.emitted(GameOver) == [GameOver(BLUE, Reason.TIME)]
        assert not driver.emitted(Moved)

    def test_stopped_clock_does_not_expire(self) -> None:
        driver = attack(clash(control=CONTROL))
        driver.wait(5000)
        assert driver.table.next_deadline is None
        assert driver.table.referee.phase is Phase.ATTACK

    def test_no_deadline_without_a_clock(self) -> None:
        driver = clash(control=NO_CLOCK)
        driver.wait(10**6)
        assert driver.table.next_deadline is None
        assert driver.table.clock.remaining(RED, driver.now) is None


class TestSettingUp:
    def test_setup_time_limit_is_announced_once(self) -> None:
        driver = TableDriver(control=CONTROL)
        driver.wait(29)
        assert not driver.emitted(SetupTimeUp)
        driver.wait(2)
        driver.wait(60)
        assert driver.emitted(SetupTimeUp) == [SetupTimeUp()]
        for side in Side:
            driver.stand(side, *squares_in(side.home))
        driver.wait()
        for side in Side:
            driver.command(Ready(side))
        driver.wait(3)
        assert driver.table.referee.phase is Phase.PLAY
        assert driver.emitted(SetupTimeUp) == [SetupTimeUp()]
        assert left(driver) == pytest.approx((600 - 3, 600), abs=0.1)

    def test_quick_setup_has_no_announcement(self) -> None:
        driver = TableDriver.begun(control=CONTROL)
        driver.wait(60)
        assert not any(isinstance(event, SetupTimeUp) for s in driver.steps for event in s.events)


class TestPulledPlug:
    @pytest.mark.parametrize("now", [0.0, 10.0**6])
    def test_clocks_after_a_restart(self, now: float) -> None:
        driver = clash(control=CONTROL)
        driver.wait(50)
        driver.move("e5", "f5", settle=0.3)
        shown = left(driver)
        driver.wait(20)
        again = driver.replugged(now)
        assert left(again) == pytest.approx(shown, abs=0.19), "only the settling time is lost"
        shown = left(again)
        again.wait(10)
        assert left(again) == pytest.approx((shown[0], shown[1] - 10))

    def test_clocks_stop_in_an_attack_after_a_restart(self) -> None:
        driver = attack(clash(control=CONTROL))
        shown = left(driver)
        again = driver.replugged()
        again.wait(50)
        assert left(again) == shown
