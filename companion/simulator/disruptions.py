"""Disruptions of a simulated board during a game: resets, hangs and loss of power or connection."""

import random
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Final, TypeAlias

from firmware_bridge.wire import ResetCause


class Disruption(Enum):
    """An event that the game has to survive."""

    RESET = "reset"
    HANG = "hang"
    BROWN_OUT = "brown-out"
    PLUG_PULLED = "plug pulled"
    PLUGGED_IN = "plugged in"


RESTARTS: Final[Mapping[Disruption, ResetCause]] = {
    Disruption.RESET: ResetCause.EXTERNAL,
    Disruption.HANG: ResetCause.WATCHDOG,
    Disruption.BROWN_OUT: ResetCause.BROWN_OUT,
}
"""The reset cause that the board reports, for disruptions after which it restarts at once."""

Disruptions: TypeAlias = Iterator[tuple[int, Disruption]]
"""Disruptions in order, each with its time in milliseconds of simulated time."""

QUIET_MS: Final = (3_000, 20_000)
"""Shortest and longest time between two disruptions, chosen so that every game has many."""
AWAY_MS: Final = (20, 3_000)
"""Shortest and longest time for which a pulled plug is out."""


def steady(_seed: int) -> Disruptions:
    """Return no disruptions."""
    return iter(())


def loose(seed: int) -> Disruptions:
    """A loose plug and a firmware that hangs now and then; deterministic for a given seed."""
    dice = random.Random(seed)
    kinds = [*RESTARTS, Disruption.PLUG_PULLED]
    now_ms = 0
    while True:
        now_ms += dice.randint(*QUIET_MS)
        disruption = dice.choice(kinds)
        yield now_ms, disruption
        if disruption is Disruption.PLUG_PULLED:
            now_ms += dice.randint(*AWAY_MS)
            yield now_ms, Disruption.PLUGGED_IN


PLUGS: Final[Mapping[str, Callable[[int], Disruptions]]] = {"steady": steady, "loose": loose}
"""The available kinds of connection, by name."""
