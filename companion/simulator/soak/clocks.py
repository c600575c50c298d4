"""Check that clocks gain no time: neither by a step nor by a power cut."""

import math
from collections.abc import Mapping
from typing import Final

from companion.simulator.soak.claim import Claim, insist
from companion.table import Step, Table
from companion.table.inputs import Input, Said
from companion.table.sayings import GiveTime
from engine.game.clocks import ClockState, Limit

SLACK: Final = 3.0
"""Tolerance in seconds. A turn is ruled after it has been stable for a moment, but its time ends at
the release; it may be amended for two seconds."""
GIVEN_BACK: Final = 2.0
"""Maximum thinking time that a power cut gives back, in seconds."""
SILENCE: Final = 1.0
"""Additional tolerance in seconds, for frames missing before the board counts as disconnected."""


def used(clock: ClockState) -> Mapping[Limit, float]:
    """Return the total used time of each kind."""
    total = dict(clock.used)
    for limit in clock.counting:
        total[limit] += clock.turn
    if clock.waiting is not None and clock.interrupted:
        for limit in (clock.interrupted, Limit.WHOLE):
            total[limit] += clock.waiting
    return total


class ClocksWatched:
    """Checks the clock of one table after every input."""

    def __init__(self, table: Table) -> None:
        """Start with the current clock."""
        self._table = table
        self._before = used(table.shown_clock)
        self._limits = [each for each in Limit if table.clock.control.allowed(each) is not None]
        self._shown_at = self._heard_at = self._waited_at = -math.inf

    def note(self, given: Input, step: Step) -> None:
        """Compare the used time with that before an input."""
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
        """Record that saving failed at time `at`: the clock could not be saved either."""
        self._waited_at = at

    def check_after_plug(self, after: ClockState, *, silent: bool, saving: bool) -> None:
        """Compare the clock as shown before the power cut with the one at the resumption.

        An unfinished save has shown nothing yet: a program that was blocked for seconds learns only
        afterwards how many they were.
        """
        if self._heard_at - self._waited_at <= GIVEN_BACK:
            return  # it could not be saved
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
