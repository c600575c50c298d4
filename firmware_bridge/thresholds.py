"""Thresholds by which a board detects pieces and reports faults, named as in its firmware.

Readings are in counts, 0 to `FULL_SCALE`; hardware/firmware gives the reasons. A test compares
them.
"""

from collections.abc import Mapping
from typing import Final

from firmware_bridge.wire import FULL_SCALE, BoardKind

RESTING: Final[Mapping[BoardKind, int]] = {BoardKind.COLOURS: 512, BoardKind.PRESENCE: FULL_SCALE}
"""Usual reading without a magnet: linear Hall sensors are in the middle, open switches at the
supply."""
REST_LIMIT: Final = 60
"""Maximum distance from the usual resting level, in counts; a larger distance is caused by a
magnet."""
USUAL_ON: Final[Mapping[BoardKind, int]] = {BoardKind.COLOURS: 70, BoardKind.PRESENCE: 255}
"""Switch-on threshold of a board that was never calibrated: deflection from the resting level, in
counts."""
ON_PER_CENT: Final[Mapping[BoardKind, int]] = {BoardKind.COLOURS: 17, BoardKind.PRESENCE: 40}
"""Switch-on threshold, in per cent of the deflection measured for this square at calibration."""
LEAST_ON_PER_CENT: Final = 13
MOST_ON_PER_CENT: Final = 60
USUAL_BAND_GAP_MV: Final = 1100
"""Default band-gap voltage, used until the board's own one is measured, in millivolts."""
LEAST_BAND_GAP_MV: Final = 950
MOST_BAND_GAP_MV: Final = 1250
SHARES: Final = range(LEAST_ON_PER_CENT, MOST_ON_PER_CENT + 1)
"""Values that a board accepts for `ON_PER_CENT`."""
BAND_GAPS_MV: Final = range(LEAST_BAND_GAP_MV, MOST_BAND_GAP_MV + 1)
"""Values that a board accepts for its chip's reference voltage, in millivolts."""
WEAKEST: Final = 80
"""Minimum deflection by a magnet, in counts: a weaker one is rejected by the calibration regardless
of the others."""
FAINTEST: Final = 30
"""Minimum deflection that counts as a magnet at all."""
STUCK_WITHIN: Final = 39
"""Distance from either end of the range. Linear sensors never read values closer to an end,
whatever magnet is held to them, so such a reading has no colour."""
LOW_SUPPLY_MV: Final = 4700
"""Supply voltage below which the board reports a fault, in millivolts."""

PULL: Final[Mapping[BoardKind, int]] = {BoardKind.COLOURS: 300, BoardKind.PRESENCE: FULL_SCALE}
"""Deflection by a usual piece, positive for a red one and negative for a blue one; a switch goes
from end to end. The firmware learns this value at calibration."""
