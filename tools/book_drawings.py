"""The drawings of the maker's book, as far as the wiring chart does not show it already.

What the program knows, squares, channels and pins, is taken from it; the rest is drawn by hand.
"""

from collections.abc import Sequence
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from engine.sides import Side
from engine.squares import LAKES, SQUARES, WIDTH, Square, name
from firmware_bridge.panel import BUTTONS, BUZZER, LAMPS, RESET
from firmware_bridge.wire import CHANNELS, MULTIPLEXERS
from firmware_bridge.wiring import CHANNEL_OF

PITCHES: Final = (35, 40)
"""Millimetres from the middle of a square to the next, for which there are layouts."""
HEADER: Final = {17: 11, 27: 13, 22: 15, 23: 16, 24: 18, 25: 22}
"""GPIO numbers, and where each is on the Pi's header of 40 pins."""

_INK: Final = "#12161c"
_QUIET: Final = "#55606e"
_BODY: Final = "#edf0f3"
_WATER: Final = "#bcdde8"
_SUPPLY: Final = "#c0392b"
_GROUND: Final = "#12161c"
_SIGNAL: Final = "#1d5c98"
_WOOD: Final = "#e9d3ae"
_NORTH: Final = "#ff7a6b"
_SOUTH: Final = "#6cb6ff"

Point = tuple[float, float]


class Sheet:
    """A drawing in millimetres or in units of its own; texts keep their size in its units."""

    def __init__(
        self, title: str, width: float, height: float, *, millimetres: bool = False
    ) -> None:
        """Take a white sheet. In millimetres, it prints at its true size."""
        self._svg = Element(
            "svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width} {height}"
        )
        if millimetres:
            self._svg.set("width", f"{width}mm")
            self._svg.set("height", f"{height}mm")
        self._svg.set("font-family", "sans-serif")
        SubElement(self._svg, "title").text = title
        SubElement(self._svg, "rect", width="100%", height="100%", fill="#ffffff")

    def write(
        self,
        at: Point,
        text: str,
        size: float = 15,
        *,
        anchor: str = "start",
        fill: str = _INK,
        bold: bool = False,
    ) -> None:
        """Write lines of text, the first with its base line at a point."""
        for n, line in enumerate(text.split("\n")):
            put = SubElement(self._svg, "text", x=f"{at[0]:g}", y=f"{at[1] + 1.3 * size * n:g}")
            put.text = line
            put.set("font-size", f"{size:g}")
            put.set("text-anchor", anchor)
            put.set("fill", fill)
            if bold:
                put.set("font-weight", "bold")

    def line(self, *points: Point, stroke: str = _INK, width: float = 2, dash: str = "") -> None:
        """Draw a line through points."""
        put = SubElement(self._svg, "polyline", fill="none", stroke=stroke)
        put.set("points", " ".join(f"{x:g},{y:g}" for x, y in points))
        put.set("stroke-width", f"{width:g}")
        if dash:
            put.set("stroke-dasharray", dash)

    def box(
        self,
        corner: Point,
        size: Point,
        *,
        fill: str = _BODY,
        stroke: str = _INK,
        width: float = 2,
    ) -> None:
        """Draw a box from its upper left corner."""
        put = SubElement(self._svg, "rect", x=f"{corner[0]:g}", y=f"{corner[1]:g}", fill=fill)
        put.set("width", f"{size[0]:g}")
        put.set("height", f"{size[1]:g}")
        put.set("stroke", stroke)
        put.set("stroke-width", f"{width:g}")

    def dot(self, at: Point, radius: float = 4, fill: str = _INK) -> None:
        """Draw a dot: two wires that are joined."""
        SubElement(
            self._svg, "circle", cx=f"{at[0]:g}", cy=f"{at[1]:g}", r=f"{radius:g}", fill=fill
        )

    def arrow(self, tail: Point, head: Point, *, stroke: str = _INK, width: float = 3) -> None:
        """Draw an arrow straight up, down, left or right."""
        self.line(tail, head, stroke=stroke, width=width)
        (x, y), across = head, tail[1] == head[1]
        back = 10 if (head > tail if across else head[1] > tail[1]) else -10
        wings = (
            ((x - back, y - 7), (x - back, y + 7))
            if across
            else ((x - 7, y - back), (x + 7, y - back))
        )
        self.line(wings[0], head, wings[1], stroke=stroke, width=width)

    def resistor(self, at: Point, text: str, *, upright: bool = False) -> None:
        """Draw a resistor with its middle at a point and its value beside it."""
        x, y = at
        long, thin = 44, 16
        wide, high = (thin, long) if upright else (long, thin)
        self.box((x - wide / 2, y - high / 2), (wide, high), fill="#ffffff")
        if upright:
            self.write((x + 14, y + 5), text)
        else:
            self.write((x, y - 14), text, anchor="middle")

    def ground(self, at: Point) -> None:
        """Draw the sign of ground below a point."""
        x, y = at
        self.line(at, (x, y + 14))
        for n in range(3):
            self.line((x - 14 + 5 * n, y + 14 + 6 * n), (x + 14 - 5 * n, y + 14 + 6 * n))

    def supply(self, at: Point, text: str = "5 V") -> None:
        """Draw the sign of the supply above a point."""
        x, y = at
        self.line(at, (x, y - 16), stroke=_SUPPLY)
        self.line((x - 12, y - 16), (x + 12, y - 16), stroke=_SUPPLY, width=3)
        self.write((x, y - 23), text, anchor="middle", fill=_SUPPLY)

    def svg(self) -> str:
        """Return the drawing as a document."""
        indent(self._svg)
        return tostring(self._svg, encoding="unicode") + "\n"


