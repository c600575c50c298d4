"""An accelerated clock, for tests that communicate with a simulated board in real time.

The board must run at the same speed, because its frames contain its own time. If the two clocks
disagree, hand movements that happened one after the other may get the same timestamp.
"""

import time
from typing import Final

HASTE: Final = 8.0
"""Speed of the clock of these tests relative to real time, so that boards settle quickly."""


def fast_clock() -> float:
    """Return the time in seconds; `HASTE` of these seconds pass in one real second."""
    return HASTE * time.monotonic()
