"""Tests for clocks: time used, time given back, and expiry."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from engine.board.geometry import Side
from engine.game.clocks import NO_CLOCK, TIME_CONTROLS, Clock, Limit, TimeControl, clock_text
from tests.engine.cases import each
from tests.engine.examples import examples
from tests.engine.tables import BLUE, RED

MINUTE = 60
NOON = 12 * 60 * MINUTE
"""Start time of the tests. It is not zero, because clocks may start at any value."""
TOURNAMENT = TIME_CONTROLS["bronstein"]
SHORT = TimeControl("short", each=10, delay=4)


def started(control: TimeControl, side: Side = RED) -> Clock:
    clock = Clock(control)
    clock.turn(side, NOON)
    return clock


# -- a turn


def test_clock_of_the_side_to_move_is_running() -> None:
    clock = started(SHORT)

    assert (clock.remaining(RED, NOON + 3), clock.remaining(BLUE, NOON + 3)) == (7, 10)


@each(("thinks", "left"), [(0, 10), (3, 10), (4, 10), (5, 9), (9, 5)])
def test_delay_is_refunded(thinks: int, left: int) -> None:
    clock = started(SHORT)
    assert clock.remaining(RED, NOON + thinks) == 10 - thinks

    clock.turn(BLUE, NOON + thinks)

    assert clock.remaining(RED, NOON + thinks) == left


def test_no_refund_without_delay() -> None:
    clock = started(replace(SHORT, delay=0))
    clock.turn(BLUE, NOON + 3)

    assert clock.remaining(RED, NOON + 20) == 7


def test_no_refund_at_zero() -> None:
    clock = started(SHORT)
    clock.turn(BLUE, NOON + 10)

    assert clock.expired(NOON + 10) is Limit.RED
    assert clock.remaining(RED, NOON + 10) == 0


def test_take_back_refunds_no_time() -> None:
    clock = started(SHORT)
    clock.turn(RED, NOON + 3)  # the move was refused

    assert clock.remaining(RED, NOON + 3) == 7
    clock.turn(BLUE, NOON + 6)
    assert clock.remaining(RED, NOON + 6) == 8


def test_take_back_after_the_turn_keeps_used_time() -> None:
    clock = started(SHORT)
    clock.turn(BLUE, NOON + 6)
    clock.turn(RED, NOON + 7)

    assert clock.remaining(RED, NOON + 7) == 8


def test_interrupted_turn_gets_no_refund() -> None:
    clock = started(SHORT)
    clock.stop(NOON + 3)

    clock.resume(NOON + 5)
    assert (clock.remaining(RED, NOON + 50), clock.due) == (7, None)
    assert clock.state(NOON + 50) == clock.state(NOON + 5)


def test_resumed_game() -> None:
    clock = started(SHORT)
    clock.stop(NOON + 3)
    clock.turn(RED, NOON + 60)

    assert clock.remaining(RED, NOON + 62) == 5


# -- pauses


def test_a_pause_costs_no_time() -> None:
    clock = started(SHORT)
    clock.pause(NOON + 1)
    clock.pause(NOON + 20)
    assert (clock.remaining(RED, NOON + 50), clock.due) == (9, None)

    clock.resume(NOON + 60)
    clock.resume(NOON + 61)
    assert (clock.remaining(RED, NOON + 62), clock.due) == (7, NOON + 69)


def test_paused_turn_is_one_turn() -> None:
    clock = started(SHORT)
    clock.pause(NOON + 3)
    clock.resume(NOON + 100)
    clock.turn(BLUE, NOON + 103)

    assert clock.remaining(RED, NOON + 103) == 8


def test_the_next_turn_ends_a_pause() -> None:
    clock = started(SHORT)
    clock.pause(NOON + 1)
    clock.turn(BLUE, NOON + 60)

    assert clock.remaining(BLUE, NOON + 62) == 8


# -- a side whose time is used during its opponent's turn


def test_charge_stops_the_mover_clock() -> None:
    clock = started(replace(SHORT, whole=20))
    clock.deduct(BLUE, NOON + 3)
    assert (clock.remaining(RED, NOON + 5), clock.remaining(BLUE, NOON + 5)) == (7, 8)
    assert clock.whole_left(NOON + 5) == 15

    clock.turn(RED, NOON + 5)
    assert (clock.remaining(RED, NOON + 6), clock.remaining(BLUE, NOON + 6)) == (6, 8)
    assert clock.whole_left(NOON + 6) == 14
    clock.turn(BLUE, NOON + 6)
    assert (clock.remaining(RED, NOON + 6), clock.remaining(BLUE, NOON + 6)) == (10, 8), (
        "the turn lasted four seconds; charged time is not returned"
    )


def test_repeated_charge_counts_once() -> None:
    clock = started(SHORT)
    clock.deduct(BLUE, NOON + 1)
    clock.deduct(BLUE, NOON + 2)
    clock.pause(NOON + 3)
    clock.deduct(BLUE, NOON + 50)
    clock.turn(RED, NOON + 51)

    assert (clock.remaining(RED, NOON + 51), clock.remaining(BLUE, NOON + 51)) == (9, 7)


def test_charged_side_can_lose_on_time() -> None:
    clock = started(SHORT)
    clock.deduct(BLUE, NOON + 9)

    assert clock.due == NOON + 19
    assert clock.expired(NOON + 19) is Limit.BLUE
    clock.turn(RED, NOON + 20)
    clock.stop(NOON + 21)
    assert clock.expired(NOON + 30) is Limit.BLUE, "the time stays expired"
    assert clock.remaining(RED, NOON + 30) == 1


# -- the limits


def test_total_time_has_no_refund() -> None:
    clock = started(replace(SHORT, whole=15))
    for turn in range(1, 5):
        clock.turn(BLUE if turn % 2 else RED, NOON + 3 * turn)

    assert (clock.remaining(RED, NOON + 12), clock.remaining(BLUE, NOON + 12)) == (10, 10)
    assert clock.whole_left(NOON + 12) == 3
    assert clock.due == NOON + 15
    assert clock.expired(NOON + 15) is Limit.WHOLE


def test_side_limit_takes_precedence_over_total_limit() -> None:
    assert started(replace(SHORT, whole=10)).expired(NOON + 10) is Limit.RED


@each(
    ("control", "side", "what", "after"),
    [
        (SHORT, RED, Limit.RED, 10),
        (SHORT, BLUE, Limit.BLUE, 10),
        (replace(SHORT, whole=7), BLUE, Limit.WHOLE, 7),
    ],
)
def test_expiry_at_the_predicted_time(
    control: TimeControl, side: Side, what: Limit, after: int
) -> None:
    clock = started(control, side)

    assert clock.due == NOON + after
    assert clock.expired(NOON + after - 0.001) is None
    assert clock.expired(NOON + after) is what


def test_expired_clock_never_changes() -> None:
    clock = started(replace(SHORT, whole=12))
    clock.pause(NOON + 11)
    clock.resume(NOON + 12)
    clock.turn(BLUE, NOON + 13)
    clock.stop(NOON + 14)

    assert clock.expired(NOON + 50) is Limit.RED
    assert (clock.remaining(RED, NOON + 50), clock.remaining(BLUE, NOON + 50)) == (0, 10)
    assert (clock.whole_left(NOON + 50), clock.due) == (2, None)


# -- the setup


def test_setup_limit_is_five_minutes() -> None:
    clock = Clock(TOURNAMENT)
    clock.set_up(NOON)

    assert clock.due == NOON + 5 * MINUTE
    assert clock.setup_left(NOON + 4 * MINUTE) == MINUTE
    assert clock.expired(NOON + 5 * MINUTE) is Limit.SETUP


def test_setup_time_is_separate_from_game_time() -> None:
    clock = Clock(TOURNAMENT)
    clock.set_up(NOON)
    clock.turn(RED, NOON + MINUTE)

    at = NOON + 2 * MINUTE
    assert clock.setup_left(at) == 4 * MINUTE
    assert (clock.remaining(RED, at), clock.whole_left(at)) == (11 * MINUTE, 54 * MINUTE)


def test_game_may_start_after_setup_timeout() -> None:
    clock = Clock(TOURNAMENT)
    clock.set_up(NOON)
    clock.turn(RED, NOON + 6 * MINUTE)

    assert clock.expired(NOON + 7 * MINUTE) is None
    assert clock.setup_left(NOON + 7 * MINUTE) == 0
    assert clock.due == NOON + 18 * MINUTE


# -- time controls


def test_tournament_time_control() -> None:
    clock = started(TOURNAMENT)
    clock.turn(BLUE, NOON + 5)

    assert clock.remaining(RED, NOON + 5) == 12 * MINUTE - 1
    assert clock.whole_left(NOON + 5) == 55 * MINUTE - 5


def test_total_time_limit() -> None:
    clock = Clock(TIME_CONTROLS["total"])
    clock.set_up(NOON - 90 * MINUTE)
    assert (clock.due, clock.setup_left(NOON)) == (None, None)

    clock.turn(RED, NOON)
    assert (clock.due, clock.whole_left(NOON)) == (NOON + 30 * MINUTE, None)


def test_a_game_without_a_clock() -> None:
    clock = Clock(NO_CLOCK)
    clock.set_up(NOON)
    for at in range(NOON + 1, NOON + 60 * MINUTE, MINUTE):
        clock.turn(RED, at)
        clock.pause(at + 1)
        clock.resume(at + 2)
        clock.turn(BLUE, at + 3)
        assert (clock.due, clock.expired(at + 10**9)) == (None, None)
        assert {clock.remaining(RED, at), clock.whole_left(at), clock.setup_left(at)} == {None}
    clock.stop(NOON + 60 * MINUTE)
    assert clock.due is None


def test_earlier_time_counts_as_the_latest() -> None:
    clock = started(SHORT)
    clock.pause(NOON + 3)
    clock.resume(NOON + 1)
    assert clock.remaining(RED, NOON) == 7

    clock.turn(BLUE, NOON + 2)
    assert (clock.remaining(BLUE, NOON + 4), clock.due) == (9, NOON + 13)


def test_query_for_a_later_time_is_pure() -> None:
    clock = started(SHORT)

    assert clock.expired(NOON + 60) is Limit.RED
    assert clock.expired(NOON + 9) is None
    assert clock.remaining(RED, NOON + 1) == 9


# -- after a power cut


def test_clock_is_restored_in_another_process() -> None:
    clock = started(TOURNAMENT)
    clock.turn(BLUE, NOON + 30)
    kept = clock.state(NOON + 33)

    restored = Clock(TOURNAMENT, kept)
    assert (restored.remaining(BLUE, 5), restored.due) == (12 * MINUTE - 3, None)
    restored.resume(7)
    restored.turn(RED, 9)
    assert restored.remaining(BLUE, 9) == 12 * MINUTE - 1  # three seconds before, two after
    assert restored.remaining(RED, 9) == 12 * MINUTE - 26
    assert restored.whole_left(9) == 55 * MINUTE - 35


# -- resuming a turn


@given(
    before=st.lists(st.integers(0, 8), max_size=5),
    pause=st.integers(0, 5),
    rest=st.integers(0, 5),
    delay=st.sampled_from([0, 4]),
)
@examples(100)
def test_resumed_turn_was_not_completed(
    before: list[int], pause: int, rest: int, delay: int
) -> None:
    control = TimeControl("long", each=100, delay=delay, whole=200)
    straight, reopened = started(control), started(control)
    at, side = NOON, RED
    for seconds in before:
        at, side = at + seconds, side.other
        for clock in (straight, reopened):
            clock.turn(side, at)

    reopened.turn(side.other, at + pause)
    reopened.undo_turn(at + pause + rest)
    for clock in (straight, reopened):
        clock.turn(side.other, at + pause + rest)

    assert reopened.state(at + 20) == straight.state(at + 20)


def test_charge_before_resuming_is_kept() -> None:
    clock = started(replace(SHORT, delay=0))
    clock.turn(BLUE, NOON + 1)
    clock.deduct(RED, NOON + 2)
    clock.undo_turn(NOON + 4)
    clock.turn(BLUE, NOON + 4)

    assert (clock.remaining(RED, NOON + 4), clock.remaining(BLUE, NOON + 4)) == (6, 10)


def test_expired_side_cannot_resume() -> None:
    clock = started(SHORT)
    clock.turn(BLUE, NOON + 8)
    clock.undo_turn(NOON + 13)
    clock.turn(BLUE, NOON + 13)

    assert clock.expired(NOON + 13) is Limit.RED


def test_no_turn_to_resume() -> None:
    clock = started(SHORT)
    clock.undo_turn(NOON + 3)

    assert clock.remaining(RED, NOON + 3) == 7


@each(("left", "text"), [(1800, "30:00"), (59.2, "1:00"), (59, "0:59"), (0.1, "0:01"), (0, "0:00")])
def test_seconds_are_rounded_up(left: float, text: str) -> None:
    assert clock_text(left) == text
