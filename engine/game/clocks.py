"""Game clocks. They track how long each side has been thinking, and when its time runs out.

Every call takes a timestamp, in seconds from an arbitrary origin. A timestamp earlier than the
latest one is treated as equal to it. The caller decides what happens when time runs out.

With Bronstein's delay, a clock runs from the first second of a turn. When the turn is completed,
the time used is added back, up to the delay. The clock therefore never shows more than at the
beginning of the turn. A side whose clock reaches zero has run out of time, because the delay is
only added back once the turn is completed. By contrast, a simple delay elapses before the clock
starts to run.

A side that moves out of turn is charged for the time that the correction takes. The other side's
turn is suspended for that time. The charged time is never given back.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from engine.board.geometry import Side
from engine.rules.editions import Handicap


def clock_text(seconds: float) -> str:
    """Format a time for display, such as ``1:05``.

    The time is rounded up, so zero means that no time is left.
    """
    minutes, rest = divmod(math.ceil(seconds), 60)
    return f"{minutes}:{rest:02}"


class Limit(Enum):
    """Types of time limits."""

    SETUP = "setup"
    """Setup time, shared by both sides."""
    RED = "red"
    BLUE = "blue"
    WHOLE = "whole"
    """Time for the whole game. No time is given back after a turn."""

    @classmethod
    def of(cls, side: Side) -> "Limit":
        return cls(side.value)


FREE: Final = "free"
"""ID shared by all unnamed time controls."""
LONGEST: Final = 10 * 60 * 60
"""Maximum time on a clock, in seconds."""
_LONGEST_DELAY: Final = 10 * 60
_TIME: Final = re.compile(r"(\d{1,5})(?::([0-5]\d))?", re.ASCII)
_SIDES: Final = re.compile(r"([\d:]+)(?:\+(\d{1,5}))?", re.ASCII)


@dataclass(frozen=True)
class TimeControl:
    """Time limits in seconds. None means unlimited.

    ``str`` returns the notation used on the command line and in the settings. This is the name of
    the time control, or its values, such as ``15+10,whole=60,setup=5``. `parse` restores the same
    values, in whole seconds.
    """

    id: str
    each: float | None = None
    """Time for each side."""
    delay: float = 0
    """Bronstein delay: the maximum time given back after a turn."""
    whole: float | None = None
    """Time for the whole game, excluding the setup."""
    setup: float | None = None
    """Setup time, shared by both sides."""
    doubled: Side | None = field(default=None, kw_only=True)
    """Side that has double time under the game's handicap. Neither the notation nor records include
    it, because it follows from the edition (`under`)."""

    def __post_init__(self) -> None:
        """Reject a time that is not positive and finite."""
        for what in ("each", "whole", "setup"):
            seconds = getattr(self, what)
            if seconds is not None and not 0 < seconds < math.inf:
                raise ValueError(f"{what!r} must be more than 0 seconds; found {seconds}")

    @classmethod
    def of(
        cls,
        each: float | None = None,
        delay: float = 0,
        whole: float | None = None,
        setup: float | None = None,
    ) -> "TimeControl":
        """Return the named time control with these values, or an unnamed one if none matches."""
        free = cls(FREE, each, delay if each else 0, whole, setup)
        named = (known for known in TIME_CONTROLS.values() if replace(free, id=known.id) == known)
        return next(named, free)

    @classmethod
    def parse(cls, text: str) -> "TimeControl":
        """Parse a time control. Raises ValueError, which names the invalid part.

        The first part is a name, or the minutes for each side. The minutes may be followed by a
        ``+`` and the delay in seconds. Further parts, separated by commas, add limits or override
        those of the named time control.
        """
        first, *others = (part.strip() for part in text.split(","))
        control = TIME_CONTROLS.get(first) or cls._read_sides(first)
        limits = {"whole": control.whole, "setup": control.setup}
        named = []
        for part in others:
            what, _, time = part.partition("=")
            if what not in limits:
                raise ValueError(f"{part!r} is neither whole=MINUTES nor setup=MINUTES")
            if what in named:
                raise ValueError(f"{what!r} is given twice")
            named.append(what)
            limits[what] = None if time == "none" else read_time(time, part)
        return cls.of(control.each, control.delay, **limits)

    @classmethod
    def _read_sides(cls, text: str) -> "TimeControl":
        match = _SIDES.fullmatch(text)
        if not match:
            names = ", ".join(TIME_CONTROLS)
            raise ValueError(
                f"{text!r} is not a time control: expected {names}, or the minutes for each side, "
                "with or without a delay in seconds, such as 12 or 12+4"
            )
        each, delay = read_time(match[1], text), int(match[2] or 0)
        if delay > _LONGEST_DELAY:
            raise ValueError(f"{text!r}: the delay can be at most {_LONGEST_DELAY} seconds")
        return cls.of(each, delay)

    def __str__(self) -> str:
        if TIME_CONTROLS.get(self.id) == self:
            return self.id
        sides = _time_text(self.each) + (f"+{self.delay:g}" if self.each and self.delay else "")
        limits = {"whole": self.whole, "setup": self.setup}
        given = [f"{what}={_time_text(time)}" for what, time in limits.items() if time is not None]
        return ",".join([sides, *given])

    def under(self, handicap: Handicap | None) -> "TimeControl":
        """Return the time limits under this handicap, which may double one side's time."""
        doubled = handicap.favoured if handicap and handicap.double_time else None
        return self if doubled is self.doubled else replace(self, doubled=doubled)

    def allowed(self, limit: Limit) -> float | None:
        """Return the total time that a limit allows, or None if the time is unlimited."""
        match limit:
            case Limit.SETUP:
                return self.setup
            case Limit.WHOLE if self.whole is not None and self.doubled:
                return self.whole + (self.each or 0)
            case Limit.WHOLE:
                return self.whole
        is_doubled = self.doubled is not None and limit is Limit.of(self.doubled)
        return 2 * self.each if self.each is not None and is_doubled else self.each


