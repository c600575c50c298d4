"""What is wrong with a board, as far as watching it shows, each with what to do about it."""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Final

from companion.workshop.watch import Sensor, Watch, where
from engine.squares import SQUARES, Square, SquareSet, name, set_of, squares_in
from firmware_bridge.image import Sensed
from firmware_bridge.link import Statistics
from firmware_bridge.wire import (
    FULL_SCALE,
    MULTIPLEXERS,
    STATE_INTERVAL_MS,
    BoardKind,
    FaultCode,
    ResetCause,
)
from firmware_bridge.wiring import SQUARE_OF

END_OF_RANGE: Final = 15
"""In counts: linear sensors never come so near to either end, whatever magnet is held to them."""
FAINT_PER_CENT: Final = 20
"""Of a usual piece: neighbours do at most 8, so on an empty square this is something else."""
WEAK_PER_CENT: Final = 60
"""Of the other pieces on the board: thresholds are at 40."""
NOISY: Final = 24
"""In counts, between the lowest and the highest reading."""
LOWEST_SUPPLY_MV: Final = 4700
FRAMES_A_SECOND: Final = 1000 / STATE_INTERVAL_MS
RATE_TOLERANCE: Final = 2.5
"""Of a computer that is a little busy, and of the board's resonator, which is good to half a per
cent."""
USUAL_BAD_FRAMES: Final = 1
"""Opening the port cuts one."""
ENOUGH_PIECES: Final = 10
"""So many tell what the others are like."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong, and what to do about it."""

    about: str
    """What sort of thing it is, in a word."""
    text: str
    squares: SquareSet = 0
    """The squares concerned, if it is about squares."""


def findings(watch: Watch, statistics: Statistics, now: float) -> list[Finding]:
    """Say everything that is wrong, what concerns the whole board first."""
    return [
        *_of_the_start(watch),
        *_of_the_supply(watch, now),
        *_of_the_line(watch, statistics),
        *_of_the_sensors(watch, now),
    ]


def _of_the_start(watch: Watch) -> Iterator[Finding]:
    cause = watch.hello.reset_cause
    if not watch.hello.calibration:
        yield Finding("calibration", "The board is not calibrated. Run “boomboard calibrate”.")
    if cause & ResetCause.WATCHDOG:
        yield Finding(
            "watchdog",
            "The firmware had hung and was started again. If that happens again, flash the "
            "newest one with “boomboard flash”.",
        )
    # Coming up with the power looks like a brown-out too, to a slow supply.
    if cause & ResetCause.BROWN_OUT and not cause & ResetCause.POWER_ON:
        yield Finding(
            "brown-out",
            "The board started anew because its supply had broken down. Take a shorter and "
            "thicker USB cable, or a stronger power supply.",
        )
    if watch.restarts:
        yield Finding(
            "restarts",
            f"The board started anew while it was watched (times: {watch.restarts}). Look for a "
            "loose plug, and measure the supply at the far end of the board.",
        )


def _of_the_supply(watch: Watch, now: float) -> Iterator[Finding]:
    supply = watch.supply_mv
    complaints = watch.faults(FaultCode.LOW_SUPPLY, now)
    lowest = min(
        [fault.value for fault in complaints] + ([] if supply is None else [supply]), default=None
    )
    if lowest is not None and (complaints or lowest < LOWEST_SUPPLY_MV):
        yield Finding(
            "supply",
            f"The supply is down at {lowest / 1000:.2f} V; the sensors need "
            f"{LOWEST_SUPPLY_MV / 1000:.2f} V. Take a shorter and thicker USB cable, or a stronger "
            "power supply.",
        )


def _of_the_line(watch: Watch, statistics: Statistics) -> Iterator[Finding]:
    rate = watch.frame_rate()
    if rate is None or abs(rate - FRAMES_A_SECOND) > RATE_TOLERANCE:
        yield Finding(
            "frame-rate",
            f"{rate or 0:.1f} whole boards a second arrive instead of {FRAMES_A_SECOND:.1f}. Look "
            "whether this computer is busy; if it is not, flash the board with “boomboard flash”.",
        )
    if statistics.lost or statistics.bad_frames > USUAL_BAD_FRAMES:
        yield Finding(
            "line",
            f"Frames that got lost: {statistics.lost}; that came damaged: "
            f"{statistics.bad_frames}. Take another USB cable or another socket, without a hub.",
        )


