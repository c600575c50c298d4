"""The panel beside the board on game screens, including its parts and the clocks."""

from collections.abc import Mapping, Sequence
from typing import Final

from kivy.clock import Clock
from kivy.graphics import Color
from kivy.properties import (
    AliasProperty,
    BooleanProperty,
    ListProperty,
    NumericProperty,
    ObjectProperty,
    StringProperty,
)
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.core.state import Candidate
from companion.ui.drawing import theme
from companion.ui.drawing.hidpi_text import HidpiText
from companion.ui.drawing.rank_symbol import draw_portrait, number
from companion.ui.drawing.shown import Shown
from companion.ui.drawing.signs import LEAST
from companion.ui.drawing.texture_cache import draw_cached_piece
from companion.ui.drawing.translator import _
from companion.ui.drawing.vector_pen import Pen, write
from companion.ui.widgets.buttons import Press, load_kv
from companion.ui.widgets.captured_pieces import ORDER
from engine.board.geometry import Side
from engine.board.ranks import Rank
from engine.game.clocks import clock_text

RANK_TABLE_HEIGHT: Final = 106
"""Height of the whole table: four lines and the margins."""
_LINE: Final = 25
"""Height of a line. A portrait must be at least 24 pixels high."""
_MARGIN: Final = 3
_SIGN: Final = 20
"""Width of the column with the sides' symbols."""
_LARGE: Final = 24
"""Font size with large text. Numbers any larger would not fit side by side."""


class RankTable(Shown, HidpiText, ButtonBehavior, Widget):
    """A table of ranks and remaining pieces. Touching it opens the full rank card."""

    army = ObjectProperty({})
    """For each side, the number of pieces of each rank at the start of the game."""
    captured = ObjectProperty(None, allownone=True)

    def __init__(self, **kwargs: object) -> None:
        super().__init__(min_state_time=0, **kwargs)
        self._redraw = Clock.create_trigger(self._draw, -1)
        for name in ("pos", "size", "army", "captured", "state"):
            self.fbind(name, self._redraw)

    def sharpen(self) -> None:
        self._redraw()

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        if self.height < RANK_TABLE_HEIGHT or not self.captured:
            return
        pen = Pen(self.canvas, self.x, self.y, 100)
        pen.colour(theme.fill(pressed=self.state == "down"))
        pen.box(0, 0, self.width, RANK_TABLE_HEIGHT, 8)
        self._draw_signs()
        unknown: list[Rank | None] = [None] if self._unknown else []
        ranks = [r for r in ORDER if any(army.get(r) for army in self.army.values())]
        columns = [*ranks, *unknown]
        width = (self.width - _SIGN - 2 * _MARGIN) / len(columns)
        for place, rank in enumerate(columns):
            self._draw_column(rank, self.x + _MARGIN + _SIGN + place * width, width)

    @property
    def _unknown(self) -> int:
        """Number of captured pieces whose rank was not revealed."""
        return sum(losses.get(None, 0) for losses in self.captured.values())

    def _draw_signs(self) -> None:
        self.canvas.add(Color(1, 1, 1, 1))
        for line, side in zip((2, 3), Side, strict=True):
            bottom = self._bottom(line) + (_LINE - _SIGN) / 2
            draw_cached_piece(self.canvas, side, self.x + _MARGIN, bottom, _SIGN)

    def _bottom(self, line: int) -> float:
        """Return the y coordinate of a line's lower edge. Lines are numbered from the top."""
        return float(self.y) + RANK_TABLE_HEIGHT - _MARGIN - (line + 1) * _LINE

    def _draw_column(self, rank: Rank | None, left: float, width: float) -> None:
        if rank is not None:
            size = min(_LINE - 1, width)
            corner = left + (width - size) / 2, self._bottom(0) + (_LINE - size) / 2
            pen = Pen(self.canvas, *corner, size)
            pen.colour(theme.TEXT)
            draw_portrait(pen, rank)
        self._write("?" if rank is None else number(rank), 1, left, width, theme.TEXT)
        for line, side in zip((2, 3), Side, strict=True):
            fallen = self.captured[side].get(rank, 0)
            if rank is None:
                text, colour = (f"−{fallen}" if fallen else ""), theme.TEXT_SECONDARY
            else:
                left_over = self.army[side][rank] - fallen
                text, colour = str(left_over), theme.TEXT if left_over else theme.TEXT_SECONDARY
            self._write(text, line, left, width, colour)
            if text == "0":
                self._cross_out(line, left, width)

    def _write(self, text: str, line: int, left: float, width: float, colour: theme.Colour) -> None:
        middle = self._bottom(line) + _LINE / 2
        size = theme.choose(theme.BODY, large=_LARGE)
        if text:
            place = left + width / 2, middle
            write(self.canvas, text, *place, colour, bold=line == 1, size=size, widest=width - 2)

    def _cross_out(self, line: int, left: float, width: float) -> None:
        pen = Pen(self.canvas, left, self._bottom(line), 100)
        pen.colour(theme.TEXT)
        pen.line((3, 5), (width - 3, _LINE - 5), width=2)


