"""By which numbers a board senses and complains: those of its firmware, under the same names.

Readings are in counts, 0 to `FULL_SCALE`; hardware/firmware has the reasons. A test compares them.
"""

from collections.abc import Mapping
from typing import Final

from firmware_bridge.wire import FULL_SCALE, BoardKind

RESTING: Final[Mapping[BoardKind, int]] = {BoardKind.COLOURS: 512, BoardKind.PRESENCE: FULL_SCALE}
"""The usual reading without a magnet: linear Hall sensors are in the middle, open switches at the
supply."""
REST_LIMIT: Final = 60
"""What is further off the usual rest is a magnet and not a sensor at rest."""
USUAL_ON: Final[Mapping[BoardKind, int]] = {BoardKind.COLOURS: 70, BoardKind.PRESENCE: 255}
"""So far off its rest a sensor feels a piece, on a board that was never calibrated."""
ON_PER_CENT: Final[Mapping[BoardKind, int]] = {BoardKind.COLOURS: 17, BoardKind.PRESENCE: 40}
"""From this share of what it was learned to do on its square a piece counts as there."""
LEAST_ON_PER_CENT: Final = 13
MOST_ON_PER_CENT: Final = 60
USUAL_BAND_GAP_MV: Final = 1100
"""What a board goes by until somebody has measured its own."""
LEAST_BAND_GAP_MV: Final = 950
MOST_BAND_GAP_MV: Final = 1250
SHARES: Final = range(LEAST_ON_PER_CENT, MOST_ON_PER_CENT + 1)
"""That a board takes for `ON_PER_CENT`."""
BAND_GAPS_MV: Final = range(LEAST_BAND_GAP_MV, MOST_BAND_GAP_MV + 1)
"""That it takes for the reference of its chip."""
WEAKEST: Final = 80
"""A magnet that moves its sensor by less is refused by the calibration, whatever others do."""
FAINTEST: Final = 30
"""Less than that is nothing at all."""
STUCK_WITHIN: Final = 39
"""Linear sensors never come so near to either end of the range, whatever magnet is held to them. A
reading there is no colour."""
LOW_SUPPLY_MV: Final = 4700
"""In millivolts: below this the board complains."""

PULL: Final[Mapping[BoardKind, int]] = {BoardKind.COLOURS: 300, BoardKind.PRESENCE: FULL_SCALE}
"""What the usual piece moves a reading by, up if it is red and down if it is blue; a switch goes
from end to end. This one the firmware has to learn."""
