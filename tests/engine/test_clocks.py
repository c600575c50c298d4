"""The clocks: what is used, what is given back, and the moment when time runs out."""

from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.clocks import NO_CLOCK, TIME_CONTROLS, Clock, Limit, TimeControl, clock_text
from engine.sides import Side
from tests.engine.examples import examples
from tests.engine.tables import BLUE, RED

MINUTE = 60
NOON = 12 * 60 * MINUTE
"""Some moment; no clock knows its zero."""
TOURNAMENT = TIME_CONTROLS["bronstein"]
SHORT = TimeControl("short", each=10, delay=4)


def started(control: TimeControl, side: Side = RED) -> Clock:
    clock = Clock(control)
    clock.turn(side, NOON)
    return clock


# -- a turn


def test_the_clock_of_the_side_to_move_runs() -> None:
    clock = started(SHORT)

    assert (clock.left(RED, NOON + 3), clock.left(BLUE, NOON + 3)) == (7, 10)


@pytest.mark.parametrize(("thinks", "left"), [(0, 10), (3, 10), (4, 10), (5, 9), (9, 5)])
def test_what_red_used_comes_back_up_to_the_delay(thinks: int, left: int) -> None:
    clock = started(SHORT)
    assert clock.left(RED, NOON + thinks) == 10 - thinks

    clock.turn(BLUE, NOON + thinks)

    assert clock.left(RED, NOON + thinks) == left


def test_without_a_delay_nothing_comes_back() -> None:
    clock = started(replace(SHORT, delay=0))
    clock.turn(BLUE, NOON + 3)

    assert clock.left(RED, NOON + 20) == 7


def test_there_is_no_delay_for_who_lets_the_clock_come_to_zero() -> None:
    clock = started(SHORT)
    clock.turn(BLUE, NOON + 10)

    assert clock.expired(NOON + 10) is Limit.RED
    assert clock.left(RED, NOON + 10) == 0


def test_taking_back_gives_no_time_back() -> None:
    clock = started(SHORT)
    clock.turn(RED, NOON + 3)  # a move that never counted

    assert clock.left(RED, NOON + 3) == 7
    clock.turn(BLUE, NOON + 6)
    assert clock.left(RED, NOON + 6) == 8


def test_taking_back_after_the_turn_leaves_what_was_used() -> None:
    clock = started(SHORT)
    clock.turn(BLUE, NOON + 6)
    clock.turn(RED, NOON + 7)

    assert clock.left(RED, NOON + 7) == 8


def test_a_game_that_is_stopped_in_a_turn_gives_nothing_back() -> None:
    clock = started(SHORT)
    clock.stop(NOON + 3)

    clock.resume(NOON + 5)
    assert (clock.left(RED, NOON + 50), clock.due) == (7, None)
    assert clock.state(NOON + 50) == clock.state(NOON + 5)


def test_a_game_that_goes_on_after_all() -> None:
    clock = started(SHORT)
    clock.stop(NOON + 3)
    clock.turn(RED, NOON + 60)

    assert clock.left(RED, NOON + 62) == 5


# -- pauses


def test_a_pause_costs_no_time() -> None:
    clock = started(SHORT)
    clock.pause(NOON + 1)
    clock.pause(NOON + 20)
    assert (clock.left(RED, NOON + 50), clock.due) == (9, None)

    clock.resume(NOON + 60)
    clock.resume(NOON + 61)
    assert (clock.left(RED, NOON + 62), clock.due) == (7, NOON + 69)


def test_a_turn_with_a_pause_in_it_is_one_turn() -> None:
    clock = started(SHORT)
    clock.pause(NOON + 3)
    clock.resume(NOON + 100)
    clock.turn(BLUE, NOON + 103)

    assert clock.left(RED, NOON + 103) == 8


def test_the_next_turn_ends_a_pause() -> None:
    clock = started(SHORT)
    clock.pause(NOON + 1)
    clock.turn(BLUE, NOON + 60)

    assert clock.left(BLUE, NOON + 62) == 8


# -- a side that is charged in the other's turn


def test_who_is_charged_pays_and_the_turn_waits() -> None:
    clock = started(replace(SHORT, whole=20))
    clock.charge(BLUE, NOON + 3)
    assert (clock.left(RED, NOON + 5), clock.left(BLUE, NOON + 5)) == (7, 8)
    assert clock.whole_left(NOON + 5) == 15

    clock.turn(RED, NOON + 5)
    assert (clock.left(RED, NOON + 6), clock.left(BLUE, NOON + 6)) == (6, 8)
    assert clock.whole_left(NOON + 6) == 14
    clock.turn(BLUE, NOON + 6)
    assert (clock.left(RED, NOON + 6), clock.left(BLUE, NOON + 6)) == (10, 8), (
        "the turn was one of four seconds; of a charge nothing comes back"
    )


