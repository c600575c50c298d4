"""Findings about a board: texts in one language, the most serious first."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from companion.maintenance.watch import Sensor
from companion.speech.language import N_, SOURCE, Language
from engine.board.geometry import Square, SquareSet, name, set_of, squares_in
from firmware_bridge.wire import Geometry
from firmware_bridge.wiring import WIRINGS, Wiring

ENGLISH: Final = Language(SOURCE)
"""Language of the terminal."""
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
"""Categories of findings, in the order in which they should be repaired: the calibration last."""

MANY: Final = 8
"""Maximum number of separate findings with the same fault; more squares have a common cause."""

ON_MODULE: Final = N_("multiplexer {multiplexer}, input {input}")
"""Location of a sensor on a hand-wired board."""
ON_TILE: Final = N_("tile on plug {plug}")
"""Location of a sensor on a board of tiles: the controller's plugs are numbered."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault and its remedy."""

    about: str
    """Category, one of `WORST_FIRST`."""
    text: str
    squares: SquareSet = 0
    """The squares concerned, if any."""


class Clerk:
    """Writes findings in one language, for a board with one wiring."""

    def __init__(self, language: Language, wiring: Wiring = WIRINGS[Geometry.BY_HAND]) -> None:
        self._language = language
        self._wiring = wiring

    def __call__(
        self, about: str, message: str, concerned: SquareSet = 0, /, **values: object
    ) -> Finding:
        """Return a finding; `values` fill the message's ``{placeholders}``."""
        said = {
            key: self._language.number(value) if isinstance(value, float) else value
            for key, value in values.items()
        }
        return Finding(about, self._language.text(message, **said), concerned)

    def on(self, square: Square, about: str, message: str, /, **values: object) -> Finding:
        """Return a finding about one square; its name and location are values as well."""
        where = {"square": name(square), "place": self.place(square)}
        return self(about, message, 1 << square, **where, **values)

    def place(self, square: Square) -> str:
        """Return the location of a square's sensor."""
        multiplexer, channel = self._wiring.place(square)
        if self._wiring.is_of_tiles:
            return self._language.text(ON_TILE, plug=self._wiring.plug(multiplexer))
        return self._language.text(ON_MODULE, multiplexer=multiplexer, input=channel)

    def each(
        self, about: str, sensors: Mapping[Square, Sensor], one: str, many: str
    ) -> Iterator[Finding]:
        """Yield a finding for every sensor with the same fault, or one for more than `MANY`."""
        if len(sensors) > MANY:
            yield self(about, many, set_of(sensors), count=len(sensors))
            return
        for square, sensor in sorted(sensors.items()):
            yield self.on(square, about, one, reading=sensor.reading, noise=sensor.noise)


def sorted_findings(found: Iterable[Finding]) -> list[Finding]:
    """Sort findings, the most serious first."""
    return sorted(found, key=lambda finding: WORST_FIRST.index(finding.about))


def marks(found: Iterable[Finding]) -> dict[Square, str]:
    """Map each square concerned to the category of its first finding."""
    marked: dict[Square, str] = {}
    for finding in found:
        for square in squares_in(finding.squares):
            marked.setdefault(square, finding.about)
    return marked
