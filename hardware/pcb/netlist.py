"""Reads netlists from generated schematics and boards.

They are read from the saved files, not from the designs. The checks therefore see the same data as
KiCad and the board manufacturer.
"""

from dataclasses import dataclass
from typing import Final

from hardware.pcb.board_file import ORIGIN
from hardware.pcb.footprints import Point
from hardware.pcb.sexpr import Tree, child, children, parse, words

Pin = tuple[str, str]
"""Name of a part and one of its pads."""
_FIXED: Final = 3


@dataclass(frozen=True)
class Circuit:
    """Pins in a schematic, and their connections."""

    nets: dict[Pin, str]
    """Net of each connected pin."""
    roles: dict[Pin, str]
    """Electrical type of each pin, including power flags."""
    free: frozenset[Pin]
    """Pins marked as intentionally unconnected."""


def board_nets(text: str) -> dict[Pin, str]:
    """Read the net of each pad from the text of a .kicad_pcb file. Unconnected pads are omitted."""
    found = {}
    for part in children(parse(text), "footprint"):
        for pad in children(part, "pad"):
            for net in children(pad, "net"):
                found[part_name(part), str(pad[1])] = words(net)[1]
    return found


def board_places(text: str) -> dict[str, Point]:
    """Read the parts' positions, relative to the board's centre, from the text of a .kicad_pcb
    file."""
    found = {}
    for part in children(parse(text), "footprint"):
        x, y, *_ = map(float, words(child(part, "at")))
        found[part_name(part)] = (round(x - ORIGIN[0], 6), round(y - ORIGIN[1], 6))
    return found


def part_name(part: Tree) -> str:
    return next(str(text[2]) for text in children(part, "fp_text") if text[1] == "reference")


def circuit(text: str) -> Circuit:
    """Parse the text of a .kicad_sch file. Labels with the same name connect the pins at their
    positions."""
    sheet = parse(text)
    labels = {_place(label): words(label)[0] for label in children(sheet, "global_label")}
    crosses = {_place(cross) for cross in children(sheet, "no_connect")}
    kinds = {str(kind[1]): kind for kind in children(child(sheet, "lib_symbols"), "symbol")}
    nets, roles, free = {}, {}, set()
    for part in children(sheet, "symbol"):
        (kind,) = words(child(part, "lib_id"))
        x, y = _place(part)
        name = next(str(each[2]) for each in children(part, "property") if each[1] == "Reference")
        for unit in children(kinds[kind], "symbol"):
            for pin in children(unit, "pin"):
                dx, dy = _place(pin)
                end = (round(x + dx, _FIXED), round(y - dy, _FIXED))
                at = (name, words(child(pin, "number"))[0])
                roles[at] = str(pin[1])
                if end in labels:
                    nets[at] = labels[end]
                if end in crosses:
                    free.add(at)
    return Circuit(nets, roles, frozenset(free))


def _place(tree: Tree) -> Point:
    x, y, *_ = map(float, words(child(tree, "at")))
    return round(x, _FIXED), round(y, _FIXED)


def without_flags(nets: dict[Pin, str]) -> dict[Pin, str]:
    """Return the nets without power flag pins, for comparison with a board."""
    return {pin: net for pin, net in nets.items() if not pin[0].startswith("#")}