def test_a_charge_that_is_repeated_or_paused_is_one() -> None:
    clock = started(SHORT)
    clock.charge(BLUE, NOON + 1)
    clock.charge(BLUE, NOON + 2)
    clock.pause(NOON + 3)
    clock.charge(BLUE, NOON + 50)
    clock.turn(RED, NOON + 51)

    assert (clock.left(RED, NOON + 51), clock.left(BLUE, NOON + 51)) == (9, 7)


def test_who_is_charged_runs_out() -> None:
    clock = started(SHORT)
    clock.charge(BLUE, NOON + 9)

    assert clock.due == NOON + 19
    assert clock.expired(NOON + 19) is Limit.BLUE
    clock.turn(RED, NOON + 20)
    clock.stop(NOON + 21)
    assert clock.expired(NOON + 30) is Limit.BLUE, "for good"
    assert clock.left(RED, NOON + 30) == 1


# -- the limits


def test_the_whole_game_takes_all_turns_in_full() -> None:
    clock = started(replace(SHORT, whole=15))
    for turn in range(1, 5):
        clock.turn(BLUE if turn % 2 else RED, NOON + 3 * turn)

    assert (clock.left(RED, NOON + 12), clock.left(BLUE, NOON + 12)) == (10, 10)
    assert clock.whole_left(NOON + 12) == 3
    assert clock.due == NOON + 15
    assert clock.expired(NOON + 15) is Limit.WHOLE


def test_a_side_comes_before_the_whole_game() -> None:
    assert started(replace(SHORT, whole=10)).expired(NOON + 10) is Limit.RED


@pytest.mark.parametrize(
    ("control", "side", "what", "after"),
    [
        (SHORT, RED, Limit.RED, 10),
        (SHORT, BLUE, Limit.BLUE, 10),
        (replace(SHORT, whole=7), BLUE, Limit.WHOLE, 7),
    ],
)
def test_time_runs_out_when_it_is_due(
    control: TimeControl, side: Side, what: Limit, after: int
) -> None:
    clock = started(control, side)

    assert clock.due == NOON + after
    assert clock.expired(NOON + after - 0.001) is None
    assert clock.expired(NOON + after) is what


def test_a_clock_that_has_run_out_stands_still_for_good() -> None:
    clock = started(replace(SHORT, whole=12))
    clock.pause(NOON + 11)
    clock.resume(NOON + 12)
    clock.turn(BLUE, NOON + 13)
    clock.stop(NOON + 14)

    assert clock.expired(NOON + 50) is Limit.RED
    assert (clock.left(RED, NOON + 50), clock.left(BLUE, NOON + 50)) == (0, 10)
    assert (clock.whole_left(NOON + 50), clock.due) == (2, None)


# -- the set-up


def test_both_set_up_within_five_minutes() -> None:
    clock = Clock(TOURNAMENT)
    clock.set_up(NOON)

    assert clock.due == NOON + 5 * MINUTE
    assert clock.setup_left(NOON + 4 * MINUTE) == MINUTE
    assert clock.expired(NOON + 5 * MINUTE) is Limit.SETUP


def test_the_set_up_takes_nothing_from_the_game_and_nothing_of_it_comes_back() -> None:
    clock = Clock(TOURNAMENT)
    clock.set_up(NOON)
    clock.turn(RED, NOON + MINUTE)

    at = NOON + 2 * MINUTE
    assert clock.setup_left(at) == 4 * MINUTE
    assert (clock.left(RED, at), clock.whole_left(at)) == (11 * MINUTE, 54 * MINUTE)


def test_after_a_set_up_that_took_too_long_there_may_be_a_game() -> None:
    clock = Clock(TOURNAMENT)
    clock.set_up(NOON)
    clock.turn(RED, NOON + 6 * MINUTE)

    assert clock.expired(NOON + 7 * MINUTE) is None
    assert clock.setup_left(NOON + 7 * MINUTE) == 0
    assert clock.due == NOON + 18 * MINUTE


# -- the controls


def test_a_tournament_has_twelve_minutes_for_each_and_four_seconds_back() -> None:
    clock = started(TOURNAMENT)
    clock.turn(BLUE, NOON + 5)

    assert clock.left(RED, NOON + 5) == 12 * MINUTE - 1
    assert clock.whole_left(NOON + 5) == 55 * MINUTE - 5


def test_total_time_is_all_there_is() -> None:
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
        assert {clock.left(RED, at), clock.whole_left(at), clock.setup_left(at)} == {None}
    clock.stop(NOON + 60 * MINUTE)
    assert clock.due is None


# -- moments


def test_an_earlier_moment_counts_as_the_latest() -> None:
    clock = started(SHORT)
    clock.pause(NOON + 3)
    clock.resume(NOON + 1)
    assert clock.left(RED, NOON) == 7

    clock.turn(BLUE, NOON + 2)
    assert (clock.left(BLUE, NOON + 4), clock.due) == (9, NOON + 13)


