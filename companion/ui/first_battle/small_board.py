"""Draws a small board, on which the player moves a piece by dragging or by tapping."""

import math
from typing import Final

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, PopMatrix, PushMatrix, Translate
from kivy.input.motionevent import MotionEvent
from kivy.properties import ObjectProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.ui.drawing import theme
from companion.ui.drawing.hidpi_text import HidpiText
from companion.ui.drawing.rank_symbol import draw_small, number
from companion.ui.drawing.texture_cache import draw_board, draw_cached_piece
from companion.ui.drawing.vector_pen import Pen, Point, write
from companion.ui.first_battle.lessons import (
    COLUMNS_SHOWN,
    ROWS_SHOWN,
    SHOWN_SQUARES,
    TOP_ROW,
    LessonPiece,
)
from engine.board.geometry import WIDTH, Side, Square
from engine.board.ranks import Rank

_SLIP: Final = 12
"""Maximum finger movement during a tap, in pixels. A longer movement begins a drag. The simulated
board has the same limit."""
_PIECE: Final = 0.9
"""Size of a piece, as a fraction of a square's side."""
_CARRIED: Final = 1.15
"""Size of a dragged piece, as a fraction of a square's side."""


class LessonSquare(ButtonBehavior, Widget):
    """The touch target of a square, which can have keyboard focus like a button."""

    def __init__(self, square: Square) -> None:
        super().__init__(min_state_time=0, size_hint=(None, None))
        self.square = square


