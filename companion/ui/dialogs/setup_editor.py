"""Editor for setting up an army piece by piece.

It shows the army's rows, and a box with the remaining pieces. The player drags a piece, or touches
the piece and then its target. A piece dropped on another piece swaps places with it. A piece
dropped on the box is removed from the rows.

A drag ends where the finger is lifted. In an editor rotated to a side of the screen, ten squares
share the height of the screen. Since these squares are smaller than any other touch target, the
square under the finger is shown enlarged, with its row and column highlighted.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from kivy.graphics import Color, InstructionGroup, Rectangle
from kivy.input.motionevent import MotionEvent
from kivy.properties import AliasProperty, BooleanProperty, NumericProperty, ObjectProperty

from companion.setups.setup import Setup
from companion.ui.drawing import theme
from companion.ui.drawing.rank_symbol import full_name
from companion.ui.drawing.signs import draw_portrait_label
from companion.ui.drawing.texture_cache import draw_cached_piece
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from companion.ui.widgets.private_pane import Behind
from companion.ui.widgets.setup_square import BoxSquare, SetupSquare, SpotFace, TouchRows
from engine.board.geometry import Side
from engine.board.ranks import Army, ranks_in

_IN_HAND: Final = 80
"""Size of a dragged piece in pixels, larger than a fingertip."""
_LENS: Final = 96
"""Size of an enlarged square, in pixels."""
_AWAY: Final = 48
"""Distance of the enlarged square from the finger, in pixels."""
_LIT: Final = 0.35


class Shape(NamedTuple):
    """Dimensions of the editor, for a wide layout or for a tall layout in a narrow area."""

    orientation: str
    """BoxLayout orientation, with the box beside the rows or below them."""
    padding: tuple[int, int]
    width: int
    """Width of the rows and buttons; 0 means the full width of the screen."""
    margin: int
    """Margin to the left and right of text and buttons."""
    step: int
    columns: int
    """Number of columns in the box."""
    box_height: int
    box_place: dict[str, float]
    large_title: int
    """Font size of the title with large text."""
    buttons: int
    """Number of buttons per line."""
    is_upright: bool


_WIDE: Final = Shape(
    orientation="horizontal",
    padding=(8, 8),
    width=640,
    margin=0,
    step=64,
    columns=2,
    box_height=64 * 7 + 2 * 6,
    box_place={"top": 1},
    large_title=theme.HEAD,
    buttons=4,
    is_upright=False,
)
_UPRIGHT: Final = Shape(
    orientation="vertical",
    padding=(0, 8),
    width=0,
    margin=8,
    step=48,
    columns=6,
    box_height=64 * 3 + 2 * 2,
    box_place={"center_x": 0.5},
    large_title=theme.BODY,
    buttons=2,
    is_upright=True,
)
_LEAST_WIDTH: Final = 600
"""Minimum width at which the box fits beside the rows."""


class SetupEditor(Behind):
    """The pieces in a side's rows, and the remaining pieces in the box."""

    side = ObjectProperty(Side.RED)
    setup = ObjectProperty(Setup())
    army = NumericProperty(40)
    count = NumericProperty(0)
    can_keep = BooleanProperty(False)
    seal = ObjectProperty(None)
    """Callback that commits to the army, or None if no commitments are used."""
    chosen_rank = ObjectProperty(None, allownone=True)
    """Rank of the selected piece, or None."""
    sealed = ObjectProperty(None, allownone=True)
    """The committed setup, or None."""

    def _shape(self) -> Shape:
        return _UPRIGHT if self.width < _LEAST_WIDTH else _WIDE

    def _advice(self) -> str:
        if self.chosen_rank is not None:
            return full_name(self.chosen_rank)
        if self.can_keep:  # no piece is left to be placed
            return "" if self.seal else _("Drag a piece, or tap it and then its square.")
        if self.shape.is_upright:
            return _(
                "Drag a piece, or tap it and then its new square. The pieces below "
                "still have to be placed."
            )
        return _(
            "Drag a piece, or tap it and then its new square. The pieces on the right still have "
            "to be placed."
        )

    def _seal_text(self) -> str:
        return _("Sealed") if self.setup == self.sealed else _("Seal my army")

    shape = AliasProperty(_shape, bind=["width"], cache=True, rebind=True)
    advice = AliasProperty(_advice, bind=["seal", "can_keep", "shape", "chosen_rank"], cache=True)
    seal_text = AliasProperty(_seal_text, bind=["setup", "sealed"])
    close_text = AliasProperty(lambda self: _("Back") if self.seal else _("Done"), bind=["seal"])

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
        self._chosen: SetupSquare | None = None
        """Square or box slot of the selected piece."""
        self._pressed: SetupSquare | None = None
        """Square or box slot on which the finger came down."""
        self._takes_up = False
        """Whether the current touch has selected a piece. Lifting the finger then does not put the
        piece down."""
        self._in_hand, self._bands = InstructionGroup(), InstructionGroup()
        for group in (self._bands, self._in_hand):
            self.canvas.after.add(group)
        self._lens = SpotFace(square=0, side=side, chosen=True, size=(_LENS, _LENS), opacity=0)
        self.add_widget(self._lens)
        self._box = [BoxSquare(side=side, rank=rank) for rank in ranks_in(army.ranks)]
        for spot in (*self._rows.children, *self._box):
            spot.bind(on_press=self._press)
        for spot in self._box:
            self.ids.box.add_widget(spot)
        self._show()

    def tick(self, now: float) -> None:
        """Update the buttons, and show changes made outside this editor."""
        self.ids.take_off.tick(now)
        if self._read() != self.setup:
            self._show()

    def clear(self) -> None:
        self._choose(None)
        self._change(Setup())

    def on_touch_down(self, touch: MotionEvent) -> bool:
        super().on_touch_down(touch)
        self._enlarge(*touch.pos)
        return True

    def on_touch_move(self, touch: MotionEvent) -> bool:
        self._draw_in_hand(*touch.pos)
        self._enlarge(*touch.pos)
        return True

    def on_touch_up(self, touch: MotionEvent) -> bool:
        super().on_touch_up(touch)
        self._in_hand.clear()
        self._hide_lens()
        pressed, self._pressed = self._pressed, None
        if pressed and self._chosen:
            self._release(self._chosen, self._under(*touch.pos))
        return True

    @property
    def _rows(self) -> TouchRows:
        rows: TouchRows = self.ids.rows
        return rows

    def _press(self, spot: SetupSquare) -> None:
        self._pressed, self._takes_up = spot, self._chosen is None
        if self._takes_up:
            self._choose(spot if spot.has_piece else None)

    def _release(self, source: SetupSquare, target: SetupSquare | None) -> None:
        """Put the selected piece down, unless the same touch has just selected it."""
        if target is None:
            self._choose(None)
        elif target is not source or not self._takes_up:
            self._carry(source, target)

    def _under(self, x: float, y: float) -> SetupSquare | None:
        spots = (*self._rows.children, *self._box)
        return next((spot for spot in spots if spot.collide_point(x, y)), None)

    def _enlarge(self, x: float, y: float) -> None:
        """If squares are too small to touch, show an enlarged copy of the one under the finger.

        The copy appears above the finger or, near the top of the editor, beside it.
        """
        under, lens, rows = self._under(x, y), self._lens, self._rows
        self._hide_lens()
        if not self._pressed or under is None or under.square is None:
            return
        if rows.step >= theme.TOUCH:
            return
        lens.square, lens.rank, lens.opacity = under.square, under.rank, 1
        left, bottom = x - _LENS / 2, y + _AWAY
        if bottom + _LENS > self.top:  # beside the finger, towards the centre
            left = x + _AWAY if x < self.center_x else x - _AWAY - _LENS
            bottom = self.top - _LENS
        lens.pos = min(max(left, self.x), self.right - _LENS), bottom
        self._bands.add(Color(*theme.TEXT[:3], _LIT))
        self._bands.add(Rectangle(pos=(under.x, rows.y), size=(under.width, rows.height)))
        self._bands.add(Rectangle(pos=(rows.x, under.y), size=(rows.width, under.height)))

    def _hide_lens(self) -> None:
        self._lens.opacity = 0
        self._bands.clear()

    def _carry(self, source: SetupSquare, target: SetupSquare) -> None:
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

    def _choose(self, spot: SetupSquare | None) -> None:
        if self._chosen:
            self._chosen.chosen = False
        self._chosen = spot
        self.chosen_rank = spot.rank if spot else None
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
        draw_cached_piece(self._in_hand, self.side, left, bottom, _IN_HAND)
        draw_portrait_label(self._in_hand, self._pressed.rank, left, bottom, _IN_HAND)


load_kv(__file__)
