"""The inputs to the table: images from the board, commands and the passing of time.

Every input has a timestamp in seconds, taken from the clock that drives the table. Replaying the
same inputs reproduces the game.
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

# Commands that are not game actions. The table emits them unchanged as events, so one class serves
# both as the content of an input and as an event.


@dataclass(frozen=True)
class Ready(Public):
    """A side reports that its army is complete."""

    side: Side


@dataclass(frozen=True)
class OfferDraw(Public):
    """A side offers a draw, or agrees to one. An offer lapses with the next move."""

    side: Side


@dataclass(frozen=True)
class OfferUndo(Public):  # not emitted if the side's handicap includes take-backs
    """A side asks to take back the latest ply, or agrees. A request lapses with the next move."""

    wire_name: ClassVar = "offer-take-back"

    side: Side


@dataclass(frozen=True)
class IgnoreSquare(Public):
    """Both players, or the arbiter, choose to ignore a faulty square or to trust it again."""

    wire_name: ClassVar = "doubt"

    square: Square
    doubted: bool


@dataclass(frozen=True)
class Pause(Public):
    """The game is paused: the clocks stop, and changes on the board are ignored."""


@dataclass(frozen=True)
class Resume(Public):
    """The pause is over. The position from before the pause must be restored."""

    wire_name: ClassVar = "go-on"


@dataclass(frozen=True)
class AdjustClock(Public):
    """The arbiter adds time to a side's clock. If the side has lost on time, the game continues."""

    wire_name: ClassVar = "give-time"

    side: Side
    seconds: int
    """Time to add, in seconds. A negative value subtracts time."""


@dataclass(frozen=True)
class CallArbiter(Public):
    """The players call an arbiter. The call stays open until it is answered or withdrawn."""

    side: Side | None
    """The side that called an arbiter, or None if the call was made at the table for both sides."""


@dataclass(frozen=True)
class WithdrawCall(Public):
    """The players withdraw the call. A side cannot withdraw the other side's call."""

    side: Side | None
    """The side that withdraws the call, or None if the call is withdrawn at the table for both
    sides."""


@dataclass(frozen=True)
class AnswerCall(Public):
    """The arbiter is coming in answer to the call."""


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
    """Time of the input, in seconds. The table never goes back in time: an earlier time is replaced
    with the time of the previous input."""


@dataclass(frozen=True)
class BoardFound(_Input):
    """A board has sent its greeting message, at first contact or after a reconnection."""

    sees_colours: bool


@dataclass(frozen=True)
class BoardLost(_Input):
    """The board can no longer be read, so the game waits."""


@dataclass(frozen=True)
class BoardSeen(_Input):
    """A frame has arrived. Consecutive frames often have the same image."""

    image: Image
    moments: tuple[tuple[Square, float], ...] = ()
    """Changed squares with the time of each change. Empty if the board does not send times."""
    faint: SquareSet = 0
    """Squares with an uncertain sensor reading. A change on such a square counts only if it
    lasts."""


@dataclass(frozen=True)
class BoardFaultReported(_Input):
    """The board reports a fault, and repeats the report as long as the fault lasts."""

    square: Square | None
    """Square with the failed sensor, or None if the supply voltage is low."""
    is_dying: bool = False
    """Whether the reading of the sensor changes slowly (FaultCode.DYING). A hand that lowers a
    piece slowly can cause the same change."""


@dataclass(frozen=True)
class PieceLocated(_Input):
    """Locations of pieces detected between squares. They replace earlier locations."""

    red: PieceLocation | None = None
    """Location of a red piece, or None if no red piece is detected between squares."""
    blue: PieceLocation | None = None


@dataclass(frozen=True)
class TimePassed(_Input):
    """The table's next deadline has passed without any other input."""


@dataclass(frozen=True)
class CommandInput(_Input):
    """A player or the arbiter has given a command by touch, button or key.

    The command is one of the classes above, or a game action that a person enters instead of making
    it on the board.
    """

    what: Action | Command


@dataclass(frozen=True)
class ArmySealed(_Input):
    """A player has sealed an army for the next game, or replaced its seals."""

    side: Side
    commitment: ArmyCommitment


@dataclass(frozen=True)
class RanksSeen(_Input):
    """Printed ranks of an open army, or of a lone player's army on a simulated board.

    Once both armies are placed, the referee uses these ranks for its rulings. They are drawn on the
    screen, so they are not secret. Ranks that do not match the placed army are ignored.
    """

    side: Side
    ranks: Mapping[Square, Rank]


@dataclass(frozen=True)
class MoveDecided(_Input):
    """The computer, which plays the side to move, has chosen a move to an empty square.

    The move takes effect at once. A person makes it on the board afterwards.
    """

    source: Square
    target: Square


@dataclass(frozen=True)
class PiecesAwaited(_Input):
    """The game waits for missing pieces, which the players are asked to put back.

    Usually, players may hold a missing piece for any length of time. This input replaces the
    earlier one. It is sent in games against the computer.
    """

    squares: SquareSet
    """Squares whose pieces lie beside the simulated board, or prevent the computer's move."""


@dataclass(frozen=True)
class AttackerNamed(_Input):
    """A piece of each side has been lifted, and the players say which side is attacking."""

    side: Side


@dataclass(frozen=True)
class ExplanationChosen(_Input):
    """The players choose one of the answers to the table's question or offer."""

    number: int
    """Index of the answer, starting at 0. An unknown index has no effect."""


@dataclass(frozen=True)
class NoAttack(_Input):
    """The players deny the open or suspected attack, or reject all suggested answers."""


@dataclass(frozen=True)
class BoardClaimed(_Input):
    """A side claims that the board is right and states whose turn it is, or agrees to such a claim.

    The referee adopts the board once both sides have made the same claim.
    """

    side: Side
    to_move: Side


@dataclass(frozen=True)
class RevealDismissed(_Input):
    """The players have read the ranks of a combat whose result the board already shows."""


@dataclass(frozen=True)
class GameReviewed(_Input):
    """The players review the finished game, with all ranks. Its end cannot be undone any more."""


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
    | PiecesAwaited
    | AttackerNamed
    | ExplanationChosen
    | NoAttack
    | BoardClaimed
    | RevealDismissed
    | GameReviewed
)