def drawings() -> dict[str, str]:
    """Return all drawings by their file names."""
    drawn = {
        "circuit.svg": _circuit(),
        "panel.svg": _panel(),
        "magnets.svg": _magnets(),
        "sensors.svg": _sensors(),
        "rails.svg": _rails(),
    }
    return drawn | {f"layout-{pitch}.svg": _layout(pitch) for pitch in PITCHES}


# ---------------------------------------------------------------- the circuit of the board


def _circuit() -> str:
    sheet = Sheet("The circuit of the board", 1500, 800)
    sheet.write((40, 50), "The circuit of the board", 26, bold=True)
    sheet.write(
        (40, 80),
        "One of 100 sensors, one of 7 multiplexers, the Nano, the Pi. Lines cross without joining "
        "where there is no dot.",
        fill=_QUIET,
    )
    _circuit_sensor(sheet)
    _circuit_multiplexer(sheet)
    _circuit_nano(sheet)
    _circuit_pi(sheet)
    return sheet.svg()


def _circuit_sensor(sheet: Sheet) -> None:
    sheet.write((60, 195), "Sensor, one of 100", bold=True)
    sheet.box((90, 210), (130, 120))
    for y, pin in ((235, "VCC"), (275, "OUT"), (315, "GND")):
        sheet.write((212, y + 5), pin, anchor="end")
    sheet.line((220, 235), (275, 235), (275, 215), stroke=_SUPPLY)
    sheet.supply((275, 215))
    sheet.line((220, 315), (275, 315), (275, 340))
    sheet.ground((275, 340))
    # The capacitor between the two.
    sheet.line((275, 235), (330, 235), (330, 243), stroke=_SUPPLY)
    sheet.line((316, 243), (344, 243), width=3)
    sheet.line((316, 251), (344, 251), width=3)
    sheet.line((330, 251), (330, 262))
    sheet.line((330, 288), (330, 315), (275, 315))
    sheet.write((350, 252), "100 nF")
    for at in ((275, 235), (275, 315)):
        sheet.dot(at)
    sheet.line((330, 262), (330, 288))
    sheet.line((220, 275), (480, 275), stroke=_SIGNAL)
    sheet.write(
        (60, 420),
        "100 nF: at every DRV5055;\nwith SS49E one in each row of five\nis enough.",
        fill=_QUIET,
    )


def _circuit_multiplexer(sheet: Sheet) -> None:
    sheet.write((480, 165), f"CD74HC4067 module, one of {MULTIPLEXERS}", bold=True)
    sheet.box((480, 180), (180, 440))
    for n in range(CHANNELS):
        y = 200 + 25 * n
        sheet.write((490, y + 5), f"C{n}", 14)
        if n != 3:
            sheet.line((455, y), (480, y), stroke=_SIGNAL)
    sheet.write(
        (450, 480),
        "the other 15 inputs:\n14 more sensors, or open;\nthe wiring chart says which",
        anchor="end",
        fill=_QUIET,
    )
    for y, pin in (
        (230, "SIG"),
        (330, "S0"),
        (360, "S1"),
        (390, "S2"),
        (420, "S3"),
        (500, "EN"),
        (540, "VCC"),
        (580, "GND"),
    ):
        sheet.write((650, y + 5), pin, anchor="end")
    sheet.line((660, 500), (715, 500), (715, 590))
    sheet.line((660, 580), (715, 580))
    sheet.dot((715, 580))
    sheet.ground((715, 590))
    sheet.line((660, 540), (760, 540), (760, 530), stroke=_SUPPLY)
    sheet.supply((760, 530))


