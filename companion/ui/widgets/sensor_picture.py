"""Sensor pictures for the sensor check and the calibration, and a list of findings."""

from collections.abc import Sequence
from typing import Final

from kivy.graphics import Color, InstructionGroup
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.diagnostics.board_monitor import Sensor
from companion.diagnostics.report import Finding
from companion.ui.drawing import theme
from companion.ui.drawing.hidpi_text import ZOOM
from companion.ui.drawing.signs import draw_sign
from companion.ui.drawing.texture_cache import draw_cached_ghost, draw_cached_piece
from companion.ui.drawing.vector_pen import Pen, write
from companion.ui.widgets.board_picture import BoardPicture
from companion.ui.widgets.buttons import load_kv
from engine.board.geometry import LAKES, SQUARES, Side, Square, squares_in
from firmware_bridge.image import Sensed

PIECE: Final = 0.6
"""Size of a piece, as a fraction of a square's side. It leaves room for the number below the
piece."""
SIGN: Final = 0.4


class SensorPicture(BoardPicture):
    """A live display of the piece, the field strength and the findings on each square.

    Squares without data show a dash.
    """

    sensors = ObjectProperty({})
    marks = ObjectProperty({})
    """For each square with findings, the subject of the worst one."""
    has_strength = BooleanProperty(True)
    """Whether the sensors measure a magnet's strength. Switches do not."""

    SHOWN: tuple[str, ...] = ("sensors", "marks", "has_strength", "put", "expected", "chosen")

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self._cells = [InstructionGroup() for _ in SQUARES]
        self._drawn: dict[Square, object] = {}
        """State drawn in each cell. Only cells that have changed are redrawn, usually just a few at
        a time."""
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
        # The right part of the square is reserved for the icon.
        left = x + (1 if square in self.marks else (step - size) / 2)
        bottom = y + step - size - 1 if self.has_strength else y + (step - size) / 2
        cell.add(Color(1, 1, 1, 1))
        if sensor.shows is not Sensed.EMPTY:
            draw_cached_piece(cell, sensor.shows.side, left, bottom, size)
        elif ghost := self._ghost(square):
            draw_cached_ghost(cell, ghost, left, bottom, size)
        elif self.has_strength and square not in self.marks:
            self._write_in_the_middle(cell, square, strength_text(sensor))
            return
        if self.has_strength:
            text = strength_text(sensor)
            write(cell, text, x + step / 2, y + 11, theme.TEXT, widest=step - 4)

    def _ghost(self, square: Square) -> Side | None:
        """Return the side of the piece that is missing from a square, or None."""
        return self.expected.at(square).side if int(self.put) >> square & 1 else None

    def _write_in_the_middle(self, cell: InstructionGroup, square: Square, text: str) -> None:
        if LAKES >> square & 1:  # cover the lake's waves behind the number
            plate = Pen(cell, *self.grid.corner(square), self.grid.step)
            plate.colour(theme.LAKE)
            plate.box(10, 26, 80, 50)
        write(cell, text, *self.grid.centre(square), theme.TEXT_SECONDARY)


def strength_text(sensor: Sensor) -> str:
    """Return a sensor's deflection from its resting level, as a signed percentage."""
    return f"{sensor.strength:+d}".replace("-", "−") if sensor.strength else "0"


CALIBRATION_SIGN = 0.5
"""Size of an icon, as a fraction of a square's side."""


class CalibrationPicture(BoardPicture):
    """The board during calibration: measured, pending and rejected squares."""

    awaited = NumericProperty(0)
    """Squares whose piece still has to be placed."""
    marks = ObjectProperty({})
    """For each square with findings, the subject of the worst one."""

    SHOWN: tuple[str, ...] = ("image", "awaited", "marks")

    def _draw(self, *_args: object) -> None:
        super()._draw()
        self.canvas.add(Color(1, 1, 1, 1))
        for square in squares_in(int(self.awaited)):
            side = Side.RED if Side.RED.home >> square & 1 else Side.BLUE
            draw_cached_ghost(self.canvas, side, *self.grid.corner(square), self.grid.step)
        size = round(CALIBRATION_SIGN * self.grid.step)
        for square, about in self.marks.items():
            x, y = self.grid.corner(square)
            draw_sign(
                Pen(self.canvas, x + self.grid.step - size, y + self.grid.step - size, size), about
            )


class FindingRow(BoxLayout):
    """A row that shows one finding."""

    about = StringProperty()
    text = StringProperty()


class FindingList(BoxLayout):
    """A list of all findings, as tall as its content. Put it into a scroll view."""

    def fill(self, found: Sequence[Finding]) -> None:
        """Show these findings. Existing rows are kept, so that nothing moves under a finger."""
        for row in self.children[: max(0, len(self.children) - len(found))]:
            self.remove_widget(row)
        while len(self.children) < len(found):
            self.add_widget(FindingRow())
        for row, finding in zip(reversed(self.children), found, strict=True):
            row.about, row.text = finding.about, finding.text


load_kv(__file__)
