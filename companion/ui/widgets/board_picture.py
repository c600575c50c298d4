"""The board picture, showing what both players may see, with marks on squares.

Each mark has its own shape:

- last move: two filled squares with a trail between them;
- lifted piece: raised, with a glow; soft dots mark its possible targets;
- piece that has been set down but not ruled on yet: a dot;
- chosen piece: a frame;
- piece to remove: a cross;
- piece to put down: its outline with a plus;
- attack: an arrow;
- piece that is not where the referee's position has it: its outline there, and an arrow to the
  actual square;
- piece between squares: a thick ring.

The coordinates are outside the squares, with numbers on the left and letters below.
"""

import math
from collections.abc import Iterator
from typing import Final, TypeAlias

from kivy.clock import Clock
from kivy.graphics import Canvas, Color
from kivy.input.motionevent import MotionEvent
from kivy.properties import (
    AliasProperty,
    BooleanProperty,
    DictProperty,
    ListProperty,
    NumericProperty,
    ObjectProperty,
)
from kivy.uix.widget import Widget

from companion.core.observed_board import Misplaced
from companion.session.tabletop import CarriedPiece, Tabletop
from companion.ui.drawing import theme
from companion.ui.drawing.hidpi_text import HidpiText
from companion.ui.drawing.signs import draw_label
from companion.ui.drawing.texture_cache import (
    draw_cached_board,
    draw_cached_ghost,
    draw_cached_piece,
)
from companion.ui.drawing.vector_pen import PIECE, Grid, Pen, Point, write
from engine.board.geometry import COLUMNS, WIDTH, Side, Square, set_of, squares_in
from firmware_bridge.image import Image
from firmware_bridge.simulated_board.board import PhysicalPiece

# Pieces beside the simulated board stand on a ledge below it: Red's on the left, Blue's on the
# right.

LEDGE: Final = 40
"""Height of the ledge, including its pieces."""
_PIECE: Final = 36
_PLANK: Final = 4
_FREE: Final = 14
"""Minimum width of the gap between the two rows of pieces."""
Place: TypeAlias = tuple[float, float, float, float]
"""A rectangle on the ledge as (left, bottom, width, height)."""


class PieceTray:
    """The ledge below a board picture, with the pieces on it."""

    def __init__(self, picture: "BoardPicture") -> None:
        self._picture = picture
        self._tabletop: Tabletop = picture.tabletop

    def corner(self, held: CarriedPiece) -> Point:
        """Return the corner of a lifted piece's slot, at the end of its side's row."""
        pieces = self._tabletop.beside[held.piece.side]
        *_, (_, corner) = self.row(held.piece.side, [*pieces, held.piece])
        return corner

    def piece_at(self, x: float, y: float) -> PhysicalPiece | None:
        for piece, (left, bottom) in reversed(list(self._pieces())):
            if left <= x <= left + _PIECE and bottom <= y <= bottom + LEDGE:
                return piece
        return None

    def places(self) -> dict[int, Place]:
        """Return the touch targets on the ledge, with their keys.

        Key 0 is the gap. Red's pieces are to the left of the gap and have negative keys. Blue's
        pieces are to the right and have positive keys. Each target covers the visible part of its
        piece.
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
        """Draw the ledge and the pieces on it."""
        picture = self._picture
        pen = Pen(picture.canvas, picture.x, picture.y, 100)
        pen.colour(theme.WOOD_DARK)
        pen.box(4, 0, picture.width - 8, _PLANK, 1)
        pen.colour(theme.WOOD)
        pen.box(4, _PLANK - 1, picture.width - 8, 1)
        picture.canvas.add(Color(1, 1, 1, 1))
        for piece, place in self._pieces():
            stamp_wood(picture.canvas, self._tabletop, piece, *place, _PIECE)

    def _pieces(self) -> Iterator[tuple[PhysicalPiece, Point]]:
        for side in Side:
            yield from self.row(side, self._tabletop.beside[side])

    def row(self, side: Side, pieces: list[PhysicalPiece]) -> Iterator[tuple[PhysicalPiece, Point]]:
        """Yield each piece with the position of its lower left corner.

        Pieces that do not fit side by side overlap.
        """
        room = self._picture.width / 2 - _PIECE - 8
        step = min(_PIECE, room / max(1, len(pieces) - 1))
        for n, piece in enumerate(pieces):
            along = 4 + n * step
            if side is Side.BLUE:
                along = self._picture.width - along - _PIECE
            yield piece, (self._picture.x + along, self._picture.y + _PLANK - 2)


def stamp_wood(
    canvas: Canvas, tabletop: Tabletop, piece: PhysicalPiece, x: float, y: float, size: float
) -> None:
    """Draw a simulated piece, with its rank if the rank may be shown."""
    canvas.add(Color(1, 1, 1, 1))
    draw_cached_piece(canvas, piece.side, x, y, size)
    if tabletop.shows(piece.side):
        draw_label(canvas, piece.label, x, y, size)


# Board.

EDGE: Final = 20
"""Width of the margins for the coordinates, to the left of the board and below it."""
LIFTED: Final = 1.1
"""Size of a lifted piece, as a fraction of a square's side."""


