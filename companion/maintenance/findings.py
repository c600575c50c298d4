"""Diagnosis of a board from its observed behaviour; each finding includes a remedy."""

from collections.abc import Iterator
from typing import Final

from companion.maintenance.clerk import ENGLISH, Clerk, Finding, sorted_findings
from companion.maintenance.sensor_findings import of_the_sensors
from companion.maintenance.watch import Watch
from companion.speech.language import N_, Language
from firmware_bridge.link import Statistics
from firmware_bridge.thresholds import LOW_SUPPLY_MV
from firmware_bridge.wire import STATE_INTERVAL_MS, FaultCode, ResetCause

FRAMES_A_SECOND: Final = 1000 / STATE_INTERVAL_MS
ASTRAY_FRAMES: Final = 10
"""Tolerated surplus or shortfall of frames: a computer busy with drawing reads them up to 0.2 s
late."""
USUAL_BAD_FRAMES: Final = 1
"""Damaged frames that are normal: opening the port truncates one."""


def findings(
    watch: Watch,
    statistics: Statistics,
    now: float,
    *,
    armies: bool = False,
    language: Language = ENGLISH,
) -> list[Finding]:
    """Return all findings, the most serious first; with `armies`, both should be set up."""
    write = Clerk(language, watch.wiring)
    return sorted_findings(
        [
            *_of_the_start(watch, write),
            *_of_the_supply(watch, now, write),
            *_of_the_line(watch, statistics, write),
            *of_the_sensors(watch, now, write, armies=armies),
        ]
    )


def _of_the_start(watch: Watch, write: Clerk) -> Iterator[Finding]:
    cause = watch.hello.reset_cause
    if not watch.hello.calibration:
        yield write(
            "calibration",
            N_(
                "The board is not calibrated. Calibrate it on the touchscreen, or with “boomboard "
                "calibrate”."
            ),
        )
    if cause & ResetCause.WATCHDOG:
        yield write(
            "watchdog",
            N_(
                "The firmware had hung and was started again. If that happens again, measure the "
                "supply at the board, which may be too weak, and flash the newest firmware with "
                "“boomboard flash”."
            ),
        )
    # With a slow supply, power-on sets the brown-out flag as well.
    if cause & ResetCause.BROWN_OUT and not cause & ResetCause.POWER_ON:
        yield write(
            "brown-out",
            N_(
                "The board started anew because its supply had broken down. Take shorter and "
                "thicker wires between supply and board, or a stronger power supply."
            ),
        )
    if watch.restarts:
        yield write(
            "restarts",
            N_(
                "The board started anew while it was watched (times: {count}). Look for a loose "
                "plug, and measure the supply at the far end of the board."
            ),
            count=watch.restarts,
        )


def _of_the_supply(watch: Watch, now: float, write: Clerk) -> Iterator[Finding]:
    supply = watch.supply_mv
    complaints = watch.faults(FaultCode.LOW_SUPPLY, now)
    lowest = min(
        [fault.value for fault in complaints] + ([] if supply is None else [supply]), default=None
    )
    if lowest is not None and (complaints or lowest < LOW_SUPPLY_MV):
        yield write(
            "supply",
            N_(
                "The supply is down at {volts} V; the sensors need {needed} V. Take shorter and "
                "thicker wires between supply and board, or a stronger power supply. If a meter "
                "shows more at the Nano's 5V, see docs/hardware/power-up.md, step 19."
            ),
            volts=lowest / 1000,
            needed=LOW_SUPPLY_MV / 1000,
        )


def _of_the_line(watch: Watch, statistics: Statistics, write: Clerk) -> Iterator[Finding]:
    rate = watch.frame_rate()
    if rate is None or abs(rate - FRAMES_A_SECOND) * watch.rated_seconds > ASTRAY_FRAMES:
        yield write(
            "frame-rate",
            N_(
                "{rate} whole boards a second arrive instead of {usual}. Look whether this "
                "computer is busy; if it is not, flash the board with “boomboard flash”."
            ),
            rate=round(rate or 0.0, 1),
            usual=FRAMES_A_SECOND,
        )
    if statistics.lost or statistics.bad_frames > USUAL_BAD_FRAMES:
        yield write(
            "line",
            N_(
                "Frames that got lost: {lost}; that came damaged: {damaged}. Take another USB "
                "cable or another socket, without a hub."
            ),
            lost=statistics.lost,
            damaged=statistics.bad_frames,
        )
