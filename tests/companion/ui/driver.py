"""Drives the real app with touches, and reads its screen."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from kivy.base import EventLoop
from kivy.core.image import Image as Picture
from kivy.graphics.opengl import GL_RGBA, GL_UNSIGNED_BYTE, glReadPixels
from kivy.graphics.texture import Texture

from companion.session.tabletop import Tabletop
from companion.ui.base.input_devices import SyntheticTouch
from companion.ui.base.modal import Modal
from companion.ui.widgets.board_picture import PieceTray
from companion.ui.widgets.buttons import HOLD_SECONDS, Holding
from companion.ui.widgets.private_pane import Behind
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from tests.companion.ui.running_app import LOOK, RunningApp


class Driver(RunningApp):
    """The app, controlled by simulated touches."""

    touches = 0
    """Number of touches so far."""

    def find(self, name: str) -> Any:
        """Return the topmost widget with this id, preferring widgets that can be touched.

        All pages are searched.
        """
        found = self._turn_until(lambda: self.on_top(name))
        below = (each for each in reversed(self._named(walk(self.app.root), name)))
        found = found or next(below, None)
        assert found is not None, f"no {name!r} on the screen {self.view!r}"
        return found

    def on_top(self, name: str) -> Any:
        """Return the widget with this id if it is uncovered on the open page, or None."""
        found = self._named(self.uncovered(), name)
        return found[-1] if found else None

    def uncovered(self) -> list[Any]:
        """Return the widgets that no dialog covers."""
        widgets = walk(self.app.root)
        covers = [n for n, each in enumerate(widgets) if isinstance(each, Modal | Behind)]
        return widgets[max(covers, default=0) :]

    def _named(self, widgets: list[Any], name: str) -> list[Any]:
        called = (each.ids.get(name) for each in widgets if hasattr(each, "ids"))
        return [each for each in called if each is not None and is_shown(each)]

    def _turn_until(self, find: Callable[[], Any]) -> Any:
        """Turn pages until `find` returns something. Return None if it never does."""
        found = find()
        turner = self.on_top("turn") if found is None else None
        for _page in range(turner.count if turner else 0):
            self.tap_at(*self.middle(self.on_top("turn")))
            if (found := find()) is not None:
                break
        return found

    def _tile(self, grid: str, rank: Rank) -> Any:
        tiles = self.find(grid)

        def find() -> Any:
            return next((each for each in tiles.children if getattr(each, "rank", 0) is rank), None)

        tile = self._turn_until(find)
        assert tile is not None, f"no tile of {rank.name}"
        return tile

    def touch_at(self, x: float, y: float) -> SyntheticTouch:
        """Touch a point once new widgets no longer ignore touches."""
        presenter = self.app.presenter
        self.now += LOOK
        self.wait_for_real(lambda: not presenter.is_new)
        return self.touch_again_at(x, y)

    def touch_again_at(self, x: float, y: float) -> SyntheticTouch:
        """Touch a point immediately."""
        self.touches += 1
        finger = SyntheticTouch("hand", self.touches, x, y)
        EventLoop.post_dispatch_input("begin", finger)
        self.frames(1)
        return finger

    def slide(self, finger: SyntheticTouch, x: float, y: float) -> None:
        finger.slide(x, y)
        EventLoop.post_dispatch_input("update", finger)
        self.frames(1)

    def release(self, finger: SyntheticTouch) -> None:
        EventLoop.post_dispatch_input("end", finger)
        self.settle()

    def tap_at(self, x: float, y: float) -> None:
        self.release(self.touch_at(x, y))

    def tap(self, name: str) -> None:
        self.tap_at(*self.middle(self.find(name)))

    def tap_inside(self, outer: str, inner: str) -> None:
        """Tap the widget `inner` that is part of the widget `outer`."""
        self.tap_at(*self.middle(self.find(outer).ids[inner]))

    def tap_tile(self, grid: str, rank: Rank) -> None:
        self.tap_at(*self.middle(self._tile(grid, rank)))

    def tap_option(self, row: str, value: object) -> None:
        """Tap a choice, which may be on any page."""
        holder = next(
            each.ids[row] for each in reversed(self.uncovered()) if row in getattr(each, "ids", ())
        )

        def find() -> Any:
            options = getattr(holder, "things", holder.children)
            return next((each for each in options if each.value == value and is_shown(each)), None)

        option = self._turn_until(find)
        assert option is not None, f"no {value!r} among {row!r}"
        self.tap_at(*self.middle(option))

    def tap_answer(self, buttons: str, text: str) -> None:
        """Tap an answer to the table's question about what the hands did."""
        (press,) = (press for press in self.find(buttons).children if press.text == text)
        self.tap_at(*self.middle(press))

    def tap_square(self, where: int) -> None:
        board = self.find("board")
        self.tap_at(*board.to_window(*board.grid.centre(where)))

    @property
    def tabletop(self) -> Tabletop:
        assert self.app.host.tabletop
        return self.app.host.tabletop

    def on_board(self, name: str) -> tuple[float, float]:
        """Return the screen position of a square on the simulated board."""
        board = self.app.face.simulated_board
        assert board
        x, y = board.to_window(*board.grid.centre(square(name)))
        return float(x), float(y)

    def on_tray(self, side: str) -> tuple[float, float]:
        """Return the screen position of the side's last piece beside the simulated board."""
        board = self.app.face.simulated_board
        assert board
        *_, (_, (left, bottom)) = PieceTray(board).row(Side(side), self.tabletop.beside[Side(side)])
        x, y = board.to_window(left + 18, bottom + 18)
        return float(x), float(y)

    def carry(self, source: str, target: str) -> None:
        self.drag(self.on_board(source), self.on_board(target))

    def drag(self, source: tuple[float, float], target: tuple[float, float]) -> None:
        finger = self.touch_at(*source)
        self.slide(finger, *target)
        self.release(finger)

    def hold(self, name: str, seconds: float) -> None:
        self.hold_at(self.find(name), seconds)

    def hold_tile(self, grid: str, rank: Rank) -> None:
        """Hold a finger on a rank's tile until the rank has been declared."""
        finger = self.touch_tile(grid, rank)
        self.pass_time(HOLD_SECONDS + 0.1)
        self.release(finger)

    def press(self, name: str) -> None:
        """Tap a button, or hold it if it requires holding."""
        if isinstance(self.find(name), Holding):
            self.hold(name, HOLD_SECONDS + 0.1)
        else:
            self.tap(name)

    def confirm(self) -> None:
        """Answer yes. Hold the button if the answer cannot be undone."""
        self.press("yes")

    def enter_code(self, code: str) -> None:
        for digit in code:
            self.tap_at(
                *self.middle(
                    next(key for key in self.find("pad").ids.digits.children if key.text == digit)
                )
            )

    def touch_tile(self, grid: str, rank: Rank) -> SyntheticTouch:
        finger = self.touch_at(*self.middle(self._tile(grid, rank)))
        self.frames(1)
        return finger

    def hold_at(self, widget: Any, seconds: float) -> None:
        """Hold a finger on the middle of a widget for a while."""
        finger = self.touch_at(*self.middle(widget))
        self.frames(1)
        self.pass_time(seconds)
        self.release(finger)

    @staticmethod
    def middle(widget: Any) -> tuple[float, float]:
        x, y = widget.to_window(*widget.center)
        return float(x), float(y)

    def texts(self) -> str:
        """Return all text that can be read on the screen."""
        return "\n".join(
            widget.text
            for widget in walk(self.app.root)
            if isinstance(getattr(widget, "text", None), str) and widget.text and is_shown(widget)
        )

    def pixels(self) -> bytes:
        window = EventLoop.window
        self.frames(2)
        window.canvas.ask_update()
        window.on_draw()
        return bytes(glReadPixels(0, 0, window.width, window.height, GL_RGBA, GL_UNSIGNED_BYTE))

    def photograph(self, path: Path) -> None:
        window = EventLoop.window
        texture = Texture.create(size=window.size, colorfmt="rgba")
        texture.blit_buffer(self.pixels(), colorfmt="rgba", bufferfmt="ubyte")
        Picture(texture).save(str(path), flipped=True)


def walk(widget: Any) -> list[Any]:
    """Return a widget and its descendants in drawing order."""
    found, rest = [], [widget]
    while rest:
        each = rest.pop()
        found.append(each)
        rest.extend(each.children)
    return found


def is_shown(widget: Any) -> bool:
    while widget is not None and widget is not EventLoop.window:
        if widget.opacity == 0 or widget.parent is None:
            return False
        widget = widget.parent
    return True
