"""Notes: events that an arbiter needs and that do not follow from a game's actions.

A rule violation, an offer, a pause, a clock adjustment and a disturbed board change nothing in the
game, so replaying its actions does not reproduce them. Every note is public: it was announced to
everyone when it happened.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeAlias, TypeGuard, get_args

from companion.codec import Tag
from companion.core.events import (
    BoardConnected,
    BoardDiffers,
    BoardDisconnected,
    Event,
    LossWarning,
    Restored,
    read_public_event,
)
from companion.core.inputs import (
    AdjustClock,
    AnswerCall,
    CallArbiter,
    IgnoreSquare,
    OfferDraw,
    OfferUndo,
    Pause,
    Resume,
    WithdrawCall,
)
from engine.game.clocks import ClockState
from engine.rules.rules import Violation

Note: TypeAlias = (
    Violation
    | OfferDraw
    | OfferUndo
    | IgnoreSquare
    | Pause
    | Resume
    | AdjustClock
    | CallArbiter
    | WithdrawCall
    | AnswerCall
    | BoardDiffers
    | LossWarning
    | Restored
    | BoardConnected
    | BoardDisconnected
)
_KINDS: Final = get_args(Note)
_NOTE: Final = Annotated[Note, Tag("event")]


@dataclass(frozen=True)
class StoredNote:
    """A note and its place in the game."""

    after: int
    """Number of actions accepted before the note."""
    at: float
    """Time on the table's clock, in seconds."""
    note: Note
    clock: ClockState
    """The players' clocks at that time."""


def is_noted(event: Event) -> TypeGuard[Note]:
    """Whether an event is saved in addition to the actions."""
    return isinstance(event, _KINDS)


def read_note(plain: Mapping[str, Any]) -> Note:
    """Parse the output of `write_event`; ValueError if it is malformed."""
    note: Note = read_public_event(plain, _NOTE)
    return note
