"""Writes the frame as a PDF: strips of markers that fit on the paper, with labels for gluing.

The file contains only rectangles and short labels, so no PDF library is needed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine.board.geometry import WIDTH
from firmware_bridge.camera.marker_frame import (
    MARKER,
    MODULES,
    PER_SIDE,
    PITCH,
    STRIP,
    black_cells,
    centre,
    place_name,
)

PAPERS: Final = {"a4": (210.0, 297.0), "letter": (215.9, 279.4), "whole": None}
"""Paper sizes: width and height in millimetres. ``whole`` is a single page as large as the frame.
"""
SMALLEST_BOARD: Final = 300
LARGEST_BOARD: Final = 600
"""Minimum and maximum side length of the playing field, in millimetres."""
_MARGIN: Final = 9.0
"""Unprinted margin of a page, in millimetres. Home printers need up to 6 mm."""
_GAP: Final = 6.0
"""Distance between two strips on a page, in millimetres. It leaves room for the label and the
scissors."""
_POINTS: Final = 72 / 25.4
"""Points per millimetre."""


@dataclass(frozen=True)
class _Tile:
    """Part of a strip, with adjacent markers from one side of the frame."""

    side: int
    number: int
    """Number of the tile in its strip, from 1."""
    first: int
    count: int

    @property
    def label(self) -> str:
        ends = [place_name(PER_SIDE * self.side + self.first + n) for n in (0, self.count - 1)]
        return f"side {self.side + 1}, piece {self.number}: {' to '.join(ends)}"


def frame_pdf(board_mm: float, paper: str) -> bytes:
    """Return the PDF of the frame for a playing field with a side of `board_mm`.

    Raises ValueError if the size or the paper is not supported.
    """
    if paper not in PAPERS:
        raise ValueError(f"expected a paper size: {', '.join(PAPERS)}; found {paper}")
    if not SMALLEST_BOARD <= board_mm <= LARGEST_BOARD:
        raise ValueError(
            f"expected a board of {SMALLEST_BOARD} to {LARGEST_BOARD} mm; found {board_mm:g}"
        )
    unit = board_mm / WIDTH
    size = PAPERS[paper]
    if size is None:
        whole = unit * (WIDTH + 2 * STRIP)
        return _document([(whole, whole, "\n".join(_whole(unit)))])
    return _document([(*size, "\n".join(page)) for page in _pages(unit, *size)])


def _whole(unit: float) -> Iterator[str]:
    for marker in range(4 * PER_SIDE):
        x, y = centre(marker)
        yield from _marker(marker, (x + STRIP) * unit, (y + STRIP) * unit, unit)


def _pages(unit: float, width: float, height: float) -> list[list[str]]:
    """Arrange the tiles on portrait pages, as many per page as fit."""
    along, across = height - 2 * _MARGIN, width - 2 * _MARGIN
    # At either end of a tile, the margin beside the marker is half the gap between two markers.
    most = int(along / (PITCH * unit))
    tiles = [
        _Tile(side, number, first, min(most, PER_SIDE - first))
        for side in range(4)
        for number, first in enumerate(range(0, PER_SIDE, most), start=1)
    ]
    per_page = max(1, int((across + _GAP) / (STRIP * unit + _GAP)))
    pages = []
    for start in range(0, len(tiles), per_page):
        page: list[str] = []
        for place, tile in enumerate(tiles[start : start + per_page]):
            page += _tile(tile, _MARGIN + place * (STRIP * unit + _GAP), _MARGIN, unit)
        pages.append(page)
    return pages


def _tile(tile: _Tile, left: float, bottom: float, unit: float) -> Iterator[str]:
    """Draw a tile and its cutting line. The strip runs up the page.

    The tile and its markers are rotated to fit the page. On the board, the markers are upright for
    Red. A tile begins half a pitch before the centre of its first marker. The first tile of a side
    begins half a strip before that centre.
    """
    begin = -STRIP / 2 if not tile.first else -PITCH / 2
    end = (tile.count - 1) * PITCH + PITCH / 2
    if tile.first + tile.count == PER_SIDE:
        end = (tile.count - 1) * PITCH + PITCH - STRIP / 2
    length = (end - begin) * unit
    yield f"0.6 G 0.2 w {_rectangle(left, bottom, STRIP * unit, length)} S"
    for n in range(tile.count):
        up = bottom + (n * PITCH - begin) * unit
        marker = PER_SIDE * tile.side + tile.first + n
        yield from _marker(marker, left + STRIP * unit / 2, up, unit, quarter_turns=1 - tile.side)
    size = 6.0
    text = f"BT /F1 {size} Tf 0 1 -1 0 {_points(left + STRIP * unit + 3)} {_points(bottom + 2)} Tm"
    yield f"0.4 g {text} (Boomboard, {tile.label}) Tj ET"


def _marker(
    marker: int, x: float, y: float, unit: float, *, quarter_turns: int = 0
) -> Iterator[str]:
    """Draw a marker centred on a point, rotated counter-clockwise."""
    module = MARKER * unit / MODULES
    middle = (MODULES - 1) / 2
    yield "0 g"
    for column, row in black_cells(marker):
        right, up = column - middle, middle - row
        for _ in range(quarter_turns % 4):
            right, up = -up, right
        # A small overlap hides the hairlines that viewers draw between neighbouring rectangles.
        size, grown = module, 0.02
        yield _rectangle(
            x + right * module - size / 2 - grown,
            y + up * module - size / 2 - grown,
            size + 2 * grown,
            size + 2 * grown,
        )
    yield "f"


def _points(millimetres: float) -> str:
    return f"{millimetres * _POINTS:.3f}"


def _rectangle(x: float, y: float, width: float, height: float) -> str:
    return f"{_points(x)} {_points(y)} {_points(width)} {_points(height)} re"


def _document(pages: list[tuple[float, float, str]]) -> bytes:
    """Return a PDF of these pages, each given as width and height (in millimetres) and content."""
    first = 4
    kids = " ".join(f"{first + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, (width, height, content) in enumerate(pages):
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {_points(width)} {_points(height)}] "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {first + 2 * number + 1} 0 R >>",
            f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        ]
    document, places = b"%PDF-1.4\n", []
    for number, text in enumerate(objects, start=1):
        places.append(len(document))
        document += f"{number} 0 obj\n{text}\nendobj\n".encode("ascii")
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    return document + (
        f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
        f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\n"
        f"startxref\n{len(document)}\n%%EOF\n"
    ).encode("ascii")