def _circuit_nano(sheet: Sheet) -> None:
    sheet.write((900, 165), "Arduino Nano", bold=True)
    sheet.box((900, 180), (170, 440))
    for n in range(MULTIPLEXERS):
        y = 200 + 20 * n
        sheet.write((910, y + 5), f"A{n}", 14)
        if n:
            sheet.line((880, y), (900, y), stroke=_SIGNAL)
    sheet.line((660, 230), (820, 230), (820, 200), (900, 200), stroke=_SIGNAL)
    sheet.write((680, 255), "multiplexer 0 to A0, 1 to A1,", fill=_QUIET)
    sheet.write((680, 275), "and so on, 6 to A6", fill=_QUIET)
    for n in range(4):
        y = 390 + 30 * n
        low = 330 + 30 * n
        sheet.write((910, y + 5), f"D{8 + n}", 14)
        bend = 860 - 20 * n
        sheet.line((660, low), (bend, low), (bend, y), (900, y), stroke=_SIGNAL)
    sheet.write((680, 452), "S0 to S3: all\nseven together", fill=_QUIET)
    sheet.write((910, 545), "5V", 14)
    sheet.line((900, 540), (870, 540), (870, 562), stroke=_SUPPLY)
    sheet.line((870, 562), (840, 562), (840, 552), stroke=_SUPPLY)
    sheet.supply((840, 552))
    sheet.write((910, 595), "GND", 14)
    sheet.line((900, 590), (870, 590), (870, 600))
    sheet.ground((870, 600))
    sheet.write((1060, 245), "USB", anchor="end")
    sheet.write((1060, 455), "RST", anchor="end")


def _circuit_pi(sheet: Sheet) -> None:
    sheet.write((1260, 165), "Raspberry Pi", bold=True)
    sheet.box((1260, 180), (180, 440))
    sheet.write((1270, 245), "USB")
    sheet.line((1070, 240), (1260, 240), width=6, stroke=_QUIET)
    sheet.write((1165, 228), "USB cable", anchor="middle", fill=_QUIET)
    sheet.write((1270, 455), "to the panel’s\nreset transistor", 14)
    sheet.line((1070, 450), (1260, 450), stroke=_SIGNAL, dash="8 6")
    sheet.write((1165, 438), "optional", anchor="middle", fill=_QUIET)
    sheet.write((1270, 545), "pin 2 · 5 V")
    sheet.box((1140, 531), (56, 18), fill="#ffffff")
    sheet.write((1168, 522), "fuse 1 A", anchor="middle")
    sheet.line((1260, 540), (1196, 540), stroke=_SUPPLY)
    sheet.line((1140, 540), (1110, 540), (1110, 520), stroke=_SUPPLY)
    sheet.supply((1110, 520))
    sheet.write((1270, 595), "pin 6 · ground")
    sheet.line((1260, 590), (1110, 590), (1110, 600))
    sheet.ground((1110, 600))
    sheet.write(
        (60, 720),
        "All signs “5 V” are one rail, and all grounds are one. The rail feeds the Nano at its "
        "pin 5V, not the Nano the rail:\nso sensors and converter have the same supply, and the "
        "sensors’ 0.6 A do not pass the small diode behind the Nano’s USB socket.\n"
        "Beside each module: 100 nF between its VCC and GND. Where the rail enters the board: "
        "100 µF.",
        17,
    )


# ---------------------------------------------------------------- the panel at the Pi


def _panel() -> str:
    sheet = Sheet("The panel at the Pi", 1300, 880)
    sheet.write((40, 50), "The panel at the Pi", 26, bold=True)
    sheet.write(
        (40, 80),
        "Each part is optional. Numbers in brackets are places on the header of 40 pins.",
        fill=_QUIET,
    )
    sheet.box((60, 110), (190, 730))
    sheet.write((155, 140), "Raspberry Pi", anchor="middle", bold=True)
    for n, side in enumerate(Side):
        _button(sheet, 180 + 70 * n, side)
        _lamp(sheet, 400 + 150 * n, side)
    _pin(sheet, 670, BUZZER)
    sheet.line((250, 670), (520, 670), stroke=_SIGNAL)
    sheet.resistor((330, 670), "1 kΩ")
    sheet.box((520, 640), (90, 60))
    sheet.write((565, 675), "piezo", anchor="middle")
    sheet.line((610, 670), (660, 670), (660, 676))
    sheet.ground((660, 676))
    sheet.write((700, 675), "buzzer: a passive piezo, without a tone of its own", fill=_QUIET)
    _pin(sheet, 780, RESET)
    _transistor(sheet, 780)
    sheet.line((430, 755), (430, 735), (700, 735), stroke=_SIGNAL)
    sheet.write(
        (710, 740), "RST of the Nano; the Nano’s ground and the Pi’s are joined", fill=_QUIET
    )
    return sheet.svg()


