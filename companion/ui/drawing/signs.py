"""Draws symbols for sides, ranks and findings about the board, and the wax seal."""

from typing import Final

from kivy.graphics import Canvas, Color, InstructionGroup
from kivy.properties import ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.widget import Widget

from companion.session.tabletop import Tabletop
from companion.ui.drawing import theme
from companion.ui.drawing.rank_symbol import draw_portrait, draw_small, number
from companion.ui.drawing.shown import Shown
from companion.ui.drawing.texture_cache import draw_cached_piece
from companion.ui.drawing.vector_pen import Pen, Point, write
from engine.board.geometry import Side
from engine.board.ranks import SYMBOLS, Rank

LEAST: Final = 20
"""Minimum size of a symbol in pixels. A smaller one would not be recognizable."""


class SideSign(Shown, Widget):
    """A side's symbol, as large as possible, for example beside a clock or a button."""

    side = ObjectProperty(None, allownone=True)

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.bind(pos=self._draw, size=self._draw, side=self._draw)
        self._draw()

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        size = min(self.size)
        if self.side is not None and size >= LEAST:
            # Kivy's own centre may be out of date.
            left, bottom = self.x + (self.width - size) / 2, self.y + (self.height - size) / 2
            self.draw_sign(left, bottom, size)

    def draw_sign(self, left: float, bottom: float, size: float) -> None:
        """Draw the side's symbol in a square of this size."""
        self.canvas.add(Color(1, 1, 1, 1))
        draw_cached_piece(self.canvas, self.side, left, bottom, size)


class Eye(ButtonBehavior, SideSign):
    """A side's symbol with an eye at its corner. Touching the eye shows the side's ranks.

    The eye appears if two players share a simulated board; otherwise only the symbol is shown.
    """

    tabletop = ObjectProperty(None, allownone=True)
    """The simulated board whose ranks are shown, or None if there are no ranks to show."""

    def __init__(self, **kwargs: object) -> None:
        self._badge = InstructionGroup()
        self._open: tuple[Tabletop, Side] | None = None
        """The board and side whose ranks are being shown, or None."""
        # Hide the ranks as soon as the finger is lifted. By default, Kivy would wait for a minimum
        # time.
        super().__init__(min_state_time=0, **kwargs)
        self.canvas.after.add(self._badge)
        for name in ("pos", "size", "tabletop", "side", "state"):
            self.fbind(name, self._draw_badge)
        self._draw_badge()

        for name in ("tabletop", "side", "parent"):
            self.fbind(name, self.close)

    def on_state(self, _eye: object, state: str) -> None:
        if self._open:
            tabletop, side = self._open
            self._open = None
            tabletop.peek(side, on=False)
        if state == "down" and self.tabletop and self.side:
            self._open = self.tabletop, self.side
            self.tabletop.peek(self.side, on=True)

    def close(self, *_args: object) -> None:
        """Hide the ranks, even if the finger stays down. Only a new touch shows them again."""
        self.state = "normal"

    def _draw_badge(self, *_args: object) -> None:
        self._badge.clear()
        self.disabled = self.tabletop is None or self.side is None
        if self.disabled or not self.width:
            return
        pen = Pen(self._badge, self.right - 30, self.y, 34)
        pen.colour(theme.MARK if self.state == "down" else theme.SHADE)
        pen.disc(50, 50, 50)
        pen.colour(theme.SHADE if self.state == "down" else theme.MARK)
        pen.line((14, 50), (32, 68), (50, 74), (68, 68), (86, 50), width=8)
        pen.line((14, 50), (32, 32), (50, 26), (68, 32), (86, 50), width=8)
        pen.disc(50, 50, 15)


# Wax seal.

_DENTS: Final = ((50, 96), (92, 74), (97, 34), (66, 4), (22, 8), (3, 44), (14, 84))
"""Positions of the bulges on the wax rim."""
_SIGN: Final = 0.46
"""Size of the symbol, as a fraction of the seal's size."""


class WaxSign(SideSign):
    """A small seal in a side's colour, which marks a sealed army."""

    def draw_sign(self, left: float, bottom: float, size: float) -> None:
        draw_wax(self.canvas, self.side, left, bottom, size)


