"""Widgets for setting up an army: squares, box slots, and the setup progress."""

from kivy.clock import Clock
from kivy.graphics import Color
from kivy.properties import (
    AliasProperty,
    BooleanProperty,
    NumericProperty,
    ObjectProperty,
    StringProperty,
)
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.setups.setup import ROWS, Setup
from companion.ui.drawing import theme
from companion.ui.drawing.signs import draw_portrait_label
from companion.ui.drawing.texture_cache import draw_cached_piece
from companion.ui.drawing.translator import _
from companion.ui.drawing.vector_pen import Pen, write
from companion.ui.widgets.buttons import load_kv
from engine.board.geometry import WIDTH, Side
from engine.board.ranks import Rank

_PIECE = 0.9


class SpotFace(Widget):
    """Draws a square or a box slot: the wood, and the piece with its rank."""

    side = ObjectProperty(Side.RED)
    rank = ObjectProperty(None, allownone=True)
    square = ObjectProperty(None, allownone=True)
    """The square as seen from Red's side, or None for a box slot."""
    chosen = BooleanProperty(False)

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        # Laying out sixty squares and slots takes many steps, so drawing waits until the last step.
        self._draw_soon = Clock.create_trigger(self._draw, -1)
        for name in ("pos", "size", "side", "rank", "square", "chosen"):
            self.fbind(name, self._draw_soon)
        self._draw_soon()

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        pen = Pen(self.canvas, self.x, self.y, self.width)
        self._draw_ground(pen)
        if self.rank is not None:
            self._draw_piece(self.rank)
        if self.chosen:
            for colour, width in ((theme.SHADE, 14), (theme.MARK, 7)):
                pen.colour(colour)
                pen.line((6, 6), (94, 6), (94, 94), (6, 94), width=width, close=True)

    def _draw_ground(self, pen: Pen) -> None:
        row, column = divmod(self.square, WIDTH)
        pen.colour(theme.WOOD if (row + column) % 2 else theme.WOOD_DARK)
        pen.box(0, 0, 100, 100)

    def _draw_piece(self, rank: Rank) -> None:
        size = self.width * _PIECE
        x, y = self.x + (self.width - size) / 2, self.y + (self.height - size) / 2
        self.canvas.add(Color(1, 1, 1, 1))
        draw_cached_piece(self.canvas, self.side, x, y, size)
        draw_portrait_label(self.canvas, rank, x, y, size)


class SetupSquare(ButtonBehavior, SpotFace):
    """A square in an army's rows, as a button."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(min_state_time=0, **kwargs)  # otherwise, Kivy uses its own setting

    @property
    def has_piece(self) -> bool:
        """Whether there is a piece that can be moved."""
        return self.rank is not None


class BoxSquare(SetupSquare):
    """The box slot for one rank, with the number of pieces not yet on the board."""

    count = NumericProperty(0)

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.fbind("count", self._draw_soon)

    @property
    def has_piece(self) -> bool:
        return bool(self.count > 0)

    def _draw_ground(self, pen: Pen) -> None:
        pen.colour(theme.SURFACE if self.count else theme.BACKGROUND)
        pen.box(0, 0, 100, 100, 14)
        pen.colour(theme.EDGE)
        pen.line((3, 3), (97, 3), (97, 97), (3, 97), width=2, close=True)

    def _draw_piece(self, rank: Rank) -> None:
        size = self.width * 0.78
        if self.count > 0:
            self.canvas.add(Color(1, 1, 1, 1))
            draw_cached_piece(self.canvas, self.side, self.x + 3, self.top - size - 3, size)
        draw_portrait_label(self.canvas, rank, self.x + 3, self.top - size - 3, size)
        colour = theme.TEXT if self.count else theme.TEXT_SECONDARY
        write(self.canvas, str(self.count), self.right - 12, self.y + 12, colour, bold=True)


class SetupRows(GridLayout):
    """The four rows of an army, as seen by its owner."""

    side = ObjectProperty(Side.RED)
    setup = ObjectProperty(Setup())
    step = NumericProperty(64)
    """Length of a square's side."""
    kind = SpotFace

    def __init__(self, **kwargs: object) -> None:
        super().__init__(cols=WIDTH, size_hint=(None, None), **kwargs)
        self._faces = {}
        for row in reversed(range(ROWS)):
            for square in range(WIDTH * row, WIDTH * (row + 1)):
                face = self.kind(square=square, side=self.side)
                self._faces[square] = face
                self.add_widget(face)
        self.bind(step=self._resize, setup=self._show, side=self._show)
        self._resize()
        self._show()

    def spot(self, square: int) -> SpotFace:
        """Return the widget for a square in Red's rows. For Blue, the rows are rotated."""
        return self._faces[square]

    def _resize(self, *_args: object) -> None:
        self.size = WIDTH * self.step, ROWS * self.step

    def _show(self, *_args: object) -> None:
        for square, face in self._faces.items():
            face.side, face.rank = self.side, self.setup.ranks.get(square)


class TouchRows(SetupRows):
    """The four rows, with squares as buttons."""

    kind = SetupSquare


class ArmySetup(BoxLayout):
    """The piece count of an army, and the button that reports the army ready."""

    side = ObjectProperty(None, allownone=True)
    player = StringProperty()
    """Name of this army's player, or an empty string."""
    count = NumericProperty(0)
    army = NumericProperty(40)
    is_ready = BooleanProperty(False)
    blocked = BooleanProperty(True)
    is_sealed = BooleanProperty(False)
    """Whether the referee has received this army's commitments."""
    lacks_seal = BooleanProperty(False)
    """Whether the army's commitments are still to be made."""
    plays_itself = BooleanProperty(False)
    """Whether the army is played by the computer. If so, it has no button."""
    actions_height = NumericProperty(0)
    """Height of the row with the button, below the progress line."""

    __events__ = ("on_ready",)

    def on_ready(self) -> None:
        pass

    def _name(self) -> str:
        return self.player or (_.language.side(self.side) if self.side else "")

    def _ready_text(self) -> str:
        if self.is_ready:
            return _("{name} is ready", name=self.name)
        if self.lacks_seal and not self.blocked:
            return _("Ready when sealed")
        return _("Ready when complete") if self.blocked and not theme.LARGE else _("Ready")

    def _counted(self) -> str:
        if self.count > self.army:
            over = self.count - self.army
            return _.plural("{count} piece too many", "{count} pieces too many", over)
        if self.is_sealed and self.count == self.army:
            return _("Sealed")
        return _("{count} of {army}", count=self.count, army=self.army)

    counted = AliasProperty(_counted, bind=["count", "army", "is_sealed"])
    name = AliasProperty(_name, bind=["side", "player"])
    ready_text = AliasProperty(_ready_text, bind=["name", "is_ready", "blocked", "lacks_seal"])


load_kv(__file__)