def read_time(text: str, part: str) -> int:
    """Parse minutes, or minutes and seconds. Return the time in seconds.

    Raises ValueError if the text is not a time, is zero, or exceeds the maximum time on a clock.
    The error quotes `part`.
    """
    match = _TIME.fullmatch(text)
    if not match:
        raise ValueError(f"{part!r} must be in minutes, such as 12 or 12:30")
    seconds = 60 * int(match[1]) + int(match[2] or 0)
    if not 0 < seconds <= LONGEST:
        raise ValueError(f"{part!r} must be more than 0 and at most {LONGEST // 60} minutes")
    return seconds


def _time_text(seconds: float | None) -> str:
    return "none" if seconds is None else clock_text(seconds).removesuffix(":00")


TIME_CONTROLS: Final[Mapping[str, TimeControl]] = {
    control.id: control
    for control in (
        TimeControl("none"),
        TimeControl("total", each=30 * 60),
        TimeControl("bronstein", each=12 * 60, delay=4, whole=55 * 60, setup=5 * 60),
        TimeControl("bronstein-50", each=12 * 60, delay=4, whole=50 * 60, setup=5 * 60),
        TimeControl("short", each=2 * 60, delay=3, whole=10 * 60, setup=2 * 60),
    )
}
"""Named time controls. Tournaments use `bronstein` or, in some cases, `bronstein-50`. The short
games, duel and barrage, use `short`."""
NO_CLOCK: Final = TIME_CONTROLS["none"]


