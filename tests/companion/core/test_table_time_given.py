"""An arbiter adds time to a side's clock or deducts some."""

import pytest

from companion.core.inputs import AdjustClock, Pause, Resume
from companion.core.state import Finished, ToMove
from engine.board.geometry import Side, square
from engine.game.actions import Move, Resign, TakeBack, TimeExpired
from engine.game.clocks import NO_CLOCK, TimeControl
from engine.game.rulings import TakenBack
from tests.companion.core.table_driver import TableDriver, clash

RED, BLUE = Side.RED, Side.BLUE
CONTROL = TimeControl("free", each=600, delay=4, whole=3000)


def left(evening: TableDriver, side: Side) -> float:
    seconds = evening.table.clock.remaining(side, evening.now)
    assert seconds is not None
    return seconds


def run_out() -> TableDriver:
    """Red's time has expired."""
    evening = clash(control=CONTROL)
    evening.wait(601)
    assert evening.actions[-1:] == [TimeExpired(RED)]
    evening.forget()
    return evening


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("seconds", [300, 60, -10, -300])
def test_a_clock_shows_so_much_more_or_less(side: Side, seconds: int) -> None:
    evening = clash(control=CONTROL)
    before, other = left(evening, side), left(evening, side.other)
    evening.say(AdjustClock(side, seconds))
    assert evening.told(AdjustClock) == [AdjustClock(side, seconds)]
    assert left(evening, side) == pytest.approx(before + seconds)
    assert left(evening, side.other) == other
    assert not evening.actions[2:], "it is no action of the game"


def test_the_whole_game_does_not_become_longer() -> None:
    evening = clash(control=CONTROL)
    before = evening.table.clock.whole_left(evening.now)
    evening.say(AdjustClock(RED, 60))
    assert evening.table.clock.whole_left(evening.now) == before


@pytest.mark.parametrize("seconds", [-601, -100_000, 0, 36_000])
def test_a_clock_is_never_emptied_and_never_beyond_measure(seconds: int) -> None:
    evening = clash(control=CONTROL)
    before = left(evening, BLUE)
    evening.say(AdjustClock(BLUE, seconds))
    assert left(evening, BLUE) == before
    assert not evening.told(AdjustClock)


def test_without_a_clock_there_is_nothing_to_give() -> None:
    evening = clash(control=NO_CLOCK)
    evening.say(AdjustClock(RED, 60))
    assert not evening.told(AdjustClock)


def test_in_a_pause_it_can_be_given() -> None:
    evening = clash(control=CONTROL)
    evening.say(Pause())
    before = left(evening, RED)
    evening.say(AdjustClock(RED, 60))
    evening.wait(10)
    assert left(evening, RED) == before + 60
    evening.say(Resume())
    evening.wait(2)
    assert evening.table.state == ToMove()


def test_what_was_given_is_there_after_a_restart() -> None:
    evening = clash(control=CONTROL)
    evening.say(AdjustClock(RED, 300))
    before = left(evening, RED)
    assert before > 600
    again = evening.replugged()
    assert left(again, RED) == pytest.approx(before)


def test_time_that_has_run_out_is_given_back_and_the_game_goes_on() -> None:
    evening = run_out()
    evening.say(AdjustClock(RED, 60))
    assert evening.actions == [TakeBack()]
    assert evening.told(TakenBack)
    evening.wait(2)
    assert evening.table.state == ToMove()
    assert 50 < left(evening, RED) <= 60
    piece = evening.lift("a4")
    evening.place(piece, "a5")
    evening.wait(3)
    assert evening.actions[-1:] == [Move(square("a4"), square("a5"))]


@pytest.mark.parametrize(("side", "seconds"), [(BLUE, 60), (RED, -60)])
def test_nothing_else_takes_that_end_back(side: Side, seconds: int) -> None:
    evening = run_out()
    evening.say(AdjustClock(side, seconds))
    assert evening.table.state == Finished()
    assert not evening.events


def test_after_any_other_end_no_clock_is_touched() -> None:
    evening = clash(control=CONTROL)
    evening.say(Resign(RED))
    evening.forget()
    evening.say(AdjustClock(RED, 60))
    assert evening.table.state == Finished()
    assert not evening.events
