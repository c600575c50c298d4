"""Tests that compare clocks with a second model, which counts single units of time."""

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from engine.board.geometry import Side
from engine.game.clocks import TIME_CONTROLS, Clock, TimeControl
from tests.engine.examples import examples
from tests.engine.tables import BLUE, RED

MINUTE = 60
NOON = 12 * 60 * MINUTE
"""Start time of the tests. It is not zero, because clocks may start at any value."""
TOURNAMENT = TIME_CONTROLS["bronstein"]
SHORT = TimeControl("short", each=10, delay=4)


@dataclass
class HourGlass:
    """Simple model of a clock that counts units of time. After a turn, it gives the side its delay
    back."""

    control: TimeControl
    running: str = ""
    paused: bool = False
    now: int = 0
    sand: dict[str, float] = field(default_factory=dict)
    before: float = 0
    """Time that the running side had left at the start of the turn."""
    charged: str = ""
    """The side whose time is used instead of the time of the side whose clock runs."""

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


def apply(clock: Clock, what: str, at: int) -> None:
    match what:
        case "red" | "blue":
            clock.turn(Side(what), at)
        case "charge red" | "charge blue":
            clock.deduct(Side(what.removeprefix("charge ")), at)
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
        "red": clock.remaining(RED, at),
        "blue": clock.remaining(BLUE, at),
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
        st.integers(-3, 12),  # time step, forwards or backwards
        st.sampled_from(
            [*["red", "blue"] * 2, "charge red", "charge blue", "pause", "resume", "setup", "stop"]
        ),
    ),
    max_size=20,
)
LONG = 200
"""A period longer than any limit in the time controls above."""


@given(controls, happenings)
@examples(60)
def test_clock_matches_an_hourglass(control: TimeControl, happens: list[tuple[int, str]]) -> None:
    clock, glass = Clock(control), HourGlass(control)
    clock.pause(glass.now)
    for later, what in happens:
        at = glass.now + later
        glass.wait(at)
        assert shown(clock, at) == visible(glass)
        apply(clock, what, at)
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
@examples(40)
def test_restored_clock_continues_identically(
    control: TimeControl,
    before: list[tuple[int, str]],
    after: list[tuple[int, str]],
    later: int,
    shift: int,
) -> None:
    clock, at = Clock(control), 0
    for wait, what in before:
        at += max(0, wait)
        apply(clock, what, at)
    at += later
    restored = Clock(control, clock.state(at))
    clock.pause(at)
    for wait, what in after:
        at += max(0, wait)
        assert shown(restored, at + shift) == shown(clock, at)
        apply(clock, what, at)
        apply(restored, what, at + shift)
        assert restored.due == (clock.due if clock.due is None else clock.due + shift)
    assert shown(restored, at + shift + LONG) == shown(clock, at + LONG)


@given(
    controls,
    st.lists(
        st.lists(st.tuples(st.integers(0, 5), st.integers(0, 50)), min_size=1, max_size=3),
        max_size=12,
    ),
)
@examples(40)
def test_pauses_never_cost_time(control: TimeControl, game: list[list[tuple[int, int]]]) -> None:
    """Within a turn, thinking alternates with pauses in which a disturbed board is put right."""
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
@examples(60)
def test_fractional_expiry_is_exact(
    each: float, whole: float | None, delay: float, moments: list[float]
) -> None:
    clock = Clock(TimeControl("any", each=each, delay=delay, whole=whole))
    for number, at in enumerate(moments):
        clock.turn(BLUE if number % 2 else RED, at)
        lefts = [clock.remaining(RED, at), clock.remaining(BLUE, at), clock.whole_left(at)]
        assert all(left is None or left >= 0 for left in lefts)
        if clock.due is None:
            assert clock.expired(at) is not None
            return
        assert clock.expired(clock.due) is not None
