"""Controller board: Nano socket, USB-C power socket, and connectors for tiles, lamps and panel."""

from typing import Final

from engine.board.geometry import Side
from hardware.drawing.lamps import LAMPS
from hardware.pcb import components
from hardware.pcb.design import GROUND_NET, SUPPLY_NET, WIRES, Design, Print
from hardware.pcb.footprints import Point
from hardware.pcb.tile_map import CORNERS
from hardware.wiring_chart import SELECT_PINS

SIZE: Final = (100.0, 100.0)
SELECT_NET: Final = "S3"
INVERTED_NET: Final = "N3"
SHIFT_PINS: Final = {"D2": "SER", "D3": "SRCLK", "D4": "RCLK"}
"""Nano pins that drive the lamps, as in firmware/src/shift.c."""
NANO_NET: Final = "NANO_5V"
"""Power supply of the Nano. The 5 V rail of the other parts feeds the Nano through an ideal diode.
The diode blocks reverse current, so the Pi's USB port never powers the sensors or the USB-C socket.
"""
PANEL: Final = ("BUTTON_RED", "BUTTON_BLUE", "LAMP_RED", "LAMP_BLUE", "BUZZER", "RESET")
"""Signals on the wires to the Pi, starting at pin 1. Two ground wires follow."""
CORNER_NAMES: Final = ("RED, A TO E", "RED, F TO K", "BLUE, A TO E", "BLUE, F TO K")
_POWER: Final = {"VCC": SUPPLY_NET, "GND": GROUND_NET}
_ACROSS: Final = {"1": SUPPLY_NET, "2": GROUND_NET}
_OUTPUTS: Final = ("QA", "QB", "QC", "QD", "QE", "QF", "QG", "QH")
_PLUGS: Final = (((-28, -41), 90), ((-0.5, -41), 90), ((27, -41), 90), ((42.5, -22), 0))


def output_pin(plug: int, output: int) -> str:
    """Return the Nano pin that reads output 0 or 1 of the tile at the given plug."""
    return f"A{2 * plug + output}"


def controller() -> Design:
    board = Design(
        "controller",
        "Boomboard controller",
        SIZE,
        thick=frozenset((SUPPLY_NET, GROUND_NET, "VBUS", NANO_NET)),
    )
    _supply(board)
    _nano(board)
    for plug in range(len(CORNERS)):
        _plug(board, plug)
    _lamps(board)
    _panel(board)
    for n, at in enumerate(((-45.5, -45.5), (45.5, -45.5), (45.5, 45.5), (-45.5, 45.5))):
        board.add(f"H{n + 1}", components.HOLE, at)
    for n, at in enumerate(((-46.5, -36), (46, -38), (-46.5, 36))):
        board.add(f"FID{n + 1}", components.FIDUCIAL, at)
    board.add_title((17, -8), 1.6)
    return board


def _supply(board: Design) -> None:
    nets = {"CC1": "CC1", "CC2": "CC2", "VBUS": "VBUS", "VBUS2": "VBUS"}
    nets |= dict.fromkeys(("GND", "GND2", "SHIELD"), GROUND_NET)
    board.add("J11", components.USB_C, (-46.3, -22), 270, nets)
    for n, (line, y) in enumerate((("CC1", -27), ("CC2", -17))):
        board.add(
            f"R{27 + n}", components.RESISTORS["5k1"], (-38, y), 0, {"1": line, "2": GROUND_NET}
        )
    board.add("F1", components.FUSE, (-34, -22), 0, {"1": "VBUS", "2": SUPPLY_NET})
    board.add("C1", components.ELECTROLYTIC, (-23, -22), 0, _ACROSS)
    board.add("C2", components.RESERVOIR, (-10, -14), 0, _ACROSS)
    board.prints.append(Print("5 V", (-42.5, -31.5)))


def _nano(board: Design) -> None:
    nets = {"5V": NANO_NET, "GND1": GROUND_NET, "GND2": GROUND_NET, "RST1": "RST"}
    for plug in range(len(CORNERS)):
        nets |= {output_pin(plug, n): f"SIG{plug + 1}_{n + 1}" for n in (0, 1)}
    # If only the Nano is powered, its outputs feed current into the other parts through their
    # protection diodes; 470 ohms limit this current to 9 mA per output. The inputs and ribbon
    # cables have an estimated capacitance of 300 pF, so edges take 0.3 us. The multiplexers
    # tolerate 0.5 us at 4.5 V (data sheet, input transition time).
    for n, (pin, line) in enumerate((SHIFT_PINS | SELECT_PINS).items()):
        nets[pin] = f"NANO_{pin}"
        place = (-7.5 - 2.54 * (int(pin[1:]) + 2), -11.5)
        board.add(
            f"R{29 + n}", components.RESISTORS["470"], place, 270, {"1": line, "2": nets[pin]}
        )
    board.add("U4", components.NANO, (-7.5, -7.5), 270, nets)
    diode = {"VDD": SUPPLY_NET, "EN": SUPPLY_NET, "GND": GROUND_NET, "OUT": NANO_NET}
    board.add("U6", components.IDEAL_DIODE, (-14, 14), 0, diode)
    board.add("C7", components.RESERVOIR, (-8, 14), 0, {"1": NANO_NET, "2": GROUND_NET})
    board.add(
        "U5", components.INVERTER, (8, -14), 0, {"A": SELECT_NET, "Y": INVERTED_NET, **_POWER}
    )
    board.add("C3", components.CAPACITOR, (8, -18), 0, _ACROSS)
    board.prints.append(Print("NANO", (-25, 0), 0, 3))


