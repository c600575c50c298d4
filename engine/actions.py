"""What can be done in a game.

The game is the list of accepted actions; its state is a fold over them.
"""

from dataclasses import dataclass
from typing import TypeAlias

from engine.ranks import Rank
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import Square, SquareSet


@dataclass(frozen=True)
class PlaceArmies:
    """Both armies stand ready. Where they stand is public, what they are is not."""

    red: SquareSet
    blue: SquareSet


@dataclass(frozen=True)
class Move:
    """The side to move carries a piece to an empty square."""

    source: Square
    target: Square


@dataclass(frozen=True)
class OpenAttack:
    """The side to move attacks; ranks are asked for next."""

    source: Square
    target: Square


@dataclass(frozen=True)
class WithdrawAttack:
    """It was no attack after all; only as long as nobody has declared."""


@dataclass(frozen=True)
class Declare:
    """A player says, for the referee alone, what rank the own piece in the open attack has."""

    rank: Secret[Rank]


@dataclass(frozen=True)
class CannotMove:
    """The side to move says that it has no legal move, which is a loss and needs no proof."""


@dataclass(frozen=True)
class Resign:
    """A player gives up."""

    side: Side


@dataclass(frozen=True)
class AgreeDraw:
    """Both players have agreed to a draw."""


Action: TypeAlias = (
    PlaceArmies | Move | OpenAttack | WithdrawAttack | Declare | CannotMove | Resign | AgreeDraw
)
