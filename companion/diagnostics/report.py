"""Findings about a board, reported as 80-column text or as JSON."""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.text import Text

from companion.diagnostics.board_monitor import BoardMonitor, Sensor
from companion.palette import TERMINAL
from companion.speech.i18n import N_, SOURCE, Language
from engine.board.geometry import (
    COLUMNS,
    LAKES,
    SQUARES,
    WIDTH,
    Square,
    SquareSet,
    name,
    set_of,
    squares_in,
)
from firmware_bridge.board_hardware import WIRINGS, Wiring
from firmware_bridge.capture import GEOMETRIES, KINDS, firmware_in_words
from firmware_bridge.image import Sensed
from firmware_bridge.link import Statistics
from firmware_bridge.wire import Geometry, ResetCause

# Findings.

ENGLISH: Final = Language(SOURCE)
"""Language of terminal reports."""
WORST_FIRST: Final = (
    *("connection", "supply", "brown-out", "watchdog", "restarts", "line", "frame-rate"),
    *(
        "readings",
        "ground",
        "multiplexer",
        "stuck",
        "unfelt",
        "flipped",
        "weak",
        "strange",
        "off-rest",
    ),
    *("noise", "calibration"),
)
"""Categories of findings, in the order in which the faults should be repaired."""

MANY: Final = 8
"""Maximum number of separate findings about one type of fault. If more squares are affected, the
cause is probably common to all."""

ON_MODULE: Final = N_("multiplexer {multiplexer}, input {input}")
"""Location of a sensor on a hand-wired board."""
ON_TILE: Final = N_("tile on plug {plug}")
"""Location of a sensor on a board of tiles. The plugs of its controller are numbered."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault and its remedy."""

    about: str
    """Category (one of `WORST_FIRST`)."""
    text: str
    squares: SquareSet = 0
    """The affected squares, if any."""


class FindingWriter:
    """Writes findings in one language, for a board with a given wiring."""

    def __init__(self, language: Language, wiring: Wiring = WIRINGS[Geometry.BY_HAND]) -> None:
        self._language = language
        self._wiring = wiring

    def __call__(
        self, about: str, message: str, concerned: SquareSet = 0, /, **values: object
    ) -> Finding:
        """Return a finding. `values` fill the ``{placeholders}`` of the message."""
        fields = {
            key: self._language.number(value) if isinstance(value, float) else value
            for key, value in values.items()
        }
        return Finding(about, self._language.text(message, **fields), concerned)

    def on(self, square: Square, about: str, message: str, /, **values: object) -> Finding:
        """Return a finding about one square. Its name and location also fill placeholders."""
        where = {"square": name(square), "place": self.place(square)}
        return self(about, message, 1 << square, **where, **values)

    def place(self, square: Square) -> str:
        """Describe the location of a square's sensor."""
        multiplexer, channel = self._wiring.place(square)
        if self._wiring.is_of_tiles:
            return self._language.text(ON_TILE, plug=self._wiring.plug(multiplexer))
        return self._language.text(ON_MODULE, multiplexer=multiplexer, input=channel)

    def each(
        self, about: str, sensors: Mapping[Square, Sensor], one: str, many: str
    ) -> Iterator[Finding]:
        """Yield one finding per faulty sensor, or one for all if there are more than `MANY`."""
        if len(sensors) > MANY:
            yield self(about, many, set_of(sensors), count=len(sensors))
            return
        for square, sensor in sorted(sensors.items()):
            yield self.on(square, about, one, reading=sensor.reading, noise=sensor.noise)


def sorted_findings(found: Iterable[Finding]) -> list[Finding]:
    """Sort findings, most serious first."""
    return sorted(found, key=lambda finding: WORST_FIRST.index(finding.about))


def marks(found: Iterable[Finding]) -> dict[Square, str]:
    """Map each affected square to the category of its first finding."""
    marked: dict[Square, str] = {}
    for finding in found:
        for square in squares_in(finding.squares):
            marked.setdefault(square, finding.about)
    return marked


# Reports.

CAUSES: Final = {
    ResetCause.POWER_ON: "power-on",
    ResetCause.EXTERNAL: "the reset line, as when the serial port is opened",
    ResetCause.BROWN_OUT: "the supply voltage was too low",
    ResetCause.WATCHDOG: "the watchdog, because the firmware had hung",
}
_STYLES: Final = {
    Sensed.RED: TERMINAL["red"],
    Sensed.BLUE: TERMINAL["blue"],
    Sensed.UNKNOWN: TERMINAL["unknown"],
}
_CELL: Final = 7
LEGEND: Final = "r red, b blue, ? unknown; strength in % of a typical piece; ! see below"


