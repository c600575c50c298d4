"""Diagnosis of the magnets.

Without knowledge of the pieces, a magnet can only be compared with the others. While both armies
are set up, the expected reading of every sensor is known, so missing magnets, flipped ones and dead
sensors can be found. This uses the raw readings and needs no calibration.
"""

from collections.abc import Iterable, Iterator, Mapping
from statistics import median
from typing import Final

from companion.maintenance.clerk import Clerk, Finding
from companion.maintenance.watch import Sensor
from companion.speech.language import N_
from engine.board.geometry import HOMES, Side, Square
from firmware_bridge.image import Sensed
from firmware_bridge.thresholds import PULL, RESTING, WEAKEST
from firmware_bridge.wire import BoardKind

FAINT_PER_CENT: Final = 20
"""Threshold in per cent of a usual piece: neighbours cause at most 8, so on an empty square it is
something else."""
WEAK_PER_CENT: Final = 60
"""Threshold in per cent of the other pieces on the board: a piece 4 mm off the centre gives
more."""
ENOUGH_PIECES: Final = 10
"""Minimum number of pieces for a comparison."""
_UNFELT: Final = N_(
    "{square} ({place}) feels nothing: no piece is there, or one "
    "without a magnet, or the sensor is dead. Set a piece there that is felt elsewhere; if it is "
    "still not felt, the sensor is dead."
)
MANY_UNFELT: Final = N_(
    "On {count} squares of the armies nothing is felt. Set both up: 40 red pieces on rows 1 to 4, "
    "40 blue ones on rows 7 to 10."
)
_FLIPPED: Final = N_(
    "The magnet on {square} is the wrong way round: red pieces have the north pole up, blue ones "
    "the south pole. Turn it over. If another piece looks wrong there too, the sensor lies on its "
    "face."
)
MANY_FLIPPED: Final = N_(
    "On {count} squares the colours are exchanged. Red belongs on rows 1 to 4, Blue on rows 7 to "
    "10; red pieces have the north pole up, blue ones the south pole."
)


def of_the_pieces(sensors: Mapping[Square, Sensor], write: Clerk) -> Iterator[Finding]:
    """Yield the magnets that are weaker than the others on the board."""
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
    sensors: Mapping[Square, Sensor], kind: BoardKind, write: Clerk, *, red_reads_low: bool = False
) -> Iterator[Finding]:
    """Yield the deviations from both armies set up; on tiles red reads low."""
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
                    "{square} ({place}) feels something where "
                    "nothing should stand. Take it away. If nothing is there, calibrate; if it "
                    "comes back, exchange the sensor."
                ),
            )
        elif 0 <= strengths[square] < WEAK_PER_CENT:
            yield _weak(square, strengths[square], 100, write)


def _strengths(
    sensors: Mapping[Square, Sensor], kind: BoardKind, *, red_reads_low: bool
) -> dict[Square, int]:
    """Return each sensor's deflection in the expected direction, in per cent of a usual piece.

    On rows 5 and 6 no deflection is expected; presence sensors respond to both poles alike.
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


def _weak(square: Square, strength: int, usual: float, write: Clerk) -> Finding:
    return write.on(
        square,
        "weak",
        N_(
            "The piece on {square} has a weak magnet: {strength} % where others have {usual} %. "
            "Exchange it, or set the piece on the middle of its square."
        ),
        strength=strength,
        usual=round(usual),
    )
