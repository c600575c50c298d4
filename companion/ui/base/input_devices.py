"""Mouse and keyboard input, and synthetic touches for keys and tests.

Everything that can be done by touch can also be done with the keyboard. Tab and the arrow keys move
a focus ring between touchable widgets, between the squares of a board, and to the pieces beside the
simulated board. Enter acts like a finger on the focused widget, so it can tap and hold. On the
simulated board, Enter lifts a piece and sets it down. If the focused widget is a list with hidden
rows, the arrow keys scroll the list to its end before the ring moves on. Escape goes back, stops,
or opens the menu. F11 toggles full-screen mode. Where ranks are chosen, digits and letters move the
focus to their tiles.
"""

import math
from collections.abc import Iterator
from typing import Final

from kivy.base import EventLoop
from kivy.config import Config
from kivy.core.window import Window
from kivy.graphics import Color, InstructionGroup, SmoothLine
from kivy.input import MotionEventFactory
from kivy.input.motionevent import MotionEvent
from kivy.input.providers.mouse import MouseMotionEventProvider
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.screenmanager import Screen
from kivy.uix.scrollview import ScrollView
from kivy.uix.widget import Widget

from companion.ui.base.modal import Modal
from companion.ui.drawing import theme
from companion.ui.widgets.board_picture import BoardPicture, PieceTray, Place
from companion.ui.widgets.buttons import Holding
from companion.ui.widgets.rank_tile import TileGrid
from companion.ui.widgets.transformed import ScaledRoot
from engine.board.geometry import WIDTH, Square, square


class SyntheticTouch(MotionEvent):
    """A touch at a position in window pixels. `device` names its source."""

    def __init__(self, device: str, number: int, x: float, y: float) -> None:
        super().__init__(device, number, self._share(x, y), is_touch=True, type_id="touch")

    def depack(self, args: tuple[float, float]) -> None:
        self.profile = ["pos"]
        self.sx, self.sy = args
        super().depack(args)

    def slide(self, x: float, y: float) -> None:
        self.move(self._share(x, y))

    @staticmethod
    def _share(x: float, y: float) -> tuple[float, float]:
        return x / (Window.width - 1), y / (Window.height - 1)


class PromptMouse(MouseMotionEventProvider):
    """Reports a mouse press before the movement that follows it.

    Kivy delivers all events since the last frame at once, and starts the touch at the latest
    position. If the mouse is moving fast, that position may already be on another square.
    """

    def on_mouse_press(self, *pressed: object) -> None:
        super().on_mouse_press(*pressed)
        EventLoop.dispatch_input()


def install_mouse() -> None:
    """Make Kivy use `PromptMouse`. Call this function before the event loop starts."""
    MotionEventFactory.register("mouse", PromptMouse)


# Full-screen mode of the window.


def can_be_chosen() -> bool:
    """Whether the window can leave full-screen mode. This requires a desktop."""
    return bool(Config.get("graphics", "fullscreen") == "0")


def is_filled() -> bool:
    """Whether the window is in full-screen mode."""
    return bool(Window.fullscreen)


def fill(*, fills: bool) -> None:
    """Enter full-screen mode, or go back to a maximized window."""
    Window.fullscreen = "auto" if fills else False
    if not fills:
        Window.maximize()


TAB: Final = 9
ENTER: Final = frozenset({13, 32, 271})
"""Key codes of Return, Space, and Enter on the numeric keypad."""
ESCAPE: Final = 27
F11: Final = 292
ARROWS: Final = {273: (0, 1), 274: (0, -1), 275: (1, 0), 276: (-1, 0)}
"""Up, down, right and left arrow keys, each with its direction (x, y)."""
BACK: Final = ("close", "close_sealed", "back_from_others", "stop", "menu", "back", "no")
"""Ids of the buttons that Escape can press, in order of preference. Escape presses the first one
that is on the screen. In a yes-or-no question, that is No."""
_DEVICE: Final = "keyboard"
_MOST_OF_A_PAGE: Final = 0.7
_AHEAD: Final = 0.5
"""The sideways offset of a widget is divided by this number when its distance is measured. The
number is below 1, so the ring prefers widgets straight ahead."""


