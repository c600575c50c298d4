"""An accelerated clock, for tests that talk to a simulated board in real time.

The board has to run at the same speed: its frames contain its own time, and if the two disagree,
hand movements that happened one after the other may get the same timestamp.
"""

import time
from typing import Final

HASTE: Final = 8.0
"""Speed of the clock of these tests relative to real time, so that boards settle quickly."""


def fast_clock() -> float:
    """Return the time in seconds, of which `HASTE` pass in a real one."""
    return HASTE * time.monotonic()
