"""Choice of a square: one with a sensor fault, or one whose piece needs a correction."""

from collections.abc import Callable

from kivy.properties import NumericProperty, ObjectProperty, StringProperty

from companion.screens.base.cover import Cover
from companion.screens.widgets.common import load_kv
from engine.board.geometry import Square
from firmware_bridge.image import Image


class SquareCover(Cover):
    """The question, and a board with squares to touch."""

    heading = StringProperty()
    detail = StringProperty()
    image = ObjectProperty(Image())
    marked = NumericProperty(0)
    """The chosen squares, or those whose sensors are ignored."""

    def __init__(
        self,
        image: Image,
        words: tuple[str, str],
        choose: Callable[[Square], None],
        close: Callable[[], None],
    ) -> None:
        super().__init__()
        self.heading, self.detail = words
        self.image = image
        self._choose, self._close = choose, close

    def touch_square(self, square: Square) -> None:
        self._choose(square)

    def close(self) -> None:
        self._close()


load_kv(__file__)