class BoardPicture(HidpiText, Widget):
    """A picture of the board. Dispatches `on_square` when a square is touched."""

    image = ObjectProperty(Image())
    expected = ObjectProperty(Image())
    """The expected board, from which the colours of missing pieces are taken."""
    last_move = ObjectProperty(None, allownone=True)
    trail = NumericProperty(1.0)
    """Opacity of the last move's trail. At 0, only the two filled squares are visible."""
    lifted = ObjectProperty(None, allownone=True)
    ways = NumericProperty(0)
    """Squares to which the lifted piece may move."""
    set_down = ObjectProperty(None, allownone=True)
    """Square of a detected piece on which the referee has not ruled yet, or None."""
    chosen = ObjectProperty(None, allownone=True)
    attack = ObjectProperty(None, allownone=True)
    """Source and target of an attack, or None."""
    take = NumericProperty(0)
    """Squares whose pieces have to be removed."""
    put = NumericProperty(0)
    """Squares on which a piece is missing."""
    marked = NumericProperty(0)
    """Squares mentioned in the text."""
    shifted = ListProperty()
    """For each shifted piece, a pair: its square in the referee's position, and its square on the
    board."""
    gone = NumericProperty(0)
    """Bit set of the squares whose pieces have been removed from the board."""
    ranks = DictProperty()
    """Publicly visible ranks of the pieces, keyed by square."""
    misplaced = ObjectProperty(None, allownone=True)
    """A piece on a wrong square or between squares, as in `Table.misplaced`, or None."""

    touchable = BooleanProperty(True)
    tabletop = ObjectProperty(None, allownone=True)
    """The simulated board whose pieces can be moved in this picture, or None for a real board."""
    ambiguous = ObjectProperty(())
    """Pairs of squares. Tapping the second square of a pair reports both, and moves no piece."""

    __events__ = ("on_square",)
    _PLACE = ("pos", "size")
    SHOWN: tuple[str, ...] = (  # a change to any of these properties redraws the picture
        *("image", "expected", "last_move", "lifted", "ways", "set_down", "tabletop"),
        *("chosen", "attack", "take", "put", "marked", "shifted", "gone", "misplaced"),
        "ranks",
    )

    def __init__(self, **kwargs: object) -> None:
        self._wake = Canvas()
        super().__init__(**kwargs)
        self._redraw = Clock.create_trigger(self._draw, -1)
        self._redraw_fields = Clock.create_trigger(self._draw_fields, -1)
        for name in self._PLACE + self.SHOWN:
            self.fbind(name, self._redraw)
        for name in (*self._PLACE, "tabletop"):
            self.fbind(name, self._redraw_fields)

    def sharpen(self) -> None:
        self._redraw()
        self._redraw_fields()

    def _measure(self) -> Grid:
        left, bottom = self.pos
        width, height = self.size
        ledge = LEDGE if self.tabletop else 0
        step = float((min(width, height) - EDGE - ledge) // WIDTH)
        beside = max(EDGE, (width - WIDTH * step) // 2)
        return Grid(left + beside, bottom + height - WIDTH * step, step)

    grid: Grid = AliasProperty(_measure, bind=(*_PLACE, "tabletop"), cache=True)
    """Geometry of the squares."""

    def on_square(self, square: Square) -> None:
        pass

    def on_touch_down(self, touch: MotionEvent) -> bool:
        if not self.collide_point(*touch.pos):
            return False
        if self.tabletop:
            place = self.grid.field_at(*touch.pos)
            touched = PieceTray(self).piece_at(*touch.pos) if place is None else place
            source = self.tabletop.point(touched, self.ambiguous)
            if source is not None and place is not None:
                self.dispatch("on_square", source)
                self.dispatch("on_square", place)
                return True
            if self.tabletop.touch(touch.uid, touched) or place is None:
                return True
        if not self.touchable:
            return False
        self.dispatch("on_square", self.grid.square_at(*touch.pos))
        return True

    def _pen(self, square: Square) -> Pen:
        return Pen(self.canvas, *self.grid.corner(square), self.grid.step)

    def _draw_fields(self, *_args: object) -> None:
        below, above = self.canvas.before, self.canvas.after
        below.clear()
        above.clear()
        below.add(Color(1, 1, 1, 1))
        draw_cached_board(below, *self.grid.corner(0), self.grid.step)
        for n in range(WIDTH):
            x, y = self.grid.corner(n)
            middle, edge = self.grid.step / 2, EDGE / 2
            # Draw the letters two pixels higher, to keep the descender of the g inside the window.
            write(above, COLUMNS[n], x + middle, y - edge + 2, theme.TEXT)
            x, y = self.grid.corner(WIDTH * n)
            write(above, str(n + 1), x - edge, y + middle, theme.TEXT, widest=EDGE - 2)

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        if self.last_move:
            self._draw_trail(*self.last_move)
        self.canvas.add(Color(1, 1, 1, 1))
        for square in squares_in(self._standing.occupied):
            if square != self.lifted:
                self._stamp(square, PIECE)
        if self.lifted is not None and self._standing.occupied >> self.lifted & 1:
            self._draw_lifted(self.lifted)
        if self.tabletop:
            self._draw_hands()
        for square in squares_in(int(self.ways)):
            self._draw_way(square)
        if self.set_down is not None:
            self._draw_set_down(self.set_down)
        self._draw_marks()
        if self.shifted or self.gone:
            self._draw_shifts()
        if self.attack:
            self._draw_attack(*self.attack)
        if self.misplaced:
            self._draw_misplaced(self.misplaced)

    @property
    def _standing(self) -> Image:
        shown: Image = self.tabletop.standing if self.tabletop else self.image
        return shown

    def _stamp(self, square: Square, size: float, lift: float = 0.0) -> None:
        """Draw the piece on a square. `size` and `lift` are fractions of the square's side."""
        grid = self.grid
        x, y, length = grid.bed(square, size)
        place = x, y + lift * grid.step, length
        if self.tabletop:
            stamp_wood(self.canvas, self.tabletop, self.tabletop.board.at(square), *place)
        else:
            draw_cached_piece(self.canvas, self.image.at(square).side, *place)
            if square in self.ranks:
                draw_label(self.canvas, self.ranks[square].symbol, *place)
                self.canvas.add(Color(1, 1, 1, 1))

    def _draw_trail(self, source: Square, target: Square) -> None:
        """Fill the two squares of the last move, and draw the trail between them."""
        for square in (source, target):
            pen = self._pen(square)
            pen.colour(theme.TRACE, 0.75)
            pen.box(0, 0, 100, 100)
            # Only the frame has a contrast of 3:1 against both light and dark wood.
            pen.colour(theme.SHADE)
            pen.line((4, 4), (96, 4), (96, 96), (4, 96), width=8, close=True)
        self._draw_wake(self.grid.centre(source), self.grid.centre(target))

    def _draw_wake(self, source: Point, target: Point) -> None:
        """Draw the trail, which gets wider and more opaque towards the target."""
        (x1, y1), (x2, y2) = source, target
        length = math.dist(source, target)
        across = -(y2 - y1) / length * self.grid.step, (x2 - x1) / length * self.grid.step
        self._wake.clear()
        self.canvas.add(self._wake)
        pen = Pen(self._wake, 0, 0, 100)
        parts = 12
        for n in range(parts):
            ends = []
            for along in (n / parts, (n + 1) / parts):
                x, y, wide = x1 + (x2 - x1) * along, y1 + (y2 - y1) * along, 0.04 + 0.26 * along
                ends.append([(x + s * wide * across[0], y + s * wide * across[1]) for s in (1, -1)])
            pen.colour(theme.MARK, 0.08 + 0.72 * n / parts)
            pen.patch(*ends[0], *reversed(ends[1]))

    def on_trail(self, *_args: object) -> None:
        """Change the trail's opacity without redrawing the picture."""
        self._wake.opacity = self.trail

    def _draw_hands(self) -> None:
        """Draw the pieces beside the simulated board, and the outlines of pieces in hand."""
        PieceTray(self).draw()
        waiting = self.tabletop.waiting
        for held in self.tabletop.carried.values():
            if held.origin is not None:
                draw_cached_ghost(
                    self.canvas, held.piece.side, *self.grid.corner(held.origin), self.grid.step
                )
        if waiting:
            x, y = (
                PieceTray(self).corner(waiting)
                if waiting.origin is None
                else self.grid.corner(waiting.origin)
            )
            self._draw_glow(Pen(self.canvas, x, y, self.grid.step))
            inset = (1 - LIFTED) / 2 * self.grid.step
            size = LIFTED * self.grid.step
            x, y = x + inset, y + inset + 0.12 * self.grid.step
            stamp_wood(self.canvas, self.tabletop, waiting.piece, x, y, size)

    def _draw_lifted(self, square: Square) -> None:
        self._draw_glow(self._pen(square))
        self._stamp(square, LIFTED, 0.12)

    def _draw_glow(self, pen: Pen) -> None:
        for radius in (66, 58, 50):
            pen.colour(theme.MARK, 0.22)
            pen.disc(50, 50, radius)
        for colour, width in ((theme.SHADE, 9), (theme.MARK, 5)):
            pen.colour(colour)
            pen.ring(50, 50, 58, width)
        self.canvas.add(Color(1, 1, 1, 1))

    def _draw_way(self, square: Square) -> None:
        """Draw a soft dot on an empty square, or a ring around a piece that can be attacked."""
        pen = self._pen(square)
        if self._standing.occupied >> square & 1:
            for colour, width in ((theme.SHADE, 9), (theme.MARK, 4)):
                pen.colour(colour)
                pen.ring(50, 50, 46, width)
            return
        for colour, alpha, radius in ((theme.SHADE, 0.5, 20), (theme.MARK, 0.9, 14)):
            pen.colour(colour, alpha)
            pen.disc(50, 50, radius)

    def _draw_set_down(self, square: Square) -> None:
        pen = self._pen(square)
        for colour, radius in ((theme.SHADE, 18), (theme.MARK, 12)):
            pen.colour(colour)
            pen.disc(50, 50, radius)

    def _draw_marks(self) -> None:
        chosen = 0 if self.chosen is None else 1 << self.chosen
        for square in squares_in(int(self.marked) | chosen):
            self._draw_frame(square)
        for square in squares_in(int(self.put) & ~int(self.take)):
            self.canvas.add(Color(1, 1, 1, 1))
            side = self.expected.at(square).side
            draw_cached_ghost(self.canvas, side, *self.grid.corner(square), self.grid.step)
        for square in squares_in(int(self.put)):
            self._draw_strokes(self._pen(square), ((50, 26), (50, 74)), ((26, 50), (74, 50)))
        for square in squares_in(int(self.take) & ~int(self.put)):
            self._draw_strokes(self._pen(square), ((18, 18), (82, 82)), ((18, 82), (82, 18)))

    @staticmethod
    def _draw_strokes(pen: Pen, *strokes: tuple[Point, Point]) -> None:
        """Draw strokes with a dark outline, which makes them visible on pieces of either colour."""
        for colour, width in ((theme.SHADE, 24), (theme.GLOW, 11)):
            pen.colour(colour)
            for stroke in strokes:
                pen.line(*stroke, width=width)

    def _draw_misplaced(self, misplaced: Misplaced) -> None:
        """Draw a misplaced piece where the sensors detect it, with a conspicuous ring around it."""
        grid, place = self.grid, misplaced.place
        (left, bottom), (right, top) = grid.centre(0), grid.centre(WIDTH**2 - 1)
        x = left + place.column * (right - left) / (WIDTH - 1)
        y = bottom + place.row * (top - bottom) / (WIDTH - 1)
        length = PIECE * grid.step
        self.canvas.add(Color(1, 1, 1, 1))
        draw_cached_piece(self.canvas, misplaced.side, x - length / 2, y - length / 2, length)
        pen = Pen(self.canvas, x - grid.step / 2, y - grid.step / 2, grid.step)
        for colour, width in ((theme.SHADE, 22), (theme.GLOW, 14)):
            pen.colour(colour)
            pen.ring(50, 50, 62, width)

    def _draw_attack(self, source: Square, target: Square) -> None:
        """Draw an arrow whose tip is on the target."""
        for square in (source, target):
            self._draw_frame(square)
        self._draw_arrow(source, target, reach=0.12)

    def _draw_shifts(self) -> None:
        """Mark the pieces that are not on their squares in the referee's position.

        A shifted piece has an arrow to its actual square, and a removed piece has a cross.
        """
        left = set_of(source for source, _ in self.shifted) | int(self.gone)
        for square in squares_in(left & ~self._standing.occupied):
            self.canvas.add(Color(1, 1, 1, 1))
            side = self.expected.at(square).side
            draw_cached_ghost(self.canvas, side, *self.grid.corner(square), self.grid.step)
        for square in squares_in(int(self.gone)):
            self._draw_strokes(self._pen(square), ((18, 18), (82, 82)), ((18, 82), (82, 18)))
        for source, target in self.shifted:
            self._draw_frame(target)
            self._draw_arrow(source, target, reach=-0.2)

    def _draw_frame(self, square: Square) -> None:
        pen = self._pen(square)
        for colour, width in ((theme.SHADE, 14), (theme.MARK, 7)):
            pen.colour(colour)
            pen.line((6, 6), (94, 6), (94, 94), (6, 94), width=width, close=True)

    def _draw_arrow(self, source: Square, target: Square, reach: float) -> None:
        """Draw an arrow whose tip is `reach` squares beyond the centre of the target."""
        (x1, y1), (x2, y2) = self.grid.centre(source), self.grid.centre(target)
        length = math.dist((x1, y1), (x2, y2))
        along = (x2 - x1) / length, (y2 - y1) / length
        across = -along[1], along[0]
        tip = x2 + reach * self.grid.step * along[0], y2 + reach * self.grid.step * along[1]
        pen = Pen(self.canvas, 0, 0, 100)
        for colour, grow in ((theme.SHADE, 3), (theme.MARK, 0)):
            top = tip[0] + 1.6 * grow * along[0], tip[1] + 1.6 * grow * along[1]
            back = tip[0] - (14 + grow) * along[0], tip[1] - (14 + grow) * along[1]
            wide = 10 + 1.6 * grow
            pen.colour(colour)
            pen.line((x1, y1), back, width=6 + 2 * grow)
            pen.shape(
                top,
                (back[0] + wide * across[0], back[1] + wide * across[1]),
                (back[0] - wide * across[0], back[1] - wide * across[1]),
            )


class OpenBoard(BoardPicture):
    """The board after the game, with all known ranks.

    Pieces whose ranks never became known are drawn without a rank.
    """

    ranks = ObjectProperty({})
    """Known ranks, keyed by square."""

    SHOWN = (*BoardPicture.SHOWN, "ranks")

    def _draw(self, *_args: object) -> None:
        super()._draw()
        for square, rank in self.ranks.items():
            x, y, length = self.grid.bed(square)
            margin = (self.grid.step - length) / 2
            draw_label(self.canvas, rank.symbol, x - margin, y - margin, self.grid.step)
