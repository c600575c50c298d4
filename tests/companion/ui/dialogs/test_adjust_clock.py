from collections.abc import Callable

import pytest

from engine.board.geometry import Side
from engine.game.clocks import TimeControl
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, begin, play

CONTROL = TimeControl("free", each=600)


@pytest.fixture
def timed(drive: Callable[..., Driver]) -> Driver:
    driver = drive(control=CONTROL)
    begin(driver)
    play(driver, STANDING, "e4 e5")
    return driver


def open_time(driver: Driver) -> None:
    for button in ("menu", "arbiter", "set_clocks"):
        driver.tap(button)


def touch_step(driver: Driver, side: str, text: str) -> None:
    (button,) = (b for b in driver.find(side).ids.steps.children if b.text == text)
    driver.tap_at(*driver.middle(button))


def left(driver: Driver, side: Side) -> float:
    seconds = driver.app.presenter.table.clock.remaining(side, driver.now)
    assert seconds is not None
    return seconds


def test_holding_sets_a_clock(timed: Driver) -> None:
    before = left(timed, Side.RED)
    open_time(timed)
    for text in ("+ 1 min", "+ 1 min", "− 10 s"):
        touch_step(timed, "red", text)
    assert left(timed, Side.RED) == before, "the clock is not changed yet"
    timed.tap("decide")
    assert "Red, 1 minute, 50 seconds more." in timed.texts()
    timed.tap("yes")
    assert left(timed, Side.RED) == before
    timed.confirm()
    assert left(timed, Side.RED) == before + 110
    assert timed.view == "turn"


def test_both_clocks_are_set(timed: Driver) -> None:
    before = left(timed, Side.RED), left(timed, Side.BLUE)
    open_time(timed)
    touch_step(timed, "red", "+ 5 min")
    touch_step(timed, "blue", "− 5 min")
    timed.tap("decide")
    timed.confirm()
    assert left(timed, Side.RED) == before[0] + 300
    assert left(timed, Side.BLUE) == pytest.approx(before[1] - 300, abs=10)


def test_clock_is_never_emptied(timed: Driver) -> None:
    open_time(timed)
    touch_step(timed, "blue", "− 5 min")
    (step, *_) = reversed(timed.find("blue").ids.steps.children)
    assert step.text == "− 5 min"
    assert step.disabled


def test_no_clock_to_set(driver: Driver) -> None:
    begin(driver)
    for button in ("menu", "arbiter"):
        driver.tap(button)
    assert driver.find("set_clocks").disabled


def test_expired_time_is_restored(timed: Driver) -> None:
    timed.pass_time(700)
    timed.show(timed.seen)
    assert timed.view == "end"
    timed.tap("take_back")
    touch_step(timed, "blue", "+ 5 min")
    timed.tap("decide")
    timed.confirm()
    timed.show(timed.seen)
    assert timed.view == "turn"
    assert 290 < left(timed, Side.BLUE) <= 300
    assert "The arbiter adjusts the clock: Blue, 5 minutes more." in timed.texts()
    assert "Taken back" not in timed.texts()
