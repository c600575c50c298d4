"""Diagnoses a board's sensors from their readings."""

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from statistics import median
from typing import Final

from companion.diagnostics.board_monitor import BoardMonitor, Sensor
from companion.diagnostics.report import Finding, FindingWriter, marks
from companion.speech.i18n import N_
from engine.board.geometry import HOMES, SQUARES, Side, Square, set_of
from firmware_bridge.board_hardware import PULL, RESTING, STUCK_WITHIN, WEAKEST, Wiring
from firmware_bridge.image import Sensed
from firmware_bridge.wire import FULL_SCALE, BoardKind, FaultCode

# Magnets.

FAINT_PER_CENT: Final = 20
"""Detection threshold, as a percentage of a typical piece's deflection. Neighbouring pieces cause
at most 8 %, so a higher deflection on an empty square has another cause."""
WEAK_PER_CENT: Final = 60
"""Threshold for a weak magnet, as a percentage of the typical deflection. A piece 4 mm off the
centre of its square still exceeds the threshold."""
ENOUGH_PIECES: Final = 10
"""Minimum number of pieces for a comparison."""
_UNFELT: Final = N_(
    "{square} ({place}) detects nothing: the square is empty, the piece has no magnet, or "
    "the sensor is dead. Try a piece that is detected on another square. If it is still "
    "not detected, the sensor is dead."
)
MANY_UNFELT: Final = N_(
    "Nothing is detected on {count} squares of the armies. Set up both: 40 red pieces on "
    "rows 1 to 4, 40 blue ones on rows 7 to 10."
)
_FLIPPED: Final = N_(
    "The magnet on {square} is upside down: red pieces have the north pole up, blue ones "
    "the south pole. Turn it over. If another piece looks wrong there too, the sensor is "
    "mounted face down."
)
MANY_FLIPPED: Final = N_(
    "The colours are swapped on {count} squares. Red belongs on rows 1 to 4, Blue on rows "
    "7 to 10. Red pieces have the north pole up, blue ones the south pole."
)


def of_the_pieces(sensors: Mapping[Square, Sensor], write: FindingWriter) -> Iterator[Finding]:
    """Yield a finding for each magnet that is weaker than the others on the board."""
    strengths = {
        square: abs(sensor.strength)
        for square, sensor in sensors.items()
        if sensor.shows is not Sensed.EMPTY
    }
    if len(strengths) < ENOUGH_PIECES:
        return
    usual = median(strengths.values())
    for square, strength in strengths.items():
        if 100 * strength < WEAK_PER_CENT * usual:
            yield _weak(square, strength, usual, write)


def of_the_armies(
    sensors: Mapping[Square, Sensor],
    kind: BoardKind,
    write: FindingWriter,
    *,
    red_reads_low: bool = False,
) -> Iterator[Finding]:
    """Yield a finding for each deviation from the readings expected with two complete armies.

    While both armies are set up, the expected reading of every sensor is known. Missing magnets,
    flipped magnets and dead sensors can be found in the raw readings, without a calibration. With
    `red_reads_low`, as on tiles, red pieces lower the reading.
    """
    strengths = _strengths(sensors, kind, red_reads_low=red_reads_low)
    felt = {n for n, strength in strengths.items() if abs(strength) >= FAINT_PER_CENT}
    at_home = {n: sensor for n, sensor in sensors.items() if HOMES >> n & 1}
    unfelt = {n: sensor for n, sensor in at_home.items() if n not in felt}
    flipped = {n: sensor for n, sensor in at_home.items() if n in felt and strengths[n] < 0}
    yield from write.each("unfelt", unfelt, _UNFELT, MANY_UNFELT)
    yield from write.each("flipped", flipped, _FLIPPED, MANY_FLIPPED)
    for square in sorted(felt):
        if not HOMES >> square & 1:
            yield write.on(
                square,
                "strange",
                N_(
                    "{square} ({place}) detects something where there should be nothing. "
                    "Remove it. If nothing is there, calibrate. If it comes back, replace "
                    "the sensor."
                ),
            )
        elif 0 <= strengths[square] < WEAK_PER_CENT:
            yield _weak(square, strengths[square], 100, write)