_AROUND: Final = 12
"""Total padding of a button above and below its text."""


class Yielding(Shown, BoxLayout):
    """A part that gives way if more important parts need its space."""

    order = NumericProperty(0)
    """Priority: the part with the lowest number gives way first."""
    needed = NumericProperty(0)
    """Height of the full form."""
    smaller = NumericProperty(0)
    """Height of the smaller form, which is shown if the full form does not fit. 0 if there is no
    smaller form."""
    is_small = BooleanProperty(False)
    """Whether the smaller form is shown."""
    has_room = BooleanProperty(True)


class Heading(BoxLayout):
    """A side's banner, with emblem and name."""

    side = ObjectProperty(None, allownone=True)
    text = StringProperty()

    def _rim(self) -> list[float]:
        """Return the banner's outline, straight at the staff and forked at the fly end."""
        x, y, right, top = self.x, self.y, self.right, self.top
        return [x, y, right, y, right - 14, self.center_y, right, top, x, top]

    def _outline(self) -> list[float]:
        """Return the outline as vertices of a triangle fan around a point inside it."""
        rim = self._rim()
        points = [self.center_x, self.center_y, *rim, *rim[:2]]
        pairs = zip(points[::2], points[1::2], strict=True)
        return [part for x, y in pairs for part in (x, y, 0, 0)]

    rim = AliasProperty(_rim, bind=["pos", "size"])
    outline = AliasProperty(_outline, bind=["pos", "size"])


class Fallen(Yielding):
    """The captured pieces of both armies."""

    captured = ObjectProperty(None, allownone=True)
    note = StringProperty()
    army = ObjectProperty({})
    """Contents of the rank table: for each side, the number of pieces of each rank. If empty, or if
    the table does not fit, only the captured pieces are shown."""

    __events__ = ("on_table",)

    def on_table(self) -> None:
        """Dispatched when the table is touched."""


class SidePanel(BoxLayout):
    """A column without gaps for hidden parts. A `Yielding` part is shown only if it fits."""

    def do_layout(self, *_args: object) -> None:
        left, top, right, bottom = self.padding
        for child in self.children:  # the height of text depends on its width
            child.width = self.width - left - right
        there = [child for child in reversed(self.children) if least(child) or child.size_hint_y]
        there = make_room(there, self.height - top - bottom, self.spacing)
        stretched = [child for child in there if child.size_hint_y is not None]
        fixed = sum(height_of(child) for child in there if child not in stretched)
        free = self.height - top - bottom - fixed - self.spacing * (len(there) - 1)
        y = self.top - top
        for child in there:
            if child in stretched:
                child.height = max(least(child), free / len(stretched))
            y -= height_of(child)
            child.pos = self.x + left, y
            y -= self.spacing


