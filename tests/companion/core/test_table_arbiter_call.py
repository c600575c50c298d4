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
    evening = clash()
    evening.say(CallArbiter(side))
    evening.forget()
    return evening


@pytest.mark.parametrize("side", [RED, BLUE, None])
def test_a_call_stands_until_it_is_answered(side: Side | None) -> None:
    evening = clash()
    evening.say(CallArbiter(side))
    assert evening.told(CallArbiter) == [CallArbiter(side)]
    evening.play("a4-a5 a7-a6")
    assert evening.table.arbiter_call.open == CallArbiter(side)
    evening.say(AnswerCall())
    assert evening.told(AnswerCall) == [AnswerCall()]
    assert evening.table.arbiter_call.open is None


@pytest.mark.parametrize("again", [CallArbiter(RED), CallArbiter(BLUE), CallArbiter(None)])
def test_a_second_call_changes_nothing(again: CallArbiter) -> None:
    evening = called()
    evening.say(again)
    assert not evening.events
    assert evening.table.arbiter_call.open == CallArbiter(RED)


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
    evening = called(caller)
    evening.say(WithdrawCall(who))
    assert bool(evening.told(WithdrawCall)) is can
    assert (evening.table.arbiter_call.open is None) is can


@pytest.mark.parametrize("said", [AnswerCall(), WithdrawCall(RED)])
def test_where_nobody_is_called_there_is_nothing_to_answer(
    said: AnswerCall | WithdrawCall,
) -> None:
    evening = clash()
    evening.say(said)
    assert not evening.told(type(said))


def test_the_clock_runs_on() -> None:
    evening = clash(control=TIME_CONTROLS["total"])
    evening.say(CallArbiter(RED))
    before = evening.table.clock.remaining(RED, evening.now)
    evening.wait(10)
    after = evening.table.clock.remaining(RED, evening.now)
    assert before
    assert after
    assert after < before - 5
    assert evening.table.state == ToMove()


def test_while_armies_are_set_up_nobody_is_called() -> None:
    evening = TableDriver()
    evening.say(CallArbiter(RED))
    assert not evening.told(CallArbiter)


def test_it_is_heard_in_a_pause_and_in_a_dispute() -> None:
    for evening in (clash(), dispute()):
        evening.say(Pause())
        evening.say(CallArbiter(None))
        evening.say(AnswerCall())
        evening.say(Resume())
        assert evening.told(CallArbiter)
        assert evening.told(AnswerCall)


def test_after_the_end_nobody_is_called_and_who_was_called_still_answers() -> None:
    evening = called()
    evening.say(Resign(BLUE))
    assert evening.table.state == Finished()
    evening.say(AnswerCall())
    assert evening.told(AnswerCall)
    evening.say(CallArbiter(RED))
    assert not evening.told(CallArbiter)


@pytest.mark.parametrize("side", [RED, BLUE, None])
def test_a_call_is_still_open_after_a_restart(side: Side | None) -> None:
    assert called(side).replugged().table.arbiter_call.open == CallArbiter(side)