class Keyboard:
    """Handles the window's keys while it is open, and draws the focus ring."""

    def __init__(self, frame: ScaledRoot) -> None:
        self._frame = frame
        """The widget that contains everything on the screen."""
        self.focus: Widget | None = None
        self._square: Square = square("e4")
        self._beside: int | None = None
        """The ring's column beside the simulated board, or None if the ring is on the board. Column
        0 is the free area; Red's pieces are to its left and Blue's to its right."""
        self._finger: SyntheticTouch | None = None
        self._number = 0
        self._is_down = False
        """Whether Enter is held down. The operating system sends repeated press events for a held
        key."""
        self._ring = InstructionGroup()
        self._drawn: tuple[float, ...] = ()

    def open(self) -> None:
        """Start listening for keys."""
        Window.bind(on_key_down=self._press, on_key_up=self._release, on_touch_down=self._hide_ring)
        Window.canvas.after.add(self._ring)

    def close(self) -> None:
        """Stop listening for keys."""
        Window.unbind(
            on_key_down=self._press, on_key_up=self._release, on_touch_down=self._hide_ring
        )
        Window.canvas.after.remove(self._ring)

    def tick(self) -> None:
        """Keep the ring on the focused widget.

        If the widget no longer exists, move the ring or remove it.
        """
        if self.focus is not None and self.focus not in (things := self._touchable()):
            self.focus = self._nearest(self.focus, things)
            self._lift()
        around = self._around() if self.focus else ()
        if around != self._drawn:
            self._drawn = around
            self._ring.clear()
            for colour, width in ((theme.BACKGROUND, 3.5), (theme.TEXT, 2)) if around else ():
                self._ring.add(Color(*colour))
                self._ring.add(SmoothLine(rectangle=around, width=width))

    def _hide_ring(self, _window: object, touch: MotionEvent) -> None:
        """Hide the ring when the player uses a finger or the mouse."""
        if touch.device != _DEVICE:
            self.focus = None

    def _nearest(self, removed: Widget, things: list[Widget]) -> Widget | None:
        """Return the touchable widget nearest to a removed one, or None if its screen is gone."""
        screen = _screen(removed)
        near = [each for each in things if screen and _screen(each) is screen]
        here = _middle(removed)
        return min(near, key=lambda each: math.dist(here, _middle(each)), default=None)

    # Keys

    def _press(
        self, _window: object, key: int, _scancode: int, letter: str | None, modifiers: list[str]
    ) -> bool:
        things = self._touchable()
        if key == TAB and things:
            self._go_on(things, -1 if "shift" in modifiers else 1)
        elif key in ARROWS:
            self._go(things, *ARROWS[key])
        elif key in ENTER:
            self._put_down()
        elif key == ESCAPE:
            self._go_back(things)
        elif key == F11:
            fill(fills=not is_filled())
        elif letter:
            self._look_up(things, letter)
        self.tick()
        return True

    def _release(self, _window: object, key: int, *_: object) -> bool:
        if key in ENTER:
            self._is_down = False
            self._lift()
        return True

    def _go_on(self, things: list[Widget], step: int) -> None:
        at = things.index(self.focus) + step if self.focus in things else min(0, step)
        self.focus = things[at % len(things)]

    def _go(self, things: list[Widget], x: int, y: int) -> None:
        """Move the focus to the next widget in a direction or, on a board, to the next square."""
        if isinstance(self.focus, BoardPicture) and self._goes_on_board(self.focus, x, y):
            return
        if isinstance(self.focus, ScrollView) and _scrolls(self.focus, y):
            return
        if self.focus is None:
            if things:
                self._go_on(things, 1)
            return
        here = self._seen_at(self.focus)
        distances = {
            each: _distance(here, self._seen_at(each), x, y)
            for each in things
            if each is not self.focus
        }
        ahead = {each: way for each, way in distances.items() if way < math.inf}
        if ahead:
            self.focus = min(ahead, key=ahead.__getitem__)

    def _goes_on_board(self, board: BoardPicture, x: int, y: int) -> bool:
        """Move to the next square, or to the next slot beside the board.

        Returns False if there is no such square or slot.
        """
        row, column = divmod(self._square, WIDTH)
        if self._beside is not None:
            to = self._beside + x
            stays = y == 0 and to in PieceTray(board).places()
            self._beside = to if stays else None
            return stays or y > 0
        if 0 <= row + y < WIDTH and 0 <= column + x < WIDTH:
            self._square = WIDTH * (row + y) + column + x
            return True
        if row + y < 0 and board.tabletop:
            self._beside = 0
            return True
        return False

    def _go_back(self, things: list[Widget]) -> None:
        for name in BACK:
            for each in things:
                if each is _named(each, name):
                    self._tap(*_middle(each))
                    return

    def _look_up(self, things: list[Widget], letter: str) -> None:
        """Move the focus to the rank tile with this letter or digit."""
        sign = "10" if letter == "0" else letter.lower()
        for grid in {each.parent for each in things if isinstance(each.parent, TileGrid)}:
            self.focus = grid.open_at(sign) or self.focus

    # Synthetic touches

    def _put_down(self) -> None:
        if self.focus is None or self._is_down:
            return
        self._is_down = True
        self._number += 1
        self._finger = SyntheticTouch(_DEVICE, self._number, *self._point())
        EventLoop.post_dispatch_input("begin", self._finger)

    def _lift(self) -> None:
        if self._finger:
            EventLoop.post_dispatch_input("end", self._finger)
            self._finger = None

    def _tap(self, x: float, y: float) -> None:
        self._number += 1
        finger = SyntheticTouch(_DEVICE, self._number, x, y)
        EventLoop.post_dispatch_input("begin", finger)
        EventLoop.post_dispatch_input("end", finger)

    def _point(self) -> tuple[float, float]:
        assert self.focus
        if isinstance(self.focus, BoardPicture):
            left, bottom, width, height = self._place(self.focus)
            x, y = self.focus.to_window(left + width / 2, bottom + height / 2)
            return float(x), float(y)
        return _middle(self.focus)

    def _place(self, board: BoardPicture) -> Place:
        """Return the area that the ring surrounds on the board or beside it."""
        if self._beside is None or not board.tabletop:
            return *board.grid.corner(self._square), board.grid.step, board.grid.step
        places = PieceTray(board).places()
        self._beside = max(min(places), min(self._beside, max(places)))
        return places[self._beside]

    def _around(self) -> tuple[float, ...]:
        """Return the rectangle of the ring as (left, bottom, width, height)."""
        assert self.focus
        if isinstance(self.focus, BoardPicture):
            x, y, width, height = self._place(self.focus)
            corners = (x, y), (x + width, y + height)
        else:
            corners = self.focus.pos, (self.focus.right, self.focus.top)
        (left, bottom), (right, top) = (self.focus.to_window(*corner) for corner in corners)
        return min(left, right), min(bottom, top), abs(right - left), abs(top - bottom)

    # Touchable widgets

    def _touchable(self) -> list[Widget]:
        """Return all widgets that a finger could touch now, in reading order from the top left."""
        found = {each: self._seen_at(each) for each in _shown(self._frame) if _is_touchable(each)}
        return sorted(found, key=lambda each: (-found[each][1] // 32, found[each][0]))

    def _seen_at(self, widget: Widget) -> tuple[float, float]:
        """Return the centre of a widget as the viewer sees it, with any screen rotation applied."""
        return self._frame.in_plane(*_middle(widget))


def _shown(widget: Widget) -> Iterator[Widget]:
    """Yield a widget and its visible descendants, except those below a modal layer."""
    if widget.opacity == 0 or widget.disabled:
        return
    yield widget
    for child in widget.children:  # topmost first
        yield from _shown(child)
        # Effects, such as the winner's flag, let touches and keys through.
        is_layer = isinstance(child, Screen | Modal)
        if is_layer and any(isinstance(each, Screen) for each in widget.children):
            return


def _is_touchable(widget: Widget) -> bool:
    if isinstance(widget, BoardPicture):
        return bool(widget.touchable or widget.tabletop)
    if isinstance(widget, ScrollView):
        return _hidden(widget) > 0
    return isinstance(widget, ButtonBehavior | Holding) and min(widget.size) > 1


def _hidden(view: ScrollView) -> float:
    """Return the height of the hidden part of a list, in pixels."""
    return float(view.children[0].height - view.height) if view.children else 0.0


def _scrolls(view: ScrollView, y: int) -> bool:
    """Scroll up or down by most of the visible height. Returns whether the list moved."""
    before = view.scroll_y
    step = y * _MOST_OF_A_PAGE * view.height / _hidden(view)
    view.scroll_y = min(1.0, max(0.0, before + step))
    return bool(view.scroll_y != before)


def _screen(widget: Widget) -> Widget | None:
    """Return the screen or modal layer that contains a widget, or None if it was removed."""
    while widget is not None and widget.parent is not widget:
        if isinstance(widget, Screen | Modal):
            return widget if widget.parent else None
        widget = widget.parent
    return None


def _middle(widget: Widget) -> tuple[float, float]:
    x, y = widget.to_window(*widget.center)
    return float(x), float(y)


def _distance(here: tuple[float, float], there: tuple[float, float], x: int, y: int) -> float:
    """Return the weighted distance to a point, or infinity if the point is not ahead."""
    across, up = there[0] - here[0], there[1] - here[1]
    ahead, aside = across * x + up * y, abs(across * y) + abs(up * x)
    return ahead + aside / _AHEAD if ahead > 1 else math.inf


def _named(widget: Widget, name: str) -> Widget | None:
    """Return the widget with this id in the nearest .kv rule that encloses `widget`, or None."""
    above = widget.parent
    while above is not None and above is not Window:
        found = above.ids.get(name) if hasattr(above, "ids") else None
        if found is not None:
            return found.__self__
        above = above.parent
    return None
