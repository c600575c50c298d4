"""Draws the Pi's panel: buttons, lamps, buzzer and reset line."""

from engine.board.geometry import Side
from firmware_bridge.panel import BUTTONS, BUZZER, LAMPS, RESET
from hardware.drawing.sheet import QUIET, SIGNAL, SUPPLY, Sheet
from tools.hardware_book.header import PLACE_OF


def draw() -> str:
    sheet = Sheet("The panel at the Pi", 1300, 880)
    sheet.write((40, 50), "The panel at the Pi", 26, bold=True)
    sheet.write(
        (40, 80),
        "Each part is optional. Numbers in brackets are pins of the 40-pin header. "
        "5 V comes from the board’s red wire, after its fuse.",
        fill=QUIET,
    )
    sheet.box((60, 110), (190, 730))
    sheet.write((155, 140), "Raspberry Pi", anchor="middle", bold=True)
    for n, side in enumerate(Side):
        _button(sheet, 180 + 70 * n, side)
        _lamp(sheet, 400 + 150 * n, side)
    _pin(sheet, 670, BUZZER)
    sheet.line((250, 670), (520, 670), stroke=SIGNAL)
    sheet.resistor((330, 670), "1 kΩ")
    sheet.box((520, 640), (90, 60))
    sheet.write((565, 675), "piezo", anchor="middle")
    sheet.line((610, 670), (660, 670), (660, 676))
    sheet.ground((660, 676))
    sheet.write((700, 675), "buzzer: a passive piezo, without a built-in oscillator", fill=QUIET)
    _pin(sheet, 780, RESET)
    _transistor(sheet, 780)
    sheet.line((430, 755), (430, 735), (700, 735), stroke=SIGNAL)
    sheet.write((710, 740), "RST of the Nano; connect the Nano’s ground to the Pi’s", fill=QUIET)
    _legs(sheet)
    return sheet.svg()


def _pin(sheet: Sheet, y: float, gpio: int) -> None:
    sheet.write((240, y + 5), f"GPIO {gpio} ({PLACE_OF[gpio]})", anchor="end")


def _button(sheet: Sheet, y: float, side: Side) -> None:
    _pin(sheet, y, BUTTONS[side])
    sheet.line((250, y), (400, y), stroke=SIGNAL)
    sheet.dot((400, y))
    sheet.line((400, y), (455, y - 22))
    sheet.dot((460, y))
    sheet.line((460, y), (560, y), (560, y + 6))
    sheet.ground((560, y + 6))
    whose = side.value.capitalize()
    sheet.write((600, y + 5), f"{whose}’s button, open until it is pressed", fill=QUIET)


def _lamp(sheet: Sheet, y: float, side: Side) -> None:
    _pin(sheet, y, LAMPS[side])
    _transistor(sheet, y)
    sheet.line((430, y - 25), (430, y - 45), (720, y - 45))
    sheet.resistor((520, y - 45), "220 Ω")
    sheet.lamp((606, y - 45))
    sheet.supply((720, y - 45))
    sheet.write(
        (640, y + 5),
        f"{side.value.capitalize()}’s lamp: an LED, its cathode (flat side) to the 220 Ω;\n"
        "a 5 V LED with a built-in resistor needs no 220 Ω",
        fill=QUIET,
    )


def _transistor(sheet: Sheet, y: float) -> None:
    """Draw an NPN transistor with its base resistor: base left, collector above, ground below."""
    sheet.line((250, y), (400, y), stroke=SIGNAL)
    sheet.resistor((330, y), "1 kΩ")
    sheet.line((400, y - 20), (400, y + 20), width=4)
    sheet.line((400, y - 8), (430, y - 25))
    sheet.line((400, y + 8), (430, y + 25))
    sheet.line((424, y + 14), (430, y + 25), (417, y + 24))
    sheet.ground((430, y + 25))
    sheet.write((442, y + 8), "BC547")


def _legs(sheet: Sheet) -> None:
    """Draw the pinouts of the transistor and the LED."""
    x, y = 1140, 150
    sheet.write((x, y), "BC547, flat face to you", anchor="middle", bold=True)
    sheet.box((x - 50, y + 15), (100, 60))
    for n, leg in enumerate(("C", "B", "E")):
        at = x + 30 * (n - 1)
        sheet.line((at, y + 75), (at, y + 130), width=4, stroke=QUIET)
        sheet.write((at, y + 150), leg, anchor="middle")
    sheet.write((x, y + 175), "collector · base · emitter", anchor="middle", fill=QUIET)
    y = 390
    sheet.write((x, y), "LED", anchor="middle", bold=True)
    sheet.box((x - 30, y + 15), (60, 50))
    sheet.box((x - 38, y + 65), (70, 14))
    sheet.line((x - 15, y + 79), (x - 15, y + 125), width=4, stroke=QUIET)
    sheet.line((x + 15, y + 79), (x + 15, y + 145), width=4, stroke=QUIET)
    sheet.write((x - 25, y + 115), "flat side,\nshort leg: minus", anchor="end", fill=QUIET)
    sheet.write((x + 25, y + 140), "long leg: plus", fill=SUPPLY)
