"""What the referee answers to an action. All is public but the `Contradiction`."""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from engine.combat import Result, is_boom
from engine.dossier import Proof
from engine.ranks import Rank
from engine.rules import Fault
from engine.secrecy import Private, Public
from engine.sides import Side
from engine.squares import Square, SquareSet


class Reason(Enum):
    """Why a game is over (RULES §8)."""

    FLAG_CAPTURED = "flag-captured"
    NO_MOVABLE_PIECE = "no-movable-piece"
    """All movable pieces of the loser have been captured."""
    NO_LEGAL_MOVE = "no-legal-move"
    """The loser is shut in, or every move left is forbidden by a repetition rule."""
    RESIGNATION = "resignation"
    AGREED_DRAW = "agreed-draw"
    BOTH_IMMOBILE = "both-immobile"
    """Neither side has a movable piece left: a draw."""
    TIME = "time"
    FORFEIT = "forfeit"


@dataclass(frozen=True)
class ArmiesPlaced(Public):
    """The game has begun; Red is to move."""


@dataclass(frozen=True)
class Moved(Public):
    """A piece went to an empty square."""

    side: Side
    source: Square
    target: Square
    ran: bool
    """It went further than one square, which proves a scout to everybody."""


@dataclass(frozen=True)
class AttackOpened(Public):
    """A piece attacks another; the sides in `awaited` are to declare a rank."""

    side: Side
    source: Square
    target: Square
    awaited: tuple[Side, ...]


@dataclass(frozen=True)
class AttackWithdrawn(Public):
    """The open attack was none; the same side is still to move."""


@dataclass(frozen=True)
class Declared(Public):
    """A side has declared; what it declared stays sealed."""

    side: Side


@dataclass(frozen=True)
class Combat(Public):
    """Both ranks are revealed together, with the result."""

    side: Side
    """The attacking side."""
    source: Square
    target: Square
    attacker: Rank
    defender: Rank
    result: Result

    @property
    def boom(self) -> bool:
        """Whether the cry "Boom!" is due."""
        return is_boom(self.attacker, self.defender)


@dataclass(frozen=True)
class Violation(Public):
    """A rule forbids the action; the game stands as before."""

    fault: Fault
    squares: SquareSet
    """The squares concerned; for two-squares both sides of the border."""
    source: str
    """The rulebook, and the article where it has one."""
    count: int = 0
    """For two-squares: how many crossings in a row are allowed. For more-squares: how many moves of
    either side ago the position stood on the board."""


@dataclass(frozen=True)
class Contradiction(Private):
    """The declared rank is impossible; only the player who declared it learns so."""

    proof: Proof


@dataclass(frozen=True)
class GameOver(Public):
    """The game is over; a `winner` of None means a draw."""

    winner: Side | None
    reason: Reason


Ruling: TypeAlias = (
    ArmiesPlaced
    | Moved
    | AttackOpened
    | AttackWithdrawn
    | Declared
    | Combat
    | Violation
    | Contradiction
    | GameOver
)
