"""The players of a game: their names, and whether one person plays alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.board.geometry import Side


@dataclass(frozen=True)
class Players:
    """The names of Red and Blue; empty if not given."""

    red: str = ""
    blue: str = ""
    alone: Side | None = None
    """The side of the person who plays alone; None for two players."""

    def of(self, side: Side) -> str:
        """The name of a side's player, empty if unknown."""
        return self.red if side is Side.RED else self.blue

    @property
    def both(self) -> tuple[str, str] | None:
        """Both names, if both are known."""
        return (self.red, self.blue) if self.red and self.blue else None

    def written(self) -> dict[str, str]:
        """Return the names as plain data."""
        alone = {"alone": self.alone.value} if self.alone else {}
        return {"red": self.red, "blue": self.blue, **alone}

    @classmethod
    def read(cls, plain: Mapping[str, Any]) -> "Players":
        """Parse the output of `written`; ValueError if it is malformed."""
        names = dict(plain)
        alone = names.pop("alone", None)
        if set(names) != {"red", "blue"} or not all(isinstance(n, str) for n in names.values()):
            raise ValueError(f"{plain!r} are no names of players")
        return cls(**names, alone=Side(alone) if alone else None)


NOBODY: Final = Players()
"""Two players without names."""
