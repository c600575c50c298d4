"""Setting up: how much of the armies stands, and which sides have said that they are ready."""

from typing import Final

from companion.table.events import SetupSeen
from companion.table.sayings import Ready
from engine.sides import Side
from engine.squares import SquareSet, squares_in
from firmware_bridge.image import Image

SETUP_PATIENCE: Final = 0.3
"""For how many seconds an army must stand unchanged before its pieces are counted."""


class SetupWatch:
    """Counts two armies of the same size while they are set up."""

    def __init__(self, size: int) -> None:
        """Wait for armies of `size` pieces each."""
        self.seen = SetupSeen(red=0, blue=0, astray=())
        self.ready: frozenset[Side] = frozenset()
        """The sides that have said that their army stands."""
        self.red: SquareSet = 0
        self.blue: SquareSet = 0
        self._size = size

    @property
    def is_over(self) -> bool:
        """Whether both sides are ready, and nothing else stands on the board."""
        return len(self.ready) == len(Side) and not self.seen.astray

    def count(self, image: Image) -> bool:
        """Count what an image shows; say whether that is news. Who lacks a piece is not ready."""
        self.red, self.blue = (_standing(image, side) for side in Side)
        astray = tuple(squares_in(image.occupied & ~(self.red | self.blue)))
        found = SetupSeen(self.red.bit_count(), self.blue.bit_count(), astray)
        is_news, self.seen = found != self.seen, found
        self.ready = frozenset(side for side in self.ready if self._is_complete(side))
        return is_news

    def take_ready(self, said: Ready) -> Ready | SetupSeen:
        """Take a side at its word that its army stands, or answer with what is seen instead."""
        if not self._is_complete(said.side) or self.seen.astray:
            return self.seen
        self.ready |= {said.side}
        return said

    def _is_complete(self, side: Side) -> bool:
        return self._size == (self.seen.red if side is Side.RED else self.seen.blue)


def _standing(image: Image, side: Side) -> SquareSet:
    """The pieces of a side that stand in its own rows."""
    return (image.of(side) | image.unknown) & side.home
