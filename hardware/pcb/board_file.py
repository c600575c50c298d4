"""Writes boards as .kicad_pcb files in KiCad 6 format, which later versions can also read.

The copper pours (5 V on the front, ground on the back) are written unfilled. Press B in KiCad to
fill them; `with_kicad.py` fills them before checking or plotting a board.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Final
from uuid import NAMESPACE_URL, uuid5

from hardware.pcb.design import DATE, REVISION, Design, Part, Print
from hardware.pcb.footprints import Point, footprint
from hardware.pcb.router import DRILL, VIA, Track
from hardware.pcb.sexpr import Quoted, Tree, child, number, parse, point, words, write

LIBRARY: Final = "boomboard"
LAYERS: Final = ("F.Cu", "B.Cu")
"""KiCad's layer names, indexed by the layer numbers of tracks."""
ORIGIN: Final = (150.0, 150.0)
"""Position of the board's centre on the KiCad sheet."""
POUR_INSET: Final = 0.5
POUR_CLEARANCE: Final = 0.3
KEEP_OUT_SIDES: Final = 24
"""Number of sides of the polygons that approximate the circular keep-out areas."""


def identity(*what: object) -> str:
    """Return a unique identifier that does not change between runs."""
    return str(uuid5(NAMESPACE_URL, "boomboard/" + "/".join(map(str, what))))


def board_file(design: Design, tracks: Sequence[Track]) -> str:
    codes = {"": 0} | {net: n for n, net in enumerate(sorted(design.nets), 1)}
    tree: list[Tree] = [
        *parse(f"""(kicad_pcb (version 20211014) (generator boomboard) (general (thickness 1.6))
            (paper "A2") (title_block (title "{design.title}") (date "{DATE}") (rev "{REVISION}"))
            (layers (0 "F.Cu" signal) (31 "B.Cu" signal) (34 "B.Paste" user) (35 "F.Paste" user)
                (36 "B.SilkS" user) (37 "F.SilkS" user) (38 "B.Mask" user) (39 "F.Mask" user)
                (44 "Edge.Cuts" user) (46 "B.CrtYd" user) (47 "F.CrtYd" user) (48 "B.Fab" user)
                (49 "F.Fab" user))
            (setup (pad_to_mask_clearance 0.05)))"""),
        *(parse(f'(net {code} "{net}")') for net, code in codes.items()),
        *(_part(design, part, codes) for part in design.parts),
        *_edge(design),
        *(_print(each) for each in design.prints),
        *(_track(track, codes[track.net]) for track in tracks),
        *(_pour(design, layer, codes[net]) for layer, net in enumerate(design.pours)),
        *(_keep_out(design, part) for part in design.parts if part.kind.keep_out),
    ]
    return write(tree) + "\n"


def _at(place: Point) -> str:
    return point((place[0] + ORIGIN[0], place[1] + ORIGIN[1]))


# ---------------------------------------------------------------- parts

_DROPPED: Final = {"version", "generator", "layer", "tedit", "model", "module", "tstamp"}


def _part(design: Design, part: Part, codes: dict[str, int]) -> Tree:
    made: list[Tree] = parse(f"""(footprint "{LIBRARY}:{part.kind.footprint}" (layer "F.Cu")
        (tstamp "{identity(design.name, part.name)}") (at {_at(part.at)} {part.turn}))""")
    made += (
        _piece(piece, part, codes)
        for piece in footprint(part.kind.footprint)
        if isinstance(piece, list) and piece[0] not in _DROPPED
    )
    return made


def _piece(piece: list[Tree], part: Part, codes: dict[str, int]) -> Tree:
    kept = [each for each in piece if not (isinstance(each, list) and each[0] == "tstamp")]
    if kept[0] == "fp_text":
        return _text(kept, part)
    if kept[0] == "pad":
        kept = [kept[0], Quoted(str(kept[1])), *kept[2:]]
        kept = [_turned(each, part.turn) for each in kept]
        net = part.nets.get(str(kept[1]))
        if net is not None:
            kept.append(parse(f'(net {codes[net]} "{net}")'))
    return kept


