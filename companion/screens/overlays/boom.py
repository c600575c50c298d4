"""Explosion effect over the whole screen, after a silent burning fuse; a touch skips it.

All graphics are created once and only moved, scaled and faded afterwards: a frame may take 50 ms
on a Raspberry Pi.
"""

import math
from collections.abc import Callable
from typing import Final

from kivy.graphics import Color, Rectangle
from kivy.input.motionevent import MotionEvent
from kivy.uix.widget import Widget

from companion.screens.base.stage import BOOM_SECONDS, FUSE_SECONDS
from companion.screens.overlays.blast import Blast
from companion.screens.overlays.fuse import Fuse
from companion.screens.widgets import theme
from companion.screens.widgets.glow import FIRE, SMOKE, SPARK, Puff, cloud
from companion.screens.widgets.hand_letters import Word, written
from companion.screens.widgets.pen import Point
from companion.screens.widgets.texts import _

_PUFFS: Final = 32


def prepare() -> None:
    """Create in advance what is slow to create, so that it delays no frame of the explosion."""
    for tints in (FIRE, SMOKE, SPARK):
        cloud(tints)
    written(_.language.cry)


class Boom(Widget):
    """The explosion. Calm mode shows one motionless ring of smoke instead."""

    def __init__(
        self, *, calm: bool, skip: Callable[[], None], heart: Callable[[], Point] | None = None
    ) -> None:
        """Start the explosion; `heart` returns the position of the bomb on the screen."""
        super().__init__()
        self._calm, self._skip = calm, skip
        self._heart = heart or (lambda: self.center)
        self._drawn_for: tuple[float, ...] | None = None
        self._fuse: Fuse | None = None
        self._blast: Blast | None = None

    @property
    def white(self) -> float:
        """Opacity of the white flash, from 0 to 1."""
        return self._blast.white if self._blast else 0.0

    def on_touch_down(self, _touch: MotionEvent) -> bool:
        self._skip()
        return True

    def show(self, left: float) -> None:
        """Draw the frame `left` seconds before the end."""
        age = BOOM_SECONDS - left
        if self._drawn_for != (*self.pos, *self.size):
            self._drawn_for = (*self.pos, *self.size)
            self._draw()
        if self._calm:
            return
        assert self._fuse
        assert self._blast
        self._fuse.show(age)
        self._blast.show(age - FUSE_SECONDS, left)

    def _draw(self) -> None:
        """Create all graphics; those of later phases exist from the start but are invisible."""
        self.canvas.clear()
        if self._calm:
            self._draw_calm()
            return
        self._blast = Blast(self.canvas, self, self._heart(), _.language.cry)
        self._fuse = Fuse(self.canvas, self)

    def _draw_calm(self) -> None:
        with self.canvas:
            Color(*theme.GROUND)
            Rectangle(pos=self.pos, size=self.size)
        radius = 0.36 * self.height
        for n in range(_PUFFS):
            angle = n * math.tau / _PUFFS
            x = self.center_x + 1.5 * radius * math.cos(angle)
            y = self.center_y + radius * math.sin(angle)
            Puff(self.canvas, SMOKE).show((x, y), radius * (0.34 + 0.08 * (n % 3)), 0.8)
        Word(self.canvas, _.language.cry).show(self.center, 0.62 * self.width, 1)