class SmallBoard(HidpiText, FloatLayout):
    """Part of the board with its pieces. Dispatches `on_attempt` with source and target.

    The player drags a piece to its target, or taps the piece and then the target.
    """

    pieces = ObjectProperty({})
    hinted = ObjectProperty(None, allownone=True)
    """Square of the piece to move in this step, or None."""
    goal = ObjectProperty(None, allownone=True)
    """Square of the piece to attack, or None."""
    chosen = ObjectProperty(None, allownone=True)
    """Square of the tapped piece, or None."""

    __events__ = ("on_attempt",)

    def __init__(self, **kwargs: object) -> None:
        self._finger: Point | None = None
        """Position of the finger dragging a piece, or None."""
        self._held: Square | None = None
        """Square on which a finger has come down, or None."""
        self._wood, self._figures = InstructionGroup(), InstructionGroup()
        super().__init__(**kwargs)
        self.canvas.before.add(self._wood)
        self.canvas.after.add(self._figures)
        for square in SHOWN_SQUARES:
            button = LessonSquare(square)
            button.bind(on_release=lambda button: self._tap(button.square))
            self.add_widget(button)
        self._redraw = Clock.create_trigger(self._draw, -1)
        for name in ("pieces", "hinted", "goal", "chosen"):
            self.fbind(name, self._redraw)
        for name in ("pos", "size"):
            self.fbind(name, self._place)

    def on_attempt(self, source: Square, target: Square) -> None:
        pass

    def sharpen(self) -> None:
        self._place()

    @property
    def step(self) -> int:
        """Length of a square's side in pixels."""
        return int(min(self.width / COLUMNS_SHOWN, self.height / ROWS_SHOWN))

    def corner(self, square: Square) -> Point:
        row, column = divmod(square, WIDTH)
        left = self.x + (self.width - COLUMNS_SHOWN * self.step) // 2
        bottom = self.y + (self.height - ROWS_SHOWN * self.step) // 2
        return left + column * self.step, bottom + (row - TOP_ROW + ROWS_SHOWN - 1) * self.step

    def centre(self, square: Square) -> Point:
        x, y = self.corner(square)
        return x + self.step / 2, y + self.step / 2

    # Touches

    def on_touch_down(self, touch: MotionEvent) -> bool:
        if self.disabled or not self.collide_point(*touch.pos):
            return False
        touch.grab(self)
        self._held = self._square_at(*touch.pos)
        return bool(super().on_touch_down(touch))

    def on_touch_move(self, touch: MotionEvent) -> bool:
        if touch.grab_current is not self:
            return bool(super().on_touch_move(touch))
        if self._finger or math.dist(touch.pos, touch.opos) > _SLIP:
            self._finger = touch.pos
            self._redraw()
        return True

    def on_touch_up(self, touch: MotionEvent) -> bool:
        if touch.grab_current is not self:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        source, is_carried = self._held, self._finger is not None
        self._held = self._finger = None
        self._redraw()
        if is_carried and source in self.pieces:
            self._send(source, self._square_at(*touch.pos))
        return True

    def _tap(self, square: Square) -> None:
        if self._finger:
            return
        if self.chosen is None or self._is_own(square):
            self.chosen = square if square in self.pieces and square != self.chosen else None
        else:
            self._send(self.chosen, square)

    def _is_own(self, square: Square) -> bool:
        piece: LessonPiece | None = self.pieces.get(square)
        return piece is not None and piece.side is Side.RED

    def _send(self, source: Square | None, target: Square | None) -> None:
        self.chosen = None
        if target not in (None, source):
            self.dispatch("on_attempt", source, target)

    def _square_at(self, x: float, y: float) -> Square | None:
        for square in SHOWN_SQUARES:
            left, bottom = self.corner(square)
            if 0 <= x - left < self.step and 0 <= y - bottom < self.step:
                return square
        return None

    # Drawing

    def _place(self, *_args: object) -> None:
        for button in self.children:
            button.pos, button.size = self.corner(button.square), (self.step, self.step)
        self._wood.clear()
        self._wood.add(PushMatrix())
        self._wood.add(Translate(*self.corner(0)))
        draw_board(self._wood, self.step, sorted(SHOWN_SQUARES))
        self._wood.add(PopMatrix())
        self._redraw()

    def _draw(self, *_args: object) -> None:
        self._figures.clear()
        carried = self._held if self._finger else None
        for square in (self.hinted, self.goal):
            if square is not None:
                self._draw_frame(square, theme.GLOW, 4)
        if self.chosen is not None:
            self._draw_frame(self.chosen, theme.MARK, 7)
        inset = (1 - _PIECE) / 2 * self.step
        for square, piece in self.pieces.items():
            if square != carried:
                x, y = self.corner(square)
                self._draw_piece(piece, x + inset, y + inset, _PIECE * self.step)
        if self._finger and carried in self.pieces:
            size = _CARRIED * self.step
            x, y = self._finger
            self._draw_piece(self.pieces[carried], x - size / 2, y - size / 2, size)

    def _draw_frame(self, square: Square, colour: theme.Colour, width: float) -> None:
        pen = Pen(self._figures, *self.corner(square), self.step)
        for tone, thick in ((theme.SHADE, width + 3), (colour, width)):
            pen.colour(tone)
            pen.line((4, 4), (96, 4), (96, 96), (4, 96), width=thick, close=True)

    def _draw_piece(self, piece: LessonPiece, x: float, y: float, size: float) -> None:
        self._figures.add(Color(1, 1, 1, 1))
        draw_cached_piece(self._figures, piece.side, x, y, size)
        if piece.side is Side.RED or piece.is_revealed:
            self._draw_sign(piece.rank, x, y, size)

    def _draw_sign(self, rank: Rank, x: float, y: float, size: float) -> None:
        """Draw the symbol of a rank, larger than in a picture of the whole board."""
        plate = Pen(self._figures, x, y, size)
        plate.colour(theme.SHADE)
        plate.box(20, 18, 60, 56, 14)
        sign, middle, height = number(rank), x + size / 2, y + size * 0.46
        if sign:
            write(self._figures, sign, middle, height, theme.MARK, bold=True, size=theme.HEAD)
            return
        pen = Pen(self._figures, middle - size * 0.23, height - size * 0.23, size * 0.46)
        pen.colour(theme.MARK)
        draw_small(pen, rank)