@dataclass(frozen=True)
class ClockState:
    """Snapshot of a clock without its timestamp, sufficient to resume after a power cut."""

    used: Mapping[Limit, float] = field(default_factory=lambda: dict.fromkeys(Limit, 0.0))
    """Seconds used before the current turn, less the time given back after turns. Negative if an
    arbiter has added more time than has been used."""
    running: Limit | None = None
    """The running clock: that of a side, or that of the setup. Never WHOLE, because that limit runs
    during both sides' turns."""
    turn: float = 0
    """Seconds used so far in the current interval. An interval is a turn, the setup, or a period
    that is charged to one side."""
    waiting: float | None = None
    """While one side is charged for a correction: the seconds used so far in the other side's
    suspended turn. Otherwise None."""

    @property
    def counting(self) -> tuple[Limit, ...]:
        """All limits that are counting down."""
        match self.running:
            case None:
                return ()
            case Limit.SETUP:
                return (Limit.SETUP,)
        return (self.running, Limit.WHOLE)

    @property
    def interrupted(self) -> Limit | None:
        """Side whose turn is suspended while the other side is charged for a correction, if any."""
        if self.waiting is None:
            return None
        return Limit.BLUE if self.running is Limit.RED else Limit.RED


class Clock:
    """Clock of one game.

    Queries accept any timestamp and change nothing. Once the time of a side or of the whole game
    has run out, the clock stays stopped unless time is added.
    """

    def __init__(self, control: TimeControl, state: ClockState | None = None) -> None:
        """Create a paused clock in a saved state. Without a `state`, no time has been used."""
        self.control = control
        self._state = state or ClockState()
        self._at = -math.inf
        """Timestamp of the latest update. `_state` is the state at that time."""
        self._paused = True
        self._completed: tuple[Limit, float, float] | None = None
        """The latest completed turn: its side, its duration, and the time given back after it."""
        self._next_expiry: tuple[ClockState, float] | None = None
        """A state, and the time from the start of its current interval to the next expiry. Cached
        because `due` is queried very often."""

    # -- game events

    def set_up(self, at: float) -> None:
        """Start the clock for the setup."""
        self._run(Limit.SETUP, at)

    def turn(self, side: Side, at: float) -> None:
        """Start a side's clock, ending any pause and completing the other side's turn.

        If it is already that side's turn, the turn continues. Taking back a turn does not restore
        any time.
        """
        self._run(Limit.of(side), at, self.control.delay)

    def deduct(self, side: Side, at: float) -> None:
        """Start a side's clock during the other side's turn, ending any pause.

        The other side's turn is suspended until `turn` is called.
        """
        if self._state.running is not Limit.of(side) or self._state.waiting is None:
            self.turn(side.other, at)
            if self.expired(at):
                return
            state = self._state
            self._state = replace(state, running=Limit.of(side), turn=0, waiting=state.turn)
        self.resume(at)

    def undo_turn(self, at: float) -> None:
        """Resume the last completed turn. The time since then counts as part of it.

        This has no effect if no turn was completed, as after a restart.
        """
        self.resume(at)
        if self._completed is None or self.expired(at):
            return
        self._end_charge()
        (limit, turn, back), used = self._completed, dict(self._state.used)
        used[limit] -= turn - back
        used[Limit.WHOLE] -= turn
        self._completed, since = None, self._state.turn
        self._state = ClockState(used, limit, turn)
        self._state = ClockState(used, limit, min(turn + since, self._longest))

    def pause(self, at: float) -> None:
        """Pause until `resume` or the next turn."""
        self._advance_to(at)
        self._paused = True

    def resume(self, at: float) -> None:
        self._advance_to(at)
        self._paused = False

    def add_time(self, side: Side, seconds: float, at: float) -> None:
        """Add time to a side's clock, or subtract time if `seconds` is negative.

        The time for the whole game is unchanged. A side whose time had run out can continue once it
        has time again.
        """
        self._advance_to(at)
        limit = Limit.of(side)
        used = {**self._state.used, limit: self._state.used[limit] - seconds}
        self._state = replace(self._state, used=used)

    def stop(self, at: float) -> None:
        """Stop the clock. The current turn is not completed, so no time is given back."""
        self._run(None, at)

    # -- queries

    def remaining(self, side: Side, at: float) -> float | None:
        """Return a side's remaining time at a timestamp, or None if unlimited."""
        return self._left(Limit.of(side), at)

    def whole_left(self, at: float) -> float | None:
        """Return the remaining time for the whole game at a timestamp, or None if unlimited."""
        return self._left(Limit.WHOLE, at)

    def setup_left(self, at: float) -> float | None:
        """Return the remaining time for the setup at a timestamp, or None if unlimited."""
        return self._left(Limit.SETUP, at)

    def expired(self, at: float) -> Limit | None:
        """Return the limit that has run out, if any.

        A side's limit takes precedence over the limit for the whole game. The setup limit applies
        only until a turn begins or the clock is stopped.
        """
        counting = self._state.counting
        return next((limit for limit in counting if self._left(limit, at) == 0), None)

    @property
    def due(self) -> float | None:
        """Time of the next expiry if nothing else happens, or None if no limit is running.

        After the expiry, the value stays the same until the clock is next updated.
        """
        rest = self._longest - self._state.turn
        return self._at + rest if not self._paused and 0 < rest < math.inf else None

    def state(self, at: float) -> ClockState:
        """Return the state at a timestamp, for saving."""
        turn = self._turn(at)
        return self._state if turn == self._state.turn else replace(self._state, turn=turn)

    @property
    def running(self) -> Limit | None:
        """The running clock: that of a side, or that of the setup. None if no clock is running.

        A pause does not change this value.
        """
        return self._state.running

    # -- implementation

    def _advance_to(self, at: float) -> None:
        self._state, self._at = self.state(at), max(self._at, at)

    def _run(self, running: Limit | None, at: float, delay: float = 0) -> None:
        """Charge the elapsed time, minus the time given back, to the clock that has been running.

        Then start the clock `running`. If it is None, no clock runs.
        """
        self.resume(at)
        if self.expired(at) not in (None, Limit.SETUP):
            return
        self._end_charge()
        state = self._state
        if running is state.running:
            return
        used = dict(state.used)
        self._completed = None
        for limit in state.counting:
            back = min(delay, state.turn) if limit in (Limit.RED, Limit.BLUE) else 0
            used[limit] += state.turn - back
            if limit in (Limit.RED, Limit.BLUE):
                self._completed = limit, state.turn, back
        self._state = ClockState(used, running)

    def _end_charge(self) -> None:
        """Resume the suspended turn. The time charged to the other side is not given back."""
        state = self._state
        if state.waiting is None:
            return
        used = dict(state.used)
        for limit in state.counting:
            used[limit] += state.turn
        self._state = ClockState(used, state.interrupted, state.waiting)

    def _turn(self, at: float) -> float:
        """Return the time used in the current interval up to a timestamp."""
        if self._paused or self._state.running is None:
            return self._state.turn
        due = self.due
        if due is not None and at >= due:
            return self._longest  # exact, whereas the sum below may be rounded
        return min(self._state.turn + max(0, at - self._at), self._longest)

    @property
    def _longest(self) -> float:
        """Time from the start of the current interval until the first limit runs out."""
        if self._next_expiry is None or self._next_expiry[0] is not self._state:
            lefts = (self._left_before(limit) for limit in self._state.counting)
            rest = min((left for left in lefts if left is not None), default=math.inf)
            self._next_expiry = self._state, rest
        return self._next_expiry[1]

    def _left(self, limit: Limit, at: float) -> float | None:
        left = self._left_before(limit)
        if left is None or limit not in self._state.counting:
            return left
        return left - self._turn(at)

    def _left_before(self, limit: Limit) -> float | None:
        """Return the time left at the start of the current interval, or None if unlimited."""
        allowed, state = self.control.allowed(limit), self._state
        if allowed is None:
            return None
        left = allowed - state.used[limit]
        if state.waiting is not None and limit in (Limit.WHOLE, state.interrupted):
            left -= state.waiting
        return left