def _plug(board: Design, plug: int) -> None:
    of_plug = {"SIG1": f"SIG{plug + 1}_1", "SIG2": f"SIG{plug + 1}_2"}
    of_plug |= dict.fromkeys(("H1", "H2"), SELECT_NET) | dict.fromkeys(("N1", "N2"), INVERTED_NET)
    nets = {str(n + 1): of_plug.get(wire, wire) for n, wire in enumerate(WIRES)}
    at, angle = _PLUGS[plug]
    board.add(f"J{plug + 1}", components.RIBBON, at, angle, nets)
    words = f"{plug + 1}: {CORNER_NAMES[plug]}"
    place: Point = (at[0], at[1] + 8.3) if angle else (at[0] - 8.3, at[1])
    board.prints.append(Print(words, place, 90 - angle, 1.3))


def _lamps(board: Design) -> None:
    carry = SHIFT_PINS["D2"]
    for n in range(3):
        nets = {"SER": carry, "SRCLK": "SRCLK", "RCLK": "RCLK", "OE": GROUND_NET}
        nets |= {"SRCLR": SUPPLY_NET, **_POWER}
        of_register = LAMPS[8 * n : 8 * n + 8]
        nets |= {pin: f"Q_{lamp}" for pin, lamp in zip(_OUTPUTS, of_register, strict=False)}
        if n < 2:
            carry = f"CARRY{n + 1}"
            nets["QH'"] = carry
        board.add(f"U{n + 1}", components.REGISTER, (6 + 11 * n, 18), 0, nets)
        board.add(f"C{4 + n}", components.CAPACITOR, (6 + 11 * n, 10), 0, _ACROSS)
    for n, lamp in enumerate(LAMPS):
        row, step = divmod(n, 10)
        at, angle = ((31.9 - 2.54 * step, 36), 270) if row else ((36, 5 + 2.54 * step), 0)
        nets = {"1": f"Q_{lamp}", "2": f"LED_{lamp}"}
        board.add(f"R{n + 1}", components.RESISTORS["1k"], at, angle, nets)
    for name, lamps, at, angle in (
        ("J5", LAMPS[:10], (43, 5), 0),
        ("J6", LAMPS[10:], (31.9, 43), 270),
    ):
        nets = {str(2 * n + 1): f"LED_{lamp}" for n, lamp in enumerate(lamps)}
        nets |= {str(2 * n + 2): GROUND_NET for n in range(len(lamps))}
        board.add(name, components.LAMP_BOX, at, angle, nets)
    board.prints.append(Print("LAMPS A TO K", (42, -3.2), 0, 1.2))
    board.prints.append(Print("LAMPS 10 TO 1", (20, 30), 0, 1.2))


def _panel(board: Design) -> None:
    nets = {str(n + 1): f"PI_{wire}" for n, wire in enumerate(PANEL)}
    board.add("J7", components.KEYED[8], (-40, 46), 0, nets | {"7": GROUND_NET, "8": GROUND_NET})
    for n, (wire, driven) in enumerate(
        (("LAMP_RED", "RED_DARK"), ("LAMP_BLUE", "BLUE_DARK"), ("RESET", "RST"))
    ):
        x: float = -40 + 7 * n
        base = f"BASE_{wire}"
        board.add(
            f"R{21 + n}", components.RESISTORS["1k"], (x, 37), 90, {"1": f"PI_{wire}", "2": base}
        )
        board.add(
            f"Q{n + 1}",
            components.TRANSISTOR,
            (x, 29),
            90,
            {"B": base, "E": GROUND_NET, "C": driven},
        )
    board.add("R24", components.RESISTORS["1k"], (-37, 22), 0, {"1": "BUZZ", "2": "PI_BUZZER"})
    board.add("J10", components.KEYED[2], (-46, 20), 270, {"1": "BUZZ", "2": GROUND_NET})
    for n, side in enumerate(Side):
        colour = side.value.upper()
        x = -18 + 11.5 * n
        lamp = {"1": f"{colour}_LED", "2": f"{colour}_DARK"}
        board.add(f"R{25 + n}", components.RESISTORS["220"], (x + 5, 37), 90, lamp)
        # D1 clamps electrostatic discharges into a button's long wires. The remaining voltage
        # drives a current into the Pi's pin; the resistor limits this current.
        button = {"1": f"PI_BUTTON_{colour}", "2": f"{colour}_BUTTON"}
        board.add(f"R{36 + n}", components.RESISTORS["1k"], (x, 37), 90, button)
        nets = {"1": f"{colour}_BUTTON", "2": GROUND_NET, "3": SUPPLY_NET, "4": f"{colour}_LED"}
        board.add(f"J{8 + n}", components.KEYED[4], (x, 46), 0, nets)
        board.prints.append(Print(colour, (x + 2.7, 41.9), 0, 1.2))
    protected = {"K1": "RED_BUTTON", "K2": "BLUE_BUTTON", "A": GROUND_NET}
    board.add("D1", components.PROTECTION, (-12, 29), 270, protected)
    board.prints.append(Print("TO THE PI", (-31, 41.7), 0, 1.2))
    board.prints.append(Print("BUZZER", (-45.5, 26.5), 0, 1.2))
