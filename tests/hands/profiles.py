"""Player profiles.

All numbers are estimates, not measurements. A hand at rest reaches a piece in 300 to 700 ms and
carries it in 300 to 900 ms. People need at least 250 ms to react. They think for 1 to 20 s, and the
simulation skips most of this time.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from tests.hands.behaviours import Behaviour as B  # noqa: N817 - sixty times below
from tests.hands.behaviours import Habit, Habits
from tests.hands.scheduler import Duration

_REACH: Final = Duration(300, 450, 700)
_SECOND: Final = Duration(150, 300, 500)
_CARRY: Final = Duration(300, 500, 900)
_THINK: Final = Duration(800, 3000, 20000)
_REACT: Final = Duration(350, 800, 1800)


@dataclass(frozen=True)
class HandSpeed:
    """Speed of a player's hands. Durations are in milliseconds."""

    reach: Duration = _REACH
    """Time for a resting hand to reach a piece."""
    second: Duration = _SECOND
    """Time for a hand above the board to reach the next piece."""
    carry: Duration = _CARRY
    """Time to carry a piece from one square to another."""
    think: Duration = _THINK
    """Time from when the opponent releases a piece until this player's hand moves."""
    react: Duration = _REACT
    """Time that the player needs to react to a message from the table."""


@dataclass(frozen=True)
class Profile:
    """Type of player: habits and speed, and the sensors of the board."""

    name: str
    habits: Habits = field(default_factory=dict)
    pace: HandSpeed = HandSpeed()
    sees_colours: bool = True
    """Whether the board distinguishes red from blue."""


HOLDS: Final = Duration(400, 1500, 6000)
STANDS: Final = Duration(100, 600, 1900)
SLIDES: Final = Duration(60, 160, 350)
"""Time in milliseconds per square."""
HOVERS: Final = Duration(50, 130, 300)
ADJUSTS: Final = Duration(50, 200, 600)
UNNOTICED: Final = Duration(400, 2500, 8000)
PAUSES: Final = Duration(100, 400, 1500)
ANSWERS: Final = Duration(0, 200, 400)
BEFORE: Final = Duration(0, 120, 300)
"""Time in milliseconds between a hand's first touch of its piece and the later moment when the
opponent releases a piece."""
FLICKERS: Final = Duration(20, 60, 200)
BURSTS: Final = Duration(60, 200, 500)
DROPOUTS: Final = Duration(200, 800, 3000)
RETAKES: Final = Duration(150, 400, 1000)
LATE: Final = Duration(500, 2000, 6000)

THINKS_IN_HAND: Final = Duration(1000, 4000, 20000)
HELD: Final = Duration(800, 2000, 6000)
TREMBLES: Final = Duration(300, 900, 3000)
WRONG_STOPS: Final = Duration(80, 300, 900)
EARLY: Final = Duration(0, 300, 1500)
"""Time in milliseconds from the moment when the player to move lifts a piece until the opponent
prematurely lifts a piece for the reply."""
EDGES: Final = Duration(300, 2000, 9000)
LOOKS: Final = Duration(300, 900, 3000)
LAID: Final = Duration(200, 700, 3000)
GLIMPSES: Final = Duration(20, 60, 150)

PLAIN_ATTACKS: Final[Habits] = {B.OTHER_HAND: Habit(1), B.BOTH_UP: Habit(2)}
"""Attacks by careful players, who lift both pieces to make sure that the table detects the
attack."""
COMMON_ATTACKS: Final[Habits] = {
    B.SET_DOWN: Habit(2),
    B.OTHER_HAND: Habit(5),
    B.BOTH_UP: Habit(6),
    B.BOTH_UP_DEFENDER: Habit(1),
    B.TAP: Habit(2),
    B.LEAN: Habit(0.3),
    B.SHOVE: Habit(0.4),
    B.DEFENDER_LIFTS: Habit(1.5),
    B.ON_SCREEN: Habit(1),
    B.OWNER_FIRST: Habit(0.7),
}
ALL_ATTACKS: Final[Habits] = {style: Habit(1) for style in COMMON_ATTACKS}

