"""Component types used on the boards. Each has the pin assignments from its data sheet, and a
description for ordering."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

PASSIVE: Final = "passive"
INPUT: Final = "input"
OUTPUT: Final = "output"
TRISTATE: Final = "tri_state"
SUPPLY: Final = "power_in"
SOURCE: Final = "power_out"
EITHER: Final = "bidirectional"


@dataclass(frozen=True)
class Component:
    name: str
    footprint: str
    pins: Mapping[str, tuple[str, str]]
    """Name and electrical type of the pin at each pad. The types are KiCad's."""
    order: str
    """Description with which the part can be ordered from any shop."""
    manufacturer: str = ""
    """Manufacturer of the part whose number is `number`. A part from another manufacturer may
    replace it if it matches the description."""
    number: str = ""
    """Manufacturer's part number. Every machine-placed part has one."""
    by_hand: bool = False
    """Whether the part is soldered by hand instead of placed by a machine."""
    label: tuple[float, float] | None = None
    """Position at which the reference designator is printed, relative to the footprint's origin.
    None stands for the default position."""
    keep_out: float = 0
    """Radius, in millimetres, of a circle around the origin that contains no tracks, vias or copper
    pours."""

    @property
    def pads(self) -> Mapping[str, str]:
        """Pad number of each pin, keyed by pin name."""
        return {name: pad for pad, (name, _) in self.pins.items()}

    @property
    def placed(self) -> bool:
        """Whether the factory's pick-and-place machine places the part. It does not place parts
        without pins, such as holes."""
        return bool(self.pins) and not self.by_hand

    @property
    def directed(self) -> bool:
        """Whether the part would not work if it were rotated by 180 degrees."""
        return len(self.pins) > 2 or self.footprint.startswith("CP_")


def _two(footprint: str, name: str, order: str, manufacturer: str, number: str) -> Component:
    pins = {"1": ("1", PASSIVE), "2": ("2", PASSIVE)}
    label = {"C_0805_2012Metric": (0, -1.7), "R_0805_2012Metric": (-3.1, 0)}.get(footprint)
    return Component(name, footprint, pins, order, manufacturer, number, label=label)


def _connector(
    count: int,
    footprint: str,
    order: str,
    manufacturer: str,
    number: str,
    *,
    by_hand: bool = True,
    label: tuple[float, float] | None = None,
) -> Component:
    pins = {str(n): (str(n), PASSIVE) for n in range(1, count + 1)}
    name = f"Conn_{count}"
    return Component(
        name, footprint, pins, order, manufacturer, number, by_hand=by_hand, label=label
    )


SENSOR: Final = Component(
    "DRV5055",
    "SOT-23",
    {"1": ("VCC", SUPPLY), "2": ("OUT", OUTPUT), "3": ("GND", SUPPLY)},
    "linear Hall sensor, SOT-23",
    "Texas Instruments",
    "DRV5055A1QDBZR",
    label=(0, 2.4),
)
_MULTIPLEXER_PINS: Final = (
    "SIG C7 C6 C5 C4 C3 C2 C1 C0 S0 S1 GND S3 S2 EN C15 C14 C13 C12 C11 C10 C9 C8 VCC"
)


def _multiplexer_role(pin: str) -> str:
    if pin in {"VCC", "GND"}:
        return SUPPLY
    return PASSIVE if pin == "SIG" or pin.startswith("C") else INPUT


MULTIPLEXER: Final = Component(
    "CD74HC4067",
    "SOIC-24W_7.5x15.4mm_P1.27mm",
    {str(n + 1): (pin, _multiplexer_role(pin)) for n, pin in enumerate(_MULTIPLEXER_PINS.split())},
    "analog multiplexer 16:1, SOIC-24 wide (7.5 mm)",
    "Texas Instruments",
    "CD74HC4067M96",
)
REGISTER: Final = Component(
    "74HC595",
    "SOIC-16_3.9x9.9mm_P1.27mm",
    {str(n): (f"Q{'ABCDEFGH'[n % 15]}", TRISTATE) for n in (15, 1, 2, 3, 4, 5, 6, 7)}
    | {
        "8": ("GND", SUPPLY),
        "9": ("QH'", OUTPUT),
        "10": ("SRCLR", INPUT),
        "11": ("SRCLK", INPUT),
        "12": ("RCLK", INPUT),
        "13": ("OE", INPUT),
        "14": ("SER", INPUT),
        "16": ("VCC", SUPPLY),
    },
    "shift register, SOIC-16",
    "Texas Instruments",
    "SN74HC595DR",
)
INVERTER: Final = Component(
    "74AHC1G04",
    "SOT-23-5",
    {
        "1": ("NC", PASSIVE),
        "2": ("A", INPUT),
        "3": ("GND", SUPPLY),
        "4": ("Y", OUTPUT),
        "5": ("VCC", SUPPLY),
    },
    "single inverter, SOT-23-5",
    "Texas Instruments",
    "SN74AHC1G04DBVR",
)
IDEAL_DIODE: Final = Component(
    "MAX40200",
    "SOT-23-5",
    {
        "1": ("VDD", SUPPLY),
        "2": ("GND", SUPPLY),
        "3": ("EN", INPUT),
        "4": ("NC", PASSIVE),
        "5": ("OUT", SOURCE),
    },
    "ideal diode 1 A, SOT-23-5",
    "Analog Devices",
    "MAX40200AUK+T",
)
TRANSISTOR: Final = Component(
    "MMBT3904",
    "SOT-23",
    {"1": ("B", INPUT), "2": ("E", PASSIVE), "3": ("C", PASSIVE)},
    "NPN transistor, SOT-23",
    "Changjiang",
    "MMBT3904",
)
PROTECTION: Final = Component(
    "PESD3V3S2UT",
    "SOT-23",
    {"1": ("K1", PASSIVE), "2": ("K2", PASSIVE), "3": ("A", PASSIVE)},
    "two ESD protection diodes 3.3 V, common anode, SOT-23",
    "Nexperia",
    "PESD3V3S2UT,215",
)
_NANO_PINS: Final = (
    "TX1 RX0 RST1 GND1 D2 D3 D4 D5 D6 D7 D8 D9 D10 D11 D12 "
    "D13 3V3 REF A0 A1 A2 A3 A4 A5 A6 A7 5V RST2 GND2 VIN"
)


