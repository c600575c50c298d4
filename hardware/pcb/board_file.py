"""Writer of boards as KiCad's .kicad_pcb, in the format of version 6, which later versions also
read.

The poured areas, of 5 V on the front and of ground on the back, are written without their copper;
it is poured by KiCad (its key B), or by `with_kicad.py` before it checks or plots.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from uuid import NAMESPACE_URL, uuid5

from hardware.pcb.design import Design, Part, Print
from hardware.pcb.footprints import Point, footprint
from hardware.pcb.sexpr import Quoted, Tree, number, write
from hardware.pcb.tracks import BACK, DRILL, FRONT, VIA, Track

LIBRARY: Final = "boomboard"
LAYERS: Final = {FRONT: "F.Cu", BACK: "B.Cu"}
ORIGIN: Final = (150.0, 150.0)
"""Position of the middle of the board on KiCad's sheet."""
POUR_INSET: Final = 0.5
POUR_CLEARANCE: Final = 0.3


def identity(*what: object) -> Quoted:
    """Return an identifier that is the same in every run."""
    return Quoted(uuid5(NAMESPACE_URL, "boomboard/" + "/".join(map(str, what))))


def board_file(design: Design, tracks: Sequence[Track]) -> str:
    codes = {"": 0} | {net: n for n, net in enumerate(sorted(design.nets), 1)}
    tree: list[Tree] = [
        "kicad_pcb",
        ["version", "20211014"],
        ["generator", "boomboard"],
        ["general", ["thickness", "1.6"]],
        ["paper", Quoted("A2")],
        ["title_block", ["title", Quoted(design.title)]],
        _layers(),
        ["setup", ["pad_to_mask_clearance", "0.05"]],
        *_net_list(codes),
        *(_part(design, part, codes) for part in design.parts),
        *_edge(design),
        *(_print(each) for each in design.prints),
        *(_track(track, codes) for track in tracks),
        *(_pour(design, layer, codes) for layer in LAYERS),
    ]
    return write(tree) + "\n"


def _net_list(codes: dict[str, int]) -> Iterator[Tree]:
    for net, code in codes.items():
        yield ["net", str(code), Quoted(net)]


def _layers() -> Tree:
    found: list[Tree] = ["layers"]
    for n, name, kind in (
        (0, "F.Cu", "signal"),
        (31, "B.Cu", "signal"),
        (34, "B.Paste", "user"),
        (35, "F.Paste", "user"),
        (36, "B.SilkS", "user"),
        (37, "F.SilkS", "user"),
        (38, "B.Mask", "user"),
        (39, "F.Mask", "user"),
        (44, "Edge.Cuts", "user"),
        (46, "B.CrtYd", "user"),
        (47, "F.CrtYd", "user"),
        (48, "B.Fab", "user"),
        (49, "F.Fab", "user"),
    ):
        found.append([str(n), Quoted(name), kind])
    return found


def _at(point: Point) -> list[Tree]:
    return [number(point[0] + ORIGIN[0]), number(point[1] + ORIGIN[1])]


# ---------------------------------------------------------------- parts

_DROPPED: Final = {"version", "generator", "layer", "tedit", "model", "module", "tstamp"}


def _part(design: Design, part: Part, codes: dict[str, int]) -> Tree:
    own = footprint(part.kind.footprint)
    made: list[Tree] = [
        "footprint",
        Quoted(f"{LIBRARY}:{part.kind.footprint}"),
        ["layer", Quoted("F.Cu")],
        ["tstamp", identity(design.name, part.name)],
        ["at", *_at(part.at), str(part.turn)],
    ]
    made += (
        _piece(piece, part, codes)
        for piece in own
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
            kept.append(["net", str(codes[net]), Quoted(net)])
    return kept


def _turned(each: Tree, turn: int) -> Tree:
    """Return a pad's position; the angle of a pad is relative to the board, not to its part."""
    if not isinstance(each, list) or each[0] != "at":
        return each
    angle = (float(str(each[3])) if len(each) > 3 else 0) + turn
    return [*each[:3], number(angle % 360)]


def _text(kept: list[Tree], part: Part) -> Tree:
    """Return name and value of a part; the name is beside it, in one size on the whole board."""
    kind = kept[1]
    place = next(each for each in kept if isinstance(each, list) and each[0] == "at")
    layer = next(each for each in kept if isinstance(each, list) and each[0] == "layer")
    words = {"reference": part.name, "value": part.kind.name}.get(str(kind), str(kept[2]))
    hidden: list[Tree] = ["hide"] if kind != "reference" or not part.kind.pins else []
    label = part.kind.label if kind == "reference" else None
    at: list[Tree] = [number(n) for n in label] if label else place[1:3]
    size: list[Tree] = ["size", "0.8", "0.8"]
    return [
        "fp_text",
        kind,
        Quoted(words),
        ["at", *at, str(part.turn)],
        layer,
        *hidden,
        ["effects", ["font", size, ["thickness", "0.12"]]],
    ]


# ---------------------------------------------------------------- other items


def _corners(size: Point, inset: float = 0) -> list[Point]:
    x, y = size[0] / 2 - inset, size[1] / 2 - inset
    return [(-x, -y), (x, -y), (x, y), (-x, y)]


def _edge(design: Design) -> Iterator[Tree]:
    corners = _corners(design.size)
    for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
        yield [
            "gr_line",
            ["start", *_at(start)],
            ["end", *_at(end)],
            ["layer", Quoted("Edge.Cuts")],
            ["width", "0.1"],
        ]


def _print(each: Print) -> Tree:
    size, thickness = number(each.size), number(each.size / 7)
    return [
        "gr_text",
        Quoted(each.words),
        ["at", *_at(each.at), str(each.turn)],
        ["layer", Quoted("F.SilkS")],
        ["effects", ["font", ["size", size, size], ["thickness", thickness]]],
    ]


def _track(track: Track, codes: dict[str, int]) -> Tree:
    net: list[Tree] = ["net", str(codes[track.net])]
    if track.is_via:
        layers: list[Tree] = ["layers", *map(Quoted, LAYERS.values())]
        drill: list[Tree] = ["drill", number(DRILL)]
        return ["via", ["at", *_at(track.start)], ["size", number(VIA)], drill, layers, net]
    return [
        "segment",
        ["start", *_at(track.start)],
        ["end", *_at(track.end)],
        ["width", number(track.width)],
        ["layer", Quoted(LAYERS[track.layer])],
        net,
    ]


def _pour(design: Design, layer: int, codes: dict[str, int]) -> Tree:
    net = design.pours[layer]
    points: Iterable[Tree] = (["xy", *_at(each)] for each in _corners(design.size, POUR_INSET))
    return [
        "zone",
        ["net", str(codes[net])],
        ["net_name", Quoted(net)],
        ["layer", Quoted(LAYERS[layer])],
        ["tstamp", identity(design.name, "pour", layer)],
        ["hatch", "edge", "0.5"],
        ["connect_pads", ["clearance", number(POUR_CLEARANCE)]],
        ["min_thickness", "0.25"],
        ["fill", "yes", ["thermal_gap", "0.4"], ["thermal_bridge_width", "0.5"]],
        ["polygon", ["pts", *points]],
    ]
