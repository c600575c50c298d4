"""Board hardware: the wiring of the sensors, and the thresholds at which a piece is detected.

The thresholds have the same names as in the firmware, and a test compares their values. Readings
are in counts, 0 to `FULL_SCALE`. The reasons for the values are given in hardware/firmware.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

from engine.board.geometry import Square
from firmware_bridge.wire import CHANNELS, FULL_SCALE, BoardKind, Geometry

# ---- drawn: channels ----
# Generated from hardware/wiring.toml and hardware/pcb/wiring.toml by “make wiring”. Do not edit.
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
"""Channel that reads each square: 16 * multiplexer + input."""
GROUND_INPUT: Final = 15
"""Input that is grounded on every multiplexer."""
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
    """Mapping of squares to channels. A channel is 16 * multiplexer + input."""

    channel_of: tuple[int, ...]
    """Channel that reads each square, indexed by square number."""
    square_of: Mapping[int, Square]
    """Square of each channel that is connected to a sensor."""
    ground_input: int
    """Input that is connected to ground on every multiplexer."""
    is_of_tiles: bool = False

    @classmethod
    def of(cls, channels: tuple[int, ...], ground: int, *, is_of_tiles: bool = False) -> Self:
        """Create the wiring from the channel of each square."""
        squares = {channel: square for square, channel in enumerate(channels)}
        return cls(channels, squares, ground, is_of_tiles)

    def plug(self, multiplexer: int) -> int:
        """Return the controller plug, 1 to 4, to which a multiplexer's tile is connected."""
        return multiplexer // TILE_MULTIPLEXERS + 1

    def place(self, square: Square) -> tuple[int, int]:
        """Return the multiplexer that reads a square, and its input on that multiplexer."""
        return divmod(self.channel_of[square], CHANNELS)


WIRINGS: Final[Mapping[Geometry, Wiring]] = {
    Geometry.BY_HAND: Wiring.of(CHANNEL_OF, GROUND_INPUT),
    Geometry.TILES: Wiring.of(TILE_CHANNEL_OF, TILE_GROUND_INPUT, is_of_tiles=True),
}


RESTING: Final[Mapping[BoardKind, int]] = {BoardKind.COLOURS: 512, BoardKind.PRESENCE: FULL_SCALE}
"""Typical reading without a magnet: mid-range for linear Hall sensors, full scale for open
switches."""
REST_LIMIT: Final = 60
"""Maximum deviation of a resting level from the typical one, in counts. A larger deviation
indicates a magnet."""
USUAL_ON: Final[Mapping[BoardKind, int]] = {BoardKind.COLOURS: 70, BoardKind.PRESENCE: 255}
"""Switch-on threshold of a board that has never been calibrated: deflection from the resting level,
in counts."""
ON_PER_CENT: Final[Mapping[BoardKind, int]] = {BoardKind.COLOURS: 17, BoardKind.PRESENCE: 40}
"""Switch-on threshold, as a percentage of the deflection measured on a square at calibration."""
LEAST_ON_PER_CENT: Final = 13
MOST_ON_PER_CENT: Final = 60
USUAL_BAND_GAP_MV: Final = 1100
"""Default band-gap voltage in millivolts, used until the board's own voltage has been measured."""
LEAST_BAND_GAP_MV: Final = 950
MOST_BAND_GAP_MV: Final = 1250
SHARES: Final = range(LEAST_ON_PER_CENT, MOST_ON_PER_CENT + 1)
"""Values that a board accepts for `ON_PER_CENT`."""
BAND_GAPS_MV: Final = range(LEAST_BAND_GAP_MV, MOST_BAND_GAP_MV + 1)
"""Values that a board accepts for the reference voltage of its microcontroller, in millivolts."""
WEAKEST: Final = 80
"""Calibration accepts a magnet only if it causes at least this deflection, in counts."""
FAINTEST: Final = 30
"""Smaller deflections, in counts, are not attributed to a magnet."""
STUCK_WITHIN: Final = 39
"""No magnet drives a linear sensor closer than this to either end of its range, in counts. A closer
reading indicates a fault, so no colour is derived from it."""
LOW_SUPPLY_MV: Final = 4700
"""Supply voltage, in millivolts, below which the board reports a fault."""

PULL: Final[Mapping[BoardKind, int]] = {BoardKind.COLOURS: 300, BoardKind.PRESENCE: FULL_SCALE}
"""Deflection that a typical red piece causes, in counts. A blue piece deflects a linear sensor in
the opposite direction. Either piece moves the reading of a switch from one end of the range to the
other. The firmware learns the actual value at calibration."""
