"""A clock in haste, for tests that talk with a simulated board in real time.

The board has to be in as much haste: its frames tell its own time, and where the two disagree, what
hands did one after the other may be put to the same moment.
"""

import time
from typing import Final

HASTE: Final = 8.0
"""How much faster the clock of these tests runs, so that nobody waits for a board to settle."""


def fast_clock() -> float:
    """Return the time in seconds, of which `HASTE` go by in a real one."""
    return HASTE * time.monotonic()
