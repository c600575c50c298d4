"""Wiring of the sensors to the multiplexers, for each possible geometry of a board."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

from engine.board.geometry import Square
from firmware_bridge.wire import CHANNELS, Geometry

# ---- drawn: channels ----
# Made from hardware/wiring.toml and hardware/pcb/wiring.toml by “make wiring”; change those.
CHANNEL_OF: Final[tuple[int, ...]] = (
      0,   1,   2,   3,   4,  16,  17,  18,  19,  20,
      5,   6,   7,   8,   9,  21,  22,  23,  24,  25,
     10,  11,  12,  13,  14,  26,  27,  28,  29,  30,
     32,  33,  34,  35,  36,  48,  49,  50,  51,  52,
     37,  38,  39,  40,  41,  53,  54,  55,  56,  57,
     42,  43,  44,  45,  46,  58,  59,  60,  61,  62,
     64,  65,  66,  67,  68,  80,  81,  82,  83,  84,
     69,  70,  71,  72,  73,  85,  86,  87,  88,  89,
     74,  75,  76,  77,  78,  90,  91,  92,  93,  94,
     96,  97,  98,  99, 100, 101, 102, 103, 104, 105,
)  # fmt: skip
"""For each square the channel that reads it, 16 * multiplexer + input."""
GROUND_INPUT: Final = 15
"""An input of every multiplexer that is connected to ground."""
TILE_CHANNEL_OF: Final[tuple[int, ...]] = (
      8,   9,  11,  13,  24,  40,  41,  43,  45,  56,
     21,  10,  12,  26,  25,  53,  42,  44,  58,  57,
     19,  20,   6,  28,  27,  51,  52,  38,  60,  59,
     17,  18,   4,   2,  29,  49,  50,  36,  34,  61,
     16,   5,   3,   1,   0,  48,  37,  35,  33,  32,
     72,  73,  75,  77,  88, 104, 105, 107, 109, 120,
     85,  74,  76,  90,  89, 117, 106, 108, 122, 121,
     83,  84,  70,  92,  91, 115, 116, 102, 124, 123,
     81,  82,  68,  66,  93, 113, 114, 100,  98, 125,
     80,  69,  67,  65,  64, 112, 101,  99,  97,  96,
)  # fmt: skip
TILE_GROUND_INPUT: Final = 15
# ---- end ----

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
