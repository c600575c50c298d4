"""The board as its sensors see it: what each square shows, how strongly, and what is wrong."""

from typing import Final

from kivy.graphics import Color
from kivy.properties import BooleanProperty, ObjectProperty

from companion.screens import theme
from companion.screens.widgets.board_picture import BoardPicture
from companion.screens.widgets.finding_sign import draw_sign
from companion.screens.widgets.pen import Pen, write
from companion.screens.widgets.stamp import stamp_ghost, stamp_piece
from companion.workshop.watch import Sensor
from engine.sides import Side
from engine.squares import LAKES, SQUARES, Square
from firmware_bridge.image import Sensed

_SIDE_OF: Final = {Sensed.RED: Side.RED, Sensed.BLUE: Side.BLUE, Sensed.UNKNOWN: None}
PIECE: Final = 0.6
"""Of a square's side: below the piece is its number."""
SIGN: Final = 0.4


class SensorPicture(BoardPicture):
    """A live picture; squares of which nothing is known yet have a dash."""

    sensors = ObjectProperty({})
    """What each sensor sees, by square."""
    marks = ObjectProperty({})
    """For squares where something is wrong, what the worst finding is about."""
    has_strength = BooleanProperty(True)
    """Whether its sensors tell how strong a magnet is; switches do not."""

    _SHOWN: tuple[str, ...] = ("sensors", "marks", "has_strength", "put", "expected", "chosen")

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        for square in SQUARES:
            sensor = self.sensors.get(square)
            if sensor:
                self._draw_sensor(square, sensor)
            else:
                self._write_in_the_middle(square, "–")
            if square in self.marks:
                self._draw_sign(square, self.marks[square])
        if self.chosen is not None:
            frame = self._pen(self.chosen)
            frame.colour(theme.TEXT)
            frame.line((4, 4), (96, 4), (96, 96), (4, 96), width=7, close=True)

    def _draw_sensor(self, square: Square, sensor: Sensor) -> None:
        (x, y), step = self.corner(square), self.step
        size = round(PIECE * step)
        # A sign needs the right of the square.
        left = x + (1 if square in self.marks else (step - size) / 2)
        bottom = y + step - size - 1 if self.has_strength else y + (step - size) / 2
        self.canvas.add(Color(1, 1, 1, 1))
        if sensor.shows is not Sensed.EMPTY:
            stamp_piece(self.canvas, _SIDE_OF[sensor.shows], left, bottom, size)
        elif int(self.put) >> square & 1:
            side = _SIDE_OF.get(self.expected.at(square))
            stamp_ghost(self.canvas, side, left, bottom, size)
        elif self.has_strength and square not in self.marks:
            self._write_in_the_middle(square, strength_text(sensor))
            return
        if self.has_strength:
            write(self.canvas, strength_text(sensor), x + step / 2, y + 11, theme.TEXT)

    def _write_in_the_middle(self, square: Square, text: str) -> None:
        if LAKES >> square & 1:  # no waves through a number
            plate = self._pen(square)
            plate.colour(theme.LAKE)
            plate.box(10, 26, 80, 50)
        write(self.canvas, text, *self.centre(square), theme.QUIET)

    def _draw_sign(self, square: Square, about: str) -> None:
        (x, y), size = self.corner(square), round(SIGN * self.step)
        draw_sign(Pen(self.canvas, x + self.step - size - 1, y + self.step - size - 1, size), about)


def strength_text(sensor: Sensor) -> str:
    """How far a sensor is from rest in per cent, and which way."""
    return f"{sensor.strength:+d}".replace("-", "−") if sensor.strength else "0"
