"""Differences that are tolerated while a combat is decided and cleared up.

The two pieces are carried to and fro, a shoved one ends up on any square, both are put back where
they came from, a loser is set down anywhere before it is laid aside.
"""

from dataclasses import dataclass
from typing import Final

from engine.board.geometry import Side, Square, SquareSet, set_of
from engine.game.actions import Amend, Attack, Infiltrate, Override
from engine.game.referee import Referee
from firmware_bridge.image import Difference, Image

TIDYING: Final = 10.0
"""Time after its result was shown for which losers of a combat may remain on the board, in seconds.
"""
LOOKED_AT: Final = 4
"""Maximum number of pieces that are looked at during a combat; more were knocked off the board."""
_OPENS: Final = (Attack, Amend, Infiltrate, Override)


def stopover(referee: Referee) -> SquareSet:
    """The square where a scout stopped that went on to the latest attack, if one was.

    It is there until the combat is cleared up, or it is lifted.
    """
    began = next(action for action in reversed(referee.in_force) if isinstance(action, _OPENS))
    return 1 << began.source


def fought_over(referee: Referee) -> SquareSet:
    """The squares of the latest combat."""
    assert referee.position.last_move
    return set_of(referee.position.last_move) | stopover(referee)


def may_be_fought(squares: SquareSet, difference: Difference, seen: Image, expected: Image) -> bool:
    """Whether the whole difference belongs to the undecided combat on these squares.

    Other pieces may be looked at during the combat.
    """
    if (difference.missing & ~squares).bit_count() > LOOKED_AT:
        return False
    for side in Side:
        own = difference.surplus & (seen.of(side) | seen.unknown)
        away = difference.missing & squares & expected.of(side)
        is_about = away.bit_count() > (own & squares).bit_count()
        if (own & ~squares).bit_count() > is_about:
            return False
    return True


@dataclass(frozen=True)
class Tidying:
    """A combat that is not completely cleared up."""

    target: Square
    sources: SquareSet
    """The square the attacker came from, and any square where it was set down on its way."""
    attacker: Side
    winner: Side | None

    def explains(self, difference: Difference, seen: Image) -> bool:
        """Whether the whole difference belongs to the combat."""
        if difference.missing & ~(1 << self.target) or not difference.surplus:
            return False
        for side in Side:
            about = difference.surplus & seen.of(side)
            if about.bit_count() > 1:
                return False
            if about and side is self.winner:
                is_back = side is self.attacker and not about & ~self.sources
                if not is_back or not difference.missing:
                    return False
        return difference.surplus.bit_count() <= len(Side)
