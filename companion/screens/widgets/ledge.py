"""The ledge below the simulated board, for pieces: Red's at the left, Blue's at the right."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, TypeAlias

from kivy.graphics import Canvas, Color

from companion.screens.widgets import theme
from companion.screens.widgets.label import draw_label
from companion.screens.widgets.pen import Pen, Point
from companion.screens.widgets.stamp import stamp_piece
from companion.simulator.tabletop import Held, Tabletop
from engine.board.geometry import Side
from firmware_bridge.simulated_board.board import Piece

if TYPE_CHECKING:
    from companion.screens.widgets.board_picture import BoardPicture

LEDGE: Final = 40
"""Height of the ledge, with the pieces on it."""
_PIECE: Final = 36
_PLANK: Final = 4
_FREE: Final = 14
"""Minimum width of the gap between both rows."""
Place: TypeAlias = tuple[float, float, float, float]
"""A rectangle on the ledge: left, bottom, width, height."""


class Ledge:
    """The ledge of a picture of the board."""

    def __init__(self, picture: "BoardPicture") -> None:
        self._picture = picture
        self._tabletop: Tabletop = picture.tabletop

    def corner(self, held: Held) -> Point:
        """Corner of the place from which a piece was lifted: at the end of its row."""
        pieces = self._tabletop.beside[held.piece.side]
        *_, (_, corner) = self.row(held.piece.side, [*pieces, held.piece])
        return corner

    def piece_at(self, x: float, y: float) -> Piece | None:
        """The topmost piece at a point."""
        for piece, (left, bottom) in reversed(list(self._pieces())):
            if left <= x <= left + _PIECE and bottom <= y <= bottom + LEDGE:
                return piece
        return None

    def places(self) -> dict[int, Place]:
        """Touch targets on the ledge.

        0 is the gap; Red's pieces are at its left, with the keys -1, -2 and so on, as far as each
        is visible, and Blue's at its right.
        """
        red, blue = (
            [x for _, (x, _) in self.row(side, self._tabletop.beside[side])] for side in Side
        )
        middle = self._picture.center_x
        ends = [
            *((x, min([x + _PIECE, *red[n + 1 : n + 2]])) for n, x in enumerate(red)),
            (middle - _FREE / 2, middle + _FREE / 2),
            *(
                (max([x, *(b + _PIECE for b in blue[n + 1 : n + 2])]), x + _PIECE)
                for n, x in enumerate(blue)
            ),
        ]
        bottom = self._picture.y + _PLANK - 2
        return {
            n - len(red): (left, bottom, right - left, _PIECE)
            for n, (left, right) in enumerate(sorted(ends))
        }

    def draw(self) -> None:
        """Draw the ledge and everything on it."""
        picture = self._picture
        pen = Pen(picture.canvas, picture.x, picture.y, 100)
        pen.colour(theme.WOOD_DARK)
        pen.box(4, 0, picture.width - 8, _PLANK, 1)
        pen.colour(theme.WOOD)
        pen.box(4, _PLANK - 1, picture.width - 8, 1)
        picture.canvas.add(Color(1, 1, 1, 1))
        for piece, place in self._pieces():
            stamp_wood(picture.canvas, self._tabletop, piece, *place, _PIECE)

    def _pieces(self) -> Iterator[tuple[Piece, Point]]:
        for side in Side:
            yield from self.row(side, self._tabletop.beside[side])

    def row(self, side: Side, pieces: list[Piece]) -> Iterator[tuple[Piece, Point]]:
        """Positions of the pieces: side by side as long as there is room, then overlapping."""
        room = self._picture.width / 2 - _PIECE - 8
        step = min(_PIECE, room / max(1, len(pieces) - 1))
        for n, piece in enumerate(pieces):
            along = 4 + n * step
            if side is Side.BLUE:
                along = self._picture.width - along - _PIECE
            yield piece, (self._picture.x + along, self._picture.y + _PLANK - 2)


def stamp_wood(
    canvas: Canvas, tabletop: Tabletop, piece: Piece, x: float, y: float, size: float
) -> None:
    """Draw a piece of the simulated board, with its rank if it may be seen."""
    canvas.add(Color(1, 1, 1, 1))
    stamp_piece(canvas, piece.side, x, y, size)
    if tabletop.shows(piece.side):
        draw_label(canvas, piece.label, x, y, size)