def _strengths(
    sensors: Mapping[Square, Sensor], kind: BoardKind, *, red_reads_low: bool
) -> dict[Square, int]:
    """Return each sensor's deflection in the expected direction.

    The deflection is given as a percentage of a typical piece's deflection.

    No deflection is expected on rows 5 and 6. Presence sensors respond equally to both poles.
    """
    between = [sensor.reading for square, sensor in sensors.items() if not HOMES >> square & 1]
    rest = median(between) if between else RESTING[kind]
    pulls = {square: sensor.reading - rest for square, sensor in sensors.items()}
    for square, pull in pulls.items():
        if kind is BoardKind.PRESENCE:
            pulls[square] = abs(pull)
        elif bool(Side.BLUE.home >> square & 1) is not red_reads_low:
            pulls[square] = -pull
    usual = _usual([abs(pull) for square, pull in pulls.items() if HOMES >> square & 1], kind)
    return {square: round(100 * pull / usual) for square, pull in pulls.items()}


def _usual(pulls: Iterable[float], kind: BoardKind) -> float:
    felt = [pull for pull in pulls if pull >= WEAKEST]
    return median(felt) if len(felt) >= ENOUGH_PIECES else PULL[kind]


def _weak(square: Square, strength: int, usual: float, write: FindingWriter) -> Finding:
    return write.on(
        square,
        "weak",
        N_(
            "The piece on {square} has a weak magnet: {strength} % instead of {usual} %. Replace "
            "it, or move the piece to the centre of its square."
        ),
        strength=strength,
        usual=round(usual),
    )


# Sensors.

NOISY: Final = 24
"""Largest difference between a sensor's highest and lowest readings that is still normal."""
_WHY_STUCK: Final = {
    "low": N_(
        "{square} ({place}) always reads {reading}. Its sensor has no supply, is dead, or its "
        "wire touches the ground."
    ),
    "high": N_(
        "{square} ({place}) always reads {reading}. Its sensor has no ground, is dead, or its "
        "wire touches the supply."
    ),
    "open": N_("{square} ({place}) is not connected: its wire is open. Resolder both ends."),
    "between": N_(
        "{square} ({place}) always reads {reading}. Check the sensor and its three joints."
    ),
}

_ALL_BEHIND: Final = N_(
    "Multiplexer {multiplexer}: all its sensors are stuck. Check its supply, its enable pin and "
    "the wire from its output to the microcontroller."
)
_STUCK_ON_TILE: Final = N_(
    "{square} ({place}) always reads {reading}. Unplug the board and resolder the three "
    "joints of the sensor below this square. If that does not help, replace the sensor."
)
_OPEN_ON_TILE: Final = N_(
    "{square} ({place}) is not connected. Unplug the board and resolder the sensor below "
    "this square and the tile's two multiplexers. If that does not help, replace the tile."
)
_HALF_A_TILE: Final = N_(
    "Half of the sensors of the tile on plug {plug} are stuck. Check both ends of its "
    "cable. If that does not help, resolder the tile's two multiplexers, or replace the "
    "tile."
)
_WHOLE_TILE: Final = N_(
    "All sensors of the tile on plug {plug} are stuck. Check that its cable is plugged in "
    "at the controller, and at the tile in the socket on Red's side. If that does not "
    "help, replace the cable, then the tile."
)
_TILE_NOT_GROUNDED: Final = N_(
    "On the tile on plug {plug}, an input is not grounded, so an open wire looks like a "
    "piece. Resolder the tile's two multiplexers. If that does not help, replace the tile."
)


