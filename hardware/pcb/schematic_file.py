"""Writes a board's schematic as a .kicad_sch file in KiCad 6 format.

Each part is drawn as a box with pins. Each pin is labelled with its net, or marked with a cross if
it is unconnected. On a board with many identical parts, labels are easier to read than a hundred
wires would be.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from hardware.pcb.board_file import LIBRARY, identity
from hardware.pcb.components import Component
from hardware.pcb.design import DATE, POWER_NETS, REVISION, Design, Part
from hardware.pcb.footprints import Point
from hardware.pcb.sexpr import Tree, parse, point, write

STEP: Final = 2.54
HALF: Final = 4 * STEP
"""Distance from the centre of a box to the tips of its pins."""
COLUMN: Final = 24 * STEP
FLAG: Final = "PWR_FLAG"
_HEIGHT: Final = 297.0
"""Paper height (A3)."""
_FONT: Final = "(font (size 1.27 1.27))"


def schematic_file(design: Design) -> str:
    kinds = {part.kind.name: part.kind for part in design.parts}
    places = list(_places(design.parts))
    flags = [(net, _on_grid((30, 20 + 10 * n))) for n, net in enumerate(POWER_NETS)]
    sheet = identity(design.name, "sheet")
    tree: list[Tree] = [
        *parse(f"""(kicad_sch (version 20211123) (generator boomboard) (uuid "{sheet}") (paper "A3")
            (title_block (title "{design.title}") (date "{DATE}") (rev "{REVISION}")))"""),
        ["lib_symbols", *_symbols(kinds.values(), f"{LIBRARY}:")],
        *(pin for part, at in places for pin in _pins(part, at)),
        *(_label(net, at, left=True) for net, at in flags),
        *(_instance(design, part, at) for part, at in places),
        *(_flag(design, net, at) for net, at in flags),
        parse('(sheet_instances (path "/" (page "1")))'),
        ["symbol_instances", *_references(design, places)],
    ]
    return write(tree) + "\n"


def symbol_library(designs: Iterable[Design]) -> str:
    """Return a library with the symbols of all boards, for editing the boards in KiCad."""
    kinds = {part.kind.name: part.kind for design in designs for part in design.parts}
    head = parse("(kicad_symbol_lib (version 20211014) (generator boomboard))")
    return write([*head, *_symbols(kinds.values(), "")]) + "\n"


def _symbols(kinds: Iterable[Component], prefix: str) -> Iterator[Tree]:
    """Yield the symbols of the given component types and of the power flag.

    The prefix is either empty, or the name of the library and a colon.
    """
    for kind in kinds:
        yield _symbol(kind, prefix)
    yield _flag_symbol(prefix)


def _on_grid(at: Point) -> Point:
    return round(at[0] / STEP) * STEP, round(at[1] / STEP) * STEP


def _sides(kind: Component) -> tuple[list[str], list[str]]:
    """Return the pads on the left and right sides of a component's box, each from top to bottom."""
    pads = list(kind.pins)
    half = (len(pads) + 1) // 2
    return pads[:half], pads[half:]


def _height(kind: Component) -> float:
    return STEP * (max(len(_sides(kind)[0]), 1) + 1)


