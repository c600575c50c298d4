"""What was found wrong with a board, written down in somebody's language, worst first."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from companion.maintenance.watch import Sensor
from companion.speech.language import N_, SOURCE, Language
from engine.squares import Square, SquareSet, name, set_of, squares_in
from firmware_bridge.wire import Geometry
from firmware_bridge.wirings import WIRINGS, Wiring

ENGLISH: Final = Language(SOURCE)
"""What the terminal speaks."""
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
"""What a finding can be about, in the order in which it is put right: the calibration at last."""

MANY: Final = 8
"""More squares with the same fault have one cause, which is none of theirs."""

ON_MODULE: Final = N_("multiplexer {multiplexer}, input {input}")
"""Where a sensor is to be found on a board that is wired by hand."""
ON_TILE: Final = N_("tile on plug {plug}")
"""The same on a board of tiles: the controller has the plugs, which are numbered there."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong, and what to do about it."""

    about: str
    """What sort of thing it is, in a word of `WORST_FIRST`."""
    text: str
    squares: SquareSet = 0
    """The squares concerned, if it is about squares."""


class Clerk:
    """Writes findings down in one language, of a board that is wired in one way."""

    def __init__(self, language: Language, wiring: Wiring = WIRINGS[Geometry.BY_HAND]) -> None:
        self._language = language
        self._wiring = wiring

    def __call__(
        self, about: str, message: str, concerned: SquareSet = 0, /, **values: object
    ) -> Finding:
        """Write a finding down; `values` fill the message's ``{placeholders}``."""
        said = {
            key: self._language.number(value) if isinstance(value, float) else value
            for key, value in values.items()
        }
        return Finding(about, self._language.text(message, **said), concerned)

    def on(self, square: Square, about: str, message: str, /, **values: object) -> Finding:
        """Write down what concerns one square: its name and its place are values too."""
        where = {"square": name(square), "place": self.place(square)}
        return self(about, message, 1 << square, **where, **values)

    def place(self, square: Square) -> str:
        """Say where the sensor of a square is to be found."""
        multiplexer, channel = self._wiring.place(square)
        if self._wiring.is_of_tiles:
            return self._language.text(ON_TILE, plug=self._wiring.plug(multiplexer))
        return self._language.text(ON_MODULE, multiplexer=multiplexer, input=channel)

    def each(
        self, about: str, sensors: Mapping[Square, Sensor], one: str, many: str
    ) -> Iterator[Finding]:
        """Write down every sensor with the same fault, or that there are `many` of them."""
        if len(sensors) > MANY:
            yield self(about, many, set_of(sensors), count=len(sensors))
            return
        for square, sensor in sorted(sensors.items()):
            yield self.on(square, about, one, reading=sensor.reading, noise=sensor.noise)


def sorted_findings(found: Iterable[Finding]) -> list[Finding]:
    """Put the worst first."""
    return sorted(found, key=lambda finding: WORST_FIRST.index(finding.about))


def marks(found: Iterable[Finding]) -> dict[Square, str]:
    """For each square concerned, what the first finding there is about."""
    marked: dict[Square, str] = {}
    for finding in found:
        for square in squares_in(finding.squares):
            marked.setdefault(square, finding.about)
    return marked