def _of_the_sensors(watch: Watch, now: float) -> Iterator[Finding]:
    sensors = watch.sensors()
    if watch.unread:
        unread = ", ".join(map(str, sorted(watch.unread)))
        yield Finding(
            "readings",
            f"The board does not tell what the sensors of multiplexers {unread} read. Flash the "
            "newest firmware with “boomboard flash”.",
            set_of(square for square in SQUARES if where(square)[0] in watch.unread),
        )
    stuck = {fault.square for fault in watch.faults(FaultCode.STUCK_CHANNEL, now)}
    if watch.hello.kind is BoardKind.COLOURS:
        stuck |= {square for square, sensor in sensors.items() if _is_at_an_end(sensor)}
    dead = {square: sensor for square, sensor in sensors.items() if square in stuck}
    yield from _stuck(dead)
    well = {square: sensor for square, sensor in sensors.items() if square not in stuck}
    yield from _off_rest(well, watch, now)
    yield from _weak(well)
    for square, sensor in well.items():
        if sensor.noise > NOISY:
            yield Finding(
                "noise",
                f"{_place(square)} reads up and down by {sensor.noise} counts. Solder its joints "
                "again and look for a loose wire.",
                1 << square,
            )


def _is_at_an_end(sensor: Sensor) -> bool:
    at_an_end = not END_OF_RANGE < sensor.reading < FULL_SCALE - END_OF_RANGE
    return at_an_end and sensor.noise <= NOISY


def _stuck(dead: dict[Square, Sensor]) -> Iterator[Finding]:
    for multiplexer in range(MULTIPLEXERS):
        behind = {square for square in SQUARE_OF.values() if where(square)[0] == multiplexer}
        found = behind & dead.keys()
        if found == behind:
            yield Finding(
                "multiplexer",
                f"Multiplexer {multiplexer}: all its sensors are stuck. Check its supply, its "
                "enable pin and the wire from its output to the microcontroller.",
                set_of(found),
            )
            continue
        for square in sorted(found):
            yield Finding("stuck", _why_stuck(square, dead[square].reading), 1 << square)


def _why_stuck(square: Square, reading: int) -> str:
    stuck = f"{_place(square)} reads {reading}, whatever stands there."
    if reading <= END_OF_RANGE:
        return f"{stuck} Its sensor has no supply, is dead, or its wire touches the ground."
    if reading >= FULL_SCALE - END_OF_RANGE:
        return f"{stuck} Its sensor has no ground, is dead, or its wire touches the supply."
    return f"{stuck} Check the sensor and its three joints."


def _off_rest(sensors: dict[Square, Sensor], watch: Watch, now: float) -> Iterator[Finding]:
    drifted = {fault.square for fault in watch.faults(FaultCode.DRIFT, now)}
    for square, sensor in sensors.items():
        if sensor.shows is not Sensed.EMPTY:
            continue
        if square in drifted or abs(sensor.strength) >= FAINT_PER_CENT:
            yield Finding(
                "off-rest",
                f"{_place(square)} reads {sensor.reading} and shows no piece. If one stands there, "
                "its magnet is weak: exchange it. If none does, calibrate; if it comes back, "
                "exchange the sensor.",
                1 << square,
            )


def _weak(sensors: dict[Square, Sensor]) -> Iterator[Finding]:
    pieces = {
        square: abs(sensor.strength)
        for square, sensor in sensors.items()
        if sensor.shows is not Sensed.EMPTY
    }
    if len(pieces) < ENOUGH_PIECES:
        return
    usual = median(pieces.values())
    for square, strength in pieces.items():
        if 100 * strength < WEAK_PER_CENT * usual:
            yield Finding(
                "weak",
                f"The piece on {name(square)} has a weak magnet: {strength} % where others have "
                f"{usual:.0f} %. Exchange it, or set the piece on the middle of its square.",
                1 << square,
            )


def _place(square: Square) -> str:
    multiplexer, channel = where(square)
    return f"{name(square)} (multiplexer {multiplexer}, input {channel})"


def concerned(found: list[Finding]) -> set[Square]:
    """Return all squares that findings are about."""
    return {square for finding in found for square in squares_in(finding.squares)}
