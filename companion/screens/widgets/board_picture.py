"""The board as everybody sees it: two armies, the lakes, and marks for what matters now.

Every mark has a shape of its own: the last move corners, a piece in the hand a double ring and a
lift, one that was seen and is not ruled yet a dot, a chosen piece a frame, something to take away a
cross, something to set down a plus in the outline of the piece, an attack an arrow.
"""

from kivy.clock import Clock
from kivy.graphics import Color
from kivy.input.motionevent import MotionEvent
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty
from kivy.uix.widget import Widget

from companion.screens.widgets import theme
from companion.screens.widgets.pen import Pen, Point, write
from companion.screens.widgets.stamp import stamp_fields, stamp_ghost, stamp_piece
from engine.squares import COLUMNS, WIDTH, Square, squares_in
from firmware_bridge.image import Image


class BoardPicture(Widget):
    """A picture of the board that says where it was touched (`on_square`)."""

    image = ObjectProperty(Image())
    expected = ObjectProperty(Image())
    """Gives the colours of what is missing."""
    last_move = ObjectProperty(None, allownone=True)
    lifted = ObjectProperty(None, allownone=True)
    set_down = ObjectProperty(None, allownone=True)
    """Where a piece was seen that is not ruled yet."""
    chosen = ObjectProperty(None, allownone=True)
    attack = ObjectProperty(None, allownone=True)
    """Source and target of an attack."""
    take = NumericProperty(0)
    """The squares whose piece has to go."""
    put = NumericProperty(0)
    """The squares where a piece is missing."""
    marked = NumericProperty(0)
    """The squares that are spoken about."""

    touchable = BooleanProperty(True)
    strip = NumericProperty(20)
    """The breadth of the strip with the numbers and letters."""

    __events__ = ("on_square",)
    _PLACE = ("pos", "size", "strip")
    SHOWN: tuple[str, ...] = (  # what it is drawn anew for
        *("image", "expected", "last_move", "lifted", "set_down"),
        *("chosen", "attack", "take", "put", "marked"),
    )

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self._redraw = Clock.create_trigger(self._draw, -1)
        self._redraw_fields = Clock.create_trigger(self._draw_fields, -1)
        for name in self._PLACE + self.SHOWN:
            self.fbind(name, self._redraw)
        for name in self._PLACE:
            self.fbind(name, self._redraw_fields)

    @property
    def step(self) -> float:
        """The length of a square's side."""
        return float((min(self.size) - self.strip) // WIDTH)

    def corner(self, square: Square) -> tuple[float, float]:
        """The lower left corner of a square in the window."""
        row, column = divmod(square, WIDTH)
        return self.x + self.strip + column * self.step, self.y + self.strip + row * self.step

    def centre(self, square: Square) -> tuple[float, float]:
        """The middle of a square in the window."""
        x, y = self.corner(square)
        return x + self.step / 2, y + self.step / 2

    def square_at(self, x: float, y: float) -> Square:
        """The square at or nearest to a point: a finger at the rim means the last row."""
        column = int((x - self.x - self.strip) // self.step)
        row = int((y - self.y - self.strip) // self.step)
        return WIDTH * min(max(row, 0), WIDTH - 1) + min(max(column, 0), WIDTH - 1)

    def on_square(self, square: Square) -> None:
        pass

    def on_touch_down(self, touch: MotionEvent) -> bool:
        if not self.touchable or not self.collide_point(*touch.pos):
            return False
        self.dispatch("on_square", self.square_at(*touch.pos))
        return True

    def _pen(self, square: Square) -> Pen:
        return Pen(self.canvas, *self.corner(square), self.step)

    def _draw_fields(self, *_args: object) -> None:
        canvas = self.canvas.before
        canvas.clear()
        canvas.add(Color(1, 1, 1, 1))
        stamp_fields(canvas, *self.corner(0), self.step)
        for n in range(WIDTH):
            x, _ = self.centre(n)
            _, y = self.centre(WIDTH * n)
            write(canvas, COLUMNS[n], x, self.y + self.strip / 2, theme.QUIET)
            write(canvas, str(n + 1), self.x + self.strip / 2, y, theme.QUIET)

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        self.canvas.add(Color(1, 1, 1, 1))
        for square in squares_in(self.image.occupied):
            if square != self.lifted:
                side = self.image.at(square).side
                stamp_piece(self.canvas, side, *self.corner(square), self.step)
        for square in self.last_move or ():
            self._draw_corners(square)
        if self.lifted is not None and self.image.occupied >> self.lifted & 1:
            self._draw_lifted(self.lifted)
        if self.set_down is not None:
            self._draw_set_down(self.set_down)
        self._draw_marks()
        if self.attack:
            self._draw_attack(*self.attack)

    def _draw_lifted(self, square: Square) -> None:
        pen = self._pen(square)
        pen.colour(theme.ACT, 0.3)
        pen.disc(50, 50, 62)
        pen.colour(theme.ACT)
        pen.ring(50, 50, 50, 7)
        pen.ring(50, 50, 62, 4)
        x, y = self.corner(square)
        self.canvas.add(Color(1, 1, 1, 1))
        stamp_piece(self.canvas, self.image.at(square).side, x, y + self.step * 0.12, self.step)

    def _draw_set_down(self, square: Square) -> None:
        pen = self._pen(square)
        for colour, radius in ((theme.GROUND, 16), (theme.QUIET, 12)):
            pen.colour(colour)
            pen.disc(50, 50, radius)

    def _draw_corners(self, square: Square) -> None:
        pen = self._pen(square)
        pen.colour(theme.TEXT)
        for x, toward in ((4, 1), (96, -1)):
            for y, up in ((4, 1), (96, -1)):
                pen.line((x + 22 * toward, y), (x, y), (x, y + 22 * up), width=6)

    def _draw_marks(self) -> None:
        chosen = 0 if self.chosen is None else 1 << self.chosen
        for square in squares_in(int(self.marked) | chosen):
            pen = self._pen(square)
            pen.colour(theme.ACT)
            pen.line((4, 4), (96, 4), (96, 96), (4, 96), width=8, close=True)
        for square in squares_in(int(self.put) & ~int(self.take)):
            self.canvas.add(Color(1, 1, 1, 1))
            side = self.expected.at(square).side
            stamp_ghost(self.canvas, side, *self.corner(square), self.step)
        for square in squares_in(int(self.put)):
            self._draw_strokes(self._pen(square), ((50, 26), (50, 74)), ((26, 50), (74, 50)))
        for square in squares_in(int(self.take) & ~int(self.put)):
            self._draw_strokes(self._pen(square), ((18, 18), (82, 82)), ((18, 82), (82, 18)))

    @staticmethod
    def _draw_strokes(pen: Pen, *strokes: tuple[Point, Point]) -> None:
        """Draw strokes with a dark rim, to be seen on a piece of any colour."""
        for colour, width in ((theme.GROUND, 24), (theme.ACT, 11)):
            pen.colour(colour)
            for stroke in strokes:
                pen.line(*stroke, width=width)

    def _draw_attack(self, source: Square, target: Square) -> None:
        """An arrow whose tip lies on the target."""
        (x1, y1), (x2, y2) = self.centre(source), self.centre(target)
        along = 1 if x2 > x1 else -1 if x2 < x1 else 0, 1 if y2 > y1 else -1 if y2 < y1 else 0
        pen = Pen(self.canvas, 0, 0, 100)
        for square in (source, target):
            frame = self._pen(square)
            frame.colour(theme.ACT)
            frame.line((4, 4), (96, 4), (96, 96), (4, 96), width=8, close=True)
        pen.colour(theme.TEXT)
        reach = self.step * 0.12
        tip = x2 + reach * along[0], y2 + reach * along[1]
        back = tip[0] - 14 * along[0], tip[1] - 14 * along[1]
        across = -along[1], along[0]
        pen.line((x1, y1), back, width=6)
        pen.shape(
            tip,
            (back[0] + 10 * across[0], back[1] + 10 * across[1]),
            (back[0] - 10 * across[0], back[1] - 10 * across[1]),
        )