class FootRow(Shown, BoxLayout):
    """The row of buttons at the bottom, as tall as their text requires."""

    above = ListProperty()
    """With large text, these widgets move above the others, each to a line of its own."""

    def add_widget(self, widget: Widget, *args: object, **kwargs: object) -> None:
        """Add a widget. The row becomes taller if a button's text needs more space."""
        super().add_widget(widget, *args, **kwargs)
        if isinstance(widget, Press):
            widget.fbind("texture_size", self._rise)
            widget.fbind("opacity", self._rise)
            self._rise()

    def do_layout(self, *args: object) -> None:
        """Lay out the row as usual or, with large text, below the `above` widgets."""
        if not (theme.LARGE and self.above):
            super().do_layout(*args)
            return
        y = self.top
        for lone in self._lone:
            lone.width, lone.pos = self.width, (self.x, y - lone.height)
            y = lone.y - self.spacing
        others = [each for each in reversed(self.children) if each not in self._lone]
        wide = [each for each in others if each.size_hint_x is not None]
        free = self.width - self.spacing * (len(others) - 1)
        free -= sum(each.width for each in others if each not in wide)
        x = self.x
        for each in others:
            if each in wide:
                each.width = free / len(wide)
            each.pos = x, self.y
            x = each.right + self.spacing
        if len(others) > 1:
            others[-1].right = self.right

    def on_above(self, *_args: object) -> None:
        self._rise()

    @property
    def _lone(self) -> list[Widget]:
        return [each.__self__ for each in self.above if theme.LARGE and each.opacity]

    def _rise(self, *_args: object) -> None:
        words = [each for each in self.children if isinstance(each, Press) and each.opacity]
        row = [each for each in words if each not in self._lone]
        lines = [*([each] for each in self._lone), *([row] if row else [])]
        heights = [
            max(theme.TOUCH, *(each.texture_size[1] + _AROUND for each in line)) for line in lines
        ]
        for line, height in zip(lines, heights, strict=True):
            for each in line:
                each.height = height
        if heights:
            self.height = sum(heights) + self.spacing * (len(heights) - 1)


def make_room(there: Sequence[Widget], height: float, spacing: float) -> list[Widget]:
    """Hide as many `Yielding` parts as necessary. Return the remaining parts."""
    staying = list(there)
    yielding = [child for child in staying if isinstance(child, Yielding)]
    for child in sorted(yielding, key=lambda child: float(child.order)):
        others = sum(_smallest(other) for other in staying if other is not child)
        room = height - others - spacing * (len(staying) - 1)
        child.is_small = child.smaller > 0 and child.needed > room
        child.has_room = height_of(child) <= room
        if not child.has_room:
            staying.remove(child)
    return staying


def _smallest(child: Widget) -> float:
    """Return the minimum height of a part in a column, using its smaller form if it has one."""
    return float(getattr(child, "smaller", 0)) or least(child)


def least(child: Widget) -> float:
    """Return the minimum height of a part in a column."""
    if child.size_hint_y is not None:
        return float(child.size_hint_min_y or 0)
    return height_of(child)


def height_of(child: Widget) -> float:
    """Return the height of a part. A `Yielding` part has the height of its full or smaller form."""
    if isinstance(child, Yielding):
        return float(child.smaller if child.is_small else child.needed)
    return float(child.height)


# The players' phones.

_LEFT, _RIGHT, _LOW, _HIGH = 24, 76, 2, 98
_PIECE: Final = 42
HIGH: Final = 44
"""Height of the phone symbols in the row."""


class PhoneSign(Widget):
    """A phone showing its side's piece, as large as possible.

    A disconnected phone is crossed out. If `side` is None, nothing is drawn.
    """

    side = ObjectProperty(None, allownone=True)
    here = BooleanProperty(True)

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        for name in ("pos", "size", "side", "here"):
            self.fbind(name, self._draw)
        self._draw()

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        size = min(self.size)
        if self.side is None or size < LEAST:
            return
        left, bottom = self.x + (self.width - size) / 2, self.y + (self.height - size) / 2
        pen = Pen(self.canvas, left, bottom, size)
        pen.colour(theme.TEXT)
        pen.box(_LEFT, _LOW, _RIGHT - _LEFT, _HIGH - _LOW, 9)
        pen.colour(theme.BACKGROUND)
        pen.box(_LEFT + 4, _LOW + 12, _RIGHT - _LEFT - 8, _HIGH - _LOW - 20, 2)
        self.canvas.add(Color(1, 1, 1, 1))
        edge, unit = size * _PIECE / 100, size / 100
        draw_cached_piece(
            self.canvas, self.side, left + (50 - _PIECE / 2) * unit, bottom + 32 * unit, edge
        )
        if not self.here:
            for colour, width in ((theme.BACKGROUND, 18), (theme.TEXT, 8)):
                pen.colour(colour)
                pen.line((10, 14), (90, 86), width=width)