def _pin(sheet: Sheet, y: float, gpio: int) -> None:
    sheet.write((240, y + 5), f"GPIO {gpio} ({HEADER[gpio]})", anchor="end")


def _button(sheet: Sheet, y: float, side: Side) -> None:
    _pin(sheet, y, BUTTONS[side])
    sheet.line((250, y), (400, y), stroke=_SIGNAL)
    sheet.dot((400, y))
    sheet.line((400, y), (455, y - 22))
    sheet.dot((460, y))
    sheet.line((460, y), (560, y), (560, y + 6))
    sheet.ground((560, y + 6))
    sheet.write(
        (600, y + 5), f"{side.value.capitalize()}’s button, open until it is pressed", fill=_QUIET
    )


def _lamp(sheet: Sheet, y: float, side: Side) -> None:
    _pin(sheet, y, LAMPS[side])
    _transistor(sheet, y)
    sheet.line((430, y - 25), (430, y - 45), (720, y - 45))
    sheet.resistor((520, y - 45), "220 Ω")
    # The diode points from the supply to the transistor.
    for x in (620, 592):
        sheet.line((x, y - 58), (x, y - 32), width=3)
    sheet.line((620, y - 58), (592, y - 45), (620, y - 32))
    sheet.line((720, y - 45), (720, y - 50), stroke=_SUPPLY)
    sheet.supply((720, y - 50))
    sheet.write(
        (640, y + 5),
        f"{side.value.capitalize()}’s lamp: an LED, its flat side to the 220 Ω;\n"
        "one with a resistor of its own for 5 V needs none here",
        fill=_QUIET,
    )


def _transistor(sheet: Sheet, y: float) -> None:
    """An NPN transistor with its base resistor: base at the left, collector above, ground below."""
    sheet.line((250, y), (400, y), stroke=_SIGNAL)
    sheet.resistor((330, y), "1 kΩ")
    sheet.line((400, y - 20), (400, y + 20), width=4)
    sheet.line((400, y - 8), (430, y - 25))
    sheet.line((400, y + 8), (430, y + 25))
    sheet.line((424, y + 14), (430, y + 25), (417, y + 24))
    sheet.ground((430, y + 25))
    sheet.write((442, y + 8), "BC547")


# ---------------------------------------------------------------- magnets and sensors


def _magnets() -> str:
    sheet = Sheet("Which way the magnets go", 1240, 560)
    sheet.write((40, 50), "Which way the magnets go", 26, bold=True)
    what = "A cut through two squares, not to scale. The sensor sees the pole that is below."
    sheet.write((40, 80), what, fill=_QUIET)
    _section(sheet, 370, "Red", "N", "S", "reads HIGH, about 800 of 1023")
    _section(sheet, 790, "Blue", "S", "N", "reads LOW, about 200 of 1023")
    for y in (352, 457):
        sheet.line((1010, y), (1060, y))
    sheet.arrow((1035, 390), (1035, 352))
    sheet.arrow((1035, 419), (1035, 457))
    sheet.write((1065, 400), "the gap, 6 mm:\nmagnet to sensor")
    sheet.write((155, 368), "foot", fill=_QUIET, anchor="end")
    sheet.write((155, 415), "top of the board", fill=_QUIET, anchor="end")
    sheet.write((155, 462), "sensor, print up", fill=_QUIET, anchor="end")
    return sheet.svg()


