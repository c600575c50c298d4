"""Labels, buttons, options, settings rows and cards for all screens.

Some buttons must be held, to prevent accidental activation.
"""

from collections.abc import Callable, Mapping
from typing import Final

from kivy.factory import Factory
from kivy.input.motionevent import MotionEvent
from kivy.lang import Builder
from kivy.properties import (
    AliasProperty,
    BooleanProperty,
    NumericProperty,
    ObjectProperty,
    StringProperty,
)
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.button import Button
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.ui.drawing import theme
from companion.ui.drawing.hidpi_text import SharpLabel, SharpText
from companion.ui.drawing.shown import Shown
from companion.ui.drawing.vector_pen import Pen

HOLD_SECONDS: Final = 0.6
"""Time for which a button must be held, in seconds. It is longer than the touch of a sleeve that
brushes the screen, but hardly noticeable to a player."""


class Holding(Widget):
    """Fills while a finger holds the widget, and dispatches `on_held` when full.

    The widget empties when the finger leaves it or is lifted. Call `tick` with the current time.
    """

    fill = NumericProperty(0.0)
    """Fill level, from 0 to 1."""
    pressed = BooleanProperty(False)

    __events__ = ("on_held",)

    def __init__(self, **kwargs: object) -> None:
        self._since: float | None = None
        super().__init__(**kwargs)

    def on_held(self) -> None:
        pass

    def tick(self, now: float) -> None:
        """Update the fill level, and dispatch `on_held` when full."""
        if not self.pressed:
            return
        self._since = now if self._since is None else self._since
        self.fill = min(1.0, (now - self._since) / HOLD_SECONDS)
        if self.fill >= 1:
            self.empty()
            self.dispatch("on_held")

    def empty(self) -> None:
        self.pressed, self._since, self.fill = False, None, 0.0

    def on_touch_down(self, touch: MotionEvent) -> bool:
        if self.disabled or not self.collide_point(*touch.pos):
            return False
        touch.grab(self)
        self.pressed = True
        return True

    def on_touch_move(self, touch: MotionEvent) -> bool:
        if touch.grab_current is not self:
            return False
        if not self.collide_point(*touch.pos):
            self.empty()
        return True

    def on_touch_up(self, touch: MotionEvent) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        self.empty()
        return True


class HoldArea(Shown, Holding, SharpLabel):
    """A wide button that must be held."""

    text = StringProperty()
    main = BooleanProperty(False)
    """Whether the button triggers the screen's primary action."""


def load_kv(python_file: str) -> None:
    """Load the .kv file that belongs to a Python file."""
    Builder.load_file(python_file.removesuffix(".py") + ".kv")


class Press(Shown, SharpText, Button):
    """A button. Set `main` for the screen's primary action."""

    main = BooleanProperty(False)

    def __init__(self, **kwargs: object) -> None:
        super().__init__(min_state_time=0, **kwargs)  # otherwise, Kivy uses its own setting

    def _fill(self) -> theme.Colour:
        if self.disabled:
            return theme.BACKGROUND
        return theme.fill(pressed=self.state == "down", main=self.main)

    def on_touch_down(self, touch: MotionEvent) -> bool:
        # In Kivy, a disabled widget swallows touches, even those meant for board pieces under it.
        return not self.disabled and bool(super().on_touch_down(touch))

    fill = AliasProperty(_fill, bind=["disabled", "main", "state"])


class Card(Shown, ButtonBehavior, BoxLayout):
    """A clickable box with a background."""

    main = BooleanProperty(False)

    def _fill(self) -> theme.Colour:
        return theme.fill(pressed=self.state == "down", main=self.main)

    fill = AliasProperty(_fill, bind=["main", "state"])


class OptionCard(Card):
    """A clickable box whose outline shows whether it is chosen."""

    chosen = BooleanProperty(False)

    rim = AliasProperty(lambda self: theme.TEXT if self.chosen else theme.EDGE, bind=["chosen"])
    rim_width = AliasProperty(lambda self: 2 if self.chosen else 1, bind=["chosen"])


Factory.register("Card", cls=Card)
Factory.register("Press", cls=Press)


class LargeButton(Card):
    """A button that names an action and its consequence. Set `main` for the accent colour."""

    icon = StringProperty()
    """Name of the `TileIcon` above the text; empty for no icon."""
    text = StringProperty()
    detail = StringProperty()


# Options.

LONG = 16
"""Text longer than this number of characters takes two lines if three options share the screen."""


class Option(OptionCard):
    """One of several exclusive options (marked with a dot), or an on/off option (with a tick)."""

    value = ObjectProperty(None, allownone=True)
    text = StringProperty()
    small = BooleanProperty(False)
    """Whether the text is so long that it needs a smaller font."""
    ticked = BooleanProperty(False)
    """Whether the option is a check box rather than one of several exclusive options."""


