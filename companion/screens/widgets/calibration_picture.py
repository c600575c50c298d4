"""The board during calibration: measured, pending and rejected squares."""

from kivy.graphics import Color
from kivy.properties import NumericProperty, ObjectProperty

from companion.screens.widgets.board_picture import BoardPicture
from companion.screens.widgets.finding_sign import draw_sign
from companion.screens.widgets.pen import Pen
from companion.screens.widgets.stamp import stamp_ghost
from engine.board.geometry import Side, squares_in

SIGN = 0.5
"""In parts of a square's side."""


class CalibrationPicture(BoardPicture):
    """A picture of the board with a sign on every rejected square."""

    awaited = NumericProperty(0)
    """The squares whose piece is still to be put on the board."""
    marks = ObjectProperty({})
    """Subject of the worst finding, for squares with findings."""

    SHOWN: tuple[str, ...] = ("image", "awaited", "marks")

    def _draw(self, *_args: object) -> None:
        super()._draw()
        self.canvas.add(Color(1, 1, 1, 1))
        for square in squares_in(int(self.awaited)):
            side = Side.RED if Side.RED.home >> square & 1 else Side.BLUE
            stamp_ghost(self.canvas, side, *self.grid.corner(square), self.grid.step)
        size = round(SIGN * self.grid.step)
        for square, about in self.marks.items():
            x, y = self.grid.corner(square)
            draw_sign(
                Pen(self.canvas, x + self.grid.step - size, y + self.grid.step - size, size), about
            )
