"""Notes: events that the actions of a game do not contain, and that an arbiter needs.

A rule that was broken, an offer, a pause, a clock that was set, a board that was disturbed: these
change nothing in the game, so replaying its actions does not reproduce them. Every note is public:
it was announced to everyone when it happened.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeGuard, get_args

from companion.core.events import (
    BoardConnected,
    BoardDiffers,
    BoardDisconnected,
    Event,
    LossWarning,
    Restored,
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
from companion.jsonl.events import event_name, write_event
from companion.jsonl.fields import read_board, read_side_or_null
from engine.board.geometry import Side, set_of, square
from engine.game.clocks import ClockState
from engine.rules.rules import Citation, Interpretation, Rule
from engine.rules.violations import Violation, ViolationKind
from firmware_bridge.image import Difference

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


@dataclass(frozen=True)
class Noted:
    """A note, with its place in the game."""

    after: int
    """Number of actions that were accepted before."""
    at: float
    """Time on the table's clock, in seconds."""
    note: Note
    clock: ClockState
    """The players' clocks at that time."""


def is_noted(event: Event) -> TypeGuard[Note]:
    """Whether an event is saved beside the actions."""
    return isinstance(event, _KINDS)


def write_note(note: Note) -> dict[str, Any]:
    """Return a note as plain data, in the form of the event for programs (docs/commands.md)."""
    return write_event(note)


def read_note(plain: Mapping[str, Any]) -> Note:
    """Parse the output of `write_note`; ValueError if it is malformed."""
    try:
        return _READERS[plain["event"]](plain)
    except (KeyError, TypeError) as wrong:
        raise ValueError(f"this is no note: {wrong}") from None


def _violation(plain: Mapping[str, Any]) -> Violation:
    cited = plain["citation"]
    reading = Interpretation[_constant(cited["reading"])] if cited["reading"] else None
    rule = Rule[_constant(cited["rule"])]
    return Violation(
        ViolationKind[_constant(plain["fault"])],
        set_of(map(square, plain["squares"])),
        Citation(cited["rulebook"], rule, cited["article"], reading),
        plain["count"],
        read_side_or_null(plain["side"]),
    )


def _constant(name: str) -> str:
    return name.upper().replace("-", "_")


def _difference(plain: Mapping[str, Any]) -> Difference:
    told = plain["difference"]
    return Difference(*(set_of(map(square, told[each])) for each in ("missing", "surplus")))


_BY_KIND: Final[Mapping[type[Note], Callable[[Mapping[str, Any]], Note]]] = {
    Violation: _violation,
    OfferDraw: lambda p: OfferDraw(Side(p["side"])),
    OfferUndo: lambda p: OfferUndo(Side(p["side"])),
    IgnoreSquare: lambda p: IgnoreSquare(square(p["square"]), p["doubted"]),
    Pause: lambda _: Pause(),
    Resume: lambda _: Resume(),
    AdjustClock: lambda p: AdjustClock(Side(p["side"]), int(p["seconds"])),
    CallArbiter: lambda p: CallArbiter(read_side_or_null(p["side"])),
    WithdrawCall: lambda p: WithdrawCall(read_side_or_null(p["side"])),
    AnswerCall: lambda _: AnswerCall(),
    BoardDiffers: lambda p: BoardDiffers(_difference(p), read_board(p["expected"])),
    LossWarning: lambda p: LossWarning(_difference(p), read_board(p["expected"])),
    Restored: lambda _: Restored(),
    BoardConnected: lambda p: BoardConnected(p["sees_colours"]),
    BoardDisconnected: lambda _: BoardDisconnected(),
}
_READERS: Final = {event_name(kind): reader for kind, reader in _BY_KIND.items()}
