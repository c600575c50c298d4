"""A pen that draws antialiased shapes in a square of 100 × 100 units, at any position and scale."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Final

from kivy.core.text import Label as CoreLabel
from kivy.graphics import (
    Canvas,
    Color,
    Mesh,
    Rectangle,
    SmoothEllipse,
    SmoothLine,
    SmoothRoundedRectangle,
)
from kivy.graphics.texture import Texture

from companion.ui.drawing.hidpi_text import ZOOM
from companion.ui.drawing.theme import BODY, SHADE, Colour
from engine.board.geometry import WIDTH, Square

Point = tuple[float, float]


class Pen:
    """Adds shapes to a canvas or an instruction group.

    The pen uses Kivy's antialiased shapes. Drawings therefore need no multisampling, which is slow
    on a Raspberry Pi.
    """

    def __init__(self, canvas: Canvas, x: float, y: float, size: float) -> None:
        """Draw in a square whose lower left corner is at (x, y)."""
        self._canvas = canvas
        self._x, self._y, self._unit = x, y, size / 100

    def colour(self, colour: Colour, alpha: float = 1.0) -> None:
        """Set the colour of subsequent shapes."""
        self._add(Color(*colour[:3], colour[3] * alpha))

    def disc(self, x: float, y: float, radius: float) -> None:
        """Fill a circle centred on (x, y)."""
        side = 2 * radius * self._unit
        corner = self._at(x - radius, y - radius)
        self._add(SmoothEllipse(pos=corner, size=(side, side), segments=64))

    def ring(self, x: float, y: float, radius: float, width: float) -> None:
        """Draw a circle centred on (x, y)."""
        centre = self._at(x, y)
        self._add(
            SmoothLine(circle=(*centre, radius * self._unit, 0, 360, 64), width=self._width(width))
        )

    def box(self, x: float, y: float, width: float, height: float, corner: float = 0) -> None:
        """Fill a rectangle whose lower left corner is at (x, y). `corner` is the corner radius."""
        u = self._unit
        self._add(
            SmoothRoundedRectangle(
                pos=self._at(x, y),
                size=(width * u, height * u),
                radius=[max(corner * u, 0.01)],
            )
        )

    def line(self, *points: Point, width: float, close: bool = False) -> None:
        """Draw a polyline that is `width` units thick."""
        flat = list(chain.from_iterable(self._at(x, y) for x, y in points))
        self._add(SmoothLine(points=flat, width=self._width(width), close=close))

    def shape(self, *points: Point) -> None:
        """Fill a shape that is star-shaped with respect to its first point."""
        vertices = list(chain.from_iterable((*self._at(x, y), 0, 0) for x, y in points))
        self._add(Mesh(vertices=vertices, indices=range(len(points)), mode="triangle_fan"))
        # The outline antialiases the edge.
        self.line(*points[1:] if points[0] == points[-1] else points, width=1.5, close=True)

    def patch(self, *points: Point) -> None:
        """Fill a shape without antialiasing its edge, so that another patch can adjoin it."""
        vertices = list(chain.from_iterable((*self._at(x, y), 0, 0) for x, y in points))
        self._add(Mesh(vertices=vertices, indices=range(len(points)), mode="triangle_fan"))

    def star(self, x: float, y: float, radius: float) -> None:
        rim = list(star_points(x, y, radius))
        vertices = [(x, y), *rim, rim[0]]
        flat = list(chain.from_iterable((*self._at(*point), 0, 0) for point in vertices))
        self._add(Mesh(vertices=flat, indices=range(len(vertices)), mode="triangle_fan"))
        self.line(*rim, width=1.5, close=True)

    def _at(self, x: float, y: float) -> Point:
        return self._x + x * self._unit, self._y + y * self._unit

    def _width(self, width: float) -> float:
        # Kivy's line width is half the thickness of the line, and antialiasing adds an edge.
        return max(0.6, width * self._unit / 2 - 0.5)

    def _add(self, instruction: object) -> None:
        self._canvas.add(instruction)


def write(
    canvas: Canvas,
    text: str,
    x: float,
    y: float,
    colour: Colour,
    *,
    bold: bool = False,
    rimmed: bool = False,
    size: int = BODY,
    widest: float = math.inf,
) -> None:
    """Write small text centred on (x, y).

    If `rimmed`, the text has a dark outline, which makes it legible on images. Text wider than
    `widest` is condensed.
    """
    scale = ZOOM.scale
    texture = _lettering(text, bold=bold, rim=colour if rimmed else None, size=size * scale)
    width, height = (length / scale for length in texture.size)
    width = min(width, widest)
    pos = round(x - width / 2), round(y - height / 2)
    canvas.add(Color(*((1, 1, 1, 1) if rimmed else colour)))
    canvas.add(Rectangle(texture=texture, pos=pos, size=(width, height)))


@cache
def _lettering(text: str, *, bold: bool, rim: Colour | None, size: float) -> Texture:
    rimmed = (
        {"color": rim, "outline_width": round(size / 10), "outline_color": SHADE[:3]} if rim else {}
    )
    label = CoreLabel(text=text, font_size=size, bold=bold, **rimmed)
    label.refresh()
    return label.texture


def star_points(x: float, y: float, radius: float) -> Iterator[Point]:
    """Yield the ten points of a star's outline."""
    for n in range(10):
        angle = math.pi / 2 + n * math.pi / 5
        reach = radius if n % 2 == 0 else radius * 0.42
        yield x + reach * math.cos(angle), y + reach * math.sin(angle)


PIECE: Final = 0.9
"""Size of a piece, as a fraction of a square's side."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Geometry of a board's squares, whose side length is `step`."""

    left: float
    bottom: float
    step: float

    def corner(self, square: Square) -> Point:
        row, column = divmod(square, WIDTH)
        return self.left + column * self.step, self.bottom + row * self.step

    def centre(self, square: Square) -> Point:
        x, y = self.corner(square)
        return x + self.step / 2, y + self.step / 2

    def bed(self, square: Square, size: float = PIECE) -> tuple[float, float, float]:
        """Return the left edge, the lower edge and the size of a piece on its square."""
        (x, y), inset = self.corner(square), (1 - size) / 2 * self.step
        return x + inset, y + inset, size * self.step

    def square_at(self, x: float, y: float) -> Square:
        """Return the square nearest to a point.

        For a point outside the board, this is a square on the edge.
        """
        column = int((x - self.left) // self.step)
        row = int((y - self.bottom) // self.step)
        return WIDTH * min(max(row, 0), WIDTH - 1) + min(max(column, 0), WIDTH - 1)

    def field_at(self, x: float, y: float) -> Square | None:
        """Return the square at a point, or None if the point is outside the board."""
        length = WIDTH * self.step
        is_inside = 0 <= x - self.left < length and 0 <= y - self.bottom < length
        return self.square_at(x, y) if is_inside else None
