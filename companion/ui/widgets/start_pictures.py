"""Pictures for the start screen: a board seen from a player's chair, and the tile icons."""

from collections.abc import Callable, Mapping
from typing import Final

from kivy.graphics import Color, Mesh, Rectangle
from kivy.properties import ColorProperty, StringProperty
from kivy.uix.widget import Widget

from companion.ui.drawing import theme
from companion.ui.drawing.rank_symbol import draw_portrait
from companion.ui.drawing.shown import Shown
from companion.ui.drawing.texture_cache import board_texture, piece_texture
from companion.ui.drawing.vector_pen import Pen, Point
from engine.board.geometry import WIDTH, Side
from engine.board.ranks import Rank

# Board.

_STEP: Final = 46
"""Length of a square's side in the texture, in pixels."""
_CELLS: Final = 2 * WIDTH
"""Number of rows and columns in the mesh. With fewer, lines would bend along the diagonals."""
_NEAR: Final = 1.2
"""Half the length of the near edge, relative to the picture's width."""
_FAR: Final = 0.47
"""Half the length of the far edge, relative to the picture's width."""
_OPACITY: Final = 0.8
"""Opacity of the board, low enough for text on top to have a contrast of 7:1."""
_RED_ROWS: Final = range(4)
_BLUE_ROWS: Final = range(6, WIDTH)


class BoardBackdrop(Widget):
    """A board with both armies in perspective, dimmed so that the widgets on top stand out."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.bind(pos=self._draw, size=self._draw)

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        if min(self.size) < 1 or theme.PLAIN:
            return
        board = board_texture(_STEP)
        self.canvas.add(Color(1, 1, 1, _OPACITY))
        self.canvas.add(Mesh(texture=board, mode="triangles", **self._mesh()))
        for row in reversed((*_RED_ROWS, *_BLUE_ROWS)):
            for column in range(WIDTH):
                self._stand(row, column)
        self._fade()

    def _mesh(self) -> dict[str, list[float]]:
        vertices: list[float] = []
        for row in range(_CELLS + 1):
            for column in range(_CELLS + 1):
                across, away = column / _CELLS, row / _CELLS
                vertices += (*self._project(across, away), across, away)
        corners = [row * (_CELLS + 1) + column for row in range(_CELLS) for column in range(_CELLS)]
        above = _CELLS + 1
        return {
            "vertices": vertices,
            "indices": [
                corner + part for corner in corners for part in (0, 1, above, 1, above, above + 1)
            ],
        }

    def _project(self, across: float, away: float) -> Point:
        """Return the screen position of a point given as fractions of the board's sides."""
        depth = 1 + away * (_NEAR / _FAR - 1)
        half = _NEAR * self.width / depth
        horizon = self.y + self.height * 1.46
        height = self.height * 1.66 / depth
        return self.center_x + (across - 0.5) * half, horizon - height

    def _stand(self, row: int, column: int) -> None:
        side = Side.RED if row in _RED_ROWS else Side.BLUE
        left, bottom = self._project((column + 0.1) / WIDTH, (row + 0.3) / WIDTH)
        right, _ = self._project((column + 0.9) / WIDTH, (row + 0.3) / WIDTH)
        size = right - left
        texture = piece_texture(side, _STEP)
        self.canvas.add(Rectangle(texture=texture, pos=(left, bottom), size=(size, size)))

    def _fade(self) -> None:
        """Darken the far end, where the title is."""
        ground = theme.BACKGROUND[:3]
        steps = 24
        for n in range(steps):
            self.canvas.add(Color(*ground, 0.7 * (n / steps) ** 2))
            place = self.x, self.y + self.height * (0.5 + 0.5 * n / steps)
            self.canvas.add(Rectangle(pos=place, size=(self.width, self.height * 0.5 / steps + 1)))


# Icons.


LEAST_ICON: Final = 36
"""Least size of an icon, in pixels."""


class TileIcon(Shown, Widget):
    """A drawing from `_DRAWN`, centred in its area and as large as possible.

    If it would be too small to be recognised, nothing is drawn.
    """

    icon = StringProperty()
    colour = ColorProperty()
    """Colour of the drawing. The default is the theme's text colour."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**({"colour": theme.TEXT} | kwargs))
        for name in ("pos", "size", "icon", "colour"):
            self.fbind(name, self._draw)

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        size = min(self.size)
        if self.icon and size >= LEAST_ICON:
            left, bottom = self.x + (self.width - size) / 2, self.y + (self.height - size) / 2
            pen = Pen(self.canvas, left, bottom, size)
            pen.colour(self.colour)
            _DRAWN[self.icon](pen)


def _two_players(pen: Pen) -> None:
    """Draw a square piece and a round piece side by side, like those of the two armies."""
    pen.box(2, 30, 42, 40, 4)
    for left in (2, 18, 34):
        pen.box(left, 62, 10, 16, 2)
    pen.ring(76, 52, 20, 5)
    pen.disc(76, 52, 9)


def _alone(pen: Pen) -> None:
    draw_portrait(pen, Rank.MARSHAL)


def _first_battle(pen: Pen) -> None:
    draw_portrait(pen, Rank.FLAG)


def _board_check(pen: Pen) -> None:
    """Draw some squares of a board, with a check mark over them."""
    for row in range(3):
        for column in range(3):
            if (row + column) % 2 == 0:
                pen.box(8 + 24 * column, 22 + 24 * row, 24, 24)
    pen.line((8, 22), (80, 22), (80, 94), (8, 94), width=4, close=True)
    pen.line((50, 26), (66, 8), (98, 46), width=9)


_DRAWN: Final[Mapping[str, Callable[[Pen], None]]] = {
    "two": _two_players,
    "alone": _alone,
    "battle": _first_battle,
    "check": _board_check,
}
