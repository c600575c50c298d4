"""The events that the table emits, in addition to the referee's rulings and the declarations.

A `Public` event may be read aloud, a `Private` one is for its owner's eyes only.
"""

from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

from companion.core.inputs import Saying
from engine.board.geometry import HOMES, Side, Square, SquareSet
from engine.board.ranks import Rank
from engine.board.visibility import Private, Public
from engine.game.actions import Relocation
from engine.game.rulings import Ruling
from firmware_bridge.image import Image, ImageDifference

_FEW: Final = 4
"""Number of pieces of the wrong colour that may each be a mistake; more are an army."""


@dataclass(frozen=True)
class BoardConnected(Public):
    """The board can be read."""

    sees_colours: bool


@dataclass(frozen=True)
class BoardDisconnected(Public):
    """The board cannot be read; the game waits for it."""


@dataclass(frozen=True)
class SetupSeen(Public):
    """Progress of setting up the armies."""

    red: int
    """Number of red pieces in Red's rows."""
    blue: int
    astray: tuple[Square, ...]
    """Squares with a piece that does not belong there."""

    @property
    def wrong_colour(self) -> tuple[Square, ...]:
        """Squares in the rows of one side on which a piece shows the colour of the other."""
        return tuple(square for square in self.astray if HOMES >> square & 1)

    @property
    def are_exchanged(self) -> bool:
        """Whether the armies are in each other's rows, as on a board that was turned round."""
        return len(self.wrong_colour) > max(_FEW, self.red + self.blue)


@dataclass(frozen=True)
class ArmiesSealed(Public):
    """With sealed armies: the referee has the seals of a side; they reveal no rank."""

    wire_name: ClassVar = "seals-taken"

    side: Side


@dataclass(frozen=True)
class SealsMissing(Public):
    """With sealed armies: a side is not ready, because its army differs from its seals."""

    wire_name: ClassVar = "seals-awaited"

    side: Side
    squares: tuple[Square, ...]
    """Squares with a piece but no seal, or with a seal but no piece; all without any seal."""


@dataclass(frozen=True)
class TurnBegan(Public):
    """The board is correct and a side is to move."""

    side: Side


@dataclass(frozen=True)
class Lifted(Public):
    """A piece was lifted: this is reported at once."""

    square: Square


@dataclass(frozen=True)
class SetDown(Public):
    """A piece was set down elsewhere: this is reported at once, and ruled after a short delay."""

    source: Square
    """The square on which its turn began."""
    target: Square


@dataclass(frozen=True)
class SensorFlickering(Public):
    """A sensor flickers although no piece is being moved: its debounce time is extended."""

    wire_name: ClassVar = "sensor-flickers"

    square: Square


@dataclass(frozen=True)
class SensorFailed(Public):
    """A sensor has failed; its square counts as showing what the referee expects there.

    This ends by itself when the board no longer reports the fault.
    """

    wire_name: ClassVar = "sensor-fails"

    square: Square


@dataclass(frozen=True)
class LowSupply(Public):
    """The supply voltage of the board is low. The game goes on."""

    wire_name: ClassVar = "supply-is-low"


@dataclass(frozen=True)
class PieceBetweenSquares(Public):
    """A missing piece is felt between squares, and has to be pushed onto one."""

    wire_name: ClassVar = "stands-badly"

    squares: tuple[Square, ...]
    """The squares around it: one if it is near the middle of that square, else two or four."""


@dataclass(frozen=True)
class Restored(Public):
    """The board, after an error was reported, shows again what is expected."""


@dataclass(frozen=True)
class BoardDiffers(Public):
    """The board shows something that no gesture explains, or a piece that has to go back."""

    difference: ImageDifference
    expected: Image


@dataclass(frozen=True)
class LossWarning(Public):
    """A bomb or flag has been moved, and the game is lost if it is not put back soon."""

    wire_name: ClassVar = "loss-threatens"

    difference: ImageDifference
    expected: Image


@dataclass(frozen=True)
class CleanupRequired(Public):
    """Changes that the board still needs after a combat or a take-back."""

    wire_name: ClassVar = "clear-up"

    difference: ImageDifference
    expected: Image


@dataclass(frozen=True)
class ConfirmAttack(Public):
    """The hands may have made an attack, and no declaration would show whether it was meant."""

    wire_name: ClassVar = "attack-asked"

    source: Square
    target: Square


@dataclass(frozen=True)
class ChooseAttacker(Public):
    """Two pieces are lifted, and either may be attacking the other."""

    wire_name: ClassVar = "who-attacks"

    source: Square
    """The piece of the side to move."""
    target: Square
    """The piece that moved last: a scout may attack at the end of its run."""


@dataclass(frozen=True)
class ChooseExplanation(Public):
    """Several courses of events explain the images, and the rules do not decide among them."""

    wire_name: ClassVar = "course-asked"

    courses: tuple[str, ...]
    """The turns of each course, in game notation."""


@dataclass(frozen=True)
class AttackSuggested(Public):
    """An attack may have been meant. Without an answer, the game goes on."""

    wire_name: ClassVar = "attack-offered"

    attacks: tuple[str, ...]
    """The attacks that may have been meant, in game notation."""


@dataclass(frozen=True)
class BoardOffered(Public):
    """A side claims that the board is right; with the changes that the referee would adopt.

    It waits for the same claim of the other side, as long as the board shows this image.
    """

    side: Side
    shifted: tuple[Relocation, ...]
    removed: SquareSet
    to_move: Side


@dataclass(frozen=True)
class SetupTimeUp(Public):
    """The time to set up is over; the game still begins only when both sides are ready."""


@dataclass(frozen=True)
class ColoursDrawn(Public):
    """Lots were drawn for the colours before a game. The table does not draw them itself."""

    red: str
    """The person who plays Red: a name, or the half of the screen that the person has taken."""
    blue: str


@dataclass(frozen=True)
class RankAsked(Private):
    """The owner has to declare the rank of the piece on `square`."""

    square: Square
    tiles: tuple[Rank, ...]
    """The ranks to choose from, in a shuffled order: the position of a tap must not reveal the
    rank."""
    is_attacker: bool
    """Whether it is the attacker, whose turn began on that square."""


Event: TypeAlias = (
    Ruling
    | Saying
    | BoardConnected
    | BoardDisconnected
    | SetupSeen
    | ArmiesSealed
    | SealsMissing
    | TurnBegan
    | Lifted
    | SetDown
    | SensorFlickering
    | SensorFailed
    | LowSupply
    | PieceBetweenSquares
    | Restored
    | BoardDiffers
    | LossWarning
    | CleanupRequired
    | ConfirmAttack
    | ChooseAttacker
    | ChooseExplanation
    | AttackSuggested
    | BoardOffered
    | SetupTimeUp
    | ColoursDrawn
    | RankAsked
)
