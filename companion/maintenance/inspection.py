"""Somebody looks into a board: its readings are asked for again and again, gently."""

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
"""From one question for all readings to the next, if the answer has come by then."""
ANSWER_SECONDS: Final = 1.0
"""How long the answer may take. A board that is asked again meanwhile may begin it anew."""


class Inspection:
    """A watch over a board that is connected, and the questions that keep it going.

    Time is passed in. Nothing here waits: whoever inspects calls `ask_if_due` often, and `take`
    with everything that the link tells.
    """

    def __init__(
        self, connected: Connected, statistics: Statistics, ask: Callable[[HostCommand], object]
    ) -> None:
        """Begin; `statistics` are those of the link, which grow, and `ask` sends a command."""
        self.watch = Watch(connected)
        self.trouble: Trouble | None = None
        """What keeps the board from being heard at the moment."""
        self._statistics, self._before = statistics, replace(statistics)
        self._ask = ask
        self._asked, self._answered = -inf, True

    @property
    def statistics(self) -> Statistics:
        """How well the board was heard since the inspection began."""
        now, before = self._statistics, self._before
        return Statistics(
            now.received_bytes - before.received_bytes,
            now.frames - before.frames,
            now.bad_frames - before.bad_frames,
            now.lost - before.lost,
        )

    def ask_if_due(self, now: float) -> None:
        """Ask for all readings, unless the board was asked a moment ago or still answers."""
        patience = LOOK_SECONDS if self._answered else ANSWER_SECONDS
        if not self.trouble and now - self._asked >= patience:
            self._asked, self._answered = now, False
            self._ask(SendRaw())

    def take(self, event: Event, now: float) -> None:
        """Take in what the link tells."""
        match event:
            case Received(Raw(multiplexer)) if multiplexer == self.watch.hello.geometry - 1:
                self._answered = True
        self.trouble = event if isinstance(event, Trouble) else None
        self.watch.take(event, now)

    def findings(
        self, now: float, *, armies: bool = False, language: Language = ENGLISH
    ) -> list[Finding]:
        """Say what is wrong, the worst first; with `armies`, both should be set up."""
        return findings(self.watch, self.statistics, now, armies=armies, language=language)
