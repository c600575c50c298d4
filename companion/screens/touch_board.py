"""The simulated board beside the screen: here the screen is the board, and a finger is a hand.

It knows no rules. A piece is lifted where it is touched and set down where it is let go: on an
empty square; on an opposing piece, which then lies beside the board; or beside the board itself.
A person who plays both sides on one screen sees a side's ranks only while holding its button.
"""

from dataclasses import dataclass

from kivy.clock import Clock
from kivy.graphics import Color
from kivy.input.motionevent import MotionEvent
from kivy.properties import BooleanProperty, ListProperty, ObjectProperty
from kivy.uix.floatlayout import FloatLayout

from companion.screens.base.board_host import BoardHost
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.label import draw_label
from companion.screens.widgets.stamp import stamp_piece
from companion.simulator.dealing import deal
from companion.store.session import Session
from engine.play.moment import Phase
from engine.rulebook.editions import DEFAULT
from engine.sides import Side
from engine.squares import SQUARES, Square, squares_in
from firmware_bridge.image import Image
from firmware_bridge.virtual.board import Piece, VirtualBoard
from firmware_bridge.wire import LearnStep

TRAY = 40
"""The width of the tray at each side of the board."""


@dataclass
class Held:
    """A piece in a hand."""

    piece: Piece
    origin: Square | None
    """Where it was lifted, None if it lay beside the board."""
    x: float
    y: float


