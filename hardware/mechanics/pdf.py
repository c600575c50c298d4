"""Drawings as pages of one PDF, at their true size, as vector graphics.

It supports only the lines, boxes and words that `tools.book.sheet` draws in millimetres.
"""

from collections.abc import Iterable, Iterator
from typing import Final
from xml.etree.ElementTree import Element, fromstring

_POINT: Final = 72 / 25.4
"""Points in a millimetre."""
_SVG: Final = "{http://www.w3.org/2000/svg}"
_DIGIT, _DOT = 0.556, 0.278
"""Widths of these in Helvetica, relative to the font size. Only numbers are centred."""


def pdf(drawings: Iterable[str]) -> bytes:
    """Return a document with a page for each SVG document."""
    pages = [_page(fromstring(each)) for each in drawings]  # noqa: S314
    # Object 1 is the catalogue, 2 the page tree, 3 and 4 the two fonts; then a page object and its
    # contents for each page.
    numbers = [5 + 2 * n for n in range(len(pages))]
    kids = " ".join(f"{number} 0 R" for number in numbers)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        *(_font(name) for name in ("Helvetica", "Helvetica-Bold")),
    ]
    for number, (width, height, content) in zip(numbers, pages, strict=True):
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.2f} {height:.2f}] /Contents "
            f"{number + 1} 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>".encode(),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        ]
    return _document(objects)


def _font(name: str) -> bytes:
    return (
        f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>".encode()
    )


def _document(objects: list[bytes]) -> bytes:
    text, places = b"%PDF-1.4\n", []
    for n, each in enumerate(objects):
        places.append(len(text))
        text += b"%d 0 obj\n%s\nendobj\n" % (n + 1, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    return text + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\n"
        b"startxref\n%d\n%%%%EOF\n" % (count, table, count, len(text))
    )


def _page(svg: Element) -> tuple[float, float, bytes]:
    _, _, width, height = map(float, svg.attrib["viewBox"].split())
    # From here on units are millimetres, and y goes down.
    head = f"{_POINT:.6f} 0 0 {-_POINT:.6f} 0 {height * _POINT:.4f} cm 1 J 1 j"
    content = "\n".join([head, *_marks(svg)])
    return width * _POINT, height * _POINT, content.encode("cp1252")


def _marks(svg: Element) -> Iterator[str]:
    for each in svg.iter():
        kind = each.tag.removeprefix(_SVG)
        if kind == "polyline":
            first, *others = (point.replace(",", " ") for point in each.attrib["points"].split())
            path = " ".join([f"{first} m", *(f"{point} l" for point in others)])
            yield f"{_colour(each.attrib['stroke'])} RG {each.attrib['stroke-width']} w {path} S"
        elif kind == "text":
            yield _text(each)


def _text(each: Element) -> str:
    words, size = each.text or "", float(each.attrib["font-size"])
    length = size * sum(_DOT if letter == "." else _DIGIT for letter in words)
    back = {"middle": length / 2, "end": length}.get(each.attrib["text-anchor"], 0)
    x, y = float(each.attrib["x"]) - back, each.attrib["y"]
    font = "F2" if each.get("font-weight") == "bold" else "F1"
    safe = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return (
        f"BT {_colour(each.attrib['fill'])} rg /{font} {size:g} Tf "
        f"1 0 0 -1 {x:.3f} {y} Tm ({safe}) Tj ET"
    )


def _colour(code: str) -> str:
    return " ".join(f"{int(code[n : n + 2], 16) / 255:.3f}" for n in (1, 3, 5))