def of_the_sensors(
    watch: BoardMonitor, now: float, write: FindingWriter, *, armies: bool
) -> Iterator[Finding]:
    """Yield the findings about sensors and magnets.

    Pass `armies=True` if both armies are expected on the board.
    """
    sensors, kind = watch.sensors(), watch.hello.kind
    if watch.unread:
        yield _unread(watch.unread, watch.wiring, write)
    yield from _not_grounded(watch, now, write)
    unconnected = {fault.square for fault in watch.faults(FaultCode.OPEN_WIRE, now)}
    stuck = {fault.square for fault in watch.faults(FaultCode.STUCK_CHANNEL, now)} | unconnected
    if kind is BoardKind.COLOURS:
        stuck |= {square for square, sensor in sensors.items() if _is_stuck_at_limit(sensor)}
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


def _unread(multiplexers: set[int], wiring: Wiring, write: FindingWriter) -> Finding:
    return write(
        "readings",
        N_(
            "The board does not report the readings of multiplexers {multiplexers}. Flash the "
            "latest firmware with “boomboard flash”."
        ),
        set_of(square for square in SQUARES if wiring.place(square)[0] in multiplexers),
        multiplexers=", ".join(map(str, sorted(multiplexers))),
    )


def _is_stuck_at_limit(sensor: Sensor) -> bool:
    at_an_end = not STUCK_WITHIN < sensor.reading < FULL_SCALE - STUCK_WITHIN
    return at_an_end and sensor.noise <= NOISY


def _not_grounded(watch: BoardMonitor, now: float, write: FindingWriter) -> Iterator[Finding]:
    for fault in watch.faults(FaultCode.NO_GROUND, now):
        if watch.wiring.is_of_tiles:
            yield write("ground", _TILE_NOT_GROUNDED, plug=watch.wiring.plug(fault.value))
            continue
        yield write(
            "ground",
            N_(
                "Multiplexer {multiplexer}: its input {input} is not grounded, so an "
                "open wire looks like a piece. Resolder the short wire there."
            ),
            multiplexer=fault.value,
            input=watch.wiring.ground_input,
        )


def _stuck(
    dead: Mapping[Square, Sensor],
    unconnected: Collection[Square | None],
    wiring: Wiring,
    write: FindingWriter,
) -> Iterator[Finding]:
    for multiplexer in sorted({wiring.place(square)[0] for square in SQUARES}):
        behind = {square for square in SQUARES if wiring.place(square)[0] == multiplexer}
        found = behind & dead.keys()
        if found == behind:
            yield from _dead_multiplexer(multiplexer, dead, wiring, write)
            continue
        for square in sorted(found):
            reading = dead[square].reading
            is_open = square in unconnected
            if wiring.is_of_tiles:
                why = _OPEN_ON_TILE if is_open else _STUCK_ON_TILE
            else:
                why = _WHY_STUCK["open" if is_open else _end(reading)]
            yield write.on(square, "stuck", why, reading=reading)


def _dead_multiplexer(
    multiplexer: int, dead: Container[Square], wiring: Wiring, write: FindingWriter
) -> Iterator[Finding]:
    """Yield a finding for a multiplexer without a working sensor.

    If its whole tile is dead, yield a single finding for the tile instead.
    """
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


def _noisy(sensors: Mapping[Square, Sensor], write: FindingWriter) -> Iterator[Finding]:
    return write.each(
        "noise",
        {square: sensor for square, sensor in sensors.items() if sensor.noise > NOISY},
        N_(
            "The reading of {square} ({place}) fluctuates by {noise} counts. Resolder its joints "
            "and look for a loose wire."
        ),
        N_(
            "The readings of {count} sensors fluctuate. Look for a loose wire in the supply or the "
            "ground of the board."
        ),
    )


def _off_rest(
    sensors: Mapping[Square, Sensor], watch: BoardMonitor, now: float, write: FindingWriter
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
            "{square} ({place}) reads {reading} and shows no piece. If a piece is there, its "
            "magnet is weak: replace it. If not, calibrate. If it comes back, replace the sensor."
        ),
        N_(
            "{count} empty squares read differently from when they were calibrated. The board has "
            "become warmer or colder, or its top was changed: calibrate."
        ),
    )
