"""What the table tells, besides the referee's rulings and what was said.

A `Public` event may be said aloud, a `Private` one is for its owner's eyes.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from companion.table.sayings import Saying
from engine.play.actions import Shift
from engine.play.rulings import Ruling
from engine.ranks import Rank
from engine.secrecy import Private, Public
from engine.sides import HOMES, Side
from engine.squares import Square, SquareSet
from firmware_bridge.difference import Difference
from firmware_bridge.image import Image

_FEW: Final = 4
"""How many pieces of the wrong colour may each be a mistake; more are an army."""


@dataclass(frozen=True)
class BoardConnected(Public):
    """The board can be read."""

    sees_colours: bool


@dataclass(frozen=True)
class BoardDisconnected(Public):
    """The board cannot be read; the game waits for it."""


@dataclass(frozen=True)
class SetupSeen(Public):
    """How far the setting up is."""

    red: int
    """How many red pieces stand in Red's rows."""
    blue: int
    astray: tuple[Square, ...]
    """Where a piece stands that does not belong there."""

    @property
    def wrong_colour(self) -> tuple[Square, ...]:
        """Where, in the rows of one side, a piece shows the colour of the other."""
        return tuple(square for square in self.astray if HOMES >> square & 1)

    @property
    def are_exchanged(self) -> bool:
        """Whether the armies stand in each other's rows, as on a board that is turned round."""
        return len(self.wrong_colour) > max(_FEW, self.red + self.blue)


@dataclass(frozen=True)
class SealsTaken(Public):
    """With sealed armies: the referee has the seals of a side, and knows no rank by them."""

    side: Side


@dataclass(frozen=True)
class SealsAwaited(Public):
    """With sealed armies: a side is not ready, for its army is not sealed as it stands."""

    side: Side
    squares: tuple[Square, ...]
    """Where something stands that is not sealed, or the other way round: all if nothing is."""


@dataclass(frozen=True)
class TurnBegan(Public):
    """The board stands as it should and a side is to move."""

    side: Side


@dataclass(frozen=True)
class Lifted(Public):
    """A piece is taken up: that is seen at once."""

    square: Square


@dataclass(frozen=True)
class SetDown(Public):
    """A piece stands elsewhere: that is seen at once, and ruled when it has stood for a moment."""

    source: Square
    """Where its turn began."""
    target: Square


@dataclass(frozen=True)
class SensorFlickers(Public):
    """A sensor shows now this, now that, though nobody moves a piece: it is believed slowly."""

    square: Square


@dataclass(frozen=True)
class SensorFails(Public):
    """The board cannot tell what stands on a square: it counts as showing what has to stand there.

    That is over by itself when the board complains of it no more.
    """

    square: Square


@dataclass(frozen=True)
class SupplyIsLow(Public):
    """The board has too little power. The game goes on."""


@dataclass(frozen=True)
class StandsBadly(Public):
    """A piece that is missing is felt where no square sees it, and has to be pushed onto one."""

    squares: tuple[Square, ...]
    """Those around it: the one of which it is beside the middle, or the two or four that it is
    between."""


@dataclass(frozen=True)
class Restored(Public):
    """It was said that something stands wrongly, and the board shows again what is expected."""


@dataclass(frozen=True)
class BoardDiffers(Public):
    """The board shows something that no gesture explains, or something that has to go back."""

    difference: Difference
    expected: Image


@dataclass(frozen=True)
class LossThreatens(Public):
    """A bomb or flag has been moved, and the game is lost by that if it is not put back soon."""

    difference: Difference
    expected: Image


@dataclass(frozen=True)
class ClearUp(Public):
    """What is still to be done on the board after a combat, or after something was taken back."""

    difference: Difference
    expected: Image


@dataclass(frozen=True)
class AttackAsked(Public):
    """It looks like an attack, and no declaration would show whether it is meant as one."""

    source: Square
    target: Square


@dataclass(frozen=True)
class WhoAttacks(Public):
    """Two pieces are in the hands, and either may be attacking the other."""

    source: Square
    """The piece of the side to move."""
    target: Square
    """The piece that moved last: a scout may still strike on."""


@dataclass(frozen=True)
class CourseAsked(Public):
    """What was seen can have come about in several ways, and the rules do not choose among them."""

    courses: tuple[str, ...]
    """The turns of each way, as they would be written down."""


@dataclass(frozen=True)
class AttackOffered(Public):
    """It may be that an attack was meant. If nobody says so, the game goes on."""

    attacks: tuple[str, ...]
    """The attacks that it may have been, as they would be written down."""


@dataclass(frozen=True)
class BoardOffered(Public):
    """A side says that the board is right, and how the referee would take it over.

    That waits for the other side to say the same, as long as the board shows it.
    """

    side: Side
    shifted: tuple[Shift, ...]
    removed: SquareSet
    to_move: Side


@dataclass(frozen=True)
class SetupTimeUp(Public):
    """The time to set up is over; the game begins when both sides are ready all the same."""


@dataclass(frozen=True)
class ColoursDrawn(Public):
    """The lot has fallen, before a game: who plays which colour. The table has no part in it."""

    red: str
    """Who plays Red: a name, or the half of the screen that somebody has taken."""
    blue: str


@dataclass(frozen=True)
class RankAsked(Private):
    """The owner is to say the rank of the piece on `square`."""

    square: Square
    tiles: tuple[Rank, ...]
    """The ranks to choose from, in a shuffled order: the place of the finger must not tell."""
    is_attacker: bool
    """Whether it is the attacker, whose turn began on that square."""


Event: TypeAlias = (
    Ruling
    | Saying
    | BoardConnected
    | BoardDisconnected
    | SetupSeen
    | SealsTaken
    | SealsAwaited
    | TurnBegan
    | Lifted
    | SetDown
    | SensorFlickers
    | SensorFails
    | SupplyIsLow
    | StandsBadly
    | Restored
    | BoardDiffers
    | LossThreatens
    | ClearUp
    | AttackAsked
    | WhoAttacks
    | CourseAsked
    | AttackOffered
    | BoardOffered
    | SetupTimeUp
    | ColoursDrawn
    | RankAsked
)