def test_asking_about_the_future_changes_nothing() -> None:
    clock = started(SHORT)

    assert clock.expired(NOON + 60) is Limit.RED
    assert clock.expired(NOON + 9) is None
    assert clock.left(RED, NOON + 1) == 9


# -- after a pulled plug


def test_another_process_goes_on_where_the_clock_stood() -> None:
    clock = started(TOURNAMENT)
    clock.turn(BLUE, NOON + 30)
    kept = clock.state(NOON + 33)

    restored = Clock(TOURNAMENT, kept)
    assert (restored.left(BLUE, 5), restored.due) == (12 * MINUTE - 3, None)
    restored.resume(7)
    restored.turn(RED, 9)
    assert restored.left(BLUE, 9) == 12 * MINUTE - 1  # five seconds in both parts of the turn
    assert restored.left(RED, 9) == 12 * MINUTE - 26
    assert restored.whole_left(9) == 55 * MINUTE - 35


# -- against a second clock: an hour-glass that lets every millisecond fall by itself


@dataclass
class HourGlass:
    """Slow and obvious: sand that falls grain by grain, and is filled up again after a turn."""

    control: TimeControl
    running: str = ""
    paused: bool = False
    now: int = 0
    sand: dict[str, float] = field(default_factory=dict)
    before: float = 0
    """The running side's sand at the beginning of the turn."""
    charged: str = ""
    """Whose sand falls instead of the running side's."""

    def __post_init__(self) -> None:
        endless = float("inf")
        each, whole, setup = self.control.each, self.control.whole, self.control.setup
        amounts = {"red": each, "blue": each, "whole": whole, "setup": setup}
        self.sand = {glass: endless if a is None else a for glass, a in amounts.items()}

    @property
    def falling(self) -> list[str]:
        if self.running in ("red", "blue"):
            return [self.charged or self.running, "whole"]
        return ["setup"] if self.running == "setup" else []

    @property
    def empty(self) -> str | None:
        return next((glass for glass in self.falling if self.sand[glass] == 0), None)

    def wait(self, at: int) -> None:
        while self.now < at:
            self.now += 1
            if not self.paused and not self.empty:
                for glass in self.falling:
                    self.sand[glass] -= 1

    def hear(self, what: str) -> None:
        self.paused = what == "pause"
        if self.paused or what == "resume" or self.empty in ("red", "blue", "whole"):
            return
        charge, what = what.startswith("charge"), what.removeprefix("charge ")
        if charge:
            self.run("red" if what == "blue" else "blue")
            self.charged = "" if self.empty else what
        else:
            self.run(what)

    def run(self, what: str) -> None:
        self.charged = ""
        if what == self.running:
            return
        if what in ("red", "blue"):
            if self.running in ("red", "blue"):
                sand = self.sand[self.running] + self.control.delay
                self.sand[self.running] = min(sand, self.before)
            self.before = self.sand[what]
        self.running = "" if what == "stop" else what


def tell(clock: Clock, what: str, at: int) -> None:
    match what:
        case "red" | "blue":
            clock.turn(Side(what), at)
        case "charge red" | "charge blue":
            clock.charge(Side(what.removeprefix("charge ")), at)
        case "setup":
            clock.set_up(at)
        case "pause":
            clock.pause(at)
        case "resume":
            clock.resume(at)
        case "stop":
            clock.stop(at)


def shown(clock: Clock, at: int) -> dict[str, float | str | None]:
    expired = clock.expired(at)
    return {
        "red": clock.left(RED, at),
        "blue": clock.left(BLUE, at),
        "whole": clock.whole_left(at),
        "setup": clock.setup_left(at),
        "expired": expired and expired.value,
    }


def visible(glass: HourGlass) -> dict[str, float | str | None]:
    sand = {name: None if s == float("inf") else s for name, s in glass.sand.items()}
    return {**sand, "expired": glass.empty}


amounts = st.none() | st.integers(1, 40)
controls = st.builds(
    TimeControl,
    id=st.just("any"),
    each=amounts,
    delay=st.integers(0, 6),
    whole=amounts | st.integers(40, 80),
    setup=amounts,
)
happenings = st.lists(
    st.tuples(
        st.integers(-3, 12),  # how much later, or earlier
        st.sampled_from(
            [*["red", "blue"] * 2, "charge red", "charge blue", "pause", "resume", "setup", "stop"]
        ),
    ),
    max_size=20,
)
LONG = 200
"""Longer than anything above takes to run out."""


