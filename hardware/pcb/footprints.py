"""Reads the footprints (pads and drawings) in footprints.pretty."""

import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from hardware.pcb.sexpr import Tree, child, children, parse, words

LIBRARY: Final = Path(__file__).parent / "footprints.pretty"

Point = tuple[float, float]
"""Millimetres to the right and down, as in KiCad."""


@dataclass(frozen=True)
class Pad:
    """Pad on a board, with its position, extent and layers."""

    name: str
    at: Point
    reach: Point
    """Half the width and half the height of the pad, along the board's axes."""
    through: bool
    """Whether the pad goes through both layers. All other pads are only on the front."""
    hole: bool


@cache
def footprint(name: str) -> list[Tree]:
    """Read a footprint. Raise FileNotFoundError if the library has no footprint with this name."""
    return parse((LIBRARY / f"{name}.kicad_mod").read_text(encoding="utf-8"))


def turned(point: Point, turn: float) -> Point:
    """Return a point rotated anticlockwise by `turn` degrees about the origin."""
    sine, cosine = math.sin(math.radians(turn)), math.cos(math.radians(turn))
    x, y = point
    return round(x * cosine + y * sine, 6), round(y * cosine - x * sine, 6)


def pads(name: str, at: Point, turn: float) -> list[Pad]:
    """Return the pads of a part whose origin is at `at`, rotated by 0, 90, 180 or 270 degrees."""
    return [_pad(pad, at, turn) for pad in children(footprint(name), "pad")]


def _pad(pad: list[Tree], at: Point, turn: float) -> Pad:
    x, y, *own = map(float, words(child(pad, "at")))
    width, height = map(float, words(child(pad, "size")))
    across = (turn + (own[0] if own else 0)) % 180 == 90
    reach = (height / 2, width / 2) if across else (width / 2, height / 2)
    dx, dy = turned((x, y), turn)
    place = (round(at[0] + dx, 6), round(at[1] + dy, 6))
    kind = pad[2]
    return Pad(str(pad[1]), place, reach, kind != "smd", kind == "np_thru_hole")
