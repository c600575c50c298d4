"""Wiring chart: the board seen from below and from above, and the Nano's pins."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.palette import GUIDE, PRINT, WIRES
from engine.board.geometry import COLUMNS, LAKES, NEIGHBOURS, SQUARES, WIDTH, Square, name
from firmware_bridge.wire import CHANNELS, Geometry
from hardware.drawing.sheet import INK, QUIET, Part, Point, Sheet

SELECT_PINS: Final = {"D8": "S0", "D9": "S1", "D10": "S2", "D11": "S3"}
"""Nano pins that select an input, each with its select line. All multiplexers share these lines."""
OUTPUT_PINS: Final = {f"A{multiplexer}": multiplexer for multiplexer in range(Geometry.BY_HAND)}
"""For each analogue pin of the Nano, the multiplexer whose output it reads."""

SUPPLY_PINS: Final = {"5V": "5 V", "GND": "ground"}
"""For each power pin on the near edge of the Nano, its supply rail."""

# Pins along both edges of a Nano, with its USB socket on the left and its components facing up.
_FAR_EDGE: Final = (
    *("D12", "D11", "D10", "D9", "D8", "D7", "D6", "D5", "D4", "D3", "D2"),
    *("GND", "RST", "RX0", "TX1"),
)
_NEAR_EDGE: Final = (
    *("D13", "3V3", "REF", "A0", "A1", "A2", "A3", "A4", "A5", "A6", "A7"),
    *("5V", "RST", "GND", "VIN"),
)

_FAINT: Final = GUIDE["grid"]
_FILLS: Final = WIRES
"""One colour per multiplexer, each light enough for black text on any printer."""

# Dimensions. The sheet has the proportions of A4 landscape.
_WIDTH: Final = 1460
_HEIGHT: Final = 1040
_TOP: Final = 106
_BELOW_LEFT: Final = 60
_ABOVE_LEFT: Final = 790
_STEP: Final = 63
_NANO: Final = (_BELOW_LEFT, 880)
_PIN: Final = 52
_LEGEND: Final = (900, 846)


def label(channel: int) -> str:
    """Return a channel's label on the chart: "3.07" for channel 55, which is input C7 of
    multiplexer 3."""
    multiplexer, place = divmod(channel, CHANNELS)
    return f"{multiplexer}.{place:02}"


def chart(channels: Sequence[int], ground: int) -> str:
    """Draw the wiring as an SVG document.

    Args:
        channels: The channel of each square from a1 to k10.
        ground: The input that is grounded on every multiplexer.
    """
    sheet = Sheet("The wiring of the board", _WIDTH, _HEIGHT)
    _draw_board(
        sheet.part((_BELOW_LEFT, _TOP), "below"),
        _View(mirrored=True),
        channels,
        "From BELOW, as you solder",
        "Turned over like the page of a book: Red’s side is near you, a is on the right",
    )
    _draw_board(
        sheet.part((_ABOVE_LEFT, _TOP), "above"),
        _View(mirrored=False),
        channels,
        "From ABOVE, as you play",
        "Red’s side is near you, a is on the left",
    )
    _draw_nano(sheet.part(_NANO))
    _draw_legend(sheet.part(_LEGEND), channels, ground)
    return sheet.svg()


@dataclass(frozen=True)
class _View:
    """View of the board from above, or from below if mirrored."""

    mirrored: bool

    def centre(self, square: Square) -> Point:
        row, column = divmod(square, WIDTH)
        if self.mirrored:
            column = WIDTH - 1 - column
        return _STEP * (column + 0.5), _STEP * (WIDTH - row - 0.5)


def _draw_board(board: Part, view: _View, channels: Sequence[int], title: str, how: str) -> None:
    _write(board, title, 0, -72, 32, anchor="start", bold=True)
    _write(board, how, 0, -34, 17, anchor="start", fill=QUIET)
    for square in SQUARES:
        _draw_square(board.part(view.centre(square), "square"), square, channels[square])
    for square in SQUARES:
        for other in NEIGHBOURS[square]:
            if square < other and channels[square] // CHANNELS != channels[other] // CHANNELS:
                _part_fields(board, view.centre(square), view.centre(other))
    side = _STEP * WIDTH
    board.box((0, 0), (side, side), fill="none", width=4)
    for n, letter in enumerate(COLUMNS):
        x, _ = view.centre(n)
        _, y = view.centre(WIDTH * n)
        _write(board, letter, x, side + 20, 22, fill=QUIET)
        _write(board, str(n + 1), -22, y, 22, fill=QUIET)


def _draw_square(field: Part, square: Square, channel: int) -> None:
    corner, fill = (-_STEP / 2, -_STEP / 2), _FILLS[channel // CHANNELS]
    field.box(corner, (_STEP, _STEP), fill=fill, stroke=_FAINT, width=1)
    lake = " lake" if LAKES >> square & 1 else ""
    _write(field, name(square) + lake, 0, -16, 14, fill=QUIET)
    _write(field, label(channel), 0, 9, 23, bold=True)


def _part_fields(board: Part, one: Point, other: Point) -> None:
    """Draw the boundaries between neighbouring squares that are read by different multiplexers."""
    x, y = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
    across, down = (0, _STEP / 2) if one[1] == other[1] else (_STEP / 2, 0)
    board.line((x - across, y - down), (x + across, y + down), width=4)


def _draw_nano(nano: Part) -> None:
    width, height = _PIN * len(_FAR_EDGE), 96
    nano.box((0, 0), (width, height), fill=PRINT["paper"], width=3)
    nano.box((-16, 26), (56, 44), fill=_FILLS[-1])
    _write(nano, "USB", 12, 48, 17)
    _write(nano, "Arduino Nano, its parts towards you", width / 2, height / 2, 20, bold=True)
    for n, (far, near) in enumerate(zip(_FAR_EDGE, _NEAR_EDGE, strict=True)):
        x = _PIN * (n + 0.5)
        _draw_pin(nano, far, x, 16, far in SELECT_PINS)
        _draw_pin(nano, near, x, height - 16, near in OUTPUT_PINS or near in SUPPLY_PINS)
        if far in SELECT_PINS:
            _write(nano, SELECT_PINS[far], x, -18, 20, bold=True)
        if near in OUTPUT_PINS:
            multiplexer = OUTPUT_PINS[near]
            nano.box((x - 20, height + 8), (40, 28), fill=_FILLS[multiplexer], width=1)
            _write(nano, str(multiplexer), x, height + 22, 20, bold=True)
        if near in SUPPLY_PINS:
            _write(nano, SUPPLY_PINS[near], x, height + 22, 17, bold=True)
    first = _PIN * _FAR_EDGE.index("D8") + _PIN + 8
    _write(nano, "select lines, each to all multiplexers", first, -18, 17, anchor="start")
    middle = _PIN * (_NEAR_EDGE.index("A3") + 0.5)
    _write(nano, "from SIG of each multiplexer", middle, height + 48, 17)


def _draw_pin(nano: Part, pin: str, x: float, y: float, used: bool) -> None:
    _write(nano, pin, x, y, 17, fill=INK if used else _FAINT, bold=used)


def _draw_legend(legend: Part, channels: Sequence[int], ground: int) -> None:
    example = SQUARES[59]
    multiplexer, place = divmod(channels[example], CHANNELS)
    lines = (
        f"{label(channels[example])} on {name(example)}: the sensor under {name(example)} goes to",
        f"input C{place} of multiplexer {multiplexer}.",
        "Thick lines separate the squares of different multiplexers.",
        f"Every multiplexer: EN and C{ground} to ground, S0 to S3 to",
        "the Nano’s D8 to D11, SIG to the pin above its number.",
        "D2 to D4: only for lamps. RST: only for the panel.",
    )
    for n, line in enumerate(lines):
        _write(legend, line, 0, 28 * n, 19, anchor="start")


def _write(
    part: Part,
    words: str,
    x: float,
    y: float,
    size: int,
    *,
    anchor: str = "middle",
    fill: str = INK,
    bold: bool = False,
) -> None:
    """Write text, with its capital letters vertically centred on `y`."""
    part.write((x, y + 0.355 * size), words, size, anchor=anchor, fill=fill, bold=bold)