_NORMAL: Final[Habits] = {
    **COMMON_ATTACKS,
    B.HOLD: Habit(0.10, HOLDS),
    B.RECONSIDER: Habit(0.02, STANDS),
    B.GIVE_UP: Habit(0.004, STANDS),
    B.TOUCH: Habit(0.04, Duration(150, 600, 2500)),
    B.SLIDE: Habit(0.15, SLIDES),
    B.PUSH: Habit(0.03, SLIDES),
    B.HOVER: Habit(0.05, HOVERS),
    B.RUN_PAUSE: Habit(0.08, PAUSES),
    B.TWO_UP: Habit(0.003, Duration(100, 200, 500)),
    B.FAST_ANSWER: Habit(0.05, ANSWERS),
    B.TWO_PLIES: Habit(0.01, Duration(250, 400, 800)),
    B.STRIKE_ON: Habit(0.15, PAUSES),
    B.WINNER_FIRST: Habit(0.25),
    B.LATE_LOSER: Habit(0.06, LATE),
    B.RETAKE: Habit(0.04, RETAKES),
    B.BOTH_BACK: Habit(0.03, Duration(300, 900, 2500)),
    B.OTHER_PLACES: Habit(0.06),
    B.ADJUST_OWN: Habit(0.03, ADJUSTS),
    B.ADJUST_OTHER: Habit(0.03, ADJUSTS),
    B.SLEEVE_HALF: Habit(0.002, UNNOTICED),
    B.SLEEVE_NEXT: Habit(0.0007, UNNOTICED),
    B.SLEEVE_TIP: Habit(0.001, UNNOTICED),
    B.WRONG_PIECE: Habit(0.0005, STANDS),
    B.OUT_OF_TURN: Habit(0.001, STANDS),
    B.ILLEGAL: Habit(0.002, STANDS),
    B.FLICKER: Habit(0.004, FLICKERS),
    B.LOST_FRAME: Habit(0.02),
    B.LOST_BURST: Habit(0.002, BURSTS),
    B.DROPOUT: Habit(0.003, DROPOUTS),
    # Each player inspects a piece once every two minutes.
    B.LOOK: Habit(0.008, LOOKS),
    B.LOOK_SEVERAL: Habit(0.1),
    B.TILT: Habit(0.15),
    B.THINK_IN_HAND: Habit(0.01, THINKS_IN_HAND),
    B.OTHER_HAND_LOOKS: Habit(0.008, LOOKS),
    B.HELD_ALONG: Habit(0.004, HELD),
    B.GLIMPSE: Habit(0.04, GLIMPSES),
    B.TREMBLE: Habit(0.03, TREMBLES),
    B.WRONG_STOP: Habit(0.003, WRONG_STOPS),
    B.EARLY_LIFT: Habit(0.01, EARLY),
    B.OWNER_LIFTS_AT_STOP: Habit(0.2),
    B.FALL: Habit(0.01),
    B.TIE_LAID: Habit(0.1, LAID),
    B.EDGE_STEADY: Habit(0.01, EDGES),
    B.EDGE_FLICKER: Habit(0.03, EDGES),
    B.BUMP: Habit(0.001),
    B.BUMP_AFTER_MOVE: Habit(0.0003),
}
_LOOKING: Final[Habits] = {
    # Each player inspects a piece five times per minute.
    B.LOOK: Habit(5 / 60, LOOKS),
    B.LOOK_SEVERAL: Habit(0.2),
    B.TILT: Habit(0.3),
}
_CHANCES: Final[Habits] = {
    B.LOOK_SEVERAL: Habit(0.15),
    B.TILT: Habit(0.2),
    B.OWNER_LIFTS_AT_STOP: Habit(0.3),
    B.TIE_LAID: Habit(0.3, LAID),
}
"""Probabilities for players who often inspect pieces and attack. They may inspect several pieces at
once or tilt a piece. The owner may lift the target when the attacker stops. After a tie, both
pieces may be laid on free squares."""
_OTHER_HAND: Final[Habits] = {
    B.THINK_IN_HAND: Habit(0.06, THINKS_IN_HAND),
    B.OTHER_HAND_LOOKS: Habit(0.05, LOOKS),
    B.HELD_ALONG: Habit(0.03, HELD),
}


def _more(habits: Habits, times: float, most: float = 0.5) -> Habits:
    """Return the habits with their probabilities multiplied by `times`, up to a maximum of `most`.
    Attack styles keep their weights."""
    return {
        each: habit
        if each in COMMON_ATTACKS
        else replace(habit, chance=min(max(most, habit.chance), habit.chance * times))
        for each, habit in habits.items()
    }


def _plain(name: str, habits: Habits, **others: object) -> Profile:
    return replace(Profile(name, {**PLAIN_ATTACKS, **habits}), **others)  # type: ignore[arg-type]  # by name