class Options(GridLayout):
    """Several options, of which one is selected."""

    columns = NumericProperty(0)
    """Number of options per line with large text. Each line is then as tall as its text requires.
    If 0, the columns fill the available height, even with large text."""

    def on_kv_post(self, _base: object) -> None:
        """Set the number of columns after the .kv rules have been applied."""
        if theme.LARGE and self.columns:
            self.rows, self.cols, self.size_hint_y = None, self.columns, None
            self.bind(minimum_height=self.setter("height"))

    def fill(self, texts: Mapping[object, str], choose: Callable[[object], None]) -> None:
        """Offer these values, with their labels. `choose` receives the selected value."""
        self.clear_widgets()
        if self.cols:  # unused columns must not take up space
            self.cols = min(self.columns, len(texts)) or self.columns
        # Use one font size for all options, even if only one of them has a long text.
        small = any(len(text) > LONG for text in texts.values())
        for value, text in texts.items():
            option = Option(value=value, text=text, small=small)
            option.bind(on_release=lambda option: choose(option.value))
            self.add_widget(option)

    def mark(self, chosen: object) -> None:
        """Show which option is selected."""
        for option in self.children:
            option.chosen = option.value == chosen


class Setting(Card):
    """Clickable settings row with a name and an explanation. It grows with the text size."""

    text = StringProperty()
    about = StringProperty()
    chosen = BooleanProperty(False)
    is_choice = BooleanProperty(True)
    """Whether the setting is an on/off option, shown with a mark."""


# Drawings that help builders recognise the components of a board.

_LINE: Final = 4


class PartPicture(Widget):
    """One of the drawings below, selected by name and drawn as large as possible."""

    part = StringProperty()

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.bind(pos=self._draw, size=self._draw, part=self._draw)
        self._draw()

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        size = min(self.size)
        if self.part and size >= 1:
            left, bottom = self.x + (self.width - size) / 2, self.y + (self.height - size) / 2
            pen = Pen(self.canvas, left, bottom, size)
            pen.colour(theme.TEXT)
            _DRAWN[self.part](pen)


def _hall_sensor(pen: Pen) -> None:
    """Draw a Hall sensor from the front: a small body with cut corners on three long legs."""
    for x in (34, 50, 66):
        pen.line((x, 46), (x, 4), width=_LINE)
    pen.shape((50, 70), (22, 46), (22, 84), (32, 96), (68, 96), (78, 84), (78, 46), (22, 46))


def _switch(pen: Pen) -> None:
    """Draw a reed contact: two overlapping reeds in a glass tube."""
    pen.line((20, 34), (80, 34), (88, 42), (88, 58), (80, 66), (20, 66), (12, 58), (12, 42),
             width=_LINE, close=True)  # fmt: skip
    pen.line((0, 50), (24, 50), (58, 44), width=_LINE + 2)
    pen.line((100, 50), (76, 50), (42, 56), width=_LINE + 2)


def _by_hand(pen: Pen) -> None:
    """Draw sensors, each of which is wired to a module."""
    pen.box(74, 12, 24, 76, 4)
    for n in range(5):
        y, end = 10 + 20 * n, 26 + 12 * n
        pen.disc(8, y, 7)
        bend = 34 + 7 * abs(n - 2)
        pen.line((8, y), (bend, y), (bend + 14, end), (76, end), width=_LINE)


def _tiles(pen: Pen) -> None:
    """Draw four square circuit boards side by side, each with rows of sensors."""
    for left in (3, 53):
        for bottom in (3, 53):
            right, top = left + 44, bottom + 44
            pen.line((left, bottom), (right, bottom), (right, top), (left, top),
                     width=_LINE, close=True)  # fmt: skip
            for n in range(9):
                pen.disc(left + 10 + 12 * (n % 3), bottom + 10 + 12 * (n // 3), 3.2)


_DRAWN: Final[Mapping[str, Callable[[Pen], None]]] = {
    "colours": _hall_sensor,
    "switches": _switch,
    "hand": _by_hand,
    "tiles": _tiles,
}


class Pictured(OptionCard):
    """A clickable card with a picture, a name and an explanation. It grows with the text size."""

    value = ObjectProperty(None, allownone=True)
    part = StringProperty()
    text = StringProperty()
    about = StringProperty()


_DIGITS: Final = 4


class CodePad(Shown, BoxLayout):
    """Ten keys for entering a hidden code. Dispatches `on_code` after every four digits."""

    dots = StringProperty()
    """A dot for each digit entered, and a dash for each missing one."""

    __events__ = ("on_code",)

    def __init__(self, **kwargs: object) -> None:
        self._digits = ""
        super().__init__(**kwargs)
        self._show()

    def on_kv_post(self, _base: object) -> None:
        """Create the keys, once their container exists."""
        for digit in "1234567890":
            key = Press(text=digit, size_hint_y=1, font_size=theme.HEAD)
            key.bind(on_release=lambda key: self._take(key.text))
            self.ids.digits.add_widget(key)

    def on_code(self, _code: str) -> None:
        pass

    def _take(self, digit: str) -> None:
        self._digits += digit
        code = self._digits
        if len(code) == _DIGITS:
            self._digits = ""
        self._show()
        if len(code) == _DIGITS:
            self.dispatch("on_code", code)

    def _show(self) -> None:
        self.dots = " ".join("•" * len(self._digits) + "–" * (_DIGITS - len(self._digits)))


load_kv(__file__)
