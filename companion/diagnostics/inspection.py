"""Board inspection: polls the sensor readings at a low rate, and diagnoses faults."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf
from typing import Final

from companion.diagnostics.board_monitor import BoardMonitor
from companion.diagnostics.report import ENGLISH, Finding, FindingWriter, sorted_findings
from companion.diagnostics.sensor_findings import of_the_sensors
from companion.speech.i18n import N_, Language
from firmware_bridge import wire
from firmware_bridge.board_hardware import LOW_SUPPLY_MV
from firmware_bridge.link import Connected, Event, LinkError, MessageReceived, Statistics

LOOK_SECONDS: Final = 0.1
"""Minimum interval, in seconds, between requests for all readings."""
ANSWER_SECONDS: Final = 1.0
"""Timeout for the reply, in seconds. If asked again before that, a board may restart its reply."""


class Inspection:
    """Observes a connected board and keeps requesting its readings.

    No method blocks. The caller passes in the time, calls `ask_if_due` often, and calls `take`
    with every event from the link.
    """

    def __init__(
        self,
        connected: Connected,
        statistics: Statistics,
        ask: Callable[[wire.HostCommand], object],
    ) -> None:
        """`statistics` contains the link's running counters, and `ask` sends a command."""
        self.watch = BoardMonitor(connected)
        self.error: LinkError | None = None
        """The current link error, or None."""
        self._statistics, self._before = statistics, replace(statistics)
        self._ask = ask
        self._asked, self._answered = -inf, True

    @property
    def statistics(self) -> Statistics:
        """Counters of the link since the inspection started."""
        now, before = self._statistics, self._before
        return Statistics(
            now.received_bytes - before.received_bytes,
            now.frames - before.frames,
            now.bad_frames - before.bad_frames,
            now.lost - before.lost,
        )

    def ask_if_due(self, now: float) -> None:
        """Request all readings, unless the last request is recent or still pending."""
        patience = LOOK_SECONDS if self._answered else ANSWER_SECONDS
        if not self.error and now - self._asked >= patience:
            self._asked, self._answered = now, False
            self._ask(wire.RequestRaw())

    def take(self, event: Event, now: float) -> None:
        match event:
            case MessageReceived(wire.Raw(multiplexer)) if (
                multiplexer == self.watch.hello.geometry - 1
            ):
                self._answered = True
        self.error = event if isinstance(event, LinkError) else None
        self.watch.take(event, now)

    def findings(
        self, now: float, *, armies: bool = False, language: Language = ENGLISH
    ) -> list[Finding]:
        """Return the findings, most serious first.

        Pass `armies=True` if both armies are expected on the board.
        """
        return findings(self.watch, self.statistics, now, armies=armies, language=language)


# Diagnosis of the board's startup, its power supply and the serial line.

FRAMES_A_SECOND: Final = 1000 / wire.STATE_INTERVAL_MS
ASTRAY_FRAMES: Final = 10
"""Tolerated number of missing or surplus frames: a computer that is busy drawing reads frames up to
0.2 s late."""
USUAL_BAD_FRAMES: Final = 1
"""Tolerated number of damaged frames: opening the port truncates one."""


def findings(
    watch: BoardMonitor,
    statistics: Statistics,
    now: float,
    *,
    armies: bool = False,
    language: Language = ENGLISH,
) -> list[Finding]:
    """Return all findings, most serious first, each with a remedy.

    Pass `armies=True` if both armies are expected on the board.
    """
    write = FindingWriter(language, watch.wiring)
    return sorted_findings(
        [
            *_of_the_start(watch, write),
            *_of_the_supply(watch, now, write),
            *_of_the_line(watch, statistics, write),
            *of_the_sensors(watch, now, write, armies=armies),
        ]
    )


def _of_the_start(watch: BoardMonitor, write: FindingWriter) -> Iterator[Finding]:
    cause = watch.hello.reset_cause
    # A camera learns the colours without calibration, and has its own messages.
    if not watch.hello.calibration and not watch.hello.is_camera:
        yield write(
            "calibration",
            N_(
                "The board is not calibrated. Calibrate it on the touchscreen, or with “boomboard "
                "calibrate”."
            ),
        )
    if cause & wire.ResetCause.WATCHDOG:
        yield write(
            "watchdog",
            N_(
                "The firmware crashed and was restarted. If it happens again, measure "
                "the supply at the board, which may be too weak, and flash the latest "
                "firmware with “boomboard flash”."
            ),
        )
    # If the supply voltage rises slowly at power-on, the brown-out flag is set, too.
    if cause & wire.ResetCause.BROWN_OUT and not cause & wire.ResetCause.POWER_ON:
        yield write(
            "brown-out",
            N_(
                "The board restarted because its supply voltage dropped. Use shorter "
                "and thicker wires between supply and board, or a stronger power "
                "supply."
            ),
        )
    if watch.restarts:
        yield write(
            "restarts",
            N_(
                "The board restarted while it was being watched ({count} times). Look for a loose "
                "plug, and measure the supply at the far end of the board."
            ),
            count=watch.restarts,
        )


def _of_the_supply(watch: BoardMonitor, now: float, write: FindingWriter) -> Iterator[Finding]:
    supply = watch.supply_mv
    faults = watch.faults(wire.FaultCode.LOW_SUPPLY, now)
    lowest = min(
        [fault.value for fault in faults] + ([] if supply is None else [supply]), default=None
    )
    if lowest is not None and (faults or lowest < LOW_SUPPLY_MV):
        yield write(
            "supply",
            N_(
                "The supply has dropped to {volts} V; the sensors need {needed} V. Use "
                "shorter and thicker wires between supply and board, or a stronger "
                "power supply. If a meter shows more at the Nano's 5V pin, see "
                "docs/hardware/power-up.md, step 19."
            ),
            volts=lowest / 1000,
            needed=LOW_SUPPLY_MV / 1000,
        )


def _of_the_line(
    watch: BoardMonitor, statistics: Statistics, write: FindingWriter
) -> Iterator[Finding]:
    rate = watch.frame_rate()
    is_unusual = rate is None or abs(rate - FRAMES_A_SECOND) * watch.rated_seconds > ASTRAY_FRAMES
    # A camera's frames come from this computer, so there is no firmware to flash.
    if is_unusual and not watch.hello.is_camera:
        yield write(
            "frame-rate",
            N_(
                "{rate} complete frames per second arrive instead of {usual}. Check whether this "
                "computer is busy; if it is not, flash the board with “boomboard flash”."
            ),
            rate=round(rate or 0.0, 1),
            usual=FRAMES_A_SECOND,
        )
    if statistics.lost or statistics.bad_frames > USUAL_BAD_FRAMES:
        yield write(
            "line",
            N_(
                "Frames lost: {lost}; damaged: {damaged}. Use another USB cable or another port, "
                "without a hub."
            ),
            lost=statistics.lost,
            damaged=statistics.bad_frames,
        )
