"""A square is pointed at: one that the board sees wrongly, or whose piece is to be set right."""

from collections.abc import Callable

from kivy.properties import NumericProperty, ObjectProperty, StringProperty

from companion.screens.base.cover import Cover
from companion.screens.widgets.common import load_kv
from engine.squares import Square
from firmware_bridge.image import Image


class SquareCover(Cover):
    """The board, to touch a square on, and what is asked."""

    heading = StringProperty()
    detail = StringProperty()
    image = ObjectProperty(Image())
    marked = NumericProperty(0)
    """The squares that are chosen, or that the board is not believed about."""

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
