"""Image of a board from the component side, with the tracks on the back showing through."""

from collections.abc import Iterable, Sequence
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from hardware.pcb.design import Design, Part
from hardware.pcb.footprints import Point, footprint, pads, turned
from hardware.pcb.router import BACK, DRILL, FRONT, Track
from hardware.pcb.sexpr import child, children, words

_BOARD: Final = "#14573f"
_COPPER: Final = {BACK: "#0d4534", FRONT: "#2c8a63"}
_PAD: Final = "#d9b75c"
_BODY: Final = "#22262b"
_SILK: Final = "#f4f6f5"
_HOLE: Final = "#ffffff"
_FIRST_PIN: Final = "#e02020"
_MARGIN: Final = 4.0


def picture(design: Design, tracks: Sequence[Track], *, marked: bool = False) -> str:
    """Return the image as an SVG document in millimetres.

    If `marked` is true, a red dot marks pin 1 of every machine-placed part whose orientation
    matters.
    """
    width, height = (size + 2 * _MARGIN for size in design.size)
    svg = Element(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{-width / 2:g} {-height / 2:g} {width:g} {height:g}",
    )
    svg.set("font-family", "sans-serif")
    SubElement(svg, "title").text = design.title
    x, y = -width / 2, -height / 2
    _box(svg, (x, y), (width, height), "#ffffff")
    _box(svg, (x + _MARGIN, y + _MARGIN), design.size, _BOARD)
    for layer in (BACK, FRONT):
        for thickness in sorted({track.width for track in tracks if not track.is_via}):
            _lines(svg, tracks, layer, thickness)
    for track in tracks:
        if track.is_via:
            _dot(svg, track.start, track.width / 2, _COPPER[FRONT])
            _dot(svg, track.start, DRILL / 2, _BOARD)
    for part in design.parts:
        _part(svg, part)
    for each in design.prints:
        _write(svg, each.words, each.at, each.turn, each.size * 1.25)
    for part in design.parts:
        if marked and part.kind.placed and part.kind.directed:
            for pad in pads(part.kind.footprint, part.at, part.turn):
                if pad.name == "1":
                    _dot(svg, pad.at, max(min(pad.reach), 0.5), _FIRST_PIN)
    indent(svg)
    return tostring(svg, encoding="unicode") + "\n"


def _lines(svg: Element, tracks: Iterable[Track], layer: int, thickness: float) -> None:
    path = "".join(
        f"M{_pair(track.start)}L{_pair(track.end)}"
        for track in tracks
        if not track.is_via and track.layer == layer and track.width == thickness
    )
    line = SubElement(svg, "path", d=path, fill="none", stroke=_COPPER[layer])
    line.set("stroke-width", f"{thickness:g}")
    line.set("stroke-linecap", "round")


def _part(svg: Element, part: Part) -> None:
    own = footprint(part.kind.footprint)
    for pad in pads(part.kind.footprint, part.at, part.turn):
        (x, y), (wide, high) = pad.at, pad.reach
        if pad.hole:
            _dot(svg, pad.at, wide, _HOLE)
            continue
        _box(svg, (x - wide, y - high), (2 * wide, 2 * high), _PAD)
        if pad.through:
            _dot(svg, pad.at, 0.5, _HOLE)
    body = [
        [tuple(map(float, words(child(line, end)))) for end in ("start", "end")]
        for line in children(own, "fp_line")
        if words(child(line, "layer")) == ["F.Fab"]
    ]
    if body and part.kind.footprint.startswith(("SO", "C", "R_", "Fuse")):
        corners = [turned((x, y), part.turn) for line in body for x, y in line]
        left, right = min(x for x, _ in corners), max(x for x, _ in corners)
        upper, lower = min(y for _, y in corners), max(y for _, y in corners)
        place = (part.at[0] + left, part.at[1] + upper)
        _box(svg, place, (right - left, lower - upper), _BODY)
    silk = ""
    for line in children(own, "fp_line"):
        if words(child(line, "layer")) == ["F.SilkS"]:
            ends = [map(float, words(child(line, end))) for end in ("start", "end")]
            start, end = (_moved(part, tuple(each)) for each in ends)
            silk += f"M{_pair(start)}L{_pair(end)}"
    drawn = SubElement(svg, "path", d=silk, fill="none", stroke=_SILK)
    drawn.set("stroke-width", "0.15")
    if part.kind.pins:
        # KiCad rotates reference designators to keep them readable. It rotates no other text.
        angle = part.turn % 180
        _write(svg, part.name, _moved(part, _label(part)), angle, 1)


def _label(part: Part) -> Point:
    if part.kind.label:
        return part.kind.label
    (text,) = (
        text
        for text in children(footprint(part.kind.footprint), "fp_text")
        if text[1] == "reference"
    )
    x, y = map(float, words(child(text, "at"))[:2])
    return x, y


def _moved(part: Part, point: tuple[float, ...]) -> Point:
    dx, dy = turned((point[0], point[1]), part.turn)
    return part.at[0] + dx, part.at[1] + dy


def _pair(point: Point) -> str:
    return f"{point[0]:.5g},{point[1]:.5g}"


def _box(svg: Element, corner: Point, size: Point, fill: str) -> None:
    x, y = corner
    SubElement(
        svg,
        "rect",
        x=f"{x:.5g}",
        y=f"{y:.5g}",
        width=f"{size[0]:.5g}",
        height=f"{size[1]:.5g}",
        fill=fill,
    )


def _dot(svg: Element, at: Point, radius: float, fill: str) -> None:
    SubElement(svg, "circle", cx=f"{at[0]:.5g}", cy=f"{at[1]:.5g}", r=f"{radius:.3g}", fill=fill)


def _write(svg: Element, what: str, at: Point, turn: int, size: float) -> None:
    """Write text centred on a point and rotated anticlockwise by `turn` degrees."""
    put = SubElement(svg, "text", fill=_SILK)
    put.text = what
    put.set("font-size", f"{size:g}")
    put.set("text-anchor", "middle")
    put.set("dominant-baseline", "central")
    put.set("transform", f"translate({at[0]:.5g} {at[1]:.5g}) rotate({-turn})")
