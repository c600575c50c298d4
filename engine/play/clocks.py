"""The clocks of a game: how long each side has thought, and when its time runs out.

No clock is read here: every call is told the moment, in seconds from any zero. A moment that is
earlier than the latest one a clock was told counts as that one. What follows when time has run out
is for others to say.

With Bronstein's delay a clock runs from the first second of a turn, and when the turn is completed
it gets back what was used, at most the delay. So it never shows more than at the beginning of a
turn, and a side whose clock comes to zero has run out of time: the delay is only given back once
the turn is completed. That is the difference from a delay that runs off first.

A side can be charged while it is the other's turn: a move out of turn is put right in the time of
the side that made it. The turn waits meanwhile, and nothing of what is charged comes back.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from engine.sides import Side


def clock_text(seconds: float) -> str:
    """Write a time as a clock shows it, ``1:05``: at zero only when nothing is left."""
    minutes, rest = divmod(math.ceil(seconds), 60)
    return f"{minutes}:{rest:02}"


class Limit(Enum):
    """What can run out."""

    SETUP = "setup"
    """The time that both sides together have to set up."""
    RED = "red"
    """Red's time."""
    BLUE = "blue"
    """Blue's time."""
    WHOLE = "whole"
    """The time of the whole game: all turns of both sides, in full."""

    @classmethod
    def of(cls, side: Side) -> "Limit":
        """The time of one side."""
        return cls(side.value)


FREE: Final = "free"
"""The id of every time control that has no name of its own."""
LONGEST: Final = 10 * 60 * 60
"""No clock shows more, in seconds."""
_LONGEST_DELAY: Final = 10 * 60
_TIME: Final = re.compile(r"(\d{1,5})(?::([0-5]\d))?", re.ASCII)
_SIDES: Final = re.compile(r"([\d:]+)(?:\+(\d{1,5}))?", re.ASCII)


