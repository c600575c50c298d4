"""Differences between what a board shows and what it should show."""

from dataclasses import dataclass

from engine.board.geometry import SquareSet
from firmware_bridge.image import Image


@dataclass(frozen=True)
class Difference:
    """Differences between an image and the expected one; a wrong colour is in both sets."""

    missing: SquareSet
    """Squares on which the expected piece is not seen."""
    surplus: SquareSet
    """Squares on which something is seen that is not expected."""

    def __bool__(self) -> bool:
        return bool(self.missing | self.surplus)


def compare(seen: Image, expected: Image) -> Difference:
    """Return the differences between an image and the expected one."""
    return Difference(
        missing=expected.red & ~(seen.red | seen.unknown)
        | expected.blue & ~(seen.blue | seen.unknown),
        surplus=seen.red & ~expected.red
        | seen.blue & ~expected.blue
        | seen.unknown & ~expected.occupied,
    )
