"""What can reach the table: the board's images, the players' touches, the passing of time.

Every input carries the moment at which it happened, in seconds of whatever clock drives the table.
A whole evening is a list of these.
"""

from dataclasses import dataclass
from typing import TypeAlias

from engine.ranks import Rank
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import Square
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


@dataclass(frozen=True)
class TimePassed(_Input):
    """Nothing happened, but the moment that the table asked for has come."""


@dataclass(frozen=True)
class Ready(_Input):
    """A side says that its army stands."""

    side: Side


@dataclass(frozen=True)
class AttackOnScreen(_Input):
    """The side to move points at its piece and at the one it attacks."""

    source: Square
    target: Square


@dataclass(frozen=True)
class AttackerNamed(_Input):
    """The players say which side attacks, when the board shows two pieces in the hands."""

    side: Side


@dataclass(frozen=True)
class MoveOnScreen(_Input):
    """The side to move points at a move that the board cannot see, as a sensor is not believed."""

    source: Square
    target: Square


@dataclass(frozen=True)
class SquareDoubted(_Input):
    """Both players, or the arbiter, say whether the board sees a square wrongly."""

    square: Square
    doubted: bool


@dataclass(frozen=True)
class NoAttack(_Input):
    """The open attack was not meant as one."""


@dataclass(frozen=True)
class RankDeclared(_Input):
    """A player has chosen the rank of the own piece in the open attack."""

    rank: Secret[Rank]


@dataclass(frozen=True)
class Insisted(_Input):
    """A player stays by a rank that was proved impossible."""

    rank: Secret[Rank]


@dataclass(frozen=True)
class DisputeSettled(_Input):
    """The arbiter, or both players, decide whether the disputed declaration counts."""

    accepted: bool


@dataclass(frozen=True)
class RevealRead(_Input):
    """The players have read the ranks of a combat whose result stands on the board."""


@dataclass(frozen=True)
class Infiltrating(_Input):
    """The side to move points at its infiltrator and at a piece, and guesses its rank."""

    source: Square
    target: Square
    guess: Rank


@dataclass(frozen=True)
class GuessAnswered(_Input):
    """The owner of the infiltrated piece says whether the guess is right."""

    right: bool


@dataclass(frozen=True)
class LetStand(_Input):
    """The arbiter lets the move or attack stand that was refused last."""


@dataclass(frozen=True)
class RankCorrection(_Input):
    """The arbiter says what a piece really is whose rank was shown wrongly."""

    square: Square
    rank: Rank


@dataclass(frozen=True)
class TakeBackOffered(_Input):
    """A side asks to take the latest ply back, or agrees to what the other side has asked."""

    side: Side


@dataclass(frozen=True)
class Forfeited(_Input):
    """The arbiter decides that a side has lost."""

    side: Side


@dataclass(frozen=True)
class CannotMove(_Input):
    """The side to move says that it has no legal move."""


@dataclass(frozen=True)
class Resigned(_Input):
    """A side gives up."""

    side: Side


@dataclass(frozen=True)
class DrawOffered(_Input):
    """A side offers a draw, or accepts the one that the other side has offered."""

    side: Side


Input: TypeAlias = (
    BoardFound
    | BoardLost
    | BoardSeen
    | TimePassed
    | Ready
    | AttackOnScreen
    | MoveOnScreen
    | SquareDoubted
    | AttackerNamed
    | NoAttack
    | RankDeclared
    | RevealRead
    | Insisted
    | DisputeSettled
    | Infiltrating
    | GuessAnswered
    | LetStand
    | RankCorrection
    | TakeBackOffered
    | Forfeited
    | CannotMove
    | Resigned
    | DrawOffered
)