def as_text(watch: BoardMonitor, statistics: Statistics, found: list[Finding]) -> RenderableType:
    """Return the report: the board's identity, a diagram of its sensors, and the findings.

    Unless there are many findings, the report fits in a 24-line terminal.
    """
    return Group(
        *_head(watch, statistics),
        _picture(watch, marks(found)),
        Text(LEGEND, style="dim"),
        *[Text.assemble(("! ", f"bold {TERMINAL['accent']}"), finding.text) for finding in found],
        *([] if found else [Text("No faults found.", style=TERMINAL["good"])]),
    )


def _head(watch: BoardMonitor, statistics: Statistics) -> list[Text]:
    hello = watch.hello
    calibration = f"calibration {hello.calibration:04X}" if hello.calibration else "not calibrated"
    supply = "unknown" if watch.supply_mv is None else f"{watch.supply_mv / 1000:.2f} V"
    lines = [
        f"Board on {watch.port}",
        f"F{firmware_in_words(hello)[1:]}, {KINDS[hello.kind]}, {GEOMETRIES[hello.geometry]}, "
        f"{calibration}",
        f"Last start: {'; '.join(_causes(hello.reset_cause)) or 'unknown cause'}",
        f"Supply {supply}; {watch.frame_rate() or 0:.1f} frames per second; "
        f"frames lost: {statistics.lost}, damaged: {statistics.bad_frames}",
    ]
    sensors = watch.sensors()
    if sensors:
        noisiest = max(sensors, key=lambda square: sensors[square].noise)
        lines.append(f"Noise: at most {sensors[noisiest].noise} counts, on {name(noisiest)}")
    return [Text(line) for line in lines]


def _causes(cause: ResetCause) -> list[str]:
    return [words for bit, words in CAUSES.items() if bit & cause]


def _picture(watch: BoardMonitor, wrong: Container[Square]) -> Text:
    sensors = watch.sensors()
    drawn = Text()
    for row in reversed(range(WIDTH)):
        drawn.append(f"{row + 1:2} ")
        for square in range(WIDTH * row, WIDTH * (row + 1)):
            drawn.append_text(_cell(square, sensors.get(square), square in wrong))
        drawn.append("\n")
    drawn.append("   " + "".join(f"{letter:^{_CELL}}" for letter in COLUMNS).rstrip())
    return drawn


def _cell(square: Square, sensor: Sensor | None, wrong: bool) -> Text:
    ground = "~" if LAKES >> square & 1 else "."
    if sensor is None:
        return Text(f"{ground:{_CELL}}", style="dim")
    token = ground if sensor.shows is Sensed.EMPTY else sensor.shows.value
    mark = "!" if wrong else ""
    style = f"bold {TERMINAL['accent']}" if wrong else _STYLES.get(sensor.shows, "dim")
    return Text(f"{f'{token}{sensor.strength:+4d}{mark}':{_CELL}}", style=style)


def as_json(
    watch: BoardMonitor, statistics: Statistics, found: list[Finding], *, armies: bool
) -> dict[str, Any]:
    """Return the report as JSON. Pass `armies=True` if both armies are expected on the board."""
    hello, sensors, wiring = watch.hello, watch.sensors(), watch.wiring
    rate = watch.frame_rate()
    causes = [cause for cause in ResetCause if cause & hello.reset_cause]
    return {
        "port": watch.port,
        "firmware": ".".join(map(str, hello.firmware)),
        "build": f"{hello.build:08x}",
        "kind": hello.kind.name.lower(),
        "geometry": hello.geometry.name.lower().replace("_", " "),
        "reset_cause": [str(cause.name).lower() for cause in causes],
        "calibration": f"{hello.calibration:04X}" if hello.calibration else None,
        "supply_mv": watch.supply_mv,
        "frames_per_second": None if rate is None else round(rate, 1),
        "lost": statistics.lost,
        "bad_frames": statistics.bad_frames,
        "squares": {
            name(square): {
                "multiplexer": wiring.place(square)[0],
                "input": wiring.place(square)[1],
                "shows": sensors[square].shows.name.lower(),
                "reading": sensors[square].reading,
                "strength": sensors[square].strength,
                "noise": sensors[square].noise,
            }
            for square in SQUARES
            if square in sensors
        },
        "armies": armies,
        "findings": [
            {
                "about": finding.about,
                "squares": [name(square) for square in squares_in(finding.squares)],
                "text": finding.text,
            }
            for finding in found
        ],
    }
