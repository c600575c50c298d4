"""Hints: the possible ranks of an opposing piece, and the player's pieces that can be attacked.

Hints are based on the referee's deductions from public facts, so hidden ranks do not influence
them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Annotated, Final

from companion.codec import Named
from engine.board.geometry import Side, Square, SquareSet, set_of, squares_in
from engine.board.ranks import MOVABLE, RankSet
from engine.game.position import Position
from engine.rules.movement import find_fault


class HintLimit(Enum):
    """Number of hints that each player may ask for in a game."""

    THREE = "three"
    FREE = "free"


_MOST: Final = {HintLimit.THREE: 3, HintLimit.FREE: None}


@dataclass(frozen=True)
class GameHints:
    """The agreed limit on hints per game, and the number of hints that each side has used."""

    game: int
    """Number of the game in the journal."""
    limit: HintLimit
    red: int = 0
    blue: int = 0
    seed: Annotated[int, Named(omits_default=True)] = 0
    """The game's random seed. Another games file may contain a game with the same number."""

    def left(self, side: Side) -> int | None:
        """Return the number of hints that a side has left, or None if there is no limit."""
        most = _MOST[self.limit]
        used = self.red if side is Side.RED else self.blue
        return None if most is None else max(0, most - used)

    def used_by(self, side: Side) -> "GameHints":
        """Return a copy in which a side has used one more hint."""
        if side is Side.RED:
            return replace(self, red=self.red + 1)
        return replace(self, blue=self.blue + 1)


def possible_ranks(position: Position, square: Square) -> RankSet:
    """Return the possible ranks of the piece on a square. Raise KeyError if there is no piece."""
    return position.ranks_at(square)


def threatened(position: Position, side: Side) -> SquareSet:
    """Return the squares of the pieces that the other side may be able to attack on its next turn.

    An attack counts if any possible rank of the attacking piece allows it.
    """
    own = position.squares(side)
    return set_of(at for at in squares_in(own) if any(_attackers(position, side, at)))


def _attackers(position: Position, side: Side, target: Square) -> Iterator[bool]:
    """Yield, for each opposing piece, whether it may be able to attack the piece on `target`."""
    own, enemy = position.squares(side), position.squares(side.other)
    for source in squares_in(enemy):
        ranks = position.ranks_at(source)
        yield bool(ranks & MOVABLE) and find_fault(enemy, own, source, target, ranks) is None
