"""What happens to a simulated board while a game is played on it, besides the game."""

import random
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Final, TypeAlias

from firmware_bridge.wire import ResetCause


class Disruption(Enum):
    """Something that the game has to outlive."""

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
"""What the board says it started anew for, after those after which it does so at once."""

Disruptions: TypeAlias = Iterator[tuple[int, Disruption]]
"""What happens, with its moment in milliseconds of simulated time, in order."""

QUIET_MS: Final = (3_000, 20_000)
"""From one disruption to the next: shortest and longest time, chosen so that a game has many."""
AWAY_MS: Final = (20, 3_000)
"""How long a pulled plug is out."""


def steady(_seed: int) -> Disruptions:
    """Let nothing happen."""
    return iter(())


def loose(seed: int) -> Disruptions:
    """Let the plug sit loose and the firmware hang now and then; the same for the same seed."""
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
"""Every way in which a board can be plugged in, by its name."""