@dataclass(frozen=True)
class TimeControl:
    """How much time there is, in seconds; None is without end.

    It prints as it is written on the command line and in the settings: by its name, or by its
    numbers, ``15+10,whole=60,setup=5``. `parse` reads that back, to the second.
    """

    id: str
    each: float | None = None
    """For each side."""
    delay: float = 0
    """Bronstein's delay: at most this much is given back after a turn."""
    whole: float | None = None
    """For the whole game, the set-up not counted."""
    setup: float | None = None
    """For both sides together to set up."""

    def __post_init__(self) -> None:
        """Refuse a time that has run out before the game begins."""
        for what in ("each", "whole", "setup"):
            seconds = getattr(self, what)
            if seconds is not None and not 0 < seconds < math.inf:
                raise ValueError(f"{what!r} is {seconds} seconds: a clock needs more than none")

    @classmethod
    def of(
        cls,
        each: float | None = None,
        delay: float = 0,
        whole: float | None = None,
        setup: float | None = None,
    ) -> "TimeControl":
        """Return the time control with these numbers: the named one, if there is one."""
        free = cls(FREE, each, delay if each else 0, whole, setup)
        named = (known for known in TIME_CONTROLS.values() if replace(free, id=known.id) == known)
        return next(named, free)

    @classmethod
    def parse(cls, text: str) -> "TimeControl":
        """Read a time control; ValueError says which part of it is wrong.

        First stands a name or each side's time: minutes and, after a ``+``, the seconds of the
        delay. What follows the commas is set besides, or instead of what the named one has.
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
                raise ValueError(f"{what!r} is there twice")
            named.append(what)
            limits[what] = None if time == "none" else read_time(time, part)
        return cls.of(control.each, control.delay, **limits)

    @classmethod
    def _read_sides(cls, text: str) -> "TimeControl":
        match = _SIDES.fullmatch(text)
        if not match:
            names = ", ".join(TIME_CONTROLS)
            raise ValueError(
                f"{text!r} is no clock: begin with {names}, or with each side's minutes and the "
                "seconds given back, such as 12 or 12+4"
            )
        each, delay = read_time(match[1], text), int(match[2] or 0)
        if delay > _LONGEST_DELAY:
            raise ValueError(f"{text!r}: at most {_LONGEST_DELAY} seconds can be given back")
        return cls.of(each, delay)

    def __str__(self) -> str:
        if TIME_CONTROLS.get(self.id) == self:
            return self.id
        sides = _time_text(self.each) + (f"+{self.delay:g}" if self.each and self.delay else "")
        limits = {"whole": self.whole, "setup": self.setup}
        given = [f"{what}={_time_text(time)}" for what, time in limits.items() if time is not None]
        return ",".join([sides, *given])

    def allowed(self, limit: Limit) -> float | None:
        """How much there is of one kind of time."""
        match limit:
            case Limit.SETUP:
                return self.setup
            case Limit.WHOLE:
                return self.whole
        return self.each


def read_time(text: str, part: str) -> int:
    """Read minutes, or minutes and seconds, in seconds; `part` is what they stand in.

    ValueError if that is no time, none at all, or more than any clock shows.
    """
    match = _TIME.fullmatch(text)
    if not match:
        raise ValueError(f"{part!r} names no time: write minutes, such as 12 or 12:30")
    seconds = 60 * int(match[1]) + int(match[2] or 0)
    if not 0 < seconds <= LONGEST:
        raise ValueError(
            f"{part!r}: a time is more than nothing and at most {LONGEST // 60} minutes"
        )
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
"""The time controls that have names. Tournaments play by `bronstein`, some of them by
`bronstein-50`, and the short games, duel and barrage, by `short`."""
NO_CLOCK: Final = TIME_CONTROLS["none"]
"""All the time in the world."""


@dataclass(frozen=True)
class ClockState:
    """What a clock shows, without the moment: enough to go on from after a pulled plug."""

    used: Mapping[Limit, float] = field(default_factory=lambda: dict.fromkeys(Limit, 0.0))
    """Seconds used before the turn under way; what was given back is not among a side's. Less than
    none where an arbiter has given more than was used."""
    running: Limit | None = None
    """The side whose turn it is, or the set-up. Never WHOLE: that runs with either side."""
    turn: float = 0
    """Seconds used in what is running: in a turn, in the set-up, or since a side is charged."""
    waiting: float | None = None
    """Seconds used in the other side's turn, which waits while this side is charged; else None."""

    @property
    def counting(self) -> tuple[Limit, ...]:
        """Everything that is used up by what is running."""
        match self.running:
            case None:
                return ()
            case Limit.SETUP:
                return (Limit.SETUP,)
        return (self.running, Limit.WHOLE)

    @property
    def interrupted(self) -> Limit | None:
        """The side whose turn waits while the other one is charged, if any."""
        if self.waiting is None:
            return None
        return Limit.BLUE if self.running is Limit.RED else Limit.RED


