"""Draws the board's circuit with one sensor, one multiplexer, the Nano and the Pi."""

from engine.board.geometry import name
from firmware_bridge.board_hardware import GROUND_INPUT, WIRINGS
from firmware_bridge.wire import CHANNELS, Geometry
from hardware.drawing.sheet import BODY, GROUND, QUIET, SIGNAL, SUPPLY, Sheet
from hardware.wiring_chart import SELECT_PINS

_INPUT = 3
"""The sensor at this input of multiplexer 0 is drawn."""


def draw() -> str:
    sheet = Sheet("The circuit of the board", 1500, 800)
    sheet.write((40, 50), "The circuit of the board", 26, bold=True)
    sheet.write(
        (40, 80),
        "One of 100 sensors, one of 7 multiplexers, the Nano, the Pi. Lines cross without joining "
        "where there is no dot.",
        fill=QUIET,
    )
    _sensor(sheet)
    _multiplexer(sheet)
    _nano(sheet)
    _pi(sheet)
    sheet.write(
        (60, 710),
        "All signs “5 V” are one rail, and all grounds are one. The rail feeds the Nano at its "
        "pin 5V, not the Nano the rail:\nso sensors and converter have the same supply, and the "
        "sensors’ 0.6 A do not pass the small diode behind the Nano’s USB socket.\n"
        "Beside each module: 100 nF between its VCC and GND.",
        17,
    )
    return sheet.svg()


def _sensor(sheet: Sheet) -> None:
    here = name(WIRINGS[Geometry.BY_HAND].square_of[_INPUT])
    sheet.write((60, 165), f"Sensor, one of 100 (here {here})", bold=True)
    sheet.box((90, 210), (130, 120))
    for y, pin in ((235, "VCC"), (275, "OUT"), (315, "GND")):
        sheet.write((212, y + 5), pin, anchor="end")
    sheet.line((220, 235), (330, 235), (330, 255), stroke=SUPPLY)
    sheet.supply((275, 235))
    sheet.capacitor((330, 255))
    sheet.write((350, 252), "100 nF")
    sheet.line((330, 275), (330, 315), (220, 315))
    sheet.line((275, 315), (275, 340))
    sheet.ground((275, 340))
    for at in ((275, 235), (275, 315)):
        sheet.dot(at)
    sheet.line((220, 275), (480, 275), stroke=SIGNAL)
    sheet.write(
        (60, 420),
        "100 nF: at every sensor.",
        fill=QUIET,
    )


def _multiplexer(sheet: Sheet) -> None:
    sheet.write((480, 165), f"CD74HC4067 module, one of {Geometry.BY_HAND} (here 0)", bold=True)
    sheet.box((480, 180), (180, 440))
    for n in range(CHANNELS):
        y = 200 + 25 * n
        sheet.write((490, y + 5), f"C{n}", 14)
        if n != _INPUT:
            sheet.line((455, y), (480, y), stroke=GROUND if n == GROUND_INPUT else SIGNAL)
    others = (
        "the other 15 inputs:",
        f"14 more sensors, and C{GROUND_INPUT}",
        "to ground (multiplexer 6",
        "has open inputs, too)",
    )
    sheet.write((450, 480), "\n".join(others), anchor="end", fill=QUIET)
    pins = ("SIG", 230), ("S0", 330), ("S1", 360), ("S2", 390), ("S3", 420)
    for pin, y in (*pins, ("EN", 500), ("VCC", 540), ("GND", 580)):
        sheet.write((650, y + 5), pin, anchor="end")
    sheet.line((660, 500), (715, 500), (715, 590))
    sheet.line((660, 580), (715, 580))
    sheet.dot((715, 580))
    sheet.ground((715, 590))
    sheet.line((660, 540), (760, 540), stroke=SUPPLY)
    sheet.supply((760, 540))


def _nano(sheet: Sheet) -> None:
    sheet.write((900, 165), "Arduino Nano", bold=True)
    sheet.box((900, 180), (170, 440))
    for n in range(Geometry.BY_HAND):
        y = 200 + 20 * n
        sheet.write((910, y + 5), f"A{n}", 14)
        if n:
            sheet.line((880, y), (900, y), stroke=SIGNAL)
    sheet.line((660, 230), (820, 230), (820, 200), (900, 200), stroke=SIGNAL)
    sheet.write((680, 255), "multiplexer 0 to A0,\n1 to A1, … 6 to A6", fill=QUIET)
    for n, pin in enumerate(SELECT_PINS):
        y, low, bend = 390 + 30 * n, 330 + 30 * n, 860 - 20 * n
        sheet.write((910, y + 5), pin, 14)
        sheet.line((660, low), (bend, low), (bend, y), (900, y), stroke=SIGNAL)
    sheet.write((680, 452), "S0 to S3: all\nseven together", fill=QUIET)
    sheet.write((910, 545), "5V", 14)
    sheet.line((900, 540), (850, 540), stroke=SUPPLY)
    sheet.supply((850, 540))
    sheet.write((910, 595), "GND", 14)
    sheet.line((900, 590), (850, 590), (850, 600))
    sheet.ground((850, 600))
    sheet.write((1060, 245), "USB", anchor="end")
    sheet.write((1060, 455), "RST", anchor="end")


def _pi(sheet: Sheet) -> None:
    sheet.write((1280, 165), "Raspberry Pi", bold=True)
    sheet.box((1280, 180), (180, 440))
    sheet.write((1290, 245), "USB")
    sheet.line((1070, 240), (1280, 240), width=6, stroke=QUIET)
    sheet.write((1175, 228), "USB cable", anchor="middle", fill=QUIET)
    sheet.write((1290, 445), "the panel’s\nreset transistor", 14)
    sheet.line((1070, 450), (1280, 450), stroke=SIGNAL, dash="8 6")
    sheet.write((1175, 438), "optional", anchor="middle", fill=QUIET)
    sheet.write((1290, 545), "pin 2 · 5 V")
    sheet.box((1200, 531), (56, 18), fill=BODY)
    sheet.write((1228, 522), "fuse 1 A", anchor="middle")
    sheet.line((1280, 540), (1256, 540), stroke=SUPPLY)
    sheet.line((1200, 540), (1120, 540), (1120, 550), stroke=SUPPLY)
    sheet.supply((1120, 540))
    sheet.dot((1120, 540))
    sheet.capacitor((1120, 570))
    sheet.write((1144, 572), "100 µF, + to 5 V", 13)
    sheet.dot((1120, 590))
    sheet.write((1290, 595), "pin 6 · ground")
    sheet.line((1280, 590), (1120, 590), (1120, 600))
    sheet.ground((1120, 600))