class PhoneLine(Yielding):
    """The players' phones, side by side. They are hidden if they do not fit."""

    seats = ObjectProperty({})
    """For each side with a phone, whether the phone is connected."""

    def _needed(self) -> float:
        return HIGH if self.seats else 0

    needed = AliasProperty(_needed, bind=["seats"])

    def on_seats(self, *_args: object) -> None:
        self.clear_widgets()
        for side in Side:
            if side in self.seats:
                sign = PhoneSign(side=side, here=self.seats[side], size_hint_x=None, width=HIGH)
                self.add_widget(sign)


# Instructions for correcting the board.


class GuideLine(BoxLayout):
    """An instruction with its symbol. Continuation lines are indented to align with the text."""

    text = StringProperty()


class Instructions(Shown, BoxLayout):
    """All instructions, one line per piece. The widget is as tall as its content."""

    lines = ListProperty()

    def on_lines(self, *_args: object) -> None:
        """Show these lines. Existing rows are kept, so that nothing shifts."""
        for row in self.children[: max(0, len(self.children) - len(self.lines))]:
            self.remove_widget(row)
        while len(self.children) < len(self.lines):
            self.add_widget(GuideLine())
        for row, line in zip(reversed(self.children), self.lines, strict=True):
            row.text = line


# Answers to the table's question about the players' actions.


class AnswerPress(Press):
    """The button for one answer."""

    answer = ObjectProperty(None)
    is_narrow = BooleanProperty(False)


class Answers(GridLayout):
    """The buttons, in one or more columns. Dispatches `on_answer` with the chosen answer."""

    __events__ = ("on_answer",)

    def show(self, texts: Mapping[Candidate, str]) -> None:
        """Show these answers, with their labels.

        Buttons that already show these answers are kept, because a finger may be on one of them.
        """
        if {press.answer: press.text for press in self.children} == texts:
            return
        self.clear_widgets()
        for answer, text in texts.items():
            press = AnswerPress(answer=answer, text=text)
            press.bind(on_release=lambda press: self.dispatch("on_answer", press.answer))
            self.add_widget(press)

    def on_answer(self, answer: Candidate) -> None:
        pass


SHORT = 60
"""Time is short if fewer than this many seconds remain."""


class ClockFace(BoxLayout):
    """One side's clock.

    The clock shows an arrow while it is running, and an exclamation mark if time is short.
    """

    side = ObjectProperty(None, allownone=True)
    flat = BooleanProperty(False)
    left = NumericProperty(0)
    """Remaining time in seconds, rounded up, so that 0:00 means that time has run out."""
    runs = BooleanProperty(False)

    text = AliasProperty(lambda self: clock_text(self.left), bind=["left"])
    is_short = AliasProperty(lambda self: self.left < SHORT, bind=["left"])
    rim = AliasProperty(lambda self: theme.TEXT if self.runs else theme.EDGE, bind=["runs"])
    rim_width = AliasProperty(lambda self: 2 if self.runs else 1, bind=["runs"])


class Clocks(Yielding):
    """The clocks of both sides and of the whole game, where time is limited."""

    flat = BooleanProperty(False)
    """Whether to draw shorter clocks, to leave room for more important parts."""

    red = NumericProperty(None, allownone=True)
    blue = NumericProperty(None, allownone=True)
    whole = NumericProperty(None, allownone=True)
    """Remaining time for the whole game in seconds, or None if it is unlimited."""
    running = ObjectProperty(None, allownone=True)
    """The side whose clock is running."""

    is_ending = AliasProperty(
        lambda self: self.whole is not None and self.whole < SHORT, bind=["whole"]
    )
    whole_text = AliasProperty(lambda self: whole_text(self.whole), bind=["whole"])


def whole_text(left: float | None) -> str:
    """Return the remaining time for the whole game as text, or "" if it is unlimited."""
    return "" if left is None else _("Whole game: {time} left", time=clock_text(left))


load_kv(__file__)