def _turned(each: Tree, turn: int) -> Tree:
    """Add `turn` to the angle in a pad's position. KiCad measures this angle relative to the board,
    not to the part. Return all other expressions unchanged."""
    if not isinstance(each, list) or each[0] != "at":
        return each
    angle = (float(str(each[3])) if len(each) > 3 else 0) + turn
    return [*each[:3], number(angle % 360)]


def _text(kept: list[Tree], part: Part) -> Tree:
    """Return a text element of a part, such as its name or value. All text on footprints has the
    same size."""
    kind = str(kept[1])
    text = {"reference": part.name, "value": part.kind.name}.get(kind, kept[2])
    label = part.kind.label if kind == "reference" else None
    at = point(label) if label else " ".join(words(child(kept, "at"))[:2])
    hidden = "hide" if kind != "reference" or not part.kind.pins else ""
    return parse(f"""(fp_text {kind} "{text}" (at {at} {part.turn}) {write(child(kept, "layer"))}
        {hidden} (effects (font (size 0.8 0.8) (thickness 0.12))))""")


# ---------------------------------------------------------------- other items


def _corners(size: Point, inset: float = 0) -> list[str]:
    x, y = size[0] / 2 - inset, size[1] / 2 - inset
    return [_at(corner) for corner in ((-x, -y), (x, -y), (x, y), (-x, y))]


def _edge(design: Design) -> Iterator[Tree]:
    corners = _corners(design.size)
    for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
        yield parse(f'(gr_line (start {start}) (end {end}) (layer "Edge.Cuts") (width 0.1))')


def _print(each: Print) -> Tree:
    size, thickness = number(each.size), number(each.size / 7)
    return parse(f"""(gr_text "{each.words}" (at {_at(each.at)} {each.turn}) (layer "F.SilkS")
        (effects (font (size {size} {size}) (thickness {thickness}))))""")


def _track(track: Track, code: int) -> Tree:
    start, end, net = _at(track.start), _at(track.end), f"(net {code})"
    if track.is_via:
        layers = " ".join(f'"{layer}"' for layer in LAYERS)
        return parse(f"(via (at {start}) (size {VIA}) (drill {DRILL}) (layers {layers}) {net})")
    return parse(f"""(segment (start {start}) (end {end}) (width {number(track.width)})
        (layer "{LAYERS[track.layer]}") {net})""")


def _pour(design: Design, layer: int, code: int) -> Tree:
    points = " ".join(f"(xy {corner})" for corner in _corners(design.size, POUR_INSET))
    return parse(f"""(zone (net {code}) (net_name "{design.pours[layer]}") (layer "{LAYERS[layer]}")
        (tstamp "{identity(design.name, "pour", layer)}") (hatch edge 0.5)
        (connect_pads (clearance {POUR_CLEARANCE})) (min_thickness 0.25)
        (fill yes (thermal_gap 0.4) (thermal_bridge_width 0.5)) (polygon (pts {points})))""")


def _keep_out(design: Design, part: Part) -> Tree:
    """Return the keep-out area around a part: a polygon that encloses the circle."""
    radius = part.kind.keep_out / math.cos(math.pi / KEEP_OUT_SIDES)
    angles = [2 * math.pi * n / KEEP_OUT_SIDES for n in range(KEEP_OUT_SIDES)]
    x, y = part.at
    corners = [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]
    points = " ".join(f"(xy {_at(corner)})" for corner in corners)
    return parse(f"""(zone (net 0) (net_name "") (layers "F.Cu" "B.Cu")
        (tstamp "{identity(design.name, "keep out", part.name)}") (hatch edge 0.5)
        (connect_pads (clearance 0)) (min_thickness 0.25)
        (keepout (tracks not_allowed) (vias not_allowed) (pads allowed) (copperpour not_allowed)
            (footprints allowed))
        (fill (thermal_gap 0.4) (thermal_bridge_width 0.5)) (polygon (pts {points})))""")
