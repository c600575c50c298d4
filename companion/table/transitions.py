"""State transition table of the table. All transitions are defined here.

A cause that is not listed for a state cannot occur in it. docs/states.md shows the table as a
diagram, drawn by “make states”.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Final, TypeAlias

from companion.table.state import (
    Asked,
    AttackOpen,
    Clearing,
    Disturbed,
    Guessing,
    InDispute,
    LossLooms,
    Over,
    Restoring,
    SettingUp,
    Standstill,
    State,
    ToMove,
    WrongMove,
)


class Cause(Enum):
    """The causes of a transition, or of a change of the data of a state."""

    PLAYED = "the game goes on with a turn"
    ATTACKED = "an attack is open"
    DISPUTED = "somebody insists on a rank that cannot be"
    GUESSED = "a rank is guessed"
    SHUT_IN = "a side cannot move, and the other one is asked whether it can"
    FOUGHT = "a combat or a right guess leaves pieces to take away"
    TAKEN_BACK = "both sides take something back"
    SET_RIGHT = "the arbiter sets something right"
    ACCEPTED = "both sides agree that the board is right"
    ENDED = "the game is over"
    WENT_ON = "a pause is over"
    SHOWN = "the board is as it should be, but for what a hand is doing"
    FORBIDDEN = "a rule forbids what stands, or what was tried on the screen"
    PUSHED = "a bomb or flag is moved, which loses the game"
    AMBIGUOUS = "it can have come about in several ways"
    UNEXPLAINED = "nothing explains what the board shows"
    DENIED = "the players say that they meant nothing"
    DIFFERS = "something else has to be changed on the board"
    CLEARED = "the board shows what it has to show"


Causes: TypeAlias = Mapping[Cause, type[State]]

_ANY_TIME: Final[Causes] = {
    Cause.ENDED: Over,
    Cause.TAKEN_BACK: Restoring,
}
_DIFFERENT: Final[Causes] = {
    Cause.ACCEPTED: ToMove,
}
_IN_WAITING: Final[Causes] = {
    **_ANY_TIME,
    **_DIFFERENT,
    Cause.SHUT_IN: Standstill,
    Cause.CLEARED: ToMove,
}
_OF_A_TURN: Final[Causes] = {
    **_ANY_TIME,
    Cause.PLAYED: ToMove,
    Cause.ATTACKED: AttackOpen,
    Cause.GUESSED: Guessing,
    Cause.SHUT_IN: Standstill,
    Cause.FOUGHT: Clearing,
    Cause.SET_RIGHT: ToMove,
    Cause.WENT_ON: Restoring,
    Cause.SHOWN: ToMove,
    Cause.FORBIDDEN: WrongMove,
    Cause.PUSHED: LossLooms,
    Cause.AMBIGUOUS: Asked,
    Cause.UNEXPLAINED: Disturbed,
}
_IN_TALK: Final[Causes] = {
    **_ANY_TIME,
    Cause.PLAYED: ToMove,
    Cause.FOUGHT: Clearing,
    Cause.SHUT_IN: Standstill,
}
RESUMED: Final[Causes] = {
    **_ANY_TIME,
    Cause.ATTACKED: AttackOpen,
    Cause.DISPUTED: InDispute,
    Cause.GUESSED: Guessing,
    Cause.SHUT_IN: Standstill,
}
"""The state of a game that is resumed, or of which the end is taken back, by its latest cause."""
IN_TURN: Final = (ToMove, WrongMove, LossLooms, Asked, Disturbed)
"""The states in which a side is to move."""

TRANSITIONS: Final[Mapping[type[State], Causes]] = {
    SettingUp: {Cause.PLAYED: ToMove, Cause.ENDED: Over},
    **dict.fromkeys(IN_TURN, _OF_A_TURN),
    WrongMove: {**_OF_A_TURN, **_DIFFERENT},
    Asked: {**_OF_A_TURN, **_DIFFERENT, Cause.DENIED: ToMove},
    Disturbed: {**_OF_A_TURN, **_DIFFERENT},
    AttackOpen: {
        **_IN_TALK,
        Cause.ATTACKED: AttackOpen,
        Cause.DISPUTED: InDispute,
        Cause.DIFFERS: AttackOpen,
    },
    InDispute: {
        **_IN_TALK,
        Cause.ATTACKED: AttackOpen,
        Cause.DIFFERS: InDispute,
    },
    Guessing: {**_IN_TALK, Cause.DIFFERS: Guessing},
    Standstill: {**_ANY_TIME, Cause.PLAYED: ToMove, Cause.DIFFERS: Standstill},
    Clearing: {**_IN_WAITING, Cause.DIFFERS: Clearing},
    Restoring: {**_IN_WAITING, Cause.DIFFERS: Restoring},
    Over: RESUMED,
}
"""For each state the causes that can occur in it, and the states to which they lead."""
