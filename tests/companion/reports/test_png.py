"""PNG images of positions: their size, and text drawn without system fonts."""

import struct
import subprocess
import sys
import zlib

import pytest

from companion.reports.diagram import diagram, png
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from tests.campaigns import RARE

E4 = square("e4")
MARSHAL = {E4: (Side.RED, Rank.MARSHAL)}
Pixel = tuple[int, ...]


def size(image: bytes) -> tuple[int, int]:
    assert image.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", image[16:24])
    return int(width), int(height)


def pixels(image: bytes) -> list[list[Pixel]]:
    """Decode a PNG with eight bits per channel and transparency, row by row."""
    width, height = size(image)
    assert image[24:29] == bytes([8, 6, 0, 0, 0]), "not an 8-bit RGBA PNG"
    packed, at = b"", 8
    while at < len(image):
        (length,) = struct.unpack(">I", image[at : at + 4])
        if image[at + 4 : at + 8] == b"IDAT":
            packed += image[at + 8 : at + 8 + length]
        at += length + 12
    raw, stride, above = zlib.decompress(packed), 4 * width + 1, bytes(4 * width)
    rows = []
    for start in range(0, stride * height, stride):
        above = _unfiltered(raw[start], raw[start + 1 : start + stride], above)
        rows.append([tuple(above[n : n + 4]) for n in range(0, len(above), 4)])
    return rows


def _unfiltered(kind: int, row: bytes, above: bytes) -> bytes:
    """Undo the filter of a row (PNG specification, chapter 9)."""
    out = bytearray()
    for n, value in enumerate(row):
        left, corner = (out[n - 4], above[n - 4]) if n >= 4 else (0, 0)
        guess = [0, left, above[n], (left + above[n]) // 2, _paeth(left, above[n], corner)][kind]
        out.append((value + guess) % 256)
    return bytes(out)


def _paeth(left: int, above: int, corner: int) -> int:
    return min((left, above, corner), key=lambda value: abs(left + above - corner - value))


@pytest.mark.parametrize("width", [200, 1000])
def test_png_size(width: int) -> None:
    assert size(png(diagram(MARSHAL), width)) == (width, width)


def test_default_png_size() -> None:
    assert size(png(diagram({}))) == (1000, 1000)


@pytest.fixture(scope="module")
def rows() -> list[list[Pixel]]:
    """Pixels of a board with a marshal on e4. A pixel covers two units. e4 begins at (230, 310)."""
    return pixels(png(diagram(MARSHAL), 540))


def darkest(rows: list[list[Pixel]], left: int, top: int, width: int, height: int) -> int:
    """Return the sum of the colour values of the darkest pixel in a rectangle of the image."""
    return min(sum(pixel[:3]) for row in rows[top : top + height] for pixel in row[left:][:width])


@RARE
def test_png_pixels(
    rows: list[list[Pixel]],
) -> None:
    assert rows[335][241] == (0xFF, 0x7A, 0x6B, 255), "the side of the tower"
    assert rows[2][2] == (255, 255, 255, 255), "the background"


def test_png_text_without_system_fonts(rows: list[list[Pixel]]) -> None:
    """Text is drawn without system fonts, so it appears on every computer."""
    assert darkest(rows, 245, 330, 20, 20) < 150, "the rank on the tower"
    assert darkest(rows, 245, 280, 20, 20) > 600, "an empty square"
    for n in range(10):
        assert darkest(rows, 45 + 50 * n, 515, 20, 20) < 500, f"the letter of column {n}"
        assert darkest(rows, 5, 25 + 50 * n, 20, 20) < 500, (
            f"the number of row {n}, counted from the top"
        )


def test_png_is_deterministic() -> None:
    assert png(diagram(MARSHAL), 300) == png(diagram(MARSHAL), 300)


def test_invalid_svg_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown token"):
        png("no picture")


def test_kivy_is_not_started() -> None:
    code = (
        "import sys; from companion.reports.diagram import png; "
        "from companion.reports.diagram import "
        "diagram; png(diagram({})); sys.exit('kivy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
