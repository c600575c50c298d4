"""Diagnosis of a board's sensors and their readings."""

from collections.abc import Collection, Container, Iterator, Mapping
from typing import Final

from companion.maintenance.clerk import Clerk, Finding, marks
from companion.maintenance.magnet_findings import FAINT_PER_CENT, of_the_armies, of_the_pieces
from companion.maintenance.watch import Sensor, Watch
from companion.speech.language import N_
from engine.board.geometry import HOMES, SQUARES, Square, set_of
from firmware_bridge.image import Sensed
from firmware_bridge.thresholds import STUCK_WITHIN
from firmware_bridge.wire import FULL_SCALE, BoardKind, FaultCode
from firmware_bridge.wiring import Wiring

NOISY: Final = 24
"""Limit of the noise in counts, between the lowest and the highest reading."""
_WHY_STUCK: Final = {
    "low": N_(
        "{square} ({place}) reads {reading}, whatever stands "
        "there. Its sensor has no supply, is dead, or its wire touches the ground."
    ),
    "high": N_(
        "{square} ({place}) reads {reading}, whatever stands "
        "there. Its sensor has no ground, is dead, or its wire touches the supply."
    ),
    "open": N_(
        "{square} ({place}) is not connected: its wire is open. Solder both ends of it again."
    ),
    "between": N_(
        "{square} ({place}) reads {reading}, whatever stands "
        "there. Check the sensor and its three joints."
    ),
}

_ALL_BEHIND: Final = N_(
    "Multiplexer {multiplexer}: all its sensors are stuck. Check its supply, its enable pin and "
    "the wire from its output to the microcontroller."
)
_STUCK_ON_TILE: Final = N_(
    "{square} ({place}) reads {reading}, whatever stands there. Unplug the board and solder the "
    "three joints of the sensor below this square again; if that does not help, exchange the "
    "sensor."
)
_OPEN_ON_TILE: Final = N_(
    "{square} ({place}) is not connected. Unplug the board and solder the sensor below this square "
    "and the tile's two multiplexers again; if that does not help, exchange the tile."
)
_HALF_A_TILE: Final = N_(
    "Half of the sensors of the tile on plug {plug} are stuck. Look at both ends of its cable; if "
    "that does not help, solder the tile's two multiplexers again, or exchange the tile."
)
_WHOLE_TILE: Final = N_(
    "All sensors of the tile on plug {plug} are stuck. Look whether its cable is plugged in at the "
    "controller, and at the tile into the socket towards Red; if that does not help, exchange the "
    "cable, then the tile."
)
_TILE_NOT_GROUNDED: Final = N_(
    "On the tile on plug {plug} an input is not at ground, so an open wire looks like a piece. "
    "Solder the tile's two multiplexers again; if that does not help, exchange the tile."
)


def of_the_sensors(watch: Watch, now: float, write: Clerk, *, armies: bool) -> Iterator[Finding]:
    """Yield the findings square by square; with `armies`, both are known to be set up."""
    sensors, kind = watch.sensors(), watch.hello.kind
    if watch.unread:
        yield _unread(watch.unread, watch.wiring, write)
    yield from _not_grounded(watch, now, write)
    unconnected = {fault.square for fault in watch.faults(FaultCode.OPEN_WIRE, now)}
    stuck = {fault.square for fault in watch.faults(FaultCode.STUCK_CHANNEL, now)} | unconnected
    if kind is BoardKind.COLOURS:
        stuck |= {square for square, sensor in sensors.items() if _is_at_an_end(sensor)}
    dead = {square: sensor for square, sensor in sensors.items() if square in stuck}
    yield from _stuck(dead, unconnected, watch.wiring, write)
    well = {square: sensor for square, sensor in sensors.items() if square not in stuck}
    yield from _noisy(well, write)
    known = 0
    if armies:
        found = list(of_the_armies(well, kind, write, red_reads_low=watch.wiring.is_of_tiles))
        yield from found
        known = HOMES | set_of(marks(found))
    else:
        yield from of_the_pieces(well, write)
    yield from _off_rest({n: well[n] for n in well if not known >> n & 1}, watch, now, write)


