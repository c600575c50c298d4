"""Signs for board findings: every kind has its own shape."""

from typing import Final

from kivy.properties import StringProperty
from kivy.uix.widget import Widget

from companion.screens.widgets import theme
from companion.screens.widgets.pen import Pen, Point

_ALERT: Final = (((50, 80), (50, 44)), ((50, 24), (50, 18)))
_CROSS: Final = (((26, 26), (74, 74)), ((26, 74), (74, 26)))
_STROKES: Final[dict[str, tuple[tuple[Point, ...], ...]]] = {
    "readings": _CROSS,
    "multiplexer": _CROSS,
    "stuck": _CROSS,
    # nothing inside
    "unfelt": (((27, 27), (73, 27), (73, 73), (27, 73), (27, 27)),),
    # one arrow up, one down
    "flipped": (
        ((32, 22), (32, 76)),
        ((18, 60), (32, 76), (46, 60)),
        ((68, 78), (68, 24)),
        ((54, 40), (68, 24), (82, 40)),
    ),
    # downward
    "weak": (((26, 64), (50, 36), (74, 64)),),
    # one too many
    "strange": (((50, 22), (50, 78)), ((22, 50), (78, 50))),
    # not equal
    "off-rest": (((22, 61), (78, 61)), ((22, 39), (78, 39)), ((36, 20), (64, 80))),
    # up and down
    "noise": (((16, 40), (33, 68), (50, 32), (67, 68), (84, 40)),),
}


def draw_sign(pen: Pen, about: str) -> None:
    """Draw the sign of a kind of finding; all findings about the whole board share one."""
    pen.colour(theme.TEXT)
    pen.box(0, 0, 100, 100, 24)
    pen.colour(theme.ON_ACT)
    for stroke in _STROKES.get(about, _ALERT):
        pen.line(*stroke, width=13)


class FindingSign(Widget):
    """The sign beside the text."""

    about = StringProperty()

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.bind(pos=self._draw, size=self._draw, about=self._draw)

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        draw_sign(Pen(self.canvas, self.x, self.y, min(self.size)), self.about)