def _nano_role(pin: str) -> str:
    if pin.startswith(("5V", "GND")):
        return SUPPLY
    return INPUT if pin.startswith(("A", "REF", "RST")) else EITHER


NANO: Final = Component(
    "Arduino_Nano",
    "Arduino_Nano",
    {str(n + 1): (pin, _nano_role(pin)) for n, pin in enumerate(_NANO_PINS.split())},
    "two socket strips 1 x 15, 2.54 mm, for the Arduino Nano",
    by_hand=True,
)
USB_C: Final = Component(
    "USB_C_power",
    "USB_C_Receptacle_GCT_USB4135-GF-A_6P_TopMnt_Horizontal",
    {
        "A5": ("CC1", PASSIVE),
        "B5": ("CC2", PASSIVE),
        "A9": ("VBUS", PASSIVE),
        "B9": ("VBUS2", PASSIVE),
        "A12": ("GND", PASSIVE),
        "B12": ("GND2", PASSIVE),
        "S1": ("SHIELD", PASSIVE),
    },
    "USB-C socket for power alone, 6 contacts",
    "GCT",
    "USB4135-GF-A",
)
FUSE: Final = _two(
    "Fuse_1812_4532Metric",
    "Polyfuse",
    "resettable fuse, 1.1 A hold, 1812",
    "Bourns",
    "MF-MSMF110/16-2",
)
CAPACITOR: Final = _two(
    "C_0805_2012Metric",
    "C",
    "ceramic capacitor 100 nF, 16 V or more, 0805",
    "Yageo",
    "CC0805KRX7R9BB104",
)
RESERVOIR: Final = _two(
    "C_0805_2012Metric",
    "C_10u",
    "ceramic capacitor 10 µF, 10 V or more, 0805",
    "Samsung",
    "CL21A106KAYNNNE",
)
ELECTROLYTIC: Final = _two(
    "CP_Elec_6.3x5.8",
    "C_100u",
    "electrolytic capacitor 100 µF, 10 V or more, 6.3 x 5.8 mm",
    "Panasonic",
    "EEEFK1C101P",
)
RESISTORS: Final = {
    value: _two(
        "R_0805_2012Metric", f"R_{value}", f"resistor {value} ohms, 0805", "Uniroyal", number
    )
    for value, number in (
        ("220", "0805W8F2200T5E"),
        ("470", "0805W8F4700T5E"),
        ("1k", "0805W8F1001T5E"),
        ("5k1", "0805W8F5101T5E"),
    )
}
RIBBON: Final = _connector(
    14,
    "IDC-Header_2x07_P2.54mm_Vertical_SMD",
    "box header 2 x 7, 2.54 mm, surface mount, upright",
    "Amphenol",
    "T821M114A1S100CEU-B",
    by_hand=False,
)
KEYED: Final = {
    count: _connector(
        count,
        f"Molex_KK-254_AE-6410-{count:02}A_1x{count:02}_P2.54mm_Vertical",
        f"keyed pin header 1 x {count}, 2.54 mm (KK 254)",
        "Molex",
        f"22-27-2{count:02}1",
        label=(-0.5, -4),
    )
    for count in (2, 4, 8)
}
LAMP_BOX: Final = _connector(
    20, "IDC-Header_2x10_P2.54mm_Vertical", "box header 2 x 10, 2.54 mm, upright", "", ""
)
HOLE: Final = Component(
    "Hole",
    "MountingHole_3.2mm_M3",
    {},
    "hole for a screw M3 of brass or nylon",
    keep_out=3.6,
)
"""An M3 nut measures 6.4 mm across corners (ISO 4032); an M3 washer has a diameter of 7 mm (ISO
7089)."""
FIDUCIAL: Final = Component(
    "Fiducial", "Fiducial_1mm_Mask2mm", {}, "mark for the placement machine", keep_out=1.25
)
"""A disc of bare copper, 1 mm in diameter. The solder mask opening is 2 mm in diameter and must not
expose other copper."""
