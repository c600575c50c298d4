"""What stands about while a combat is fought out and cleared up, and disturbs nobody.

The two pieces are carried to and fro, a shoved one stands on some square, both are put back where
they came from, a loser is set down somewhere before it is laid aside.
"""

from dataclasses import dataclass
from typing import Final

from engine.play.actions import Amend, Attack, Infiltrate, Override
from engine.play.referee import Referee
from engine.sides import Side
from engine.squares import Square, SquareSet, set_of
from firmware_bridge.difference import Difference
from firmware_bridge.image import Image

TIDYING: Final = 10.0
"""For so many seconds after its result has stood, losers of a combat may stand about."""
LOOKED_AT: Final = 4
"""Most pieces that are looked at while a combat is fought out; more were knocked off the board."""
_OPENS: Final = (Attack, Amend, Infiltrate, Override)


def stopover(referee: Referee) -> SquareSet:
    """Where a scout was set down that went on to the latest attack, if one was.

    It stands there until the combat is cleared up, or is in the hand.
    """
    began = next(action for action in reversed(referee.in_force) if isinstance(action, _OPENS))
    return 1 << began.source


def fought_over(referee: Referee) -> SquareSet:
    """The squares of the latest combat."""
    assert referee.position.last_move
    return set_of(referee.position.last_move) | stopover(referee)


def may_be_fought(squares: SquareSet, difference: Difference, seen: Image, expected: Image) -> bool:
    """Whether all that differs belongs to the combat on these squares: it is not decided yet.

    Other pieces may be looked at meanwhile.
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
    """A combat that is not quite cleared up."""

    target: Square
    sources: SquareSet
    """Where the attacker came from, and where it was set down on its way."""
    attacker: Side
    winner: Side | None

    def explains(self, difference: Difference, seen: Image) -> bool:
        """Whether nothing differs but what belongs to the combat."""
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
