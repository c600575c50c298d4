"""Inspection of a board: polls its readings at a gentle rate."""

from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Final

from companion.maintenance.clerk import ENGLISH, Finding
from companion.maintenance.findings import findings
from companion.maintenance.watch import Watch
from companion.speech.language import Language
from firmware_bridge.link import Connected, Event, Received, Statistics, Trouble
from firmware_bridge.wire import HostCommand, Raw, SendRaw

LOOK_SECONDS: Final = 0.1
"""Minimum interval between two requests for all readings, in seconds."""
ANSWER_SECONDS: Final = 1.0
"""Time-out for the answer, in seconds. A board that is asked again before may start it again."""


class Inspection:
    """Observes a connected board, and sends the requests that keep the readings coming.

    Time is passed in. Nothing here waits: the caller calls `ask_if_due` often, and `take` with
    every event of the link.
    """

    def __init__(
        self, connected: Connected, statistics: Statistics, ask: Callable[[HostCommand], object]
    ) -> None:
        """Start; `statistics` are the link's running counters, and `ask` sends a command."""
        self.watch = Watch(connected)
        self.trouble: Trouble | None = None
        """The present link error, or None."""
        self._statistics, self._before = statistics, replace(statistics)
        self._ask = ask
        self._asked, self._answered = -inf, True

    @property
    def statistics(self) -> Statistics:
        """Link statistics since the inspection started."""
        now, before = self._statistics, self._before
        return Statistics(
            now.received_bytes - before.received_bytes,
            now.frames - before.frames,
            now.bad_frames - before.bad_frames,
            now.lost - before.lost,
        )

    def ask_if_due(self, now: float) -> None:
        """Request all readings, unless the last request is recent or still being answered."""
        patience = LOOK_SECONDS if self._answered else ANSWER_SECONDS
        if not self.trouble and now - self._asked >= patience:
            self._asked, self._answered = now, False
            self._ask(SendRaw())

    def take(self, event: Event, now: float) -> None:
        match event:
            case Received(Raw(multiplexer)) if multiplexer == self.watch.hello.geometry - 1:
                self._answered = True
        self.trouble = event if isinstance(event, Trouble) else None
        self.watch.take(event, now)

    def findings(
        self, now: float, *, armies: bool = False, language: Language = ENGLISH
    ) -> list[Finding]:
        """Return the findings, the most serious first; with `armies`, both should be set up."""
        return findings(self.watch, self.statistics, now, armies=armies, language=language)