@given(controls, happenings)
@examples(300)
def test_the_clock_agrees_with_sand(control: TimeControl, happens: list[tuple[int, str]]) -> None:
    clock, glass = Clock(control), HourGlass(control)
    clock.pause(glass.now)
    for later, what in happens:
        at = glass.now + later
        glass.wait(at)
        assert shown(clock, at) == visible(glass)
        tell(clock, what, at)
        glass.hear(what)
        assert shown(clock, at) == visible(glass)

    latest, due, ran_out = glass.now, clock.due, glass.empty
    if due is None:
        glass.wait(latest + LONG)
        assert glass.empty == ran_out
    else:
        glass.wait(int(due) - 1)
        assert glass.empty is None
        glass.wait(int(due))
        assert glass.empty is not None


@given(controls, happenings, happenings, st.integers(0, 12), st.integers(-1000, 1000))
@examples(100)
def test_a_restored_clock_goes_on_the_same(
    control: TimeControl,
    before: list[tuple[int, str]],
    after: list[tuple[int, str]],
    later: int,
    shift: int,
) -> None:
    clock, at = Clock(control), 0
    for wait, what in before:
        at += max(0, wait)
        tell(clock, what, at)
    at += later
    restored = Clock(control, clock.state(at))
    clock.pause(at)
    for wait, what in after:
        at += max(0, wait)
        assert shown(restored, at + shift) == shown(clock, at)
        tell(clock, what, at)
        tell(restored, what, at + shift)
        assert restored.due == (clock.due if clock.due is None else clock.due + shift)
    assert shown(restored, at + shift + LONG) == shown(clock, at + LONG)


@given(
    controls,
    st.lists(
        st.lists(st.tuples(st.integers(0, 5), st.integers(0, 50)), min_size=1, max_size=3),
        max_size=12,
    ),
)
@examples(100)
def test_pauses_never_cost_time(control: TimeControl, game: list[list[tuple[int, int]]]) -> None:
    """In each turn the side thinks, and waits while the board is disturbed, and so on."""
    paused, through = Clock(control), Clock(control)
    now = net = 0
    for number, turn in enumerate(game):
        side = BLUE if number % 2 else RED
        paused.turn(side, now)
        through.turn(side, net)
        for thinks, waits in turn:
            now += thinks
            net += thinks
            paused.pause(now)
            now += waits
            paused.resume(now)
            assert shown(paused, now) == shown(through, net)


@given(
    each=st.floats(1e-3, 1e5),
    whole=st.none() | st.floats(1e-3, 1e5),
    delay=st.floats(0, 10),
    moments=st.lists(st.floats(0, 1e6), min_size=1, max_size=10).map(sorted),
)
@examples(200)
def test_with_fractions_too_time_has_run_out_exactly_when_it_was_due(
    each: float, whole: float | None, delay: float, moments: list[float]
) -> None:
    clock = Clock(TimeControl("any", each=each, delay=delay, whole=whole))
    for number, at in enumerate(moments):
        clock.turn(BLUE if number % 2 else RED, at)
        lefts = [clock.left(RED, at), clock.left(BLUE, at), clock.whole_left(at)]
        assert all(left is None or left >= 0 for left in lefts)
        if clock.due is None:
            assert clock.expired(at) is not None
            return
        assert clock.expired(clock.due) is not None


# -- a turn that was not over


@given(
    before=st.lists(st.integers(0, 8), max_size=5),
    pause=st.integers(0, 5),
    rest=st.integers(0, 5),
    delay=st.sampled_from([0, 4]),
)
@examples(100)
def test_a_turn_that_goes_on_was_never_completed(
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
    reopened.reopen(at + pause + rest)
    for clock in (straight, reopened):
        clock.turn(side.other, at + pause + rest)

    assert reopened.state(at + 20) == straight.state(at + 20)


def test_what_was_charged_before_it_went_on_stays_charged() -> None:
    clock = started(replace(SHORT, delay=0))
    clock.turn(BLUE, NOON + 1)
    clock.charge(RED, NOON + 2)
    clock.reopen(NOON + 4)
    clock.turn(BLUE, NOON + 4)

    assert (clock.left(RED, NOON + 4), clock.left(BLUE, NOON + 4)) == (6, 10)


def test_who_has_no_time_left_has_none_to_go_on() -> None:
    clock = started(SHORT)
    clock.turn(BLUE, NOON + 8)
    clock.reopen(NOON + 13)
    clock.turn(BLUE, NOON + 13)

    assert clock.expired(NOON + 13) is Limit.RED


def test_without_a_turn_before_nothing_goes_on() -> None:
    clock = started(SHORT)
    clock.reopen(NOON + 3)

    assert clock.left(RED, NOON + 3) == 7


@pytest.mark.parametrize(
    ("left", "text"), [(1800, "30:00"), (59.2, "1:00"), (59, "0:59"), (0.1, "0:01"), (0, "0:00")]
)
def test_a_part_of_a_second_counts_as_a_whole(left: float, text: str) -> None:
    assert clock_text(left) == text
