"""Writer of the circuit of a board as KiCad's .kicad_sch, in the format of version 6.

Every part is a box with its pins, and every pin has a label with the name of its net, or a cross if
it is unconnected: for a board of many equal parts this is easier to read than a hundred wires.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from hardware.pcb.board_file import LIBRARY, identity
from hardware.pcb.components import Component
from hardware.pcb.design import POWER_NETS, Design, Part
from hardware.pcb.sexpr import Quoted, Tree, number, write

STEP: Final = 2.54
HALF: Final = 4 * STEP
"""Distance from the middle of a box to the ends of its pins."""
COLUMN: Final = 24 * STEP
FLAG: Final = "PWR_FLAG"
_PAPER: Final = ("A3", 420.0, 297.0)


def schematic_file(design: Design) -> str:
    sheet = identity(design.name, "sheet")
    kinds = {part.kind.name: part.kind for part in design.parts}
    places = list(_places(design.parts))
    flags = [(net, _on_grid(30, 20 + 10 * n)) for n, net in enumerate(POWER_NETS)]
    tree: list[Tree] = [
        "kicad_sch",
        ["version", "20211123"],
        ["generator", "boomboard"],
        ["uuid", sheet],
        ["paper", Quoted(_PAPER[0])],
        ["title_block", ["title", Quoted(design.title)]],
        ["lib_symbols", *_symbols(kinds.values(), f"{LIBRARY}:")],
    ]
    for part, at in places:
        tree += _pins(part, at)
    tree += (_label(net, at, left=True) for net, at in flags)
    tree += (_instance(design, part.name, part.kind, at) for part, at in places)
    tree += (_flag(design, net, at) for net, at in flags)
    tree.append(["sheet_instances", ["path", Quoted("/"), ["page", Quoted("1")]]])
    tree.append(["symbol_instances", *_references(design, places)])
    return write(tree) + "\n"


def symbol_library(designs: Iterable[Design]) -> str:
    """Return the symbols of all boards as a library, for editing the boards in KiCad."""
    kinds = {part.kind.name: part.kind for design in designs for part in design.parts}
    head: list[Tree] = ["kicad_symbol_lib", ["version", "20211014"], ["generator", "boomboard"]]
    return write([*head, *_symbols(kinds.values(), "")]) + "\n"


def _symbols(kinds: Iterable[Component], prefix: str) -> Iterator[Tree]:
    """Yield the symbols of kinds, and the power flag; a sheet refers to them by their library."""
    for kind in kinds:
        yield _symbol(kind, prefix)
    yield _flag_symbol(prefix)


def _on_grid(x: float, y: float) -> tuple[float, float]:
    return round(x / STEP) * STEP, round(y / STEP) * STEP


def _sides(kind: Component) -> tuple[list[str], list[str]]:
    """Return the pads on the left of a kind's box, from the top, and those on the right."""
    pads = list(kind.pins)
    half = (len(pads) + 1) // 2
    return pads[:half], pads[half:]


def _height(kind: Component) -> float:
    return STEP * (max(len(_sides(kind)[0]), 1) + 1)