class TouchBoard(FloatLayout):
    """A board to play on with the mouse."""

    shown = ListProperty()
    """The sides whose ranks can be seen, as long as their button is held."""
    image = ObjectProperty(Image())
    can_set_up = BooleanProperty(False)
    """Not in a game: one touch would sweep it off the board."""
    can_clear = BooleanProperty(False)
    """Whether a calibration wants the board to be empty."""
    inviting = BooleanProperty(False)
    """Whether all that is missing is somebody who sets the pieces up, or takes them off."""

    def __init__(self, host: BoardHost, board: VirtualBoard) -> None:
        self._host, self._board = host, board
        self._held: dict[int, Held] = {}
        self._tray: dict[Side, list[Piece]] = {side: [] for side in Side}
        self._game: Session | None = None
        self._was_calibrating = False
        super().__init__()
        self._redraw = Clock.create_trigger(self._draw, -1)
        self.bind(pos=self._redraw, size=self._redraw, shown=self._redraw)
        self.tick()

    def tick(self) -> None:
        """Show what stands on the board; set it up if a game is taken up that stands nowhere."""
        if self._game is not self._host.session:
            self._leave_setup()
            self._game = self._host.session
            self._take_up()
        step = self._host.calibrating
        if self._was_calibrating and step is None:
            self.clear()  # a kept game finds its own pieces again
        self._was_calibrating = step is not None
        image = self._board.image()
        table = self._host.table
        setting_up = table is not None and table.view.phase is Phase.SETUP
        self.can_set_up = setting_up or step is LearnStep.ARMIES
        self.can_clear = step is LearnStep.EMPTY and bool(image.occupied)
        self.inviting = self.can_clear or (self.can_set_up and not image.occupied)
        if image != self.image:
            self.image = image
            self._redraw()

    def set_up(self) -> None:
        """Stand both armies in their rows, with ranks dealt anew."""
        self.clear()
        table = self._host.table
        army = (table.view.edition if table else DEFAULT).army
        for side in Side:
            for square, rank in deal(army, side, self._host.seed).items():
                self._board.stand(side, square, rank.symbol)
        self.tick()

    def clear(self) -> None:
        """Take all pieces away."""
        for square in SQUARES:
            if self._board.at(square):
                self._board.take_away(square)
        for pieces in self._tray.values():
            pieces.clear()

    def show(self, side: str, *, on: bool) -> None:
        """Show a side's ranks, or hide them again."""
        others = [shown for shown in self.shown if shown is not Side(side)]
        self.shown = [*others, Side(side)] if on else others

    # Hands

    def on_touch_down(self, touch: MotionEvent) -> bool:
        if super().on_touch_down(touch):
            return True
        if not self.collide_point(*touch.pos):
            return False
        held = self._pick_up(*touch.pos)
        if held:
            touch.grab(self)
            self._held[touch.uid] = held
            self._redraw()
        return True

    def on_touch_move(self, touch: MotionEvent) -> bool:
        if touch.grab_current is not self:
            return bool(super().on_touch_move(touch))
        held = self._held[touch.uid]
        held.x, held.y = touch.pos
        self._redraw()
        return True

    def on_touch_up(self, touch: MotionEvent) -> bool:
        if touch.grab_current is not self:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        self._put_down(self._held.pop(touch.uid), *touch.pos)
        self.tick()
        self._redraw()
        return True

    def _pick_up(self, x: float, y: float) -> Held | None:
        square = self._square_at(x, y)
        if square is not None:
            if self._board.at(square) is None:
                return None
            return Held(self._board.lift(square), square, x, y)
        for side in Side:
            for piece, (left, bottom) in reversed(list(self._places(side))):
                if left <= x <= left + TRAY and bottom <= y <= bottom + TRAY:
                    self._tray[side].remove(piece)
                    return Held(piece, None, x, y)
        return None

    def _put_down(self, held: Held, x: float, y: float) -> None:
        square = self._square_at(x, y)
        if square is None:
            self._tray[held.piece.side].append(held.piece)
            return
        standing = self._board.at(square)
        if standing is None:
            self._board.place(held.piece, square)
        elif standing.side is not held.piece.side:
            self._tray[standing.side].append(self._board.lift(square))
            self._board.place(held.piece, square)
        elif held.origin is not None and self._board.at(held.origin) is None:
            self._board.place(held.piece, held.origin)
        else:
            self._tray[held.piece.side].append(held.piece)

    def _square_at(self, x: float, y: float) -> Square | None:
        """The square under a point, None beside the board."""
        picture = self.ids.board
        left, bottom = picture.corner(SQUARES[0])
        across = picture.step * 10
        if left <= x < left + across and bottom <= y < bottom + across:
            square: Square = picture.square_at(x, y)
            return square
        return None

    # Standing pieces

    def _leave_setup(self) -> None:
        """Who goes back from setting up finds the pieces of the kept game where it stopped."""
        if self._game and self._game.table.view.phase is Phase.SETUP:
            self.clear()

    def _take_up(self) -> None:
        """A game taken up after a restart finds an empty board; let it stand as it should."""
        table = self._host.table
        if table is None or table.view.phase is Phase.SETUP or self._board.image().occupied:
            return
        board = table.view.board
        for side in Side:
            ranks = self._host.deal_again(side)
            for square in squares_in(board.of(side)):
                rank = ranks[board.piece_at(square)]
                self._board.stand(side, square, rank.symbol)

    # The picture

    def _places(self, side: Side) -> list[tuple[Piece, tuple[float, float]]]:
        """Where the pieces of a side lie beside the board, from the bottom up."""
        pieces = self._tray[side]
        picture = self.ids.board
        left = self.x if side is Side.RED else self.right - TRAY
        step = min(TRAY, (picture.height - TRAY) / max(1, len(pieces) - 1))
        return [(piece, (left, picture.y + n * step)) for n, piece in enumerate(pieces)]

    def _draw(self, *_args: object) -> None:
        canvas = self.canvas.after
        canvas.clear()
        picture = self.ids.board
        for square in SQUARES:
            piece = self._board.at(square)
            if piece and piece.side in self.shown:
                x, y = picture.corner(square)
                self._draw_label(piece, x, y, picture.step)
        for side in Side:
            for piece, (left, bottom) in self._places(side):
                self._draw_piece(piece, left, bottom, TRAY)
        for held in self._held.values():
            size = picture.step * 1.25
            self._draw_piece(held.piece, held.x - size / 2, held.y - size / 2, size)

    def _draw_piece(self, piece: Piece, x: float, y: float, size: float) -> None:
        self.canvas.after.add(Color(1, 1, 1, 1))
        stamp_piece(self.canvas.after, piece.side, x, y, size)
        if piece.side in self.shown:
            self._draw_label(piece, x, y, size)

    def _draw_label(self, piece: Piece, x: float, y: float, size: float) -> None:
        draw_label(self.canvas.after, piece.label, x, y, size)


load_kv(__file__)
