"""A recorded game: the setup with every rank, the moves, and how it ended.

The files it is read from are the business of `engine.records`. What can be read may still be an
illegal game; that is for `engine.adjudication` to say.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from engine.play.actions import PlaceArmies
from engine.play.rulings import GameOver
from engine.ranks import BARRAGE, DUEL, ORIGINAL, Army, Rank
from engine.squares import Square, SquareSet


class RecordError(ValueError):
    """A record that cannot be read: what is wrong, and where."""

    def __init__(self, message: str, line: int | None = None) -> None:
        """Say what is wrong on which line of the file, counted from 1; None for the whole file."""
        super().__init__(message if line is None else f"line {line}: {message}")


class GameKind(Enum):
    """The games of the Gravon archive, under its own names for them (records.md)."""

    CLASSIC = "classic"
    CLASSIC_FREE = "classicfree"
    BARRAGE = "barrage"
    DUELL = "duell"
    ULTIMATE_LIGHTNING = "ultimate lightning"
    """Twenty pieces and rules of its own: rescues, one-time bombs, captains that step twice."""

    @property
    def army(self) -> Army | None:
        """The army of the game; None for a game that no rulebook here has."""
        return _ARMIES.get(self)


_ARMIES: Final = {
    GameKind.CLASSIC: ORIGINAL,
    GameKind.CLASSIC_FREE: ORIGINAL,
    GameKind.BARRAGE: BARRAGE,
    GameKind.DUELL: DUEL,
}


@dataclass(frozen=True)
class RecordedMove:
    """One move or attack; what came of it is not recorded and follows from the ranks."""

    source: Square
    target: Square


@dataclass(frozen=True)
class Record:
    """A complete game between two people, with every rank."""

    ranks: Mapping[Square, Rank]
    """The rank set up on each square."""
    red: SquareSet
    blue: SquareSet
    moves: tuple[RecordedMove, ...] = ()
    result: GameOver | None = None
    """What the file says of the end, if anything."""
    kind: GameKind | None = None
    """Which game the file says it is, if it is one that we know of."""
    players: tuple[str, str] | None = None
    """The names of Red and Blue, where the file tells both. They may hold any characters."""
    unknown_kind: str = field(default="", compare=False)
    """The name that the file gives to a game that we do not know."""

    @property
    def foreign_kind(self) -> str:
        """The name of the game if no rulebook here has it, else empty."""
        if self.kind is None or self.kind.army:
            return self.unknown_kind
        return self.kind.value

    @property
    def placing(self) -> PlaceArmies:
        """The action that begins the game."""
        return PlaceArmies(self.red, self.blue)
