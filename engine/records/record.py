"""A recorded game: the setup with every rank, the moves, and the outcome.

`engine.records.record_files` reads records from files. Even a readable record may contain an
illegal game, which `engine.records.adjudication` detects.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from engine.board import EngineError
from engine.board.geometry import Square, SquareSet
from engine.board.ranks import BARRAGE, DUEL, ORIGINAL, Army, Rank
from engine.game.actions import PlaceArmies
from engine.game.rulings import GameOver


class RecordError(EngineError):
    """A record cannot be read. The message gives the problem and its line."""

    def __init__(self, message: str, line: int | None = None) -> None:
        """Create an error. `line` is counted from 1. If it is None, the error is about the file."""
        super().__init__(message if line is None else f"line {line}: {message}")


class GameKind(Enum):
    """Game types in the Gravon archive, named as in the archive (records.md)."""

    CLASSIC = "classic"
    CLASSIC_FREE = "classicfree"
    BARRAGE = "barrage"
    DUELL = "duell"
    ULTIMATE_LIGHTNING = "ultimate lightning"
    """Twenty pieces and special rules: rescues, one-time bombs, captains that step twice."""

    @property
    def army(self) -> Army | None:
        """Army for this game type, or None if no supported rulebook has such a game."""
        return _ARMIES.get(self)


_ARMIES: Final = {
    GameKind.CLASSIC: ORIGINAL,
    GameKind.CLASSIC_FREE: ORIGINAL,
    GameKind.BARRAGE: BARRAGE,
    GameKind.DUELL: DUEL,
}


@dataclass(frozen=True)
class RecordedMove:
    """One move or attack. Its result is not recorded because it follows from the ranks."""

    source: Square
    target: Square


@dataclass(frozen=True)
class Record:
    """A complete game between two people, with every rank."""

    ranks: Mapping[Square, Rank]
    """Rank of the piece set up on each square."""
    red: SquareSet
    blue: SquareSet
    moves: tuple[RecordedMove, ...] = ()
    result: GameOver | None = None
    """Outcome of the game according to the file, if given."""
    kind: GameKind | None = None
    """Game type according to the file, if known."""
    players: tuple[str, str] | None = None
    """Names of Red and Blue, if the file has both. The names may contain any characters."""
    unknown_kind: str = field(default="", compare=False)
    """Name that the file gives to an unknown game type."""

    @property
    def foreign_kind(self) -> str:
        """Name of the game type if no supported rulebook contains it, otherwise empty."""
        if self.kind is None or self.kind.army:
            return self.unknown_kind
        return self.kind.value

    @property
    def placing(self) -> PlaceArmies:
        """Action that begins the game."""
        return PlaceArmies(self.red, self.blue)
