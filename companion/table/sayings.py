"""Commands of the players that are no actions of the game: they are handled and reported as given.

One class is both the content of the input and the event that reports it, so that each command is
named only once.
"""

from dataclasses import dataclass
from typing import TypeAlias

from engine.board.geometry import Side, Square
from engine.board.visibility import Public


@dataclass(frozen=True)
class Ready(Public):
    """A side reports that its army is complete."""

    side: Side


@dataclass(frozen=True)
class OfferDraw(Public):
    """A side offers a draw, open until the next move, or accepts the other side's offer."""

    side: Side


@dataclass(frozen=True)
class OfferTakeBack(Public):
    """A side asks to take the latest ply back, or agrees to the other side's request.

    A request is open until the next move.
    """

    side: Side


@dataclass(frozen=True)
class Doubt(Public):
    """Both players, or the arbiter, ignore a faulty square, or trust it again."""

    square: Square
    doubted: bool


@dataclass(frozen=True)
class Pause(Public):
    """The game is paused: the clocks stop, and changes on the board have no meaning."""


@dataclass(frozen=True)
class GoOn(Public):
    """The pause is over; the position from before it has to be restored."""


@dataclass(frozen=True)
class GiveTime(Public):
    """The arbiter gives a side time on its clock. If its time has run out, the game goes on."""

    side: Side
    seconds: int
    """Negative if time is taken away."""


@dataclass(frozen=True)
class CallArbiter(Public):
    """Players call an arbiter. The call is open until it is answered or withdrawn."""

    side: Side | None
    """The side that calls, or None if the call is for both at their table."""


@dataclass(frozen=True)
class WithdrawCall(Public):
    """The arbiter is not needed any more. A side cannot withdraw the other side's call."""

    side: Side | None
    """The side that withdraws it, or None if it is withdrawn for both at their table."""


@dataclass(frozen=True)
class AnswerCall(Public):
    """The arbiter who was called is coming."""


Saying: TypeAlias = (
    Ready
    | OfferDraw
    | OfferTakeBack
    | Doubt
    | Pause
    | GoOn
    | GiveTime
    | CallArbiter
    | WithdrawCall
    | AnswerCall
)
