"""Token-bucket rate limit per client address."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

BURST: Final = 120.0
"""Size of a burst of requests: a page with all its files, opened a few times."""
A_SECOND: Final = 20.0
"""Requests allowed per second after that."""
KNOWN: Final = 256
"""Maximum number of tracked addresses."""


class Rate:
    """Remaining tokens of each address."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """Use a clock in seconds."""
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        """Count a request; return whether it is within the limit."""
        now = self._clock()
        at, left = self._left.pop(address, (now, BURST))
        left = min(BURST, left + (now - at) * A_SECOND)
        is_allowed = left >= 1
        self._left[address] = now, left - is_allowed
        if len(self._left) > KNOWN:
            self._left.popitem(last=False)
        return is_allowed