_ALL: Final = (
    _plain("clean", {}),
    _plain("slide", {B.SLIDE: Habit(0.7, SLIDES), B.PUSH: Habit(0.6, SLIDES)}),
    _plain(
        "hover",
        {B.HOVER: Habit(0.7, HOVERS), B.HOLD: Habit(0.3, HOLDS), B.TOUCH: Habit(0.1, PAUSES)},
    ),
    _plain("fast", {B.FAST_ANSWER: Habit(0.7, ANSWERS), B.TWO_PLIES: Habit(0.2, ANSWERS)}),
    _plain(
        "blitz",
        {
            B.BLITZ: Habit(0.5, BEFORE),
            B.FAST_ANSWER: Habit(0.5, ANSWERS),
            B.EARLY_LIFT: Habit(0.05, EARLY),
            B.GLIMPSE: Habit(0.05, GLIMPSES),
        },
        pace=HandSpeed(Duration(200, 280, 450), Duration(120, 180, 300), Duration(180, 300, 500)),
    ),
    Profile("attacks", ALL_ATTACKS),
    Profile(
        "clearing",
        {
            **COMMON_ATTACKS,
            B.WINNER_FIRST: Habit(0.4),
            B.LATE_LOSER: Habit(0.25, LATE),
            B.RETAKE: Habit(0.25, RETAKES),
            B.BOTH_BACK: Habit(0.15, Duration(300, 900, 2500)),
            B.OTHER_PLACES: Habit(0.25),
        },
    ),
    _plain("adjusting", {B.ADJUST_OWN: Habit(0.4, ADJUSTS), B.ADJUST_OTHER: Habit(0.4, ADJUSTS)}),
    _plain(
        "sleeve",
        {
            B.SLEEVE_HALF: Habit(0.08, UNNOTICED),
            B.SLEEVE_NEXT: Habit(0.05, UNNOTICED),
            B.SLEEVE_TIP: Habit(0.05, UNNOTICED),
        },
    ),
    _plain(
        "wrong-hand",
        {
            B.WRONG_PIECE: Habit(0.04, STANDS),
            B.OUT_OF_TURN: Habit(0.05, STANDS),
            B.ILLEGAL: Habit(0.06, STANDS),
        },
    ),
    _plain(
        "strike-on",
        {
            B.STRIKE_ON: Habit(0.9, PAUSES),
            B.RECONSIDER_ATTACK: Habit(0.3, PAUSES),
            B.RUN_PAUSE: Habit(0.7, PAUSES),
        },
    ),
    _plain("flicker", {B.FLICKER: Habit(0.3, FLICKERS)}),
    _plain("lost-frames", {B.LOST_FRAME: Habit(0.7), B.LOST_BURST: Habit(0.3, BURSTS)}),
    _plain("dropouts", {B.DROPOUT: Habit(0.12, DROPOUTS)}),
    _plain("faulty-sensor", {B.FAULTY: Habit(1, Duration(20, 120, 1500))}),
    _plain("looks", _LOOKING),
    _plain("other-hand", {each: replace(habit, chance=0.2) for each, habit in _OTHER_HAND.items()}),
    Profile(
        "owner-first",
        {
            B.OWNER_FIRST: Habit(1),
            B.DEFENDER_LIFTS: Habit(1),
            B.STRIKE_ON: Habit(0.6, PAUSES),
            B.RECONSIDER_ATTACK: Habit(0.3, PAUSES),
            B.OWNER_LIFTS_AT_STOP: Habit(0.7),
        },
    ),
    _plain(
        "glimpses",
        {
            B.GLIMPSE: Habit(0.6, GLIMPSES),
            B.BLITZ: Habit(0.3, BEFORE),
            B.EARLY_LIFT: Habit(0.3, EARLY),
        },
    ),
    _plain("hovering", {B.TREMBLE: Habit(0.6, TREMBLES), B.HOVER: Habit(0.2, HOVERS)}),
    _plain("wrong-stop", {B.WRONG_STOP: Habit(0.2, WRONG_STOPS)}),
    _plain(
        "bumps", {B.BUMP: Habit(0.05), B.BUMP_AFTER_MOVE: Habit(0.03), B.HOLD: Habit(0.2, HOLDS)}
    ),
    _plain(
        "laid-beside",
        {
            B.FALL: Habit(0.3),
            B.TIE_LAID: Habit(0.7, LAID),
            B.EDGE_STEADY: Habit(0.3, EDGES),
            B.EDGE_FLICKER: Habit(0.3, EDGES),
        },
    ),
    Profile("people", {**_NORMAL, **_LOOKING}),
    Profile("no-colours", _NORMAL, sees_colours=False),
    Profile("normal", _NORMAL),
    Profile("clumsy", {**_more(_NORMAL, 4), **_CHANCES}),
    Profile(
        "children",
        {
            **_more(_NORMAL, 8),
            **_CHANCES,
            B.SET_DOWN: Habit(4),
            B.TAP: Habit(4),
            B.LEAN: Habit(1.5),
            B.SHOVE: Habit(1.5),
            B.BLITZ: Habit(0.03, BEFORE),
        },
        pace=HandSpeed(Duration(200, 400, 900), Duration(120, 280, 700), Duration(250, 500, 1300)),
    ),
)

PROFILES: Final[Mapping[str, Profile]] = {profile.name: profile for profile in _ALL}
