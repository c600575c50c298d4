"""Draw the portraits of the ranks for the pages of pads, as on the touchscreen, as SVG paths.

The file also contains the printing on a piece.

python -m tools.make_pad_portraits
"""

import json
import os
from pathlib import Path
from typing import Any, Final

os.environ.update(KIVY_NO_ARGS="1", KIVY_NO_CONFIG="1", KIVY_NO_CONSOLELOG="1")

from companion.ui.drawing.rank_symbol import draw_portrait
from companion.ui.drawing.vector_pen import Pen, Point, star_points
from engine.board.ranks import Rank

FILE: Final = Path(__file__).parents[1] / "companion/pads/page/portraits.js"
_HEAD: Final = """\
// The portraits of the ranks in a square of 100 × 100, as the touchscreen draws them.
// `python -m tools.make_pad_portraits` wrote this.

/** @typedef {[string, number]} Stroke a path and its thickness; 0 fills it */

/** @type {Readonly<Record<string, ReadonlyArray<Stroke>>>} */
export const PORTRAITS = """
_SIGNS: Final = """
/** @type {Readonly<Record<string, string>>} what is printed on a piece */
export const SIGNS = """


class PathPen(Pen):
    """Records what it draws. The y axis of a page points downwards."""

    def __init__(self) -> None:
        self.strokes: list[tuple[str, float]] = []

    def colour(self, colour: Any, alpha: float = 1.0) -> None:
        """Ignored: everything has the colour of the page."""

    def disc(self, x: float, y: float, radius: float) -> None:
        """Fill a circle."""
        self.strokes.append((_circle(x, y, radius), 0))

    def ring(self, x: float, y: float, radius: float, width: float) -> None:
        """Draw a circle."""
        self.strokes.append((_circle(x, y, radius), width))

    def line(self, *points: Point, width: float, close: bool = False) -> None:
        self.strokes.append((_path(*points) + "z" * close, width))

    def shape(self, *points: Point) -> None:
        self.strokes.append((_path(*points) + "z", 0))

    def patch(self, *points: Point) -> None:
        """Fill a shape."""
        self.shape(*points)

    def star(self, x: float, y: float, radius: float) -> None:
        self.shape(*star_points(x, y, radius))


def _path(*points: Point) -> str:
    return "M" + "L".join(f"{x:.4g} {100 - y:.4g}" for x, y in points)


def _circle(x: float, y: float, radius: float) -> str:
    half = f"a{radius:g} {radius:g} 0 1 0"
    return f"M{x - radius:.4g} {100 - y:.4g}{half} {2 * radius:g} 0{half} {-2 * radius:g} 0z"


def written() -> str:
    """Return the text of the file."""
    lines = ",\n".join(f"  {rank.name.lower()}: {json.dumps(_strokes(rank))}" for rank in Rank)
    signs = ",\n".join(f'  {rank.name.lower()}: "{rank.symbol}"' for rank in Rank)
    return f"{_HEAD}{{\n{lines},\n}};\n{_SIGNS}{{\n{signs},\n}};\n"


def _strokes(rank: Rank) -> list[tuple[str, float]]:
    pen = PathPen()
    draw_portrait(pen, rank)
    return pen.strokes


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
