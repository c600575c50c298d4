"""How the sensors of a board hang on its multiplexers, for each geometry that a board can have."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

from engine.squares import Square
from firmware_bridge.wire import CHANNELS, Geometry
from firmware_bridge.wiring import CHANNEL_OF, GROUND_INPUT, TILE_CHANNEL_OF, TILE_GROUND_INPUT

TILE_MULTIPLEXERS: Final = 2
"""How many are on one tile."""


@dataclass(frozen=True, slots=True)
class Wiring:
    """Which channel reads which square; a channel is 16 * multiplexer + input."""

    channel_of: tuple[int, ...]
    """By square."""
    square_of: Mapping[int, Square]
    """By channel, of those that read one."""
    ground_input: int
    """An input of every multiplexer that is connected to ground."""
    is_of_tiles: bool = False

    @classmethod
    def of(cls, channels: tuple[int, ...], ground: int, *, is_of_tiles: bool = False) -> Self:
        """Make it of the channel of each square."""
        squares = {channel: square for square, channel in enumerate(channels)}
        return cls(channels, squares, ground, is_of_tiles)

    def plug(self, multiplexer: int) -> int:
        """Return on which plug of the controller, 1 to 4, the tile of a multiplexer is."""
        return multiplexer // TILE_MULTIPLEXERS + 1

    def place(self, square: Square) -> tuple[int, int]:
        """Return the multiplexer of a square, and its input there."""
        return divmod(self.channel_of[square], CHANNELS)


WIRINGS: Final[Mapping[Geometry, Wiring]] = {
    Geometry.BY_HAND: Wiring.of(CHANNEL_OF, GROUND_INPUT),
    Geometry.TILES: Wiring.of(TILE_CHANNEL_OF, TILE_GROUND_INPUT, is_of_tiles=True),
}