def _section(sheet: Sheet, x: float, whose: str, upper: str, lower: str, reads: str) -> None:
    poles = {"N": ("north", _NORTH), "S": ("south", _SOUTH)}
    sheet.box((x - 110, 130), (220, 222), fill="#ffffff")
    sheet.write((x, 175), whose, 24, anchor="middle", bold=True)
    sheet.write((x, 205), f"{poles[upper][0]} up", anchor="middle")
    for y, pole in ((272, upper), (312, lower)):
        sheet.box((x - 60, y), (120, 40), fill=poles[pole][1])
        sheet.write((x, y + 28), pole, 22, anchor="middle", bold=True)
    sheet.box((x - 110, 352), (220, 22), fill="#cfd6de")
    sheet.box((x - 200, 374), (400, 70), fill=_WOOD)
    sheet.box((x - 30, 444), (60, 26), fill=_INK)
    sheet.line((x + 30, 457), (x + 110, 457), width=4, stroke=_QUIET)
    sheet.write((x, 520), reads, 17, anchor="middle")


def _sensors() -> str:
    sheet = Sheet("The legs of the sensors", 1240, 540)
    sheet.write((40, 50), "The legs of the sensors", 26, bold=True)
    what = "Seen on the marked face: the one with the print and, on a TO-92, the bevelled edges."
    sheet.write((40, 80), what, fill=_QUIET)
    for x, kind in ((190, "SS49E, TO-92"), (560, "DRV5055, TO-92 (LPG)")):
        sheet.write((x, 135), kind, anchor="middle", bold=True)
        sheet.box((x - 75, 150), (150, 110))
        sheet.box((x - 55, 150), (110, 110), width=1)
        sheet.write((x, 205), "print", 18, anchor="middle", fill=_QUIET)
        for n, leg in enumerate(("VCC", "GND", "OUT")):
            at = x + 45 * (n - 1)
            sheet.line((at, 260), (at, 350), width=5, stroke=_QUIET)
            sheet.write((at, 375), leg, anchor="middle")
            sheet.write((at, 252), str(n + 1), 14, anchor="middle")
    x = 950
    sheet.write((x, 135), "DRV5055, SOT-23 (DBZ)", anchor="middle", bold=True)
    sheet.box((x - 75, 210), (150, 90))
    for at, leg, number in ((x - 45, "VCC", "1"), (x + 45, "OUT", "2")):
        sheet.box((at - 10, 300), (20, 30), fill="#ffffff")
        sheet.write((at, 350), leg, anchor="middle")
        sheet.write((at, 292), number, 14, anchor="middle")
    sheet.box((x - 10, 180), (20, 30), fill="#ffffff")
    sheet.write((x, 172), "GND", anchor="middle")
    sheet.write((x, 228), "3", 14, anchor="middle")
    sheet.write(
        (40, 430),
        "A TO-92 lies flat against the underside of the board, its print to the wood. From below "
        "you see its back:\nwith the legs towards you they then are OUT, GND, VCC from left to "
        "right.\n"
        "Parts of other makers look the same and have their legs in another order: read the data "
        "sheet of yours.",
        17,
    )
    return sheet.svg()


# ---------------------------------------------------------------- the board from below


def _place(square: Square) -> tuple[int, int]:
    """Column and row of a square on a sheet that shows the board from below, Red's side near."""
    row, column = divmod(square, WIDTH)
    return WIDTH - 1 - column, WIDTH - 1 - row


