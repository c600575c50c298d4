"""SVG drawing sheet with lines, boxes, text and circuit symbols."""

from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from companion.palette import GUIDE, PRINT

INK: Final = PRINT["ink"]
QUIET: Final = PRINT["text-secondary"]
BODY: Final = PRINT["field"]
WATER: Final = PRINT["water"]
SUPPLY: Final = GUIDE["supply"]
GROUND: Final = PRINT["ink"]
SIGNAL: Final = PRINT["blue-edge"]
WOOD: Final = GUIDE["wood"]

Point = tuple[float, float]


class Part:
    """Drawing area with its own origin: a whole sheet, or a part of a sheet."""

    def __init__(self, svg: Element) -> None:
        self._svg = svg

    def part(self, at: Point, kind: str = "") -> "Part":
        """Add a part whose origin is at `at`. `kind` becomes its class attribute in the SVG."""
        group = SubElement(self._svg, "g", transform=f"translate({at[0]:g} {at[1]:g})")
        if kind:
            group.set("class", kind)
        return Part(group)

    def write(
        self,
        at: Point,
        text: str,
        size: float = 15,
        *,
        anchor: str = "start",
        fill: str = INK,
        bold: bool = False,
    ) -> None:
        """Write lines of text, with the baseline of the first line at `at`."""
        for n, line in enumerate(text.split("\n")):
            put = SubElement(self._svg, "text", x=f"{at[0]:g}", y=f"{at[1] + 1.3 * size * n:g}")
            put.text = line
            put.set("font-size", f"{size:g}")
            put.set("text-anchor", anchor)
            put.set("fill", fill)
            if bold:
                put.set("font-weight", "bold")

    def line(self, *points: Point, stroke: str = INK, width: float = 2, dash: str = "") -> None:
        put = SubElement(self._svg, "polyline", fill="none", stroke=stroke)
        put.set("points", " ".join(f"{x:g},{y:g}" for x, y in points))
        put.set("stroke-width", f"{width:g}")
        if dash:
            put.set("stroke-dasharray", dash)

    def box(
        self,
        corner: Point,
        size: Point,
        *,
        fill: str = BODY,
        stroke: str = INK,
        width: float = 2,
    ) -> None:
        """Draw a box whose upper left corner is at `corner`."""
        put = SubElement(self._svg, "rect", x=f"{corner[0]:g}", y=f"{corner[1]:g}", fill=fill)
        put.set("width", f"{size[0]:g}")
        put.set("height", f"{size[1]:g}")
        put.set("stroke", stroke)
        put.set("stroke-width", f"{width:g}")

    def dot(self, at: Point, radius: float = 4, fill: str = INK) -> None:
        """Draw a junction dot, the symbol for connected wires."""
        SubElement(
            self._svg, "circle", cx=f"{at[0]:g}", cy=f"{at[1]:g}", r=f"{radius:g}", fill=fill
        )

    def arrow(self, tail: Point, head: Point, *, stroke: str = INK, width: float = 3) -> None:
        """Draw a horizontal or vertical arrow."""
        self.line(tail, head, stroke=stroke, width=width)
        (x, y), across = head, tail[1] == head[1]
        back = 10 if (head > tail if across else head[1] > tail[1]) else -10
        wings = (
            ((x - back, y - 7), (x - back, y + 7))
            if across
            else ((x - 7, y - back), (x + 7, y - back))
        )
        self.line(wings[0], head, wings[1], stroke=stroke, width=width)

    def resistor(self, at: Point, text: str) -> None:
        """Draw a horizontal resistor centred on the given point, with its value above it."""
        x, y = at
        self.box((x - 22, y - 8), (44, 16), fill=PRINT["paper"])
        self.write((x, y - 14), text, anchor="middle")

    def ground(self, at: Point) -> None:
        """Draw a ground symbol below the given point."""
        x, y = at
        self.line(at, (x, y + 14))
        for n in range(3):
            self.line((x - 14 + 5 * n, y + 14 + 6 * n), (x + 14 - 5 * n, y + 14 + 6 * n))

    def supply(self, at: Point) -> None:
        """Draw a 5 V supply symbol above the given point."""
        x, y = at
        self.line(at, (x, y - 16), stroke=SUPPLY)
        self.line((x - 12, y - 16), (x + 12, y - 16), stroke=SUPPLY, width=3)
        self.write((x, y - 23), "5 V", anchor="middle", fill=SUPPLY)

    def capacitor(self, at: Point) -> None:
        """Draw a vertical capacitor centred on the given point. With its wires, it is 40 units
        high."""
        x, y = at
        self.line((x, y - 20), (x, y - 4), stroke=SUPPLY)
        self.line((x - 14, y - 4), (x + 14, y - 4), width=3)
        self.line((x - 14, y + 4), (x + 14, y + 4), width=3)
        self.line((x, y + 4), (x, y + 20))

    def lamp(self, at: Point) -> None:
        """Draw a horizontal LED centred on the given point, with its anode on the right."""
        x, y = at
        for edge in (x - 14, x + 14):
            self.line((edge, y - 13), (edge, y + 13), width=3)
        self.line((x + 14, y - 13), (x - 14, y), (x + 14, y + 13))


class Sheet(Part):
    """Drawing, in millimetres or arbitrary units. Font sizes use the same units."""

    def __init__(
        self, title: str, width: float, height: float, *, millimetres: bool = False
    ) -> None:
        """Create a white sheet. If `millimetres` is true, it prints at actual size."""
        super().__init__(
            Element("svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width} {height}")
        )
        if millimetres:
            self._svg.set("width", f"{width}mm")
            self._svg.set("height", f"{height}mm")
        self._svg.set("font-family", "sans-serif")
        SubElement(self._svg, "title").text = title
        SubElement(self._svg, "rect", width="100%", height="100%", fill=PRINT["paper"])

    def svg(self) -> str:
        """Return the drawing as an SVG document."""
        indent(self._svg)
        return tostring(self._svg, encoding="unicode") + "\n"


# Generated sections of a page. A comment that names the section precedes it, and an end comment
# follows it.

IN_PAGE: Final = "<!-- {} -->"
IN_MODULE: Final = "# ---- {} ----"
"""Formats of the comments before and after a generated section."""


def draw_part(text: str, name: str, body: str, comment: str = IN_PAGE) -> str:
    """Return a page or module with one of its generated sections replaced. Raise ValueError if
    `text` has no such section."""
    mark, end = comment.format(f"drawn: {name}"), comment.format("end")
    before, rest = text.split(f"{mark}\n", 1)
    _, after = rest.split(end, 1)
    return f"{before}{mark}\n{body}\n{end}{after}"
