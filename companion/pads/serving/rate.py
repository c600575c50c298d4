"""How often one address may ask."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

BURST: Final = 120.0
"""How many requests may come at once: a page with all its files, opened a few times."""
A_SECOND: Final = 20.0
"""How many more may come with every second."""
KNOWN: Final = 256
"""How many addresses are remembered."""


class Rate:
    """What each address has left."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """Count by a clock in seconds."""
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        """Count a request; say whether there was one left."""
        now = self._clock()
        at, left = self._left.pop(address, (now, BURST))
        left = min(BURST, left + (now - at) * A_SECOND)
        is_allowed = left >= 1
        self._left[address] = now, left - is_allowed
        if len(self._left) > KNOWN:
            self._left.popitem(last=False)
        return is_allowed
