"""Wiring of the sensors to the multiplexers, for each geometry that a board can have."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

from engine.board.geometry import Square
from firmware_bridge.wire import CHANNELS, Geometry
from firmware_bridge.wiring import CHANNEL_OF, GROUND_INPUT, TILE_CHANNEL_OF, TILE_GROUND_INPUT

TILE_MULTIPLEXERS: Final = 2
"""Number of multiplexers on one tile."""


@dataclass(frozen=True, slots=True)
class Wiring:
    """Assignment of channels to squares; a channel is 16 * multiplexer + input."""

    channel_of: tuple[int, ...]
    """Channel of each square."""
    square_of: Mapping[int, Square]
    """Square of each channel that reads one."""
    ground_input: int
    """Input that is connected to ground on every multiplexer."""
    is_of_tiles: bool = False

    @classmethod
    def of(cls, channels: tuple[int, ...], ground: int, *, is_of_tiles: bool = False) -> Self:
        """Create a wiring from the channel of each square."""
        squares = {channel: square for square, channel in enumerate(channels)}
        return cls(channels, squares, ground, is_of_tiles)

    def plug(self, multiplexer: int) -> int:
        """Return the plug of the controller, 1 to 4, to which a multiplexer's tile is connected."""
        return multiplexer // TILE_MULTIPLEXERS + 1

    def place(self, square: Square) -> tuple[int, int]:
        """Return the multiplexer of a square and its input there."""
        return divmod(self.channel_of[square], CHANNELS)


WIRINGS: Final[Mapping[Geometry, Wiring]] = {
    Geometry.BY_HAND: Wiring.of(CHANNEL_OF, GROUND_INPUT),
    Geometry.TILES: Wiring.of(TILE_CHANNEL_OF, TILE_GROUND_INPUT, is_of_tiles=True),
}
