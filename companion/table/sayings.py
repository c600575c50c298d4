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


Saying: TypeAlias = Ready | OfferDraw | OfferTakeBack | Doubt
