"""What is said at the table and is no action of the game: it is heard, and told on, as it was said.

One class is the content of the input and the event told of it, so that nothing is named twice.
"""

from dataclasses import dataclass
from typing import TypeAlias

from engine.secrecy import Public
from engine.sides import Side
from engine.squares import Square


@dataclass(frozen=True)
class Ready(Public):
    """A side says that its army stands."""

    side: Side


@dataclass(frozen=True)
class OfferDraw(Public):
    """A side offers a draw, which stands until the next move, or accepts the other side's."""

    side: Side


@dataclass(frozen=True)
class OfferTakeBack(Public):
    """A side asks to take the latest ply back, or agrees to what the other side has asked.

    That stands until the next move.
    """

    side: Side


@dataclass(frozen=True)
class Doubt(Public):
    """Both players, or the arbiter, say whether the board sees a square wrongly."""

    square: Square
    doubted: bool


@dataclass(frozen=True)
class Pause(Public):
    """The game stands still: the clocks, and whatever hands do on the board means nothing."""


@dataclass(frozen=True)
class GoOn(Public):
    """The pause is over; what stood before it has to stand again."""


@dataclass(frozen=True)
class GiveTime(Public):
    """The arbiter gives a side time on its clock. Where it has run out, the game goes on."""

    side: Side
    seconds: int
    """Less than none if time is taken."""


@dataclass(frozen=True)
class CallArbiter(Public):
    """Players want an arbiter. That stands until it is answered or withdrawn."""

    side: Side | None
    """The side that calls, or None if the call is for both at their table."""


@dataclass(frozen=True)
class WithdrawCall(Public):
    """The arbiter is not needed any more. A side can withdraw no call of the other side's."""

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
