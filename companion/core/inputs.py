"""The inputs of the table: images from the board, commands and the passing of time.

Every input has a timestamp in seconds of the clock that drives the table. Repeating the same inputs
reproduces the game.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from engine.board.geometry import Side, Square, SquareSet
from engine.board.ranks import Rank
from engine.board.visibility import Public
from engine.deduction.commitment import ArmyCommitment
from engine.game.actions import Action
from firmware_bridge.image import Image, PieceLocation

# Commands by the players that are not game actions. The table emits them unchanged as events, so
# one class is both the content of the input and the event.


@dataclass(frozen=True)
class Ready(Public):
    """A side reports that its army is complete."""

    side: Side


@dataclass(frozen=True)
class OfferDraw(Public):
    """A side offers a draw, or agrees. An offer ends with the next move."""

    side: Side


@dataclass(frozen=True)
class OfferUndo(Public):  # not emitted if the side's handicap includes take-backs
    """A side asks to take back the latest ply, or agrees. A request ends with the next move."""

    wire_name: ClassVar = "offer-take-back"

    side: Side


@dataclass(frozen=True)
class IgnoreSquare(Public):
    """Both players, or the arbiter, mark a faulty square as ignored, or as trusted again."""

    wire_name: ClassVar = "doubt"

    square: Square
    doubted: bool


@dataclass(frozen=True)
class Pause(Public):
    """The game is paused: the clocks stop, and changes on the board are ignored."""


@dataclass(frozen=True)
class Resume(Public):
    """The pause is over. The position from before the pause has to be restored."""

    wire_name: ClassVar = "go-on"


@dataclass(frozen=True)
class AdjustClock(Public):
    """The arbiter adds time to a side's clock. A game lost on time continues after that."""

    wire_name: ClassVar = "give-time"

    side: Side
    seconds: int
    """The time added, in seconds; negative if time is taken away."""


@dataclass(frozen=True)
class CallArbiter(Public):
    """Players call an arbiter. The call is open until it is answered or withdrawn."""

    side: Side | None
    """The side that calls, or None if the call is for both at their table."""


@dataclass(frozen=True)
class WithdrawCall(Public):
    """The call is withdrawn. A side cannot withdraw the other side's call."""

    side: Side | None
    """The side that withdraws the call, or None if it is withdrawn for both at their table."""


@dataclass(frozen=True)
class AnswerCall(Public):
    """The arbiter who was called is coming."""


Command: TypeAlias = (
    Ready
    | OfferDraw
    | OfferUndo
    | IgnoreSquare
    | Pause
    | Resume
    | AdjustClock
    | CallArbiter
    | WithdrawCall
    | AnswerCall
)


@dataclass(frozen=True)
class _Input:
    at: float
    """Time of the input. A time before that of the previous input is replaced by it."""


@dataclass(frozen=True)
class BoardFound(_Input):
    """A board has sent its greeting message, at first contact or after a reconnection."""

    sees_colours: bool


@dataclass(frozen=True)
class BoardLost(_Input):
    """The board can no longer be read. The game waits."""


@dataclass(frozen=True)
class BoardSeen(_Input):
    """A frame has arrived. Consecutive frames often have the same image."""

    image: Image
    moments: tuple[tuple[Square, float], ...] = ()
    """Changed squares, each with the time of its first frame, from boards that send this time."""
    faint: SquareSet = 0
    """Squares with an uncertain sensor reading, where a change only counts once it has lasted."""


@dataclass(frozen=True)
class BoardFaultReported(_Input):
    """The board reports a fault. The board repeats the report as long as the fault lasts."""

    square: Square | None
    """The square with the failed sensor; None if the supply voltage is low."""
    is_dying: bool = False
    """Whether the sensor reading changes slowly (FaultCode.DYING), as it may under a hand."""


@dataclass(frozen=True)
class PieceLocated(_Input):
    """Places where the board senses a piece between squares. They replace earlier places."""

    red: PieceLocation | None = None
    """The place of a red piece; None if no red piece is detected."""
    blue: PieceLocation | None = None


@dataclass(frozen=True)
class TimePassed(_Input):
    """The table's next deadline has passed without any other input."""


@dataclass(frozen=True)
class CommandInput(_Input):
    """A player or the arbiter has given a command, by a touch, a button or a key.

    The command is one of the classes above, or a game action that a person enters and that is not
    recognised from the board.
    """

    what: Action | Command


@dataclass(frozen=True)
class ArmySealed(_Input):
    """A player has sealed an army for the next game, or replaced its seals."""

    side: Side
    commitment: ArmyCommitment


@dataclass(frozen=True)
class RanksSeen(_Input):
    """Printed ranks of an open army, or of a person who plays alone on a simulated board.

    Once both armies are placed, the referee uses the ranks for its rulings. The ranks are drawn on
    the screen, so they are not secret. Ranks that do not fit the army as placed are ignored.
    """

    side: Side
    ranks: Mapping[Square, Rank]


@dataclass(frozen=True)
class MoveDecided(_Input):
    """The program plays the side to move and has chosen a move to an empty square.

    The move counts at once, and a person then makes it on the board.
    """

    source: Square
    target: Square


@dataclass(frozen=True)
class AttackerNamed(_Input):
    """The players say which side is attacking, after two pieces were lifted."""

    side: Side


@dataclass(frozen=True)
class ExplanationChosen(_Input):
    """The players choose one of the hypotheses in the table's question or offer."""

    number: int
    """Number of the answer, from 0. An unknown number has no effect."""


@dataclass(frozen=True)
class NoAttack(_Input):
    """The players deny the open or suspected attack, or all hypotheses in question."""


@dataclass(frozen=True)
class BoardClaimed(_Input):
    """A side claims that the board is right and whose turn it is, or agrees to that claim.

    The referee adopts the board once both sides have made the same claim.
    """

    side: Side
    to_move: Side


@dataclass(frozen=True)
class RevealDismissed(_Input):
    """The players have read the ranks of a combat whose result is on the board."""


Input: TypeAlias = (
    BoardFound
    | BoardLost
    | BoardSeen
    | BoardFaultReported
    | PieceLocated
    | TimePassed
    | CommandInput
    | ArmySealed
    | RanksSeen
    | MoveDecided
    | AttackerNamed
    | ExplanationChosen
    | NoAttack
    | BoardClaimed
    | RevealDismissed
)
