"""The workshop: one army's rows and its box, to set up piece by piece.

A piece is dragged, or touched and then the place where it shall be. On an own piece it changes
places with it; over the box it is taken off.
"""

from collections.abc import Callable

from kivy.graphics import Color, InstructionGroup
from kivy.input.motionevent import MotionEvent
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty

from companion.screens.widgets.behind import Behind
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.label import draw_label
from companion.screens.widgets.spot import BoxSpot, Spot, TouchRows
from companion.screens.widgets.stamp import stamp_piece
from companion.setups.setup import Setup
from engine.ranks import Army, ranks_in
from engine.sides import Side

_IN_HAND = 80
"""The size of a piece that is dragged: larger than the finger's tip."""


class Workshop(Behind):
    """What is on the board in a side's rows, as it stands there now, and what is not."""

    side = ObjectProperty(Side.RED)
    setup = ObjectProperty(Setup())
    army = NumericProperty(40)
    count = NumericProperty(0)
    can_keep = BooleanProperty(False)
    stands = BooleanProperty(False)
    """Whether it is higher than wide."""

    def __init__(
        self,
        side: Side,
        army: Army,
        *,
        read: Callable[[], Setup],
        stand: Callable[[Setup], None],
        keep: Callable[[], None],
        open_list: Callable[[], None],
        close: Callable[[], None],
    ) -> None:
        super().__init__(side=side, army=army.size)
        self._army, self._read, self._stand = army, read, stand
        self.keep, self.open_list, self.close = keep, open_list, close
        self._chosen: Spot | None = None
        """Where the piece is that is to be carried next."""
        self._pressed: Spot | None = None
        """Where the finger came down."""
        self._in_hand = InstructionGroup()
        self.canvas.after.add(self._in_hand)
        self._box = [BoxSpot(side=side, rank=rank) for rank in ranks_in(army.ranks)]
        for spot in (*self._rows.children, *self._box):
            spot.bind(on_press=self._press)
        for spot in self._box:
            self.ids.box.add_widget(spot)
        self._show()

    def tick(self, now: float) -> None:
        """Show how the pieces stand, whoever has moved them."""
        self.ids.take_off.tick(now)
        if self._read() != self.setup:
            self._show()

    def clear(self) -> None:
        """Take all pieces off."""
        self._choose(None)
        self._change(Setup())

    def on_touch_move(self, touch: MotionEvent) -> bool:
        self._draw_in_hand(*touch.pos)
        return True

    def on_touch_up(self, touch: MotionEvent) -> bool:
        super().on_touch_up(touch)
        self._in_hand.clear()
        pressed, self._pressed = self._pressed, None
        if pressed and pressed is self._chosen:
            self._drop(pressed, *touch.pos)
        return True

    @property
    def _rows(self) -> TouchRows:
        rows: TouchRows = self.ids.rows
        return rows

    def _press(self, spot: Spot) -> None:
        self._pressed = spot
        if self._chosen is None:
            self._choose(spot if spot.has_piece else None)
        else:
            self._carry(self._chosen, spot)

    def _drop(self, source: Spot, x: float, y: float) -> None:
        """Let go of a piece that was dragged; where it was touched only, it stays chosen."""
        spots = (*self._rows.children, *self._box)
        under = next((spot for spot in spots if spot.collide_point(x, y)), None)
        if under is None:
            self._choose(None)
        elif under is not source:
            self._carry(source, under)

    def _carry(self, source: Spot, target: Spot) -> None:
        self._choose(None)
        match source.square, target.square:
            case None, None:
                self._choose(target if target.has_piece and target is not source else None)
            case None, there:
                self._change(self.setup.put(there, source.rank))
            case here, None:
                self._change(self.setup.take(here))
            case here, there:
                self._change(self.setup.carry(here, there))

    def _change(self, setup: Setup) -> None:
        self._stand(setup)
        self._show()

    def _choose(self, spot: Spot | None) -> None:
        if self._chosen:
            self._chosen.chosen = False
        self._chosen = spot
        if spot:
            spot.chosen = True

    def _show(self) -> None:
        self.setup = self._read()
        left = self.setup.left(self._army)
        for spot in self._box:
            spot.count = left[spot.rank]
        self.count = len(self.setup.ranks)
        self.can_keep = self.setup.fits(self._army)

    def _draw_in_hand(self, x: float, y: float) -> None:
        self._in_hand.clear()
        if self._pressed is None or self._pressed is not self._chosen:
            return
        left, bottom = x - _IN_HAND / 2, y - _IN_HAND / 2
        self._in_hand.add(Color(1, 1, 1, 1))
        stamp_piece(self._in_hand, self.side, left, bottom, _IN_HAND)
        draw_label(self._in_hand, self._pressed.rank.symbol, left, bottom, _IN_HAND)


load_kv(__file__)
