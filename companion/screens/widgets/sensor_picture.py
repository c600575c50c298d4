"""The board as its sensors see it: the piece on each square, field strength and findings."""

from typing import Final

from kivy.graphics import Color, InstructionGroup
from kivy.properties import BooleanProperty, ObjectProperty

from companion.maintenance.watch import Sensor
from companion.screens.widgets import theme
from companion.screens.widgets.board_picture import BoardPicture
from companion.screens.widgets.finding_sign import draw_sign
from companion.screens.widgets.pen import Pen, write
from companion.screens.widgets.sharp import ZOOM
from companion.screens.widgets.stamp import stamp_ghost, stamp_piece
from engine.board.geometry import LAKES, SQUARES, Side, Square
from firmware_bridge.image import Sensed

PIECE: Final = 0.6
"""In parts of a square's side: the number is below the piece."""
SIGN: Final = 0.4


class SensorPicture(BoardPicture):
    """A live picture; squares without data have a dash."""

    sensors = ObjectProperty({})
    """State of each sensor, by square."""
    marks = ObjectProperty({})
    """Subject of the worst finding, for squares with findings."""
    has_strength = BooleanProperty(True)
    """Whether its sensors measure the strength of a magnet; switches do not."""

    SHOWN: tuple[str, ...] = ("sensors", "marks", "has_strength", "put", "expected", "chosen")

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self._cells = [InstructionGroup() for _ in SQUARES]
        self._drawn: dict[Square, object] = {}
        """State drawn for each cell: a live picture changes in few cells at a time."""
        self._frame = InstructionGroup()
        for group in (*self._cells, self._frame):
            self.canvas.add(group)

    def _draw(self, *_args: object) -> None:
        for square in SQUARES:
            sensor, sign = self.sensors.get(square), self.marks.get(square)
            ghost = self._ghost(square)
            seen = sensor and (sensor.shows, sensor.strength)
            shown = (
                seen,
                sign,
                ghost,
                self.has_strength,
                self.grid.corner(square),
                self.grid.step,
                ZOOM.scale,
            )
            if self._drawn.get(square) != shown:
                self._drawn[square] = shown
                self._draw_cell(square, sensor, sign)
        self._frame.clear()
        if self.chosen is not None:
            frame = Pen(self._frame, *self.grid.corner(self.chosen), self.grid.step)
            frame.colour(theme.TEXT)
            frame.line((4, 4), (96, 4), (96, 96), (4, 96), width=7, close=True)

    def _draw_cell(self, square: Square, sensor: Sensor | None, sign: str | None) -> None:
        cell = self._cells[square]
        cell.clear()
        if sensor:
            self._draw_sensor(cell, square, sensor)
        else:
            self._write_in_the_middle(cell, square, "–")
        if sign:
            (x, y), size = self.grid.corner(square), round(SIGN * self.grid.step)
            draw_sign(
                Pen(cell, x + self.grid.step - size - 1, y + self.grid.step - size - 1, size), sign
            )

    def _draw_sensor(self, cell: InstructionGroup, square: Square, sensor: Sensor) -> None:
        (x, y), step = self.grid.corner(square), self.grid.step
        size = round(PIECE * step)
        # The sign needs the right part of the square.
        left = x + (1 if square in self.marks else (step - size) / 2)
        bottom = y + step - size - 1 if self.has_strength else y + (step - size) / 2
        cell.add(Color(1, 1, 1, 1))
        if sensor.shows is not Sensed.EMPTY:
            stamp_piece(cell, sensor.shows.side, left, bottom, size)
        elif ghost := self._ghost(square):
            stamp_ghost(cell, ghost, left, bottom, size)
        elif self.has_strength and square not in self.marks:
            self._write_in_the_middle(cell, square, strength_text(sensor))
            return
        if self.has_strength:
            text = strength_text(sensor)
            write(cell, text, x + step / 2, y + 11, theme.TEXT, widest=step - 4)

    def _ghost(self, square: Square) -> Side | None:
        """The side of the piece that is missing on a square."""
        return self.expected.at(square).side if int(self.put) >> square & 1 else None

    def _write_in_the_middle(self, cell: InstructionGroup, square: Square, text: str) -> None:
        if LAKES >> square & 1:  # no waves behind a number
            plate = Pen(cell, *self.grid.corner(square), self.grid.step)
            plate.colour(theme.LAKE)
            plate.box(10, 26, 80, 50)
        write(cell, text, *self.grid.centre(square), theme.QUIET)


def strength_text(sensor: Sensor) -> str:
    """Deflection of a sensor from rest in per cent, and its direction."""
    return f"{sensor.strength:+d}".replace("-", "−") if sensor.strength else "0"
