"""Shapes of the tiles and the controller, read from the circuit board files in hardware/pcb.

Positions are in millimetres from the centre of a circuit board. As seen from the component side, x
points to the right and y up.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from math import hypot
from pathlib import Path
from typing import Final

from hardware.pcb import netlist
from hardware.pcb.board_file import ORIGIN
from hardware.pcb.footprints import turned
from hardware.pcb.sexpr import Tree, child, children, parse, words

BOARDS: Final = Path(netlist.__file__).parent / "boards"

Place = tuple[float, float]

_HEIGHTS: Final = {
    "IDC-Header": 18.0,
    "Arduino_Nano": 16.0,
    "Molex_KK": 17.0,
    "USB_C": 7.0,
    "CP_Elec": 6.0,
    "SOIC": 2.7,
}
"""Estimated heights of parts, including any inserted plugs. Each key is the beginning of a
footprint's name."""
_FLAT: Final = 1.5
"""Height of parts not listed in `_HEIGHTS`."""
_HOLE: Final = "MountingHole"
_MARK: Final = "Fiducial"
"""Footprint of a fiducial: a mark in the copper, without height."""
_SENSOR: Final = "S"
_COURTYARD: Final = "F.CrtYd"
_OUTLINE: Final = "Edge.Cuts"


@dataclass(frozen=True)
class Hole:
    """Screw hole, and the radius around it that must be kept free of copper and parts."""

    at: Place
    radius: float
    free: float


@dataclass(frozen=True)
class Room:
    """Space that a part occupies: two opposite corners, and its height above the circuit board."""

    name: str
    low: Place
    high: Place
    height: float


@dataclass(frozen=True)
class Board:
    """Shape of a circuit board: size, thickness, holes, sensors, and the space occupied by its
    parts."""

    size: Place
    thickness: float
    holes: tuple[Hole, ...]
    sensors: Mapping[str, Place]
    rooms: tuple[Room, ...]


@cache
def board(name: str) -> Board:
    """Read the circuit board with the given name, such as tile-40, from hardware/pcb."""
    tree = parse((BOARDS / f"{name}.kicad_pcb").read_text(encoding="utf-8"))
    holes, sensors, rooms = [], {}, []
    for part in children(tree, "footprint"):
        label, kind = netlist.part_name(part), str(part[1]).partition(":")[2]
        if kind.startswith(_HOLE):
            holes.append(_hole(part))
        elif not kind.startswith(_MARK):
            rooms.append(_room(label, kind, part))
            if label.startswith(_SENSOR):
                sensors[label] = _placed(part, (0, 0))
    (thickness,) = words(child(child(tree, "general"), "thickness"))
    return Board(_size(tree), float(thickness), tuple(holes), sensors, tuple(rooms))


def _placed(part: list[Tree], point: Place) -> Place:
    """Convert a point from a part's coordinates to its position on the circuit board."""
    x, y, *turn = map(float, words(child(part, "at")))
    dx, dy = turned(point, turn[0] if turn else 0)
    return round(x + dx - ORIGIN[0], 6), round(ORIGIN[1] - y - dy, 6)


def _on(part: list[Tree], shape: str, layer: str) -> Iterable[list[Tree]]:
    return (each for each in children(part, shape) if words(child(each, "layer")) == [layer])


def _point(tree: list[Tree], name: str) -> Place:
    x, y = map(float, words(child(tree, name)))
    return x, y


def _hole(part: list[Tree]) -> Hole:
    (pad,) = children(part, "pad")
    (drill,) = words(child(pad, "drill"))
    (circle,) = _on(part, "fp_circle", _COURTYARD)
    return Hole(_placed(part, (0, 0)), float(drill) / 2, hypot(*_point(circle, "end")))


def _room(label: str, kind: str, part: list[Tree]) -> Room:
    corners = [
        _placed(part, _point(line, end))
        for line in _on(part, "fp_line", _COURTYARD)
        for end in ("start", "end")
    ]
    height = next((high for start, high in _HEIGHTS.items() if kind.startswith(start)), _FLAT)
    low = min(x for x, _ in corners), min(y for _, y in corners)
    high = max(x for x, _ in corners), max(y for _, y in corners)
    return Room(label, low, high, height)


def _size(tree: list[Tree]) -> Place:
    ends = [_point(line, "start") for line in _on(tree, "gr_line", _OUTLINE)]
    across, along = [x for x, _ in ends], [y for _, y in ends]
    return max(across) - min(across), max(along) - min(along)