class Clock:
    """The clock of one game.

    Questions may name any moment and change nothing. A clock on which a side's time or that of the
    whole game has run out stands still for good.
    """

    def __init__(self, control: TimeControl, state: ClockState | None = None) -> None:
        """Start with nothing used; or paused, where a clock of another process has stood."""
        self.control = control
        self._state = state or ClockState()
        self._at = -math.inf
        """The latest moment told; the state is that of this moment."""
        self._paused = True
        self._completed: tuple[Limit, float, float] | None = None
        """Whose turn was completed last, how long it was, and how much of that was given back."""
        self._reckoned: tuple[ClockState, float] | None = None
        """A state, and how long what is running can go on from there: asked for in every frame."""

    # -- what happens at the table

    def set_up(self, at: float) -> None:
        """Let the time of the set-up run."""
        self._run(Limit.SETUP, at)

    def turn(self, side: Side, at: float) -> None:
        """Let a side's time run, paused or not. The other side's turn is completed.

        If it is the side's turn already, that turn goes on: taking back gives no time back.
        """
        self._run(Limit.of(side), at, self.control.delay)

    def charge(self, side: Side, at: float) -> None:
        """Let a side's time run, paused or not, though it is the other's turn.

        That turn waits until `turn` lets it go on.
        """
        if self._state.running is not Limit.of(side) or self._state.waiting is None:
            self.turn(side.other, at)
            if self.expired(at):
                return
            state = self._state
            self._state = replace(state, running=Limit.of(side), turn=0, waiting=state.turn)
        self.resume(at)

    def reopen(self, at: float) -> None:
        """Let the turn go on that was completed last; what has run since then is part of it.

        Nothing changes if no turn was completed, as after a restart.
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
        """Stand still until `resume` or the next turn."""
        self._come_to(at)
        self._paused = True

    def resume(self, at: float) -> None:
        """Go on after a pause."""
        self._come_to(at)
        self._paused = False

    def give(self, side: Side, seconds: float, at: float) -> None:
        """Give a side time, or take some with a negative number; the whole game stays as long.

        A side whose time had run out goes on if it has some again.
        """
        self._come_to(at)
        limit = Limit.of(side)
        used = {**self._state.used, limit: self._state.used[limit] - seconds}
        self._state = replace(self._state, used=used)

    def stop(self, at: float) -> None:
        """Let nothing run any more. The turn under way is not completed: nothing is given back."""
        self._run(None, at)

    # -- what it shows

    def left(self, side: Side, at: float) -> float | None:
        """How much of its time a side has left at a moment; None if that is without end."""
        return self._left(Limit.of(side), at)

    def whole_left(self, at: float) -> float | None:
        """How much is left of the whole game at a moment; None if that is without end."""
        return self._left(Limit.WHOLE, at)

    def setup_left(self, at: float) -> float | None:
        """How much is left to set up at a moment; None if that is without end."""
        return self._left(Limit.SETUP, at)

    def expired(self, at: float) -> Limit | None:
        """What has run out at a moment; a side's time, if the whole game's ends together with it.

        The set-up counts only until a turn begins or the clock is stopped.
        """
        counting = self._state.counting
        return next((limit for limit in counting if self._left(limit, at) == 0), None)

    @property
    def due(self) -> float | None:
        """The moment when something runs out if nothing happens; None if nothing will.

        It stays when it has passed, until the clock is told of something.
        """
        rest = self._longest - self._state.turn
        return self._at + rest if not self._paused and 0 < rest < math.inf else None

    def state(self, at: float) -> ClockState:
        """Return the state at a moment, to be kept."""
        turn = self._turn(at)
        return self._state if turn == self._state.turn else replace(self._state, turn=turn)

    @property
    def running(self) -> Limit | None:
        """The side whose time runs, or the set-up, paused or not; None if nothing does."""
        return self._state.running

    # -- how it works

    def _come_to(self, at: float) -> None:
        self._state, self._at = self.state(at), max(self._at, at)

    def _run(self, running: Limit | None, at: float, delay: float = 0) -> None:
        """Let something run. What has run until now is used, but for the delay in a side's turn."""
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
        """Let the turn that waits go on. What was charged meanwhile is used."""
        state = self._state
        if state.waiting is None:
            return
        used = dict(state.used)
        for limit in state.counting:
            used[limit] += state.turn
        self._state = ClockState(used, state.interrupted, state.waiting)

    def _turn(self, at: float) -> float:
        """How much has been used in what is running at a moment."""
        if self._paused or self._state.running is None:
            return self._state.turn
        due = self.due
        if due is not None and at >= due:
            return self._longest  # exactly, whatever the sum below were rounded to
        return min(self._state.turn + max(0, at - self._at), self._longest)

    @property
    def _longest(self) -> float:
        """How long what is running can go on until something runs out."""
        if self._reckoned is None or self._reckoned[0] is not self._state:
            lefts = (self._left_before(limit) for limit in self._state.counting)
            rest = min((left for left in lefts if left is not None), default=math.inf)
            self._reckoned = self._state, rest
        return self._reckoned[1]

    def _left(self, limit: Limit, at: float) -> float | None:
        left = self._left_before(limit)
        if left is None or limit not in self._state.counting:
            return left
        return left - self._turn(at)

    def _left_before(self, limit: Limit) -> float | None:
        """How much was left before what is running; None if without end."""
        allowed, state = self.control.allowed(limit), self._state
        if allowed is None:
            return None
        left = allowed - state.used[limit]
        if state.waiting is not None and limit in (Limit.WHOLE, state.interrupted):
            left -= state.waiting
        return left
