"""Sign of a side that shows that side's ranks while it is held, for two players at one screen."""

from kivy.graphics import InstructionGroup
from kivy.properties import ObjectProperty
from kivy.uix.behaviors import ButtonBehavior

from companion.screens.widgets import theme
from companion.screens.widgets.pen import Pen
from companion.screens.widgets.side_sign import SideSign
from companion.simulator.tabletop import Tabletop
from engine.board.geometry import Side


class Eye(ButtonBehavior, SideSign):
    """A sign with an eye at its corner; without a simulated board, the sign alone."""

    tabletop = ObjectProperty(None, allownone=True)
    """The simulated board whose ranks it shows; None if it has nothing to show."""

    def __init__(self, **kwargs: object) -> None:
        self._badge = InstructionGroup()
        self._open: tuple[Tabletop, Side] | None = None
        """The board and the side whose ranks it shows at present."""
        # An eye closes with the finger; otherwise Kivy looks up the minimum time in its settings.
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
        """Hide the ranks, even while the finger stays; only a new touch shows them again."""
        self.state = "normal"

    def _draw_badge(self, *_args: object) -> None:
        self._badge.clear()
        self.disabled = self.tabletop is None or self.side is None
        if self.disabled or not self.width:
            return
        pen = Pen(self._badge, self.right - 30, self.y, 34)
        pen.colour(theme.TEXT if self.state == "down" else theme.SHADE)
        pen.disc(50, 50, 50)
        pen.colour(theme.SHADE if self.state == "down" else theme.TEXT)
        pen.line((14, 50), (32, 68), (50, 74), (68, 68), (86, 50), width=8)
        pen.line((14, 50), (32, 32), (50, 26), (68, 32), (86, 50), width=8)
        pen.disc(50, 50, 15)
