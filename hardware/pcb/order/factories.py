"""Board manufacturers, with their part numbers, rotation angles and list formats."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hardware.pcb.design import Part
from hardware.pcb.footprints import Point, pads


@dataclass(frozen=True)
class Rotation:
    """Rotation of a footprint in the factory's library, compared with the one in KiCad."""

    degrees: int
    """Anticlockwise angle to add to KiCad's angle."""
    first_pin: str
    """Position of pin 1 at 0° in the factory's library, seen from above."""
    known: bool = True
    """Whether the orders that other people have published agree on the angle. If they do not, check
    this part first in the preview."""


@dataclass(frozen=True)
class Factory:
    """Factory, or group of factories with the same file formats."""

    name: str
    title: str
    rotations: Mapping[str, Rotation]
    """Rotation of each footprint that the factory populates."""
    numbers: Mapping[str, str]
    """The factory's own part numbers, keyed by manufacturer's part number. Only parts with stable
    numbers are listed."""
    head: Sequence[str]
    """Column headings of the parts list."""
    row: Callable[["Factory", Sequence[Part]], Sequence[object]]
    """Function that returns a row of the parts list. A row contains all parts of one type."""


def designators(parts: Sequence[Part]) -> str:
    """Join the reference designators of parts with commas, for one table cell. JLC accepts at most
    200."""
    return ",".join(part.name for part in parts)


def middle(part: Part) -> Point:
    """Return the position of a part as factories define it: the centre of its pads."""
    own = [pad for pad in pads(part.kind.footprint, part.at, part.turn) if not pad.hole]
    xs = [pad.at[0] + side * pad.reach[0] for pad in own for side in (-1, 1)]
    ys = [pad.at[1] + side * pad.reach[1] for pad in own for side in (-1, 1)]
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def first_pin(name: str, degrees: int) -> str:
    """Return the position of pin 1 on a footprint rotated by `degrees`, such as "lower left".

    If the footprint has no pad 1, return "none".
    """
    at = next((pad.at for pad in pads(name, (0, 0), degrees) if pad.name == "1"), None)
    if at is None:
        return "none"
    vertical = "" if abs(at[1]) < 0.01 else "upper " if at[1] < 0 else "lower "
    return vertical + ("left" if at[0] < 0 else "right")


# At 0°, a part in JLC's library is oriented as it lies in the tape, and a part in KiCad's library
# as its data sheet draws it.
# These angles come from the tables of JLCKicadTools, KiBot and JLC Fabrication Toolkit (read in
# November 2026). KiCad users maintain these tables from experience with their own orders. JLC may
# change its library, so the order page asks the reader to check the preview.
_JLC_ROTATIONS: Final = {
    "SOT-23": Rotation(180, "lower right"),
    "SOT-23-5": Rotation(180, "lower right"),
    "SOIC-16_3.9x9.9mm_P1.27mm": Rotation(270, "lower left"),
    "SOIC-24W_7.5x15.4mm_P1.27mm": Rotation(270, "lower left"),
    "CP_Elec_6.3x5.8": Rotation(180, "right"),
    "C_0805_2012Metric": Rotation(0, "left"),
    "R_0805_2012Metric": Rotation(0, "left"),
    "Fuse_1812_4532Metric": Rotation(0, "left"),
    "IDC-Header_2x07_P2.54mm_Vertical_SMD": Rotation(0, "upper left", known=False),
    "USB_C_Receptacle_GCT_USB4135-GF-A_6P_TopMnt_Horizontal": Rotation(0, "none", known=False),
}
# Each number was found together with the same manufacturer's part number, either in at least two
# independent published orders or on LCSC's own pages (searched in November 2026).
_JLC_NUMBERS: Final = {
    "DRV5055A1QDBZR": "C962987",
    "CD74HC4067M96": "C496123",
    "SN74HC595DR": "C10092",
    "MMBT3904": "C20526",
    "USB4135-GF-A": "C5438410",
    "MF-MSMF110/16-2": "C210834",
    "CC0805KRX7R9BB104": "C49678",
    "CL21A106KAYNNNE": "C15850",
    "0805W8F2200T5E": "C17557",
    "0805W8F4700T5E": "C17710",
    "0805W8F1001T5E": "C17513",
    "0805W8F5101T5E": "C27834",
}


def _jlc_row(factory: Factory, parts: Sequence[Part]) -> Sequence[object]:
    kind = parts[0].kind
    number = factory.numbers.get(kind.number, "")
    return kind.number, designators(parts), kind.footprint, number


def _generic_row(_factory: Factory, parts: Sequence[Part]) -> Sequence[object]:
    kind = parts[0].kind
    names = designators(parts)
    return names, len(parts), kind.order, kind.manufacturer, kind.number, kind.footprint


JLC: Final = Factory(
    "jlc",
    "JLCPCB",
    _JLC_ROTATIONS,
    _JLC_NUMBERS,
    ("Comment", "Designator", "Footprint", "JLCPCB Part #"),
    _jlc_row,
)
GENERIC: Final = Factory(
    "generic",
    "another factory",
    {name: Rotation(0, first_pin(name, 0)) for name in _JLC_ROTATIONS},
    {},
    (
        "Designator",
        "Quantity",
        "Description",
        "Manufacturer",
        "Manufacturer part number",
        "Package",
    ),
    _generic_row,
)
FACTORIES: Final = {factory.name: factory for factory in (JLC, GENERIC)}
