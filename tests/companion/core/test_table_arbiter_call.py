"""Players call an arbiter: play continues, and the call stays until answered or withdrawn."""

import pytest

from companion.core.inputs import AnswerCall, CallArbiter, Pause, Resume, WithdrawCall
from companion.core.state import Finished, ToMove
from engine.board.geometry import Side
from engine.game.actions import Resign
from engine.game.clocks import TIME_CONTROLS
from tests.companion.core.table_driver import TableDriver, clash, dispute

RED, BLUE = Side.RED, Side.BLUE


def called(side: Side | None = RED) -> TableDriver:
    driver = clash()
    driver.say(CallArbiter(side))
    driver.forget()
    return driver


@pytest.mark.parametrize("side", [RED, BLUE, None])
def test_a_call_stands_until_it_is_answered(side: Side | None) -> None:
    driver = clash()
    driver.say(CallArbiter(side))
    assert driver.told(CallArbiter) == [CallArbiter(side)]
    driver.play("a4-a5 a7-a6")
    assert driver.table.arbiter_call.open == CallArbiter(side)
    driver.say(AnswerCall())
    assert driver.told(AnswerCall) == [AnswerCall()]
    assert driver.table.arbiter_call.open is None


@pytest.mark.parametrize("again", [CallArbiter(RED), CallArbiter(BLUE), CallArbiter(None)])
def test_a_second_call_changes_nothing(again: CallArbiter) -> None:
    driver = called()
    driver.say(again)
    assert not driver.events
    assert driver.table.arbiter_call.open == CallArbiter(RED)


@pytest.mark.parametrize(
    ("caller", "who", "can"),
    [
        (RED, RED, True),
        (RED, BLUE, False),
        (RED, None, True),
        (None, BLUE, True),
        (None, None, True),
    ],
)
def test_who_has_called_withdraws_it_and_both_at_their_table(
    caller: Side | None, who: Side | None, can: bool
) -> None:
    driver = called(caller)
    driver.say(WithdrawCall(who))
    assert bool(driver.told(WithdrawCall)) is can
    assert (driver.table.arbiter_call.open is None) is can


@pytest.mark.parametrize("said", [AnswerCall(), WithdrawCall(RED)])
def test_where_nobody_is_called_there_is_nothing_to_answer(
    said: AnswerCall | WithdrawCall,
) -> None:
    driver = clash()
    driver.say(said)
    assert not driver.told(type(said))


def test_the_clock_runs_on() -> None:
    driver = clash(control=TIME_CONTROLS["total"])
    driver.say(CallArbiter(RED))
    before = driver.table.clock.remaining(RED, driver.now)
    driver.wait(10)
    after = driver.table.clock.remaining(RED, driver.now)
    assert before
    assert after
    assert after < before - 5
    assert driver.table.state == ToMove()


def test_while_armies_are_set_up_nobody_is_called() -> None:
    driver = TableDriver()
    driver.say(CallArbiter(RED))
    assert not driver.told(CallArbiter)


def test_it_is_heard_in_a_pause_and_in_a_dispute() -> None:
    for driver in (clash(), dispute()):
        driver.say(Pause())
        driver.say(CallArbiter(None))
        driver.say(AnswerCall())
        driver.say(Resume())
        assert driver.told(CallArbiter)
        assert driver.told(AnswerCall)


def test_after_the_end_nobody_is_called_and_who_was_called_still_answers() -> None:
    driver = called()
    driver.say(Resign(BLUE))
    assert driver.table.state == Finished()
    driver.say(AnswerCall())
    assert driver.told(AnswerCall)
    driver.say(CallArbiter(RED))
    assert not driver.told(CallArbiter)


@pytest.mark.parametrize("side", [RED, BLUE, None])
def test_a_call_is_still_open_after_a_restart(side: Side | None) -> None:
    assert called(side).replugged().table.arbiter_call.open == CallArbiter(side)
