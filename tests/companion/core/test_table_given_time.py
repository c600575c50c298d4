"""The arbiter changes the remaining time on a side's clock."""

import pytest

from companion.core.inputs import AdjustClock, Pause, Resume
from companion.core.state import Finished, ToMove
from engine.board.geometry import Side, square
from engine.game.actions import Move, OpenArmy, Resign, TakeBack, TimeExpired
from engine.game.clocks import NO_CLOCK, TimeControl
from engine.game.rulings import TakenBack
from tests.companion.core import sealed_table_driver
from tests.companion.core.table_driver import TableDriver, clash

RED, BLUE = Side.RED, Side.BLUE
CONTROL = TimeControl("free", each=600, delay=4, whole=3000)


def left(driver: TableDriver, side: Side) -> float:
    seconds = driver.table.clock.remaining(side, driver.now)
    assert seconds is not None
    return seconds


def run_out() -> TableDriver:
    driver = clash(control=CONTROL)
    driver.wait(601)
    assert driver.actions[-1:] == [TimeExpired(RED)]
    driver.forget()
    return driver


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("seconds", [300, 60, -10, -300])
def test_given_time_changes_the_clock(side: Side, seconds: int) -> None:
    driver = clash(control=CONTROL)
    before, other = left(driver, side), left(driver, side.other)
    driver.command(AdjustClock(side, seconds))
    assert driver.emitted(AdjustClock) == [AdjustClock(side, seconds)]
    assert left(driver, side) == pytest.approx(before + seconds)
    assert left(driver, side.other) == other
    assert not driver.actions[2:], "added time is not an action of the game"


def test_given_time_does_not_extend_the_total() -> None:
    driver = clash(control=CONTROL)
    before = driver.table.clock.whole_left(driver.now)
    driver.command(AdjustClock(RED, 60))
    assert driver.table.clock.whole_left(driver.now) == before


@pytest.mark.parametrize("seconds", [-601, -100_000, 0, 36_000])
def test_given_time_is_bounded(seconds: int) -> None:
    driver = clash(control=CONTROL)
    before = left(driver, BLUE)
    driver.command(AdjustClock(BLUE, seconds))
    assert left(driver, BLUE) == before
    assert not driver.emitted(AdjustClock)


def test_no_time_to_give_without_a_clock() -> None:
    driver = clash(control=NO_CLOCK)
    driver.command(AdjustClock(RED, 60))
    assert not driver.emitted(AdjustClock)


def test_no_time_after_an_army_was_shown() -> None:
    driver = sealed_table_driver.begun(CONTROL)
    driver.wait(601)
    assert driver.actions[-1:] == [TimeExpired(RED)]
    driver.command(OpenArmy(BLUE, sealed_table_driver.ARMIES[BLUE]))
    assert not driver.table.can_give_time(AdjustClock(RED, 60))
    driver.command(AdjustClock(RED, 60))
    assert driver.table.view.outcome


def test_time_given_in_a_pause() -> None:
    driver = clash(control=CONTROL)
    driver.command(Pause())
    before = left(driver, RED)
    driver.command(AdjustClock(RED, 60))
    driver.wait(10)
    assert left(driver, RED) == before + 60
    driver.command(Resume())
    driver.wait(2)
    assert driver.table.state == ToMove()


def test_given_time_survives_a_restart() -> None:
    driver = clash(control=CONTROL)
    driver.command(AdjustClock(RED, 300))
    before = left(driver, RED)
    assert before > 600
    again = driver.replugged()
    assert left(again, RED) == pytest.approx(before)


def test_given_time_resumes_a_lost_game() -> None:
    driver = run_out()
    driver.command(AdjustClock(RED, 60))
    assert driver.actions == [TakeBack()]
    assert driver.emitted(TakenBack)
    driver.wait(2)
    assert driver.table.state == ToMove()
    assert 50 < left(driver, RED) <= 60
    piece = driver.lift("a4")
    driver.place(piece, "a5")
    driver.wait(3)
    assert driver.actions[-1:] == [Move(square("a4"), square("a5"))]


@pytest.mark.parametrize(("side", "seconds"), [(BLUE, 60), (RED, -60)])
def test_only_given_time_resumes_that_game(side: Side, seconds: int) -> None:
    driver = run_out()
    driver.command(AdjustClock(side, seconds))
    assert driver.table.state == Finished()
    assert not driver.events


def test_no_time_given_after_other_ends() -> None:
    driver = clash(control=CONTROL)
    driver.command(Resign(RED))
    driver.forget()
    driver.command(AdjustClock(RED, 60))
    assert driver.table.state == Finished()
    assert not driver.events