def draw_wax(canvas: Canvas, side: Side, left: float, bottom: float, size: float) -> None:
    red, green, blue, _alpha = theme.SIDE_MARKS[side]
    pen = Pen(canvas, left, bottom, size)
    pen.colour((0, 0, 0, 0.45))
    pen.disc(52, 46, 54)
    for share in (0.42, 0.55):
        pen.colour((red * share, green * share, blue * share, 1))
        shrink = 0 if share == 0.42 else 4
        for x, y in _DENTS:
            pen.disc(x, y, 13 - shrink)
        pen.disc(50, 50, 50 - shrink)
    pen.colour((red * 0.42, green * 0.42, blue * 0.42, 1))
    pen.ring(50, 50, 36, 3)
    canvas.add(Color(1, 1, 1, 1))
    sign = _SIGN * size
    middle = (size - sign) / 2
    draw_cached_piece(canvas, side, left + middle, bottom + middle, sign)


# Each type of finding about the board has an icon with a distinct shape.

_ALERT: Final = (((50, 80), (50, 44)), ((50, 24), (50, 18)))
_CROSS: Final = (((26, 26), (74, 74)), ((26, 74), (74, 26)))
_STROKES: Final[dict[str, tuple[tuple[Point, ...], ...]]] = {
    "readings": _CROSS,
    "multiplexer": _CROSS,
    "stuck": _CROSS,
    # an empty frame
    "unfelt": (((27, 27), (73, 27), (73, 73), (27, 73), (27, 27)),),
    # one arrow up and one down
    "flipped": (
        ((32, 22), (32, 76)),
        ((18, 60), (32, 76), (46, 60)),
        ((68, 78), (68, 24)),
        ((54, 40), (68, 24), (82, 40)),
    ),
    # an arrowhead that points down
    "weak": (((26, 64), (50, 36), (74, 64)),),
    # a plus sign: there is one piece too many
    "strange": (((50, 22), (50, 78)), ((22, 50), (78, 50))),
    # a "not equal" sign
    "off-rest": (((22, 61), (78, 61)), ((22, 39), (78, 39)), ((36, 20), (64, 80))),
    # a zigzag
    "noise": (((16, 40), (33, 68), (50, 32), (67, 68), (84, 40)),),
}


def draw_sign(pen: Pen, about: str) -> None:
    """Draw the icon for a type of finding. All findings about the whole board share one icon."""
    pen.colour(theme.TEXT)
    pen.box(0, 0, 100, 100, 24)
    pen.colour(theme.ON_ACCENT)
    for stroke in _STROKES.get(about, _ALERT):
        pen.line(*stroke, width=13)


class FindingSign(Widget):
    """The icon for a finding, shown beside its text."""

    about = StringProperty()

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.bind(pos=self._draw, size=self._draw, about=self._draw)

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        draw_sign(Pen(self.canvas, self.x, self.y, min(self.size)), self.about)


# Ranks on pieces.


def draw_label(canvas: Canvas, label: str, x: float, y: float, size: float) -> None:
    """Draw a rank's symbol on a backing plate that makes it legible on a piece of this size."""
    plate = Pen(canvas, x, y, size)
    plate.colour(theme.SHADE)
    plate.box(20, 22, 60, 50, 14)
    rank = SYMBOLS.get(label)
    if rank is None:
        write(canvas, label, x + size / 2, y + size * 0.47, theme.MARK, bold=True)
    else:
        write_rank(canvas, rank, x + size / 2, y + size * 0.47, size * 0.42)


def draw_portrait_label(canvas: Canvas, rank: Rank, x: float, y: float, size: float) -> None:
    """Draw a rank's portrait on a piece, with a backing plate and the rank's number, if any."""
    plate = Pen(canvas, x, y, size)
    plate.colour(theme.SHADE)
    plate.box(8, 10, 84, 72, 12)
    has_number = bool(number(rank))
    left, edge = (4, 62) if has_number else (17, 66)
    portrait = Pen(canvas, x + size * left / 100, y + size * 0.14, size * edge / 100)
    portrait.colour(theme.MARK)
    draw_portrait(portrait, rank)
    if has_number:
        # The plate ends at 92 %. A number of two digits is condensed, so that it does not leave it.
        place = x + size * 0.74, y + size * 0.6
        write(canvas, number(rank), *place, theme.MARK, bold=True, widest=size * 0.36)


def write_rank(canvas: Canvas, rank: Rank | None, x: float, y: float, size: float) -> None:
    """Draw a rank at a point: its number or, if it has none, a symbol of this size."""
    if rank is None or number(rank):
        text = "?" if rank is None else number(rank)
        write(canvas, text, x, y, theme.MARK, bold=True, rimmed=True)
        return
    for colour, grow in ((theme.SHADE, 1.2), (theme.MARK, 0.9)):
        pen = Pen(canvas, x - size * grow / 2, y - size * grow / 2, size * grow)
        pen.colour(colour)
        draw_small(pen, rank)
