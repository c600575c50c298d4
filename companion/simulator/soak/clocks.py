"""Clocks gain nothing: not by a step, and not by a plug that is pulled."""

import math
from collections.abc import Mapping
from typing import Final

from companion.simulator.soak.claim import Claim, insist
from companion.table import Step, Table
from companion.table.inputs import Input, Said
from companion.table.sayings import GiveTime
from engine.play.clocks import ClockState, Limit

SLACK: Final = 3.0
"""Seconds. A turn is ruled when it has stood for a moment, and its time ends when it was let go of;
for two seconds it may be amended."""
GIVEN_BACK: Final = 2.0
"""Seconds of thinking time that a pulled plug gives back at most."""
SILENCE: Final = 1.0
"""So many more, while frames are missing and the board does not count as lost yet."""


def used(clock: ClockState) -> Mapping[Limit, float]:
    """Return how much of each kind of time is used in all."""
    total = dict(clock.used)
    for limit in clock.counting:
        total[limit] += clock.turn
    if clock.waiting is not None and clock.interrupted:
        for limit in (clock.interrupted, Limit.WHOLE):
            total[limit] += clock.waiting
    return total


class ClocksWatched:
    """Looks at the clock of one table after every input."""

    def __init__(self, table: Table) -> None:
        """Begin with what it shows."""
        self._table = table
        self._before = used(table.shown_clock)
        self._limits = [each for each in Limit if table.clock.control.allowed(each) is not None]
        self._shown_at = self._heard_at = self._waited_at = -math.inf

    def note(self, given: Input, step: Step) -> None:
        """Compare what has been used with what had been used before an input."""
        self._shown_at, self._heard_at = self._heard_at, given.at
        if not (self._limits and step.is_news):
            return
        now, before = used(step.clock), self._before
        self._before = now
        match given:
            case Said(what=GiveTime()):
                return
        allowed = SLACK + (self._table.clock.control.delay if step.actions else 0)
        for limit in self._limits:
            gained = before[limit] - now[limit]
            insist(
                Claim.CLOCKS,
                gained <= allowed,
                f"{limit.value} has {gained:.1f} seconds more than before this step",
            )

    def wait(self, at: float) -> None:
        """Take note that something could not be saved at a moment: the clock waits with it."""
        self._waited_at = at

    def check_after_plug(self, after: ClockState, *, silent: bool, saving: bool) -> None:
        """Compare what it has shown when the plug was pulled with what it is taken up with.

        What was just being saved nobody has seen: a program that did not come round to anything
        for seconds learns at once how many they were.
        """
        if self._heard_at - self._waited_at <= GIVEN_BACK:
            return  # it could not be kept
        allowed = GIVEN_BACK + (SILENCE if silent else 0)
        if saving:
            allowed += self._heard_at - self._shown_at
        before, now = used(self._table.shown_clock), used(after)
        for limit in self._limits:
            gained = before[limit] - now[limit]
            insist(
                Claim.CLOCKS,
                gained <= allowed,
                f"the plug has given {limit.value} {gained:.1f} seconds back",
            )
