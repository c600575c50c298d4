"""The events that the table emits in addition to the referee's rulings.

A `Public` event may be read aloud. A `Private` event may be seen only by its owner.

As plain data, an event is an object with the side that may read it (`to`), its published name
(`event`) and its fields. The name is derived from the class name unless the class has a
`wire_name`; docs/commands.md lists all names. The codec writes the fields as it writes all plain
data: ranks, sides, reasons and squares by name, a set of squares as a list, and a board as 100
characters.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeAlias

from companion.codec import MalformedError, field_names, from_plain, to_plain
from companion.core.inputs import Command
from engine.board.geometry import HOMES, Side, Square, SquareSet
from engine.board.ranks import Rank
from engine.board.visibility import Private, Public
from engine.game.actions import Relocation
from engine.game.rulings import Ruling
from engine.records.serialization import published_name
from firmware_bridge.image import Image, ImageDifference

_FEW: Final = 4
"""Maximum number of wrong-coloured pieces that count as individual mistakes. If there are more, the
armies may be swapped."""


@dataclass(frozen=True)
class BoardConnected(Public):
    """The board can be read."""

    sees_colours: bool


@dataclass(frozen=True)
class BoardDisconnected(Public):
    """The board cannot be read, so the game waits."""


@dataclass(frozen=True)
class SetupSeen(Public):
    """Setup progress: the number of pieces that each army has in its own rows."""

    red: int
    blue: int
    astray: tuple[Square, ...]
    """Squares with a piece that does not belong there."""

    @property
    def wrong_colour(self) -> tuple[Square, ...]:
        """Squares in one side's rows with a piece of the other side's colour."""
        return tuple(square for square in self.astray if HOMES >> square & 1)

    @property
    def are_exchanged(self) -> bool:
        """Whether each army is in the other side's rows because the board was turned around."""
        return len(self.wrong_colour) > max(_FEW, self.red + self.blue)


@dataclass(frozen=True)
class ArmiesSealed(Public):
    """The referee has received a side's seals, which reveal no rank."""

    wire_name: ClassVar = "seals-taken"

    side: Side


@dataclass(frozen=True)
class SealsMissing(Public):
    """A side is not ready because its army does not match its seals."""

    wire_name: ClassVar = "seals-awaited"

    side: Side
    squares: tuple[Square, ...]
    """Squares with a piece but no seal, or vice versa."""


@dataclass(frozen=True)
class TurnBegan(Public):
    """The board shows the expected position, and a side is to move."""

    side: Side


@dataclass(frozen=True)
class MoveDue(Public):
    """The computer has chosen a move, which a person has to make on the board."""

    side: Side
    source: Square
    target: Square


@dataclass(frozen=True)
class Lifted(Public):
    """A piece was lifted."""

    square: Square


@dataclass(frozen=True)
class SetDown(Public):
    """A piece whose turn began on `source` was set down. The ruling follows soon."""

    source: Square
    target: Square


@dataclass(frozen=True)
class SensorFlickering(Public):
    """A sensor flickers, so its debounce time is extended."""

    wire_name: ClassVar = "sensor-flickers"

    square: Square


@dataclass(frozen=True)
class SensorFailed(Public):
    """A sensor has failed. Its square is assumed to be in the expected state."""

    wire_name: ClassVar = "sensor-fails"

    square: Square


@dataclass(frozen=True)
class LowSupply(Public):
    """The board's supply voltage is low. The game continues."""

    wire_name: ClassVar = "supply-is-low"


@dataclass(frozen=True)
class PieceBetweenSquares(Public):
    """The board has located a missing piece, on one square or between two or four squares."""

    wire_name: ClassVar = "stands-badly"

    squares: tuple[Square, ...]


@dataclass(frozen=True)
class Restored(Public):
    """The board shows the expected position again."""


@dataclass(frozen=True)
class BoardDiffers(Public):
    """No hand action explains the position on the board, or a piece has to be put back."""

    difference: ImageDifference
    expected: Image


@dataclass(frozen=True)
class LossWarning(Public):
    """A bomb or flag was moved. Its side loses unless the piece is put back soon."""

    wire_name: ClassVar = "loss-threatens"

    difference: ImageDifference
    expected: Image


@dataclass(frozen=True)
class CleanupRequired(Public):
    """The players still have to update the position on the board after a combat or a take-back."""

    wire_name: ClassVar = "clear-up"

    difference: ImageDifference
    expected: Image


@dataclass(frozen=True)
class ConfirmAttack(Public):
    """A player may have attacked. The players are asked whether this is true."""

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


@dataclass(frozen=True)
class ChooseExplanation(Public):
    """Several hypotheses explain the images. `courses` lists the turns of each hypothesis."""

    wire_name: ClassVar = "course-asked"

    courses: tuple[str, ...]


@dataclass(frozen=True)
class AttackSuggested(Public):
    """An attack may have been intended. The game does not wait for an answer."""

    wire_name: ClassVar = "attack-offered"

    attacks: tuple[str, ...]


@dataclass(frozen=True)
class BoardOffered(Public):
    """A side claims that the board is right. The other side may agree until the image changes."""

    side: Side
    shifted: tuple[Relocation, ...]
    removed: SquareSet
    to_move: Side


@dataclass(frozen=True)
class SetupTimeUp(Public):
    """The setup time is over. The table still waits until both sides are ready."""


@dataclass(frozen=True)
class ColoursDrawn(Public):
    """The colours were assigned at random before the game, outside the table."""

    red: str
    """The person who plays Red, identified by name or by their half of the screen."""
    blue: str


@dataclass(frozen=True)
class RankAsked(Private):
    """The owner has to declare the rank of the piece on `square`."""

    square: Square
    tiles: tuple[Rank, ...]
    """The ranks to choose from, shuffled."""
    is_attacker: bool
    """Whether the piece is the attacker. If it is, `square` is where its turn began."""


Event: TypeAlias = (
    Ruling
    | Command
    | BoardConnected
    | BoardDisconnected
    | SetupSeen
    | ArmiesSealed
    | SealsMissing
    | TurnBegan
    | MoveDue
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


TO_ALL: Final = "all"
"""Value of `to` for an event that everyone may read."""


def write_event(event: Event) -> dict[str, Any]:
    """Return an event as plain data, including the side that may read it."""
    fields = to_plain(event)
    to = fields.pop("owner") if isinstance(event, Private) else TO_ALL
    return {"to": to, "event": published_name(type(event)), **fields}


def event_fields(kind: type) -> list[str]:
    """Return the field names of an event class, except `owner`, which is written as `to`."""
    hidden = {"owner"} if issubclass(kind, Private) else set()
    return [name for name in field_names(kind) if name not in hidden]


def read_public_event(plain: Mapping[str, Any], kinds: Any) -> Any:
    """Decode the output of `write_event` for a public event.

    `kinds` is a union of public event classes, tagged by the field `event`. Raises MalformedError
    if the data is anything else.
    """
    fields = dict(plain)
    if fields.pop("to", TO_ALL) != TO_ALL:
        raise MalformedError('"to" of the event must be "all"; found another value')
    return from_plain(fields, kinds, "the event")