def _pin_places(kind: Component) -> Iterator[tuple[str, float, float, bool]]:
    """Yield each pad with the end of its pin, from the middle of the box and downwards, and whether
    it is on the left."""
    for pads, left in zip(_sides(kind), (True, False), strict=True):
        top = -STEP * ((len(_sides(kind)[0]) - 1) // 2)
        for n, pad in enumerate(pads):
            yield pad, -HALF if left else HALF, top + STEP * n, left


def _places(parts: Sequence[Part]) -> Iterator[tuple[Part, tuple[float, float]]]:
    """Yield the positions of the boxes: in columns, those of one kind together."""
    column, top = 32 * STEP, 8 * STEP
    for part in sorted(parts, key=lambda part: -len(part.kind.pins)):
        height = _height(part.kind) + 3 * STEP
        if top + height > _PAPER[2] - 20:
            column, top = column + COLUMN, 8 * STEP
        yield part, _on_grid(column, top + height / 2)
        top += height


# ---------------------------------------------------------------- symbols


def _property(name: str, value: str, at: tuple[float, float], n: int, *, hidden: bool) -> Tree:
    effects: list[Tree] = ["effects", ["font", ["size", "1.27", "1.27"]]]
    if hidden:
        effects.append("hide")
    place: list[Tree] = ["at", number(at[0]), number(at[1]), "0"]
    return ["property", Quoted(name), Quoted(value), ["id", str(n)], place, effects]


def _font() -> Tree:
    return ["effects", ["font", ["size", "1.27", "1.27"]]]


def _symbol(kind: Component, prefix: str) -> Tree:
    half = _height(kind) / 2
    box: Tree = [
        "rectangle",
        ["start", number(STEP - HALF), number(half)],
        ["end", number(HALF - STEP), number(-half)],
        ["stroke", ["width", "0.254"], ["type", "default"], ["color", "0", "0", "0", "0"]],
        ["fill", ["type", "background"]],
    ]
    pins: list[Tree] = []
    for pad, x, y, left in _pin_places(kind):
        pin, role = kind.pins[pad]
        place: list[Tree] = ["at", number(x), number(-y), "0" if left else "180"]
        names: list[Tree] = [["name", Quoted(pin), _font()], ["number", Quoted(pad), _font()]]
        pins.append(["pin", role, "line", place, ["length", number(STEP)], *names])
    return [
        "symbol",
        Quoted(f"{prefix}{kind.name}"),
        ["in_bom", "yes"],
        ["on_board", "yes"],
        _property("Reference", "U", (0, half + STEP), 0, hidden=False),
        _property("Value", kind.name, (0, -half - STEP), 1, hidden=False),
        _property("Footprint", f"{LIBRARY}:{kind.footprint}", (0, 0), 2, hidden=True),
        _property("Datasheet", "", (0, 0), 3, hidden=True),
        ["symbol", Quoted(f"{kind.name}_0_1"), box],
        ["symbol", Quoted(f"{kind.name}_1_1"), *pins],
    ]


def _flag_symbol(prefix: str) -> Tree:
    place: list[Tree] = ["at", "0", "0", "0"]
    names: list[Tree] = [["name", Quoted("pwr"), _font()], ["number", Quoted("1"), _font()]]
    pin: Tree = ["pin", "power_out", "line", place, ["length", "0"], *names]
    return [
        "symbol",
        Quoted(f"{prefix}{FLAG}"),
        ["power"],
        ["in_bom", "no"],
        ["on_board", "no"],
        _property("Reference", "#FLG", (0, STEP), 0, hidden=True),
        _property("Value", FLAG, (2 * STEP, STEP), 1, hidden=False),
        _property("Footprint", "", (0, 0), 2, hidden=True),
        _property("Datasheet", "", (0, 0), 3, hidden=True),
        ["symbol", Quoted(f"{FLAG}_1_1"), pin],
    ]


# ---------------------------------------------------------------- the sheet


def _pins(part: Part, at: tuple[float, float]) -> Iterator[Tree]:
    for pad, x, y, left in _pin_places(part.kind):
        end = (at[0] + x, at[1] + y)
        if pad in part.nets:
            yield _label(part.nets[pad], end, left=left)
        else:
            yield ["no_connect", ["at", number(end[0]), number(end[1])]]


def _label(net: str, at: tuple[float, float], *, left: bool) -> Tree:
    place: list[Tree] = ["at", number(at[0]), number(at[1]), "180" if left else "0"]
    justify: list[Tree] = ["justify", "right" if left else "left"]
    effects: list[Tree] = ["effects", ["font", ["size", "1.27", "1.27"]], justify]
    return [
        "global_label",
        Quoted(net),
        ["shape", "passive"],
        place,
        ["fields_autoplaced"],
        effects,
    ]


def _instance(design: Design, name: str, kind: Component, at: tuple[float, float]) -> Tree:
    upper = (at[0], at[1] - _height(kind) / 2 - 1)
    lower = (at[0], at[1] + _height(kind) / 2 + 1)
    return [
        "symbol",
        ["lib_id", Quoted(f"{LIBRARY}:{kind.name}")],
        ["at", number(at[0]), number(at[1]), "0"],
        ["unit", "1"],
        ["in_bom", "yes"],
        ["on_board", "yes"],
        ["uuid", identity(design.name, "symbol", name)],
        _property("Reference", name, upper, 0, hidden=False),
        _property("Value", kind.name, lower, 1, hidden=False),
        _property("Footprint", f"{LIBRARY}:{kind.footprint}", at, 2, hidden=True),
        _property("Datasheet", "", at, 3, hidden=True),
    ]


def _flag(design: Design, net: str, at: tuple[float, float]) -> Tree:
    return [
        "symbol",
        ["lib_id", Quoted(f"{LIBRARY}:{FLAG}")],
        ["at", number(at[0]), number(at[1]), "0"],
        ["unit", "1"],
        ["in_bom", "no"],
        ["on_board", "no"],
        ["uuid", identity(design.name, "flag", net)],
        _property("Reference", _flag_name(net), at, 0, hidden=True),
        _property("Value", FLAG, (at[0] + 2 * STEP, at[1] - STEP), 1, hidden=False),
        _property("Footprint", "", at, 2, hidden=True),
        _property("Datasheet", "", at, 3, hidden=True),
    ]


def _flag_name(net: str) -> str:
    return f"#FLG{POWER_NETS.index(net) + 1:02}"


def _references(
    design: Design, places: Sequence[tuple[Part, tuple[float, float]]]
) -> Iterator[Tree]:
    named = [
        (identity(design.name, "symbol", part.name), part.name, part.kind.name, part.kind.footprint)
        for part, _ in places
    ]
    named += [(identity(design.name, "flag", net), _flag_name(net), FLAG, "") for net in POWER_NETS]
    for uuid, name, kind, footprint in named:
        yield [
            "path",
            Quoted(f"/{uuid}"),
            ["reference", Quoted(name)],
            ["unit", "1"],
            ["value", Quoted(kind)],
            ["footprint", Quoted(f"{LIBRARY}:{footprint}" if footprint else "")],
        ]
