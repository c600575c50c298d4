"""Play continues while a call for the arbiter is open."""

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
    driver.command(CallArbiter(side))
    driver.forget()
    return driver


@pytest.mark.parametrize("side", [RED, BLUE, None])
def test_call_lasts_until_answered(side: Side | None) -> None:
    driver = clash()
    driver.command(CallArbiter(side))
    assert driver.emitted(CallArbiter) == [CallArbiter(side)]
    driver.play("a4-a5 a7-a6")
    assert driver.table.arbiter_call.open == CallArbiter(side)
    driver.command(AnswerCall())
    assert driver.emitted(AnswerCall) == [AnswerCall()]
    assert driver.table.arbiter_call.open is None


@pytest.mark.parametrize("again", [CallArbiter(RED), CallArbiter(BLUE), CallArbiter(None)])
def test_second_call_changes_nothing(again: CallArbiter) -> None:
    driver = called()
    driver.command(again)
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
def test_caller_or_both_may_withdraw(caller: Side | None, who: Side | None, can: bool) -> None:
    driver = called(caller)
    driver.command(WithdrawCall(who))
    assert bool(driver.emitted(WithdrawCall)) is can
    assert (driver.table.arbiter_call.open is None) is can


@pytest.mark.parametrize("command", [AnswerCall(), WithdrawCall(RED)])
def test_no_call_to_answer(
    command: AnswerCall | WithdrawCall,
) -> None:
    driver = clash()
    driver.command(command)
    assert not driver.emitted(type(command))


def test_clock_runs_during_a_call() -> None:
    driver = clash(control=TIME_CONTROLS["total"])
    driver.command(CallArbiter(RED))
    before = driver.table.clock.remaining(RED, driver.now)
    driver.wait(10)
    after = driver.table.clock.remaining(RED, driver.now)
    assert before
    assert after
    assert after < before - 5
    assert driver.table.state == ToMove()


def test_no_call_during_setup() -> None:
    driver = TableDriver()
    driver.command(CallArbiter(RED))
    assert not driver.emitted(CallArbiter)


def test_call_during_pause_and_dispute() -> None:
    for driver in (clash(), dispute()):
        driver.command(Pause())
        driver.command(CallArbiter(None))
        driver.command(AnswerCall())
        driver.command(Resume())
        assert driver.emitted(CallArbiter)
        assert driver.emitted(AnswerCall)


def test_no_new_call_after_the_end() -> None:
    driver = called()
    driver.command(Resign(BLUE))
    assert driver.table.state == Finished()
    driver.command(AnswerCall())
    assert driver.emitted(AnswerCall)
    driver.command(CallArbiter(RED))
    assert not driver.emitted(CallArbiter)


@pytest.mark.parametrize("side", [RED, BLUE, None])
def test_call_survives_a_restart(side: Side | None) -> None:
    assert called(side).replugged().table.arbiter_call.open == CallArbiter(side)
