"""Wiring diagram for the edge lamps, which are driven by three cascaded shift registers."""

from typing import Final

from engine.board.geometry import COLUMNS, WIDTH
from hardware.drawing.sheet import QUIET, SIGNAL, SUPPLY, Sheet

LAMPS: Final = (*COLUMNS, *(str(row + 1) for row in range(WIDTH)))
"""Lamp connected to each output, starting at QA of the first register. The order is the same as in
firmware/src/lamps.h."""
OUTPUTS: Final = {"QA": 15, "QB": 1, "QC": 2, "QD": 3, "QE": 4, "QF": 5, "QG": 6, "QH": 7}
"""Output pins of a 74HC595, with their pin numbers (data sheet)."""
_INPUTS: Final = {"SER": 14, "SRCLK": 11, "RCLK": 12, "SRCLR": 10, "VCC": 16, "OE": 13, "GND": 8}
_CARRY: Final = 9
_LINES: Final = {"SRCLK": "Nano D3", "RCLK": "Nano D4"}


def draw() -> str:
    sheet = Sheet("The lamps at the edges", 1300, 620)
    sheet.write((40, 50), "The lamps at the edges", 26, bold=True)
    sheet.write(
        (40, 80),
        "Three 74HC595. The numbers are pin numbers, counted anticlockwise from the dot, seen from "
        "above. Connect 100 nF from VCC to GND on each.",
        fill=QUIET,
    )
    for n in range(3):
        _register(sheet, 170 + 400 * n, n)
    sheet.write((40, 540), "Each lamp:", bold=True)
    sheet.line((170, 545), (170, 535), (470, 535), stroke=SIGNAL)
    sheet.ground((170, 545))
    sheet.lamp((260, 535))
    sheet.resistor((380, 535), "1 kΩ")
    sheet.write((480, 540), "output")
    sheet.write((260, 575), "flat side to ground", anchor="middle", fill=QUIET)
    return sheet.svg()


def _register(sheet: Sheet, x: float, n: int) -> None:
    sheet.write((x, 125), f"Register {n + 1}", bold=True)
    sheet.box((x, 140), (150, 330))
    first = n * len(OUTPUTS)
    for row, (output, pin) in enumerate(OUTPUTS.items()):
        y = 165 + 36 * row
        lamp = LAMPS[first + row] if first + row < len(LAMPS) else ""
        sheet.write((x + 142, y + 5), f"{output}  {pin}", 14, anchor="end")
        if lamp:
            kind = "column" if lamp in COLUMNS else "row"
            sheet.line((x + 150, y), (x + 172, y), stroke=SIGNAL)
            sheet.write((x + 178, y + 5), f"{kind} {lamp}", 14)
    lines = _LINES | {"SER": "Nano D2" if n == 0 else "", "SRCLR": "5 V", "VCC": "5 V"}
    lines |= {"OE": "ground", "GND": "ground"}
    for row, (name, number) in enumerate(_INPUTS.items()):
        y = 165 + 40 * row
        sheet.write((x + 8, y + 5), f"{number}  {name}", 14)
        sheet.line((x - 22, y), (x, y), stroke=SUPPLY if lines[name] == "5 V" else SIGNAL)
        sheet.write((x - 26, y + 5), lines[name], 14, anchor="end")
    sheet.write((x + 142, 460), f"QH′  {_CARRY}", 14, anchor="end")
    if n < 2:
        sheet.line((x + 150, 455), (x + 290, 455), (x + 290, 165), (x + 378, 165), stroke=SIGNAL)
