"""What can reach the table: the board's images, what is said, the passing of time.

Every input carries the moment at which it happened, in seconds of whatever clock drives the table.
A whole evening is a list of these.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from companion.table.sayings import Saying
from engine.knowledge.pledge import Pledge
from engine.play.actions import Action
from engine.ranks import Rank
from engine.sides import Side
from engine.squares import Square, SquareSet
from firmware_bridge.feeling.place import Place
from firmware_bridge.image import Image


@dataclass(frozen=True)
class _Input:
    at: float
    """A moment before that of the previous input counts as the same moment."""


@dataclass(frozen=True)
class BoardFound(_Input):
    """A board has said hello, for the first time or again."""

    sees_colours: bool


@dataclass(frozen=True)
class BoardLost(_Input):
    """The board cannot be read any more. The game waits."""


@dataclass(frozen=True)
class BoardSeen(_Input):
    """A frame has arrived. The same image may come as often as it likes."""

    image: Image
    moments: tuple[tuple[Square, float], ...] = ()
    """Of squares that have changed, when the board first saw them as they are, where it tells."""
    faint: SquareSet = 0
    """The squares that may as well show something else: a change there has to go on."""


@dataclass(frozen=True)
class BoardComplains(_Input):
    """The board says that something is wrong with it. It says so again as long as it is."""

    square: Square | None
    """The square whose sensor fails; None if the supply is low."""
    is_dying: bool = False
    """Whether the reading changes slowly (FaultCode.DYING), as it may under a hand."""


@dataclass(frozen=True)
class BoardFeels(_Input):
    """Where the board feels a piece that none of its squares sees. What it told before is over."""

    red: Place | None = None
    """Where it is, if it is a red one."""
    blue: Place | None = None


@dataclass(frozen=True)
class TimePassed(_Input):
    """Nothing happened, but the moment that the table asked for has come."""


@dataclass(frozen=True)
class Said(_Input):
    """A player or the arbiter has said something, by a touch, a button or a key.

    That is an action of the game, as far as it is for people to say it and not for the board to
    show, or one of the sayings.
    """

    what: Action | Saying


@dataclass(frozen=True)
class ArmySealed(_Input):
    """A player has sealed the army for the game that is about to begin, or sealed it anew."""

    side: Side
    pledge: Pledge


@dataclass(frozen=True)
class RanksSeen(_Input):
    """The ranks on the pieces of a person who plays alone on the simulated board.

    Once both armies are placed the referee judges by them. They are drawn on the screen, so they
    are no secret; ranks that do not fit the army as it is placed are ignored.
    """

    side: Side
    ranks: Mapping[Square, Rank]


@dataclass(frozen=True)
class AttackerNamed(_Input):
    """The players say which side attacks, when the board shows two pieces in the hands."""

    side: Side


@dataclass(frozen=True)
class CourseChosen(_Input):
    """The players say which of the courses it was that the table asks about, or offers."""

    number: int
    """Counted from 0; one that was not asked about changes nothing."""


@dataclass(frozen=True)
class NoAttack(_Input):
    """The attack that is open or asked about was not meant as one, or no course is right."""


@dataclass(frozen=True)
class BoardBelieved(_Input):
    """A side says that what stands on the board is right, and whose turn it is, or agrees to that.

    The referee takes it over once both have said the same.
    """

    side: Side
    to_move: Side


@dataclass(frozen=True)
class RevealRead(_Input):
    """The players have read the ranks of a combat whose result stands on the board."""


Input: TypeAlias = (
    BoardFound
    | BoardLost
    | BoardSeen
    | BoardComplains
    | BoardFeels
    | TimePassed
    | Said
    | ArmySealed
    | RanksSeen
    | AttackerNamed
    | CourseChosen
    | NoAttack
    | BoardBelieved
    | RevealRead
)
