"""Where a board differs from what it should show."""

from dataclasses import dataclass

from engine.squares import SquareSet
from firmware_bridge.image import Image


@dataclass(frozen=True)
class Difference:
    """Where an image differs from the expected one; a wrong colour counts in both sets."""

    missing: SquareSet
    """Squares where the expected piece is not seen."""
    surplus: SquareSet
    """Squares where something is seen that is not expected."""

    def __bool__(self) -> bool:
        return bool(self.missing | self.surplus)


def compare(seen: Image, expected: Image) -> Difference:
    """Say where an image differs from the expected one."""
    return Difference(
        missing=expected.red & ~(seen.red | seen.unknown)
        | expected.blue & ~(seen.blue | seen.unknown),
        surplus=seen.red & ~expected.red
        | seen.blue & ~expected.blue
        | seen.unknown & ~expected.occupied,
    )
