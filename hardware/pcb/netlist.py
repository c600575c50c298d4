"""The netlists of the files that were written: a circuit's by pins and labels, a board's by pads.

They are read from the files alone, so what compares them compares what a factory and KiCad see.
"""

from dataclasses import dataclass
from typing import Final

from hardware.pcb.board_file import ORIGIN
from hardware.pcb.footprints import Point
from hardware.pcb.sexpr import Tree, child, children, parse, words

Pin = tuple[str, str]
"""A part's name and one of its pads."""
_FIXED: Final = 3


@dataclass(frozen=True)
class Circuit:
    """What a schematic says."""

    nets: dict[Pin, str]
    """For each pin that is joined to something the name of its net."""
    roles: dict[Pin, str]
    """For each pin what it is electrically; the flags of the supplies among them."""
    free: frozenset[Pin]
    """The pins with a cross: they stay free on purpose."""


def board_nets(text: str) -> dict[Pin, str]:
    """Read which pad of a .kicad_pcb is on which net; free pads are left out."""
    found = {}
    for part in children(parse(text), "footprint"):
        for pad in children(part, "pad"):
            for net in children(pad, "net"):
                found[part_name(part), str(pad[1])] = words(net)[1]
    return found


def board_places(text: str) -> dict[str, Point]:
    """Read where the parts of a .kicad_pcb lie, from the middle of the board."""
    found = {}
    for part in children(parse(text), "footprint"):
        x, y, *_ = map(float, words(child(part, "at")))
        found[part_name(part)] = (round(x - ORIGIN[0], 6), round(y - ORIGIN[1], 6))
    return found


def part_name(part: Tree) -> str:
    """The name of a part of a .kicad_pcb."""
    return next(str(text[2]) for text in children(part, "fp_text") if text[1] == "reference")


def circuit(text: str) -> Circuit:
    """Read a .kicad_sch; what lies on one point is joined, and labels of one name are."""
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
    """The nets of parts alone, as a board has them."""
    return {pin: net for pin, net in nets.items() if not pin[0].startswith("#")}