def _pin_places(kind: Component) -> Iterator[tuple[str, float, float, bool]]:
    """Yield each pad, the tip of its pin, and whether the pin is on the left. The tip is relative
    to the centre of the box, with y downwards."""
    for pads, left in zip(_sides(kind), (True, False), strict=True):
        top = -STEP * ((len(_sides(kind)[0]) - 1) // 2)
        for n, pad in enumerate(pads):
            yield pad, -HALF if left else HALF, top + STEP * n, left


def _places(parts: Sequence[Part]) -> Iterator[tuple[Part, Point]]:
    """Yield each part with the position of its box. Boxes are arranged in columns, beginning with
    those that have the most pins."""
    column, top = 32 * STEP, 8 * STEP
    for part in sorted(parts, key=lambda part: -len(part.kind.pins)):
        height = _height(part.kind) + 3 * STEP
        if top + height > _HEIGHT - 20:
            column, top = column + COLUMN, 8 * STEP
        yield part, _on_grid((column, top + height / 2))
        top += height


# ---------------------------------------------------------------- symbols


def _symbol(kind: Component, prefix: str) -> Tree:
    half = _height(kind) / 2
    pins = []
    for pad, x, y, left in _pin_places(kind):
        name, role = kind.pins[pad]
        pins.append(f"""(pin {role} line (at {point((x, -y))} {0 if left else 180}) (length {STEP})
            (name "{name}" (effects {_FONT})) (number "{pad}" (effects {_FONT})))""")
    return parse(f"""(symbol "{prefix}{kind.name}" (in_bom yes) (on_board yes)
        {_property(0, "U", (0, half + STEP))}
        {_property(1, kind.name, (0, -half - STEP))}
        {_property(2, f"{LIBRARY}:{kind.footprint}", (0, 0), "hide")}
        {_property(3, "", (0, 0), "hide")}
        (symbol "{kind.name}_0_1" (rectangle
            (start {point((STEP - HALF, half))}) (end {point((HALF - STEP, -half))})
            (stroke (width 0.254) (type default) (color 0 0 0 0)) (fill (type background))))
        (symbol "{kind.name}_1_1" {" ".join(pins)}))""")


def _flag_symbol(prefix: str) -> Tree:
    return parse(f"""(symbol "{prefix}{FLAG}" (power) (in_bom no) (on_board no)
        {_property(0, "#FLG", (0, STEP), "hide")}
        {_property(1, FLAG, (2 * STEP, STEP))}
        {_property(2, "", (0, 0), "hide")}
        {_property(3, "", (0, 0), "hide")}
        (symbol "{FLAG}_1_1" (pin power_out line (at 0 0 0) (length 0)
            (name "pwr" (effects {_FONT})) (number "1" (effects {_FONT})))))""")


def _property(n: int, value: str, at: Point, hide: str = "") -> str:
    name = ("Reference", "Value", "Footprint", "Datasheet")[n]
    return f'(property "{name}" "{value}" (id {n}) (at {point(at)} 0) (effects {_FONT} {hide}))'


# ---------------------------------------------------------------- the sheet


def _pins(part: Part, at: Point) -> Iterator[Tree]:
    for pad, x, y, left in _pin_places(part.kind):
        end = (at[0] + x, at[1] + y)
        if pad in part.nets:
            yield _label(part.nets[pad], end, left=left)
        else:
            yield parse(f"(no_connect (at {point(end)}))")


def _label(net: str, at: Point, *, left: bool) -> Tree:
    angle, side = (180, "right") if left else (0, "left")
    return parse(f"""(global_label "{net}" (shape passive) (at {point(at)} {angle})
        (fields_autoplaced) (effects {_FONT} (justify {side})))""")


def _instance(design: Design, part: Part, at: Point) -> Tree:
    x, y = at
    away = _height(part.kind) / 2 + 1
    return parse(f"""(symbol (lib_id "{LIBRARY}:{part.kind.name}") (at {point(at)} 0) (unit 1)
        (in_bom yes) (on_board yes) (uuid "{identity(design.name, "symbol", part.name)}")
        {_property(0, part.name, (x, y - away))}
        {_property(1, part.kind.name, (x, y + away))}
        {_property(2, f"{LIBRARY}:{part.kind.footprint}", at, "hide")}
        {_property(3, "", at, "hide")})""")


def _flag(design: Design, net: str, at: Point) -> Tree:
    beside = (at[0] + 2 * STEP, at[1] - STEP)
    return parse(f"""(symbol (lib_id "{LIBRARY}:{FLAG}") (at {point(at)} 0) (unit 1)
        (in_bom no) (on_board no) (uuid "{identity(design.name, "flag", net)}")
        {_property(0, _flag_name(net), at, "hide")}
        {_property(1, FLAG, beside)}
        {_property(2, "", at, "hide")}
        {_property(3, "", at, "hide")})""")


def _flag_name(net: str) -> str:
    return f"#FLG{POWER_NETS.index(net) + 1:02}"


def _references(design: Design, places: Sequence[tuple[Part, Point]]) -> Iterator[Tree]:
    named = [
        (("symbol", part.name), part.name, part.kind.name, f"{LIBRARY}:{part.kind.footprint}")
        for part, _ in places
    ]
    named += [(("flag", net), _flag_name(net), FLAG, "") for net in POWER_NETS]
    for key, name, kind, footprint in named:
        yield parse(f"""(path "/{identity(design.name, *key)}" (reference "{name}") (unit 1)
            (value "{kind}") (footprint "{footprint}"))""")