def _unread(multiplexers: set[int], wiring: Wiring, write: Clerk) -> Finding:
    return write(
        "readings",
        N_(
            "The board does not tell what the sensors of multiplexers {multiplexers} read. Flash "
            "the newest firmware with “boomboard flash”."
        ),
        set_of(square for square in SQUARES if wiring.place(square)[0] in multiplexers),
        multiplexers=", ".join(map(str, sorted(multiplexers))),
    )


def _is_at_an_end(sensor: Sensor) -> bool:
    at_an_end = not STUCK_WITHIN < sensor.reading < FULL_SCALE - STUCK_WITHIN
    return at_an_end and sensor.noise <= NOISY


def _not_grounded(watch: Watch, now: float, write: Clerk) -> Iterator[Finding]:
    for fault in watch.faults(FaultCode.NO_GROUND, now):
        if watch.wiring.is_of_tiles:
            yield write("ground", _TILE_NOT_GROUNDED, plug=watch.wiring.plug(fault.value))
            continue
        yield write(
            "ground",
            N_(
                "Multiplexer {multiplexer}: its input {input} is not at ground, so an open wire "
                "looks like a piece. Solder the short wire there again."
            ),
            multiplexer=fault.value,
            input=watch.wiring.ground_input,
        )


def _stuck(
    dead: Mapping[Square, Sensor],
    unconnected: Collection[Square | None],
    wiring: Wiring,
    write: Clerk,
) -> Iterator[Finding]:
    for multiplexer in sorted({wiring.place(square)[0] for square in SQUARES}):
        behind = {square for square in SQUARES if wiring.place(square)[0] == multiplexer}
        found = behind & dead.keys()
        if found == behind:
            yield from _all_behind(multiplexer, dead, wiring, write)
            continue
        for square in sorted(found):
            reading = dead[square].reading
            is_open = square in unconnected
            if wiring.is_of_tiles:
                why = _OPEN_ON_TILE if is_open else _STUCK_ON_TILE
            else:
                why = _WHY_STUCK["open" if is_open else _end(reading)]
            yield write.on(square, "stuck", why, reading=reading)


def _all_behind(
    multiplexer: int, dead: Container[Square], wiring: Wiring, write: Clerk
) -> Iterator[Finding]:
    """Yield the finding for a multiplexer without a working sensor; a whole tile gives only one."""
    behind = {square for square in SQUARES if wiring.place(square)[0] == multiplexer}
    if not wiring.is_of_tiles:
        yield write("multiplexer", _ALL_BEHIND, set_of(behind), multiplexer=multiplexer)
        return
    plug = wiring.plug(multiplexer)
    tile = {square for square in SQUARES if wiring.plug(wiring.place(square)[0]) == plug}
    if any(square not in dead for square in tile):
        yield write("multiplexer", _HALF_A_TILE, set_of(behind), plug=plug)
    elif multiplexer == min(wiring.place(square)[0] for square in tile):
        yield write("multiplexer", _WHOLE_TILE, set_of(tile), plug=plug)


def _end(reading: int) -> str:
    if reading <= STUCK_WITHIN:
        return "low"
    return "high" if reading >= FULL_SCALE - STUCK_WITHIN else "between"


def _noisy(sensors: Mapping[Square, Sensor], write: Clerk) -> Iterator[Finding]:
    return write.each(
        "noise",
        {square: sensor for square, sensor in sensors.items() if sensor.noise > NOISY},
        N_(
            "{square} ({place}) reads up and down by {noise} "
            "counts. Solder its joints again and look for a loose wire."
        ),
        N_(
            "{count} sensors read up and down. Look for a loose wire in the supply or the ground "
            "of the board."
        ),
    )


def _off_rest(
    sensors: Mapping[Square, Sensor], watch: Watch, now: float, write: Clerk
) -> Iterator[Finding]:
    drifted = {fault.square for fault in watch.faults(FaultCode.DRIFT, now)}
    off = {
        square: sensor
        for square, sensor in sensors.items()
        if sensor.shows is Sensed.EMPTY
        and (square in drifted or abs(sensor.strength) >= FAINT_PER_CENT)
    }
    return write.each(
        "off-rest",
        off,
        N_(
            "{square} ({place}) reads {reading} and shows no "
            "piece. If one stands there, its magnet is weak: exchange it. If none does, calibrate; "
            "if it comes back, exchange the sensor."
        ),
        N_(
            "{count} empty squares are off the rest that was learned. The board has become warmer "
            "or colder, or its top was changed: calibrate."
        ),
    )