def _squares_of(multiplexer: int) -> Sequence[Square]:
    return [square for square in SQUARES if CHANNEL_OF[square] // CHANNELS == multiplexer]


def _layout(pitch: int) -> str:
    edge, head = 20.0, 40.0
    field = pitch * WIDTH
    sheet = Sheet(
        f"Board layout, {pitch} mm", field + 2 * edge, field + head + 40, millimetres=True
    )
    sheet.write((edge, 12), f"Layout from BELOW, {pitch} mm squares, scale 1 : 1", 7, bold=True)
    sheet.write(
        (edge, 20),
        "Red’s side is near you, a is on the right. Red crosses: middle of a sensor.",
        4.5,
        fill=_QUIET,
    )
    sheet.write(
        (edge, 27), "M: middle of a multiplexer’s field, where its module goes.", 4.5, fill=_QUIET
    )
    for square in SQUARES:
        column, row = _place(square)
        corner = (edge + pitch * column, head + pitch * row)
        fill = _WATER if LAKES >> square & 1 else "#ffffff"
        sheet.box(corner, (pitch, pitch), fill=fill, stroke=_QUIET, width=0.3)
        x, y = corner[0] + pitch / 2, corner[1] + pitch / 2
        sheet.line((x - 4, y), (x + 4, y), stroke=_SUPPLY, width=0.3)
        sheet.line((x, y - 4), (x, y + 4), stroke=_SUPPLY, width=0.3)
        sheet.write((corner[0] + 1.5, corner[1] + 5), name(square), 4)
    sheet.box((edge, head), (field, field), fill="none", width=0.8)
    middle = (edge + field / 2, head + field / 2)
    sheet.box((middle[0] - 22.5, middle[1] - 9), (45, 18), fill=_BODY, width=0.4)
    sheet.write((middle[0], middle[1] + 1.5), "Nano 45 × 18", 4.5, anchor="middle")
    for multiplexer in range(MULTIPLEXERS):
        places = [_place(square) for square in _squares_of(multiplexer)]
        x = edge + pitch * (sum(column for column, _ in places) / len(places) + 0.5)
        y = head + pitch * (sum(row for _, row in places) / len(places) + 0.5)
        sheet.write((x + 5, y - 5), f"M{multiplexer}", 6, bold=True, fill=_SIGNAL)
    base = head + field + 12
    sheet.line((edge, base), (edge + 100, base), width=0.5)
    for n in range(11):
        sheet.line((edge + 10 * n, base - 2), (edge + 10 * n, base + 2), width=0.3)
    sheet.write((edge, base + 9), "100 mm: measure this line on your print before you drill.", 4.5)
    return sheet.svg()


def _rails() -> str:
    step = 130
    sheet = Sheet("The field of one multiplexer", 1240, 640)
    sheet.write((40, 50), "The field of one multiplexer, from below", 26, bold=True)
    what = "Multiplexer 0: five columns, three rows. All others but the one of row 10 are alike."
    sheet.write((40, 80), what, fill=_QUIET)
    squares = _squares_of(0)
    places = {square: _place(square) for square in squares}
    left = min(column for column, _ in places.values())
    top = min(row for _, row in places.values())
    for square, (column, row) in places.items():
        _rails_square(sheet, (90 + step * (column - left), 110 + step * (row - top)), step, square)
    for row in range(3):
        y = 110 + step * row
        sheet.line((60, y + 92), (90 + 5 * step, y + 92), stroke=_GROUND, width=3)
        sheet.line((90, y + 116), (770, y + 116), stroke=_SUPPLY, width=3)
        sheet.dot((60, y + 92), 5, _GROUND)
        sheet.dot((770, y + 116), 5, _SUPPLY)
    sheet.line((60, 202), (60, 540), stroke=_GROUND, width=5)
    sheet.line((770, 226), (770, 540), stroke=_SUPPLY, width=5)
    sheet.write((50, 565), "ground", 17)
    sheet.write((750, 565), "5 V", 17, fill=_SUPPLY)
    sheet.write(
        (810, 150),
        "Along every row runs a bare wire for ground\nand, further from the sensors, one for 5 V.\n"
        "Thicker wires join the rows: ground on one\nside of the field, 5 V on the other.\n\n"
        "The red leg crosses the ground wire: put a\n"
        "piece of insulating sleeve over it (white).\n\n"
        "Blue is the sensor’s output. From its leg an\ninsulated wire goes to the input of the\n"
        "multiplexer that is written in the square.\n\n"
        "The module goes onto the back of the middle\n"
        "squares, on a strip of card, clear of the rails.",
        17,
    )
    return sheet.svg()


def _rails_square(sheet: Sheet, corner: Point, step: float, square: Square) -> None:
    x, y = corner
    sheet.box(corner, (step, step), fill="#ffffff", stroke=_QUIET, width=1)
    sheet.write((x + 8, y + 22), name(square), 17)
    place = f"C{CHANNEL_OF[square] % CHANNELS}"
    sheet.write((x + step - 8, y + 22), place, 17, anchor="end", fill=_SIGNAL)
    middle = x + step / 2
    sheet.box((middle - 20, y + 40), (40, 26), fill=_INK)
    sheet.line((middle - 14, y + 66), (middle - 14, y + 78), stroke=_SIGNAL, width=3)
    sheet.line((middle - 14, y + 78), (middle - 34, y + 78), stroke=_SIGNAL, width=3)
    sheet.line((middle, y + 66), (middle, y + 92), stroke=_GROUND)
    sheet.dot((middle, y + 92), 4, _GROUND)
    sheet.line((middle + 14, y + 66), (middle + 14, y + 116), stroke=_SUPPLY)
    sheet.box((middle + 10, y + 82), (8, 20), fill="#ffffff", stroke=_SUPPLY, width=1)
    sheet.dot((middle + 14, y + 116), 4, _SUPPLY)
